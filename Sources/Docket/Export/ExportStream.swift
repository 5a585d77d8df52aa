// An export as the content of an answer: the server asks for the next piece when the last one is on its way, and only then a reading
// thread makes it.

import HTTP
public import SQLite
import Synchronization

/// Reads from a thread that is no reader's: the body runs on one of them, in a transaction of its own.
public protocol Reading: Sendable {
    /// Runs the body with a reading connection; throws what it throws.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value
}

/// The rest of an export that was too long for one piece.
final class ExportStream: ContentStream {
    private struct State {
        var first: [UInt8]?
        /// Nil while a piece is being made, and after the end.
        var walk: ExportWalk?
        var isCancelled = false

        mutating func take() -> Next {
            if let bytes = first {
                first = nil
                return .piece(bytes)
            }
            guard let taken = walk else { return .nothing }
            walk = nil
            return .walk(taken)
        }
    }

    private enum Next {
        case piece([UInt8])
        case walk(ExportWalk)
        case nothing
    }

    private let state: Mutex<State>
    private let reader: any Reading

    /// - Parameter first: what has been made already.
    init(_ first: [UInt8], _ walk: ExportWalk, _ reader: any Reading) {
        state = Mutex(State(first: first.isEmpty ? nil : first, walk: walk))
        self.reader = reader
    }

    func next() async throws -> [UInt8]? {
        while true {
            guard let piece = try await reader.read({ try self.piece($0) }) else { return nil }
            if !piece.isEmpty { return piece }
        }
    }

    func cancel() {
        state.withLock { $0 = State(isCancelled: true) }
    }

    /// The next piece, perhaps empty; nil at the end.
    func piece(_ database: Connection) throws -> [UInt8]? {
        switch state.withLock({ $0.take() }) {
        case .piece(let bytes): return bytes
        case .nothing: return nil
        case .walk(var walk):
            let piece = try walk.next(database)
            state.withLock { if !$0.isCancelled { $0.walk = walk } }
            return piece
        }
    }
}

extension ExportWalk {
    /// The answer that holds this export: whole where it is short, else as it is made.
    func response(_ context: Context, contentType: String) throws -> Response {
        var walk = self
        let first = try walk.next(context.database) ?? []
        var response = Response(Status(200))
        response.content = walk.isOver ? .bytes(first) : .stream(ExportStream(first, walk, context.reader))
        response.fields[.contentType] = contentType
        return response
    }
}
