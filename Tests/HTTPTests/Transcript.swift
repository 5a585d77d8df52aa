// What a parser says of some bytes, in a form that does not depend on how they were cut, and the harness that cuts them.

import HTTP
import Testing

/// Requests in order, and the error or the end behind them.
struct Transcript: Equatable, CustomStringConvertible {
    struct Item: Equatable {
        var head: RequestHead
        var kind: ContentLengthKind
        var content: [UInt8] = []
        var isWhole = false
    }

    var items: [Item] = []
    var error: ParseError?
    var endsCleanly = false

    var description: String {
        let requests = items.map { "\($0.head.method) \($0.head.path) \($0.kind) \($0.content.count) \($0.isWhole)" }
        return "\(requests) \(error.map { "\($0.status.code) \($0.reason)" } ?? "no error")"
    }

    /// Feeds the pieces one after the other, taking every event as soon as it is there, then ends the input.
    init(_ pieces: [ArraySlice<UInt8>], limits: RequestParser.Limits = .init()) {
        var parser = RequestParser(limits: limits)
        do throws(ParseError) {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() { add(event) }
            }
            try parser.end()
            endsCleanly = true
        } catch {
            self.error = error
        }
    }

    private mutating func add(_ event: RequestParser.Event) {
        switch event {
        case .head(let head, let kind): items.append(Item(head: head, kind: kind))
        case .content(let bytes):
            #expect(!bytes.isEmpty)
            items[items.count - 1].content += bytes
        case .end: items[items.count - 1].isWhole = true
        }
    }

    /// The transcript of `text` fed whole, having checked that byte by byte and every cut in two give the same.
    static func ofEveryCut(_ text: String, limits: RequestParser.Limits = .init()) -> Transcript {
        ofEveryCut(Array(text.utf8), limits: limits)
    }

    static func ofEveryCut(_ bytes: [UInt8], limits: RequestParser.Limits = .init()) -> Transcript {
        let whole = Transcript([bytes[...]], limits: limits)
        let single = Transcript(bytes.indices.map { bytes[$0...$0] }, limits: limits)
        #expect(single == whole, "byte by byte")
        // Long inputs are cut at a sample of the places, so that the work stays linear.
        let step = max(1, bytes.count / 400)
        for cut in stride(from: 0, through: bytes.count, by: step) {
            let parts = Transcript([bytes[..<cut], bytes[cut...]], limits: limits)
            if parts != whole { Issue.record("cut at \(cut): \(parts) instead of \(whole)") }
        }
        return whole
    }

    /// The status of the error, nil where there was none.
    var status: Int? { error?.status.code }
}

extension RequestParser {
    /// The error that the next event is.
    var refusal: ParseError? {
        mutating get {
            do throws(ParseError) {
                _ = try next()
                return nil
            } catch {
                return error
            }
        }
    }
}
