enum Markdown { static func html(_ t: String) -> [UInt8] { Array(t.utf8) } }
