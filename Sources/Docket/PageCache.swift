// List pages as they were last rendered. A page is made of what its person has at one revision, and of the clock; as long as both
// stand where they stood, the page is sent again. So a list that is looked at again, by whichever window or script, costs one look at
// the session, which is short enough for the connection's own thread.

import HTTP
import Synchronization

/// A rendered page. Its forms carry a name that is another one each time that the page is sent, or the second task typed into it would be
/// taken for the first one sent twice.
struct KeptPage: Sendable {
    private let user: User
    private let expires: Instant
    private let fields: Fields
    fileprivate let content: [UInt8]
    /// Where the name of its forms stands.
    private let places: [Int]

    fileprivate init?(_ response: Response, formID: String, for user: User, until expires: Instant) {
        guard response.status.code == 200, case .bytes(let content) = response.content else { return nil }
        let name = Array(formID.utf8)
        let places = content.withUnsafeBufferPointer { bytes in
            bytes.indices.filter { bytes[$0] == name[0] && bytes[$0...].starts(with: name) }
        }
        (self.user, self.expires, fields, self.content, self.places) = (user, expires, response.fields, content, places)
    }

    fileprivate func isRight(for person: User, _ now: Instant) -> Bool { user == person && now < expires }

    /// The page, to be sent once.
    var response: Response {
        var bytes = content
        let name = Array(Secret.formID().utf8)
        for place in places { bytes.replaceSubrange(place..<place + name.count, with: name) }
        return Response(Status(200), fields: fields, content: .bytes(bytes))
    }
}

/// Pages by address and person. Right because a page is sent only to whom it was made for, as they are now: revision and preferences are
/// read with the session in the same request.
final class PageCache: Sendable {
    /// Bytes in all, some hundreds of pages. Who comes when it is full finds it empty.
    private static let limit = 8 << 20

    private struct Pages {
        var byAddress: [String: [Int: KeptPage]] = [:]
        var byteCount = 0
    }

    private let pages = Mutex(Pages())

    /// True where somebody's page of this address is kept.
    func holds(_ address: String) -> Bool { pages.withLock { $0.byAddress[address] != nil } }

    /// The page of an address for a person; nil where it has to be made.
    func page(_ address: String, for user: User, _ now: Instant) -> KeptPage? {
        guard let page = pages.withLock({ $0.byAddress[address]?[user.id] }), page.isRight(for: user, now) else { return nil }
        return page
    }

    /// Keeps a page that was just made, until a moment.
    func keep(_ response: Response, formID: String, _ address: String, for user: User, until expires: Instant) {
        guard let page = KeptPage(response, formID: formID, for: user, until: expires) else { return }
        // What is thrown away goes after the lock, for which event loops wait.
        let _: Pages? = pages.withLock { pages in
            let full = pages.byteCount + page.content.count > Self.limit ? pages : nil
            if full != nil { pages = Pages() }
            let old = pages.byAddress[address, default: [:]].updateValue(page, forKey: user.id)
            pages.byteCount += page.content.count - (old?.content.count ?? 0)
            return full
        }
    }
}
