// Notices on the writer's connection, in the transaction itself, what is news after its commit: triggers that exist only for this
// connection write it into a table that only it has. Whatever changes a person's data raises their revision, so no change is missed, and
// what is rolled back is no news.

public import SQLite

/// What the writer's transactions are watched by.
public enum NewsWatch {
    /// Begins to watch a connection.
    public static func begin(_ connection: Connection) throws {
        try connection.executeScript(
            """
            CREATE TEMP TABLE news (user_id INTEGER NOT NULL, revision INTEGER, session BLOB, token INTEGER);
            CREATE TEMP TRIGGER news_of_change AFTER UPDATE OF revision ON main.users BEGIN
                INSERT INTO news (user_id, revision) VALUES (new.id, new.revision);
            END;
            CREATE TEMP TRIGGER news_of_end AFTER DELETE ON main.sessions BEGIN
                INSERT INTO news (user_id, session) VALUES (old.user_id, old.digest);
            END;
            CREATE TEMP TRIGGER news_of_token AFTER DELETE ON main.tokens BEGIN
                INSERT INTO news (user_id, token) VALUES (old.user_id, old.id);
            END;
            CREATE TEMP TRIGGER news_of_ban AFTER UPDATE OF is_disabled ON main.users WHEN new.is_disabled = 1 BEGIN
                INSERT INTO news (user_id) VALUES (new.id);
            END;
            """)
    }

    /// The news of the open transaction, which it forgets. To be told only once it is committed.
    public static func take(_ connection: Connection) throws -> News {
        var news = News()
        try connection.forEach("DELETE FROM temp.news RETURNING user_id, revision, session, token") { row in
            let user: Int = try row.int(0)
            if let session = try row.bytesOrNil(2) {
                news.endedSessions.append(session)
            } else if let token: Int = try row.intOrNil(3) {
                news.endedTokens.append(token)
            } else if let revision: Int = try row.intOrNil(1) {
                news.revisions[user] = max(revision, news.revisions[user] ?? 0)
            } else {
                news.disabled.append(user)
            }
            return true
        }
        return news
    }
}
