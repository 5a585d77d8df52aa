// Every migration, in order. The list only grows: a migration that has been released is never edited.
// The schema is the last validator: STRICT tables, CHECKs for lengths and enumerations, foreign keys that cascade from `users`.
// `_at` is an instant in milliseconds since 1970 UTC, `_on` a calendar day `YYYY-MM-DD`.

public import SQLite

/// The migrations of Docket's database.
public enum Schema {
    /// All of them; the version of a database is how many of them it has seen.
    public static let migrations: [Migration] = [
        first, removedCategories, searchTerms, countedInsertions, audit, feeds, searchTriples, imports,
        coveringIndexes,
    ]

    /// Makes the migrator over all migrations.
    public static var migrator: Migrator { Migrator(migrations) }

    private static let first = Migration(
        name: "people, sessions, categories, tasks, changes",
        sql: """
            CREATE TABLE users (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
                name_key TEXT NOT NULL UNIQUE,                -- folded: names that look alike are one account
                password_hash TEXT,                           -- PHC string; NULL: no sign-in by password
                is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
                is_disabled INTEGER NOT NULL DEFAULT 0 CHECK (is_disabled IN (0, 1)),
                created_at INTEGER NOT NULL,
                revision INTEGER NOT NULL DEFAULT 1,          -- goes up with each change of anything of this person's
                language TEXT NOT NULL CHECK (language IN ('en', 'zh-Hans')),
                time_zone TEXT NOT NULL,
                theme TEXT NOT NULL DEFAULT 'auto' CHECK (theme IN ('auto', 'light', 'dark')),
                text_size TEXT NOT NULL DEFAULT 'normal' CHECK (text_size IN ('small', 'normal', 'large')),
                first_weekday INTEGER NOT NULL DEFAULT 1 CHECK (first_weekday BETWEEN 1 AND 7),
                per_page INTEGER NOT NULL DEFAULT 25 CHECK (per_page BETWEEN 10 AND 200),
                default_category TEXT NOT NULL DEFAULT 'work',
                default_sort TEXT NOT NULL DEFAULT 'created_desc'
            ) STRICT;

            CREATE TABLE sessions (
                digest BLOB PRIMARY KEY CHECK (length(digest) = 32),   -- SHA-256 of the identifier in the cookie
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                created_at INTEGER NOT NULL,
                last_seen_at INTEGER NOT NULL,
                address TEXT NOT NULL,
                user_agent TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sessions_by_user ON sessions (user_id);

            CREATE TABLE tokens (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
                digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                scope TEXT NOT NULL CHECK (scope IN ('read', 'add', 'full')),
                created_at INTEGER NOT NULL,
                expires_at INTEGER,
                last_used_on TEXT,
                UNIQUE (user_id, name)
            ) STRICT;

            CREATE TABLE categories (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 40),
                name TEXT CHECK (length(name) BETWEEN 1 AND 200),      -- NULL: the name of a first category in the person's language
                icon TEXT NOT NULL,
                color INTEGER NOT NULL CHECK (color BETWEEN 1 AND 12),
                position INTEGER NOT NULL,
                UNIQUE (user_id, key),
                UNIQUE (user_id, id)
            ) STRICT;

            CREATE TABLE tasks (
                number INTEGER PRIMARY KEY AUTOINCREMENT,     -- never given twice: the search index goes by it
                id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),       -- the UUID
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                category_id INTEGER NOT NULL,
                priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2),
                status INTEGER NOT NULL CHECK (status IN (0, 1)),
                pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
                due_on TEXT CHECK (due_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
                due_at INTEGER,
                due_key INTEGER,                              -- when it becomes overdue: the moment, or the last ms of the day in the owner's zone
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                completed_at INTEGER CHECK (completed_at IS NULL OR status = 1),
                trashed_at INTEGER,
                version INTEGER NOT NULL DEFAULT 1,
                source TEXT,                                  -- identity in the program it was imported from
                title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 20000),
                content TEXT NOT NULL DEFAULT '',
                folded TEXT NOT NULL,                         -- title and content, folded for search
                CHECK (due_on IS NULL OR due_at IS NULL),
                CHECK ((due_key IS NULL) = (due_on IS NULL AND due_at IS NULL)),
                FOREIGN KEY (user_id, category_id) REFERENCES categories (user_id, id)
            ) STRICT;
            -- One index for each kind of order. Behind the order stand the columns that a list filters by, so that a page is a walk
            -- along one index, forwards or backwards, and only its own rows are fetched from the table.
            CREATE INDEX tasks_by_created ON tasks
                (user_id, status, pinned, created_at, number, category_id, priority, due_key) WHERE trashed_at IS NULL;
            CREATE INDEX tasks_by_priority ON tasks
                (user_id, status, pinned, priority, created_at, number, category_id, due_key) WHERE trashed_at IS NULL;
            CREATE INDEX tasks_by_due ON tasks
                (user_id, status, pinned, due_key, number, category_id, priority) WHERE trashed_at IS NULL;
            -- For the reference to categories: what a category that is removed still has.
            CREATE INDEX tasks_by_category ON tasks (user_id, category_id);
            -- The trash of a person, last thrown away first.
            CREATE INDEX tasks_in_trash ON tasks (user_id, trashed_at, number) WHERE trashed_at IS NOT NULL;
            -- What was imported once is found again, so that the same file twice adds nothing.
            CREATE UNIQUE INDEX tasks_by_source ON tasks (user_id, source) WHERE source IS NOT NULL;
            -- Completions of a day, for the dashboard.
            CREATE INDEX tasks_by_completion ON tasks (user_id, completed_at) WHERE completed_at IS NOT NULL AND trashed_at IS NULL;

            -- How many tasks (trash apart) a person has of each kind, kept by the triggers below in the transaction of each change,
            -- so that no page ever counts them.
            CREATE TABLE task_counts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                status INTEGER NOT NULL,
                category_id INTEGER NOT NULL,
                priority INTEGER NOT NULL,
                pinned INTEGER NOT NULL,
                count INTEGER NOT NULL CHECK (count >= 0),
                PRIMARY KEY (user_id, status, category_id, priority, pinned)
            ) STRICT, WITHOUT ROWID;
            CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks WHEN new.trashed_at IS NULL BEGIN
                INSERT INTO task_counts VALUES (new.user_id, new.status, new.category_id, new.priority, new.pinned, 1)
                    ON CONFLICT DO UPDATE SET count = count + 1;
            END;
            CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks WHEN old.trashed_at IS NULL BEGIN
                UPDATE task_counts SET count = count - 1 WHERE user_id = old.user_id AND status = old.status
                    AND category_id = old.category_id AND priority = old.priority AND pinned = old.pinned;
            END;
            CREATE TRIGGER tasks_counted_over AFTER UPDATE OF status, category_id, priority, pinned, trashed_at ON tasks
            WHEN (old.status, old.category_id, old.priority, old.pinned, old.trashed_at IS NULL)
                IS NOT (new.status, new.category_id, new.priority, new.pinned, new.trashed_at IS NULL) BEGIN
                UPDATE task_counts SET count = count - 1 WHERE old.trashed_at IS NULL AND user_id = old.user_id
                    AND status = old.status AND category_id = old.category_id AND priority = old.priority AND pinned = old.pinned;
                INSERT INTO task_counts SELECT new.user_id, new.status, new.category_id, new.priority, new.pinned, 1
                    WHERE new.trashed_at IS NULL ON CONFLICT DO UPDATE SET count = count + 1;
            END;

            CREATE TABLE filters (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                query TEXT NOT NULL,                          -- the query string of the list page that it stands for
                position INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX filters_by_user ON filters (user_id, position);

            -- One row for each thing that a person (or a script of theirs) did to tasks, one row in task_changes for each task it touched.
            CREATE TABLE changes (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                made_at INTEGER NOT NULL,
                way TEXT NOT NULL CHECK (way IN ('page', 'token', 'import', 'command')),
                kind TEXT NOT NULL,
                task_count INTEGER NOT NULL DEFAULT 0,
                undoes INTEGER,                               -- the change that this one takes back
                undone_by INTEGER,
                finished INTEGER NOT NULL DEFAULT 1 CHECK (finished IN (0, 1))   -- 0: an import that is still running, or was cut off
            ) STRICT;
            CREATE INDEX changes_by_user ON changes (user_id, made_at);
            CREATE INDEX changes_unfinished ON changes (user_id) WHERE finished = 0;
            CREATE TABLE task_changes (
                change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
                task_number INTEGER NOT NULL REFERENCES tasks (number) ON DELETE CASCADE,
                fields TEXT,                                  -- {"status": [0, 1]}: from and to by column; NULL: the task was made
                PRIMARY KEY (change_id, task_number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX task_changes_by_task ON task_changes (task_number);

            -- Forms that were sent, so that one sent twice changes nothing more and gets the first answer.
            CREATE TABLE form_receipts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                form_id TEXT NOT NULL,
                made_at INTEGER NOT NULL,
                status INTEGER NOT NULL,
                location TEXT,
                content BLOB NOT NULL,
                content_type TEXT,
                PRIMARY KEY (user_id, form_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX form_receipts_by_age ON form_receipts (made_at);

            -- Links that let one person sign up, once.
            CREATE TABLE invitations (
                digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
                made_by INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                made_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                used_by INTEGER REFERENCES users (id) ON DELETE SET NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX invitations_by_maker ON invitations (made_by);
            CREATE INDEX invitations_by_user ON invitations (used_by);

            -- Devices on which an account has been signed in before: their failures are counted apart from those of strangers.
            CREATE TABLE known_devices (
                digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                seen_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX known_devices_by_user ON known_devices (user_id);

            -- Failed sign-ins, by account and by address, so that guessing becomes slow and stays so after a restart.
            CREATE TABLE sign_in_failures (
                subject TEXT PRIMARY KEY,
                failures INTEGER NOT NULL,
                last_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_at);
            """)

    /// A removed category stays as a row that no page shows: undoing brings it back, and its key is never given to another one, so that
    /// a saved filter that names it can never come to mean something else.
    private static let removedCategories = Migration(
        name: "removed categories can come back",
        sql: "ALTER TABLE categories ADD COLUMN removed_at INTEGER")

    /// What `SearchIndex` keeps: terms by task, up to which task, and how many entries there are that no task stands behind any more.
    private static let searchTerms = Migration(
        name: "an index for searches among very many tasks",
        sql: """
            CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');
            CREATE TABLE search_progress (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                through INTEGER NOT NULL,                     -- tasks up to this number are in the index
                stale INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            INSERT INTO search_progress (id, through) VALUES (1, 0);
            CREATE TRIGGER tasks_left_index AFTER DELETE ON tasks BEGIN
                UPDATE search_progress SET stale = stale + 1 WHERE through >= old.number;
            END;
            """)

    /// New rows are counted by who makes them, `TaskInsertion`, which says why. A counter that somebody made too small by hand stops
    /// nobody's change: `docket check` tells of it.
    private static let countedInsertions = Migration(
        name: "new tasks are counted where they are made",
        sql: """
            DROP TRIGGER tasks_counted_in;
            DROP TRIGGER tasks_counted_out;
            DROP TRIGGER tasks_counted_over;
            CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks WHEN old.trashed_at IS NULL BEGIN
                UPDATE task_counts SET count = count - 1 WHERE user_id = old.user_id AND status = old.status
                    AND category_id = old.category_id AND priority = old.priority AND pinned = old.pinned AND count > 0;
            END;
            CREATE TRIGGER tasks_counted_over AFTER UPDATE OF status, category_id, priority, pinned, trashed_at ON tasks
            WHEN (old.status, old.category_id, old.priority, old.pinned, old.trashed_at IS NULL)
                IS NOT (new.status, new.category_id, new.priority, new.pinned, new.trashed_at IS NULL) BEGIN
                UPDATE task_counts SET count = count - 1 WHERE old.trashed_at IS NULL AND user_id = old.user_id
                    AND status = old.status AND category_id = old.category_id AND priority = old.priority AND pinned = old.pinned
                    AND count > 0;
                INSERT INTO task_counts SELECT new.user_id, new.status, new.category_id, new.priority, new.pinned, 1
                    WHERE new.trashed_at IS NULL ON CONFLICT DO UPDATE SET count = count + 1;
            END;
            """)

    /// Names stand in the audit log as they were: it outlives the accounts that it tells of, whose numbers may come again.
    private static let audit = Migration(
        name: "audit log; people whom a proxy signs in; notices of forms sent twice",
        sql: """
            CREATE TABLE audit (
                id INTEGER PRIMARY KEY,
                made_at INTEGER NOT NULL,
                event TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 40),
                user_name TEXT,                               -- whose account; NULL: of none that is known
                actor_name TEXT,                              -- who did it
                address TEXT,                                 -- NULL: on the command line
                detail TEXT NOT NULL DEFAULT ''
            ) STRICT;
            CREATE INDEX audit_by_user ON audit (user_name, id);
            ALTER TABLE users ADD COLUMN proxy_seen_at INTEGER;
            ALTER TABLE form_receipts ADD COLUMN notice TEXT;     -- what the page after the first answer said
            """)

    /// The secret itself is kept, since the page of its filter shows it again (SECURITY.md says why that gives nothing away); what is looked
    /// up is its digest, so that no comparison of the secret can be timed.
    private static let feeds = Migration(
        name: "calendar feeds of filters",
        sql: """
            CREATE TABLE feeds (
                filter_id INTEGER PRIMARY KEY REFERENCES filters (id) ON DELETE CASCADE,
                secret TEXT NOT NULL CHECK (length(secret) = 43),
                digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                made_at INTEGER NOT NULL
            ) STRICT;
            """)

    /// The index is made anew, with triples of characters.
    private static let searchTriples = Migration(
        name: "triples of characters in the index for searches",
        sql: """
            INSERT INTO search_terms (search_terms) VALUES ('delete-all');
            UPDATE search_progress SET through = 0, stale = 0;
            """)

    /// Files that people have sent to be imported: what came of each outlives the file and the process.
    private static let imports = Migration(
        name: "imports by page",
        sql: """
            CREATE TABLE imports (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                made_at INTEGER NOT NULL,
                file_name TEXT NOT NULL,
                -- open: never run; running with no process at work on it: cut off, and what it had added taken away
                state TEXT NOT NULL CHECK (state IN ('open', 'running', 'done', 'cancelled', 'failed')),
                change_id INTEGER,                            -- undoes it
                result TEXT                                   -- counts and warnings, as JSON
            ) STRICT;
            CREATE INDEX imports_by_user ON imports (user_id, id);
            """)

    /// Three indexes hold the column of their own condition, too, though it is NULL in each entry: without it SQLite would take them for
    /// indexes that do not cover, and prepare a look at the table for each entry that a list passes over, a quarter of the time.
    private static let coveringIndexes = Migration(
        name: "indexes of lists cover",
        sql: """
            DROP INDEX tasks_by_created;
            DROP INDEX tasks_by_priority;
            DROP INDEX tasks_by_due;
            CREATE INDEX tasks_by_created ON tasks
                (user_id, status, pinned, created_at, number, category_id, priority, due_key, trashed_at) WHERE trashed_at IS NULL;
            CREATE INDEX tasks_by_priority ON tasks
                (user_id, status, pinned, priority, created_at, number, category_id, due_key, trashed_at) WHERE trashed_at IS NULL;
            CREATE INDEX tasks_by_due ON tasks
                (user_id, status, pinned, due_key, number, category_id, priority, trashed_at) WHERE trashed_at IS NULL;
            """)
}
