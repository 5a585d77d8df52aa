// GET /feeds/{secret}.ics: what a saved filter shows, for calendars. The secret is all that is asked for; there is no session, no cookie and
// no page to sign in at. Whatever is wrong with it, the answer is the same: not found.

import HTTP
import SQLite

enum FeedAnswer {
    /// GET /feeds/{secret}.ics, as tasks, or with `?events=1` as events.
    static func show(_ context: Context) throws -> Response {
        guard let secret = context.parameters.first, let feed = try Feed.find(secret, context.database) else {
            throw Refusal.notFound
        }
        let owner = feed.owner
        let categories = try Category.all(context.database, userID: owner.id)
        // One that names something which is gone shows nothing, and a calendar that stands empty would not say why.
        guard
            let saved = try SavedFilter.find(feed.filterID, context.database, owner: owner, categories: categories),
            let filter = saved.filter
        else { throw Refusal.notFound }
        let isForEvents: Bool
        switch context.query.first("events") {
        case nil, "", "0": isForEvents = false
        case "1": isForEvents = true
        default: throw Refusal.badRequest("error.bad_request.text")
        }
        let tag = try entityTag(saved, filter, owner, context, isForEvents)
        var fields = Fields()
        fields[.entityTag] = tag.description
        fields[.cacheControl] = "private, no-cache"
        switch Preconditions.evaluate(
            method: context.request.head.method, fields: context.request.head.fields, against: Validators(entityTag: tag), now: 0)
        {
        case .notModified: return Response(Status(304), fields: fields)
        case .failed: return Response(Status(412))
        case .proceed: break
        }
        let name = saved.name
        let walk = ExportWalk(owner: owner, filter: filter, now: context.now) { texts, _ in
            CalendarWriter(texts: texts, name: name, isForEvents: isForEvents)
        }
        var response = try walk.response(context, contentType: ExportFormat.ics.contentType)
        response.fields[.entityTag] = tag.description
        response.fields[.cacheControl] = "private, no-cache"
        return response
    }

    /// Of all that the content comes from: the person's data by their revision, the filter, what of it depends on the clock, and
    /// the program that writes it. So nothing has to be read to say that nothing has changed.
    private static func entityTag(
        _ saved: SavedFilter, _ filter: TaskFilter, _ owner: User, _ context: Context, _ isForEvents: Bool
    ) throws -> EntityTag {
        var parts = [Version.text, String(owner.id), String(owner.revision), String(saved.id), String(isForEvents)]
        switch filter.due {
        case .today?, .week?: parts.append(owner.zone.day(at: context.now).description)
        // While nothing else changes, tasks only become overdue.
        case .overdue?:
            parts.append(String(try TaskRepository(context.database, owner: owner, now: context.now).count(filter)))
        default: break
        }
        let digest = Secret.base64URL(Array(SHA256.digest(parts.joined(separator: "\n").utf8).prefix(15)))
        guard let tag = EntityTag(opaque: digest) else { throw Refusal.notFound }  // base64url is always one
        return tag
    }
}
