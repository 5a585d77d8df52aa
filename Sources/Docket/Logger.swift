// Log lines: a fixed event name, then what belongs to it. Names are unique in the source, so that `grep` leads from a line to its code.
// No secrets, no query texts, no content of tasks.

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

    /// One event, whose values `fill` adds.
    public func event(_ name: String, _ fill: (inout LogLine) -> Void) {
        var line = LogLine(name, format)
        fill(&line)
        write(line.end())
    }

    /// The line of an event.
    public static func line(_ name: String, _ values: [(String, String)], _ format: Config.LogFormat) -> [UInt8] {
        var line = LogLine(name, format)
        for (key, value) in values { line.add(key, value) }
        return line.end()
    }
}

/// A line in the making, for what is logged with each request: no text is made that is not already there.
public struct LogLine {
    private let format: Config.LogFormat
    private var bytes: [UInt8] = []

    fileprivate init(_ name: String, _ format: Config.LogFormat) {
        self.format = format
        bytes.reserveCapacity(256)
        if format == .json { append("{\"time\":\"") }
        bytes.append(Instant.now(), withMilliseconds: true)
        append(format == .json ? "\",\"event\":\"" : " ")
        append(name)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Adds a value, which may be anything.
    public mutating func add(_ key: String, _ value: String) {
        begin(key)
        let isPlain = format == .text && !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 < 0x7F }
        if isPlain { append(value) } else { quote(value) }
    }

    /// Adds a number that is not negative.
    public mutating func add(_ key: String, _ number: Int) {
        begin(key)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
        bytes.append(decimal: number, width: 1)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func begin(_ key: String) {
        append(format == .json ? ",\"" : " ")
        append(key)
        append(format == .json ? "\":" : "=")
    }

    fileprivate consuming func end() -> [UInt8] {
        append(format == .json ? "}\n" : "\n")
        return bytes
    }

    private mutating func append(_ text: String) { text.utf8.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }

    /// A JSON string: no value can break out of its line.
    private mutating func quote(_ text: String) {
        let hex = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case 0..<0x20, 0x7F: bytes += "\\u00".utf8 + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
