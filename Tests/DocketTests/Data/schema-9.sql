-- A database as schema version 9 makes it, with some rows: frozen, so that a test can bring it to the schema of today.

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
, proxy_seen_at INTEGER) STRICT;
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
    position INTEGER NOT NULL, removed_at INTEGER,
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
CREATE INDEX tasks_by_created ON tasks
    (user_id, status, pinned, created_at, number, category_id, priority, due_key, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX tasks_by_priority ON tasks
    (user_id, status, pinned, priority, created_at, number, category_id, due_key, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX tasks_by_due ON tasks
    (user_id, status, pinned, due_key, number, category_id, priority, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX tasks_by_category ON tasks (user_id, category_id);
CREATE INDEX tasks_in_trash ON tasks (user_id, trashed_at, number) WHERE trashed_at IS NOT NULL;
CREATE UNIQUE INDEX tasks_by_source ON tasks (user_id, source) WHERE source IS NOT NULL;
CREATE INDEX tasks_by_completion ON tasks (user_id, completed_at) WHERE completed_at IS NOT NULL AND trashed_at IS NULL;
CREATE TABLE task_counts (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    status INTEGER NOT NULL,
    category_id INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (user_id, status, category_id, priority, pinned)
) STRICT, WITHOUT ROWID;
CREATE TABLE filters (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    query TEXT NOT NULL,                          -- the query string of the list page that it stands for
    position INTEGER NOT NULL
) STRICT;
CREATE INDEX filters_by_user ON filters (user_id, position);
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
CREATE TABLE form_receipts (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    form_id TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    location TEXT,
    content BLOB NOT NULL,
    content_type TEXT, notice TEXT,
    PRIMARY KEY (user_id, form_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX form_receipts_by_age ON form_receipts (made_at);
CREATE TABLE invitations (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    made_by INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_by INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_maker ON invitations (made_by);
CREATE INDEX invitations_by_user ON invitations (used_by);
CREATE TABLE known_devices (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_by_user ON known_devices (user_id);
CREATE TABLE sign_in_failures (
    subject TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_at);
CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');
CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    through INTEGER NOT NULL,                     -- tasks up to this number are in the index
    stale INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TRIGGER tasks_left_index AFTER DELETE ON tasks BEGIN
    UPDATE search_progress SET stale = stale + 1 WHERE through >= old.number;
END;
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
CREATE TABLE feeds (
    filter_id INTEGER PRIMARY KEY REFERENCES filters (id) ON DELETE CASCADE,
    secret TEXT NOT NULL CHECK (length(secret) = 43),
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    made_at INTEGER NOT NULL
) STRICT;
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
INSERT INTO search_progress (id, through) VALUES (1, 0);

-- Sample rows: Ada with tasks of every kind, one of them in the trash, and Bob with none; something in every table.
INSERT INTO users (id, name, name_key, password_hash, is_admin, created_at, revision, language, time_zone) VALUES
    (1, 'ada', 'ada', NULL, 1, 1796029200000, 5, 'en', 'Europe/Berlin'), (2, '鲍勃', '鲍勃', NULL, 0, 1796029200000, 1, 'zh-Hans', 'Asia/Shanghai');
INSERT INTO categories (id, user_id, key, name, icon, color, position, removed_at) VALUES
    (1, 1, 'work', NULL, 'briefcase', 1, 1, NULL), (2, 1, 'garden', 'Garden', 'leaf', 4, 2, NULL), (3, 1, 'old', 'Old', 'home', 2, 3, 1796029200000),
    (4, 2, 'work', NULL, 'briefcase', 1, 1, NULL);
INSERT INTO tasks (number, id, user_id, category_id, priority, status, pinned, due_on, due_at, due_key, created_at, updated_at, completed_at,
    trashed_at, version, source, title, content, folded) VALUES
    (1, x'0190f5fe7c007a008000000000000001', 1, 1, 1, 0, 0, '2026-12-24', NULL, 1798153199999, 1796029200000, 1796029200000, NULL, NULL, 1, NULL,
        'Buy milk', '今天', 'buy milk' || char(10) || '今天'),
    (2, x'0190f5fe7c007a008000000000000002', 1, 2, 2, 1, 1, NULL, 1798133400000, 1798133400000, 1796029200000, 1796029300000, 1796029300000, NULL, 2, NULL,
        'Water the plants', '', 'water the plants'),
    (3, x'0190f5fe7c007a008000000000000003', 1, 1, 0, 0, 0, NULL, NULL, NULL, 1796029200000, 1796029200000, NULL, 1796029400000, 2, 'todotxt:1',
        'Café', '', 'cafe');
INSERT INTO filters (id, user_id, name, query, position) VALUES (1, 1, 'Soon', 'due=week', 1);
INSERT INTO changes (id, user_id, made_at, way, kind, task_count) VALUES
    (1, 1, 1796029200000, 'page', 'create', 1), (2, 1, 1796029300000, 'page', 'complete', 1), (3, 1, 1796029400000, 'token', 'trash', 1);
INSERT INTO task_changes (change_id, task_number, fields) VALUES
    (1, 1, NULL), (2, 2, '{"status":[0,1],"completed_at":[null,1796029300000]}'), (3, 3, '{"trashed_at":[null,1796029400000]}');
INSERT INTO tokens (id, user_id, name, digest, scope, created_at) VALUES (1, 1, 'cron', zeroblob(32), 'add', 1796029200000);
INSERT INTO sessions VALUES (zeroblob(32), 1, 1796029200000, 1796029200000, '127.0.0.1', 'test');
INSERT INTO search_terms (rowid, terms) VALUES (1, '1·b 1·u 1·bu');
UPDATE search_progress SET through = 1;
INSERT INTO task_counts VALUES (1, 0, 1, 1, 0, 1), (1, 1, 2, 2, 1, 1);
INSERT INTO form_receipts (user_id, form_id, made_at, status, location, content, content_type, notice) VALUES
    (1, 'one', 1796029200000, 303, '/tasks', x'', NULL, 'change-1');
INSERT INTO invitations VALUES (zeroblob(32), 1, 1796029200000, 1796634000000, 2);
INSERT INTO known_devices VALUES (zeroblob(32), 1, 1796029200000);
INSERT INTO sign_in_failures VALUES ('account:ada', 2, 1796029200000);
INSERT INTO audit (id, made_at, event, user_name, actor_name, address, detail) VALUES (1, 1796029200000, 'signed_in', 'ada', 'ada', '127.0.0.1', '');
INSERT INTO feeds VALUES (1, '0123456789012345678901234567890123456789012', zeroblob(32), 1796029200000);
INSERT INTO imports (id, user_id, made_at, file_name, state, change_id, result) VALUES (1, 1, 1796029200000, 'tasks.csv', 'done', NULL, '{}');
PRAGMA user_version = 9;
