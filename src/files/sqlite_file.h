/* Recognising SQLite's files, so that no result overwrites a store. */
#pragma once

#include <stdbool.h>

/* Whether `path` is an SQLite database by its first bytes. False for what cannot be read; a pipe is not waited for. */
bool sqlite_file_is(const char *path);

/* Whether `path` is a database, or the log, index or journal beside one ("store.sqlite-wal"): replacing any of them
 * loses what the database holds. */
bool sqlite_file_is_part(const char *path);
