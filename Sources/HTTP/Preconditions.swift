// Conditional requests in the order of RFC 9110 section 13.2.2: If-Match, If-Unmodified-Since, If-None-Match, If-Modified-Since.
// A malformed If-Match matches nothing (the change is refused); malformed If-None-Match and dates count as absent.

/// The selected representation, as far as conditions ask for it.
public struct Validators: Sendable, Equatable {
    /// Its entity-tag.
    public var entityTag: EntityTag?
    /// When it was changed last.
    public var lastModified: HTTPDate?
    /// False where the target has no current representation.
    public var exists: Bool

    /// Makes validators.
    public init(entityTag: EntityTag? = nil, lastModified: HTTPDate? = nil, exists: Bool = true) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.exists = exists
    }
}

/// The evaluation of conditions.
public enum Preconditions {
    /// What the conditions demand.
    public enum Outcome: Sendable, Equatable {
        /// Answer as if there were no condition.
        case proceed
        /// 304 with the validators and no content.
        case notModified
        /// 412, nothing changed.
        case failed
    }

    /// Evaluates the conditions of a request. `now` in Unix seconds serves for dates with two-digit years.
    public static func evaluate(method: Method, fields: Fields, against current: Validators, now: Int) -> Outcome {
        let isRead = method == .get || method == .head
        if let text = fields.combined(.ifMatch) {
            guard matches(EntityTag.List(text), current, by: { $0.matchesStrongly($1) }) else { return .failed }
        } else if let date = date(fields, .ifUnmodifiedSince, now), let lastModified = current.lastModified {
            guard lastModified <= date else { return .failed }
        }
        if let text = fields.combined(.ifNoneMatch) {
            if matches(EntityTag.List(text), current, by: { $0.matchesWeakly($1) }) { return isRead ? .notModified : .failed }
        } else if isRead, let date = date(fields, .ifModifiedSince, now), let lastModified = current.lastModified {
            if lastModified <= date { return .notModified }
        }
        return .proceed
    }

    private static func matches(
        _ list: EntityTag.List?, _ current: Validators, by compare: (EntityTag, EntityTag) -> Bool
    ) -> Bool {
        switch list {
        case nil: return false
        case .any: return current.exists
        case .tags(let tags):
            guard current.exists, let entityTag = current.entityTag else { return false }
            return tags.contains { compare($0, entityTag) }
        }
    }

    private static func date(_ fields: Fields, _ name: FieldName, _ now: Int) -> HTTPDate? {
        fields[name].flatMap { HTTPDate($0, now: now) }
    }
}
