// The system's SQLite, and what of its C interface Swift cannot import:
// variadic functions, a global variable, and calls whose destructor argument is a cast integer.
#include <sqlite3.h>

// Before the first connection: where temporary files go, and from how many bytes on they are files.
static inline void csqlite_begin(const char *folder, int bytes) {
    if (sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes) == SQLITE_OK) sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
}

// sqlite3_db_config is variadic; this is its form for the switches that are on or off.
static inline int csqlite_configure(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Swift has these only through Glibc, which this module does without.
static inline int csqlite_contains_nul(const void *bytes, unsigned long count) {
    return __builtin_memchr(bytes, 0, count) != 0;
}

static inline int csqlite_equal(const void *left, const void *right, unsigned long count) {
    return __builtin_memcmp(left, right, count) == 0;
}
