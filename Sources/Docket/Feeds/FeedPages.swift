// The part of a filter's page that gives it an address for calendars, a new one, or none. Tokens do not reach it: the address is a
// credential, and would outlive the token.

import HTTP
import Mustache

enum FeedPages {
    /// POST /filters/{id}/feed, with `action` = `renew` or `remove`.
    static func change(_ context: Context, _ session: Session) throws -> Response {
        let (owner, id) = (session.user, try context.numberID())
        let categories = try Category.all(context.database, userID: owner.id)
        guard try SavedFilter.find(id, context.database, owner: owner, categories: categories) != nil else {
            throw Refusal.notFound
        }
        var secret: String?
        let action = context.form.first("action") ?? ""
        switch action {
        case "renew": secret = try Feed.renew(id, context.database, owner: owner, now: context.now)
        case "remove": try Feed.remove(id, context.database, owner: owner)
        default: return context.refuseForm(FormErrors("action", "problem.action", [("value", action)]))
        }
        try Audit(context, by: session).record(secret == nil ? .feedRemoved : .feedRenewed, of: owner.id, in: context.database)
        guard context.answersPage(session) else {
            let address = secret.map { context.feedURL($0) }
            return try context.answer(["feed": JSON(address)], line: address ?? "removed")
        }
        return try context.redirect(
            to: "/filters/\(id)/edit", saying: secret == nil ? "notice.feed_removed" : "notice.feed_renewed")
    }

    /// What the page of a filter says of its feed.
    static func view(_ context: Context, _ session: Session, _ saved: SavedFilter) throws -> Value {
        guard let secret = try Feed.secret(of: saved.id, context.database, owner: session.user) else {
            return ["url": .null, "events_url": "", "masked": ""]
        }
        let url = context.feedURL(secret)
        return [
            "url": .text(url), "events_url": .text(url + "?events=1"),
            "masked": .text(context.feedURL("\u{2026}" + secret.suffix(4))),
        ]
    }
}

extension Context {
    /// The whole address of a feed.
    fileprivate func feedURL(_ secret: String) -> String { baseURL + "/feeds/\(secret).ics" }

    /// By which people reach us: the public address where one is set, else the one that the request names.
    var baseURL: String {
        if let url = app.config.publicURL { return url.origin + url.basePath }
        // Empty only in HTTP/1.0 without Host.
        let authority = origin.authority.isEmpty ? "localhost:\(app.config.port)" : origin.authority
        return (origin.isSecure ? "https://" : "http://") + authority
    }
}
