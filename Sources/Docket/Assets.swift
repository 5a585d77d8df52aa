// The static files: a dictionary made at the start, from request path to bytes, media type and entity-tag. A request path is looked up,
// never joined to a folder. Links carry a digest, so that a browser may keep a file for a year.

import HTTP

/// What stands in `Public`.
struct Assets: Sendable {
    private struct File {
        let bytes: [UInt8]
        let fields: Fields
        let tag: EntityTag
    }

    private let files: [String: File]
    /// The address of each file with its digest, by name with `_` for what is no letter or digit: `app_css`.
    let addresses: [String: String]

    /// - Parameter files: name below `Public`, and bytes.
    init(files named: [(name: String, bytes: [UInt8])], basePath: String) throws {
        var files: [String: File] = [:]
        var addresses: [String: String] = [:]
        for (name, bytes) in named {
            guard let type = Self.mediaType(name) else { throw StartFailure("Public/\(name): a file of that kind is not served") }
            let digest = SHA256.digest(bytes).prefix(8).map { Self.hex($0) }.joined()
            var fields = Fields()
            fields.append(.contentType, type)
            fields.append(.cacheControl, "public, max-age=31536000, immutable")
            fields.append(.entityTag, "\"\(digest)\"")
            fields.append(.xContentTypeOptions, "nosniff")
            fields.append(.crossOriginResourcePolicy, "same-origin")
            fields.append(.contentSecurityPolicy, "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
            guard let tag = EntityTag(opaque: digest) else { throw StartFailure("Public/\(name) has no tag") }
            let file = File(bytes: bytes, fields: fields, tag: tag)
            var plain = fields
            plain[.cacheControl] = "no-cache"
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            let versioned = "/public/\(name[..<dot]).\(digest)\(name[dot...])"
            files[versioned] = file
            files["/public/\(name)"] = File(bytes: bytes, fields: plain, tag: file.tag)
            addresses[String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })] = basePath + versioned
        }
        if let icon = files["/public/favicon.ico"] { files["/favicon.ico"] = icon }
        self.files = files
        self.addresses = addresses
    }

    /// The answer for a path of a static file: whole, a range, or not modified. Nil for every other path.
    func answer(_ head: RequestHead) -> Response? {
        guard let file = files[head.path], head.method == .get || head.method == .head else { return nil }
        return Conditional.answer(head, tag: file.tag, fields: file.fields, bytes: file.bytes)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    private static func mediaType(_ name: String) -> String? {
        let types = [
            ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
            ".ico": "image/vnd.microsoft.icon", ".png": "image/png", ".webmanifest": "application/manifest+json",
            ".txt": "text/plain; charset=utf-8",
        ]
        return name.lastIndex(of: ".").flatMap { types[String(name[$0...])] }
    }
}
