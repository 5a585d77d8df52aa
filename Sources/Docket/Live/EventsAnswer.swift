// GET /events: an answer that does not end, for windows that want to know when something has changed elsewhere.

import HTTP

enum EventsAnswer {
    static func show(_ context: Context, _ session: Session) throws -> Response {
        var response = Response(Status(200))
        // HEAD would open a stream that nobody reads.
        if context.request.head.method != .head { response.content = .stream(context.app.events.open(session)) }
        response.fields[.contentType] = "text/event-stream"
        // A proxy in front is not to wait until its buffer is full.
        response.fields[.xAccelBuffering] = "no"
        return response
    }
}

extension FieldName {
    fileprivate static let xAccelBuffering = FieldName("x-accel-buffering") ?? .cacheControl
}
