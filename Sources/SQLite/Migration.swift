// One step of the schema's history. Migrations are an append-only array: the version of a file is how many have run.

/// A change of the schema, from one version to the next.
public struct Migration: Sendable {
    /// What it does, for messages.
    public let name: String
    /// Runs it, inside the migrator's transaction.
    let steps: @Sendable (Connection) throws -> Void

    /// A migration that is a script of statements.
    public init(name: String, sql: StaticString) {
        self.name = name
        steps = { connection in try connection.executeScript(sql) }
    }

    /// A migration that needs code. It may neither commit nor roll back.
    public init(name: String, steps: @escaping @Sendable (Connection) throws -> Void) {
        self.name = name
        self.steps = steps
    }
}
