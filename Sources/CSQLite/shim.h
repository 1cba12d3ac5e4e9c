#pragma once

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import. A null pointer would bind NULL: empty values get an address. */
static inline int pinwatch_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}

static inline int pinwatch_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}
