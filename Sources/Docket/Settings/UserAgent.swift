// The device behind a User-Agent field, in words: browser and system, as far as they can be told. The order of the tables matters,
// since every browser names the ones that it wants to be taken for. What is not known is said to be unknown.

/// Browser and system of a device.
struct UserAgent: Equatable, Sendable {
    /// A browser's name, or a program's.
    let browser: String?
    let system: String?
    /// True for a program that is no browser.
    let isScript: Bool

    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("HeadlessChrome/", "Chrome"), ("MicroMessenger/", "WeChat"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"),
        ("CriOS/", "Chrome"), ("Chromium/", "Chromium"),
        ("Chrome/", "Chrome"), ("Version/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("FreeBSD", "FreeBSD"), ("OpenBSD", "OpenBSD"), ("Linux", "Linux"),
    ]

    init(_ field: String) {
        let bytes = Array(field.utf8.prefix(500))
        func find(_ table: [(String, String)]) -> String? { table.first { Self.contains(bytes, Array($0.0.utf8)) }?.1 }
        guard bytes.starts(with: "Mozilla/".utf8) else {
            // `curl/8.5.0`, `python-requests/2.31`: the name before the slash.
            let name = bytes.prefix { $0 != UInt8(ascii: "/") && $0 > 0x20 && $0 < 0x7F }.prefix(40)
            browser = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            system = nil
            isScript = browser != nil
            return
        }
        browser = find(Self.browsers)
        system = find(Self.systems)
        isScript = false
    }

    /// `Firefox on Linux`, `Script (curl)`.
    func text(_ strings: Strings) -> String {
        switch (browser, system) {
        case (let name?, _) where isScript: strings("sessions.device.script", [("name", name)])
        case (let browser?, let system?): strings("sessions.device", [("browser", browser), ("system", system)])
        case (let known?, nil), (nil, let known?): known
        case (nil, nil): strings["sessions.device.unknown"]
        }
    }

    private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard bytes.count >= word.count else { return false }
        return (0...(bytes.count - word.count)).contains { bytes[$0...].starts(with: word) }
    }
}
