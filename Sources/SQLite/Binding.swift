// The values that SQLite stores, and how a Swift value becomes one.
// `Bindable` may be adopted by a type of the application (a day, a priority), so that it is bound as what it is stored as.

/// A value of one of SQLite's five storage classes.
public enum Binding: Sendable, Equatable {
    /// NULL.
    case null
    /// A signed integer of 64 bits.
    case int(Int64)
    /// An IEEE double; NaN is stored as NULL by SQLite.
    case double(Double)
    /// Text; a NUL inside it is refused when it is bound.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// A value that can stand in the interpolation of an `SQL` literal.
public protocol Bindable {
    /// What is bound for this value.
    var binding: Binding { get }
}

extension Binding: Bindable {
    /// The value itself.
    public var binding: Binding { self }
}

extension Int: Bindable {
    /// An integer.
    public var binding: Binding { .int(Int64(self)) }
}

extension Int64: Bindable {
    /// An integer.
    public var binding: Binding { .int(self) }
}

extension Int32: Bindable {
    /// An integer.
    public var binding: Binding { .int(Int64(self)) }
}

extension Bool: Bindable {
    /// 1 or 0, as SQLite has no other booleans.
    public var binding: Binding { .int(self ? 1 : 0) }
}

extension Double: Bindable {
    /// A double.
    public var binding: Binding { .double(self) }
}

extension String: Bindable {
    /// Text.
    public var binding: Binding { .text(self) }
}

extension [UInt8]: Bindable {
    /// Bytes.
    public var binding: Binding { .blob(self) }
}
