// Cookies (RFC 6265): read leniently, since other programs of the same host set them too; written strictly.

/// The cookies of a request, in order.
public struct Cookies: Sendable, Equatable {
    /// One cookie.
    public struct Cookie: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Its value, without quotes around it.
        public let value: String
    }

    /// The cookies in order; the same name may stand twice.
    public let list: [Cookie]

    /// Reads every Cookie field; pairs without `=` or without a name are left out.
    public init(_ fields: Fields) {
        var list: [Cookie] = []
        for line in fields.lines where line.name == .cookie {
            let bytes = line.value.utf8.span
            var start = 0
            while start < bytes.count {
                let end = bytes.firstOffset(of: Ascii.semicolon, from: start) ?? bytes.count
                if let cookie = Self.pair(bytes.extracting(start..<end)) { list.append(cookie) }
                start = end + 1
            }
        }
        self.list = list
    }

    /// The first value of a name.
    public subscript(name: String) -> String? {
        list.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    private static func pair(_ text: Span<UInt8>) -> Cookie? {
        guard let equals = text.firstOffset(of: Ascii.equals) else { return nil }
        let name = text.trimmed(0..<equals)
        var value = text.trimmed((equals + 1)..<text.count)
        if value.count >= 2, text[value.lowerBound] == Ascii.quote, text[value.upperBound - 1] == Ascii.quote {
            value = (value.lowerBound + 1)..<(value.upperBound - 1)
        }
        guard !name.isEmpty, let name = text.extracting(name).text, let value = text.extracting(value).text else { return nil }
        return Cookie(name: name, value: value)
    }
}

/// A cookie to be set. One that exists is valid.
public struct SetCookie: Sendable, Equatable, CustomStringConvertible {
    /// When a browser sends the cookie with requests that another site caused.
    public enum SameSite: String, Sendable {
        /// Never.
        case strict = "Strict"
        /// With navigation by a safe method.
        case lax = "Lax"
    }

    /// Its name, a token.
    public let name: String
    /// Its value: visible ASCII without quote, comma, semicolon and backslash.
    public let value: String
    /// The path below which it is sent.
    public let path: String
    /// Hidden from scripts.
    public var isHTTPOnly = true
    /// Sent over TLS only.
    public var isSecure: Bool
    /// Its behaviour towards other sites.
    public var sameSite = SameSite.lax
    /// Its lifetime in seconds; nil until the browser closes, 0 removes it.
    public var maxAge: Int?

    /// Nil for a name that is no token, a value or a path with a character that is not allowed,
    /// and for a `__Host-` or `__Secure-` name without what it promises.
    public init?(name: String, value: String, path: String = "/", isSecure: Bool, maxAge: Int? = nil) {
        guard Grammar.isToken(name), value.utf8.allSatisfy(Self.isCookieOctet), path.utf8.first == Ascii.slash,
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != Ascii.semicolon }), (maxAge ?? 0) >= 0
        else { return nil }
        let lowercased = Grammar.lowercased(name)
        guard isSecure || !(lowercased.utf8.starts(with: "__secure-".utf8) || lowercased.utf8.starts(with: "__host-".utf8)),
            path == "/" || !lowercased.utf8.starts(with: "__host-".utf8)
        else { return nil }
        self.name = name
        self.value = value
        self.path = path
        self.isSecure = isSecure
        self.maxAge = maxAge
    }

    /// The value of the Set-Cookie field.
    public var description: String {
        var text = "\(name)=\(value); Path=\(path)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        return text + "; SameSite=\(sameSite.rawValue)"
    }

    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != Ascii.quote && byte != Ascii.comma && byte != Ascii.semicolon
            && byte != Ascii.backslash
    }
}
