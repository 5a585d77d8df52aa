// Log lines: a fixed event name, then what belongs to it. Names are unique in the source, so that `grep` leads from a line to its code.
// No secrets, no query texts, no content of tasks.

import FoundationEssentials

/// Writes events, a line each, at once.
public struct Logger: Sendable {
    private let format: Config.LogFormat
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes a whole line with its line feed.
    public init(format: Config.LogFormat, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.format = format
        self.write = write
    }

    /// One event. Values may be anything: they are quoted.
    public func event(_ name: String, _ values: [(String, String)] = []) { write(Self.line(name, values, format)) }

    /// The line of an event.
    public static func line(_ name: String, _ values: [(String, String)], _ format: Config.LogFormat) -> [UInt8] {
        let time = Instant.now().iso8601WithMilliseconds
        var line: [UInt8] = []
        line.reserveCapacity(256)
        switch format {
        case .text:
            line += time.utf8
            line.append(UInt8(ascii: " "))
            line += name.utf8
            for (key, value) in values {
                line.append(UInt8(ascii: " "))
                line += key.utf8
                line.append(UInt8(ascii: "="))
                let plain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 < 0x7F }
                if plain { line += value.utf8 } else { quote(value, into: &line) }
            }
        case .json:
            line += "{\"time\":\"\(time)\",\"event\":\"\(name)\"".utf8
            for (key, value) in values {
                line += ",\"\(key)\":".utf8
                quote(value, into: &line)
            }
            line.append(UInt8(ascii: "}"))
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// A JSON string: no value can break out of its line.
    private static func quote(_ text: String, into line: inout [UInt8]) {
        let hex = Array("0123456789abcdef".utf8)
        line.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): line += "\\n".utf8
            case 0..<0x20, 0x7F: line += "\\u00".utf8 + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
