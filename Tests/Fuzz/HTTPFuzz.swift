// What libFuzzer throws at the codec of HTTP. Compiled with the sources of the module by `Tests/Fuzz/run`; the variable FUZZ_TARGET
// names one of the targets below. A target must not crash, hang or take memory out of proportion, and what it claims must hold.

import Glibc

private typealias Target = @Sendable ([UInt8]) -> Void

private let targets: [String: Target] = [
    "request": fuzzRequest, "chunked": fuzzChunked, "form": fuzzForm, "query": fuzzQuery, "multipart": fuzzMultipart,
    "cookies": fuzzCookies, "dates": fuzzDates, "fields": fuzzFields,
]

private let target: Target = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let found = targets[name] else { preconditionFailure("FUZZ_TARGET is one of \(targets.keys.sorted())") }
    return found
}()

/// What libFuzzer calls. The pointer holds for the call only; the bytes are copied.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

// MARK: Requests

/// One request as the parser gave it.
private struct Item: Equatable {
    var head: RequestHead
    var kind: ContentLengthKind
    var content: [UInt8] = []
    var isWhole = false
}

private struct Transcript: Equatable {
    var items: [Item] = []
    var error: ParseError?

    init(_ pieces: [ArraySlice<UInt8>]) {
        var parser = RequestParser()
        do throws(ParseError) {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() {
                    switch event {
                    case .head(let head, let kind): items.append(Item(head: head, kind: kind))
                    case .content(let bytes): items[items.count - 1].content += bytes
                    case .end: items[items.count - 1].isWhole = true
                    }
                }
            }
            try parser.end()
        } catch { self.error = error }
    }
}

/// The same bytes mean the same however they are cut; what is accepted, written and parsed again, is the same request.
@Sendable private func fuzzRequest(_ bytes: [UInt8]) {
    let whole = Transcript([bytes[...]])
    precondition(Transcript(bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte it is another request")
    let cut = bytes.count / 2
    precondition(Transcript([bytes[..<cut], bytes[cut...]]) == whole, "cut in two it is another request")
    for item in whole.items where item.isWhole {
        precondition(Transcript([written(item)[...]]).items == [item], "written and parsed again it is another request")
    }
}

private func written(_ item: Item) -> [UInt8] {
    let head = item.head
    var target = head.path + (head.query.map { "?" + $0 } ?? "")
    // The authority of an absolute-form target is not kept in the Host field.
    if !head.fields.values(.host).contains(head.authority), !head.authority.isEmpty, head.path != "*" {
        target = "http://" + head.authority + target
    }
    var bytes = Array("\(head.method) \(target) HTTP/1.\(head.minorVersion)\r\n".utf8)
    for line in head.fields.lines { bytes += Array("\(line.name): \(line.value)\r\n".utf8) }
    bytes += Array("\r\n".utf8)
    if item.kind == .chunked {
        ResponseSerializer.appendChunk(item.content, into: &bytes)
        ResponseSerializer.appendLastChunk(into: &bytes)
    } else {
        bytes += item.content
    }
    return bytes
}

/// The content alone, behind a fixed head.
@Sendable private func fuzzChunked(_ bytes: [UInt8]) {
    fuzzRequest(Array("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + bytes)
}

// MARK: Content

@Sendable private func fuzzForm(_ bytes: [UInt8]) {
    guard let form = try? FormFields(urlEncoded: bytes) else { return }
    precondition((try? FormFields(urlEncoded: form.encoded.utf8)) == form, "encoded and decoded it is another form")
}

@Sendable private func fuzzQuery(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let form = try? FormFields(query: text) {
        precondition((try? FormFields(query: form.encoded)) == form, "encoded and decoded it is another query")
    }
    if let segments = PercentEncoding.segments(ofPath: "/" + text) {
        precondition(segments.allSatisfy { !$0.utf8.contains(0) }, "a segment with a null byte")
    }
}

/// The first byte says how the body is cut into blocks; the rest is the body.
@Sendable private func fuzzMultipart(_ bytes: [UInt8]) {
    guard let type = MediaType("multipart/form-data; boundary=b"), let first = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    let whole = try? MultipartForm(.bytes(body), type: type)
    let pieces = try? MultipartForm(.spooled(Spool(bytes: body, step: Int(first) + 1)), type: type)
    precondition(
        whole.map { $0.parts.map(\.content) } == pieces.map { $0.parts.map(\.content) }, "read in blocks it is another form")
    for part in whole?.parts ?? [] {
        precondition(part.content.upperBound <= body.count, "a part that ends behind the body")
        _ = try? whole?.text(of: part)
    }
}

private struct Spool: SpooledContent {
    let bytes: [UInt8]
    let step: Int
    var count: Int { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        let piece = bytes[min(offset, bytes.count)...].prefix(min(step, buffer.count))
        buffer.copyBytes(from: piece)
        return piece.count
    }
}

// MARK: Values of fields

@Sendable private func fuzzCookies(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var fields = Fields()
    fields.append(.cookie, text)
    for cookie in Cookies(fields).list {
        // What we would set ourselves comes back as it was.
        guard let set = SetCookie(name: cookie.name, value: cookie.value, isSecure: true) else { continue }
        var again = Fields()
        again.append(.cookie, String(set.description.prefix { $0 != ";" }))
        precondition(Cookies(again).list.first?.value == cookie.value, "a cookie that does not come back")
    }
}

@Sendable private func fuzzDates(_ bytes: [UInt8]) {
    guard let date = HTTPDate(String(decoding: bytes, as: UTF8.self), now: 1_796_029_200) else { return }
    precondition(HTTPDate(date.description, now: 0) == date, "written and read again it is another date")
}

@Sendable private func fuzzFields(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var fields = Fields()
    for name in [
        FieldName.range, .forwarded, .xForwardedFor, .xForwardedHost, .ifMatch, .ifNoneMatch, .ifModifiedSince, .connection,
    ] {
        fields.append(name, text)
    }
    if case .part(let range) = ByteRange(method: .get, fields: fields, size: 5, validators: Validators(), now: 0) {
        precondition(range.upperBound <= 5 && range.lowerBound < range.upperBound, "a range outside the file")
    }
    _ = (ForwardedHop.forwarded(fields), ForwardedHop.xForwarded(fields), Accept(text), AcceptLanguage(text))
    _ = (Authority.isValid(text), Persistence.continues(after: RequestHead(method: .get, path: "/", fields: fields)))
    _ = Preconditions.evaluate(method: .get, fields: fields, against: Validators(), now: 0)
    if let type = MediaType(text) { precondition(MediaType(type.description) == type, "another media type") }
    if let tag = EntityTag(text) { precondition(EntityTag(tag.description) == tag, "another entity-tag") }
}
