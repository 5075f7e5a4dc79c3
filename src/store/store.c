#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/database.h"

#define PATIENCE_MS 10000 /* for another program that writes */
#define CHECKED_BYTES \
    ((int64_t)256 << 20) /* beyond them a file's indices are not held against its tables: that takes long */

const char STORE_IN_MEMORY[] = "a store in memory";

/* A damaged file is refused before anything is written to it. */
static enum status look_through(struct store *store, struct error *error)
{
    int64_t bytes = 0;
    sqlite3_stmt *statement;
    enum status status = database_number(
        store, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", NULL, 0, &bytes, error);
    if (status != STATUS_OK)
        return status;
    status = database_prepare(store, bytes > CHECKED_BYTES ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)",
                              &statement, error);
    if (status != STATUS_OK)
        return status;
    char found[256] = "";
    if (sqlite3_step(statement) == SQLITE_ROW)
        column_text(statement, 0, found, sizeof found);
    else
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    if (status == STATUS_OK && strcmp(found, "ok") != 0) {
        found[strcspn(found, "\n")] = 0;
        status = fail(error, STATUS_INVALID,
                      "%s: the file is damaged (%s); it is left as it is, and 'sqlite3 FILE .recover' may save what is "
                      "left in it",
                      store->path, found);
    }
    return status;
}

/* Turning the log on takes the file for itself for a moment, and SQLite does not wait for that by itself. */
static enum status turn_log_on(struct store *store, struct error *error)
{
    int code = SQLITE_BUSY;
    for (int waited = 0; (code & 0xff) == SQLITE_BUSY && waited < PATIENCE_MS; waited += 20) {
        code = sqlite3_exec(store->database, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if ((code & 0xff) == SQLITE_BUSY)
            sqlite3_sleep(20);
    }
    if (code != SQLITE_OK)
        return database_fail(store, error, "cannot be written");
    /* A program that is killed loses nothing; a power cut may take the last few measurements, and waiting for the disk
     * would disturb the next one. */
    return database_run(store, "PRAGMA synchronous=NORMAL", error);
}

static enum status open_store(const char *path, bool read_only, struct store **opened, struct error *error)
{
    *opened = NULL;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the store");
    store->read_only = read_only;
    store->in_memory = path == STORE_IN_MEMORY;
    enum status status = database_suits(sqlite3_libversion_number(), sqlite3_libversion(), error);
    if (status == STATUS_OK)
        status = path == STORE_IN_MEMORY ? STATUS_OK : connection_name(store, path, !read_only, error);
    if (status == STATUS_OK && read_only && access(store->path, F_OK) != 0 && errno == ENOENT)
        status = fail(error, STATUS_UNAVAILABLE, "%s: there is no store yet; 'uskor bench' and its like make one",
                      store->path);
    if (status == STATUS_OK)
        status = connection_open(store, error);
    if (status == STATUS_OK && !read_only)
        status = look_through(store, error);
    if (status == STATUS_OK)
        status = schema_adopt(store, error);
    if (status == STATUS_OK && !read_only)
        status = turn_log_on(store, error);
    if (status != STATUS_OK) {
        store_close(store);
        return status;
    }
    *opened = store;
    return STATUS_OK;
}

enum status store_open(const char *path, struct store **store, struct error *error)
{
    return open_store(path, false, store, error);
}

enum status store_open_to_read(const char *path, struct store **store, struct error *error)
{
    return open_store(path, true, store, error);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    connection_close(store);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}
