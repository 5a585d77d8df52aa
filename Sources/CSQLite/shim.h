// The system's SQLite, and what of its C interface Swift cannot import: a variadic function,
// calls whose destructor argument is a cast integer, a variable.
#include <sqlite3.h>

// sqlite3_db_config is variadic; this is its form for the switches that are on or off.
static inline int csqlite_configure(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

// To be called once, before anything else of SQLite. It counts what memory it takes only for those who ask, under a lock of the whole
// process at each piece; and no connection is used by two threads at once, so none needs a lock of its own.
static inline void csqlite_begin(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
}

// Where temporary files lie. To be called once, before the first of them.
static inline void csqlite_keep_temporary_files(const char *folder) {
    sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
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
