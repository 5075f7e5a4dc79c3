#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/translation.h"
#include "store/database.h"

#define PATIENCE_MS 10000                 /* for another program that writes */
#define CHECKED_BYTES ((int64_t)64 << 20) /* files up to here are looked through before they are written */

/* Makes the folders that `path` lies in. */
static enum status make_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        int made = mkdir(path, 0700);
        int why = errno;
        enum status status = made == 0 || why == EEXIST
                                 ? STATUS_OK
                                 : fail(error, STATUS_SYSTEM, "%s: cannot be made: %s", path, strerror(why));
        *slash = '/';
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status name_file(struct store *store, const char *path, bool make, struct error *error)
{
    if (path)
        return text_append(store->path, sizeof store->path, "%s", path) && *path
                   ? STATUS_OK
                   : fail(error, STATUS_INVALID, "the store's file name is %s", *path ? N_("too long") : "empty");
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool named = false, fits = false;
    if (data && data[0] == '/') {
        named = true;
        fits = text_append(store->path, sizeof store->path, "%s/uskor/store.sqlite", data);
    } else if (home && home[0] == '/') {
        named = true;
        fits = text_append(store->path, sizeof store->path, "%s/.local/share/uskor/store.sqlite", home);
    }
    if (!fits)
        return fail(error, STATUS_INVALID, "%s; --store FILE names a store",
                    named ? N_("the name of the home folder is too long")
                          : N_("neither XDG_DATA_HOME nor HOME names a folder"));
    return make ? make_folders(store->path, error) : STATUS_OK;
}

/* A file where nothing can be written beside it, as SQLite's own would have to be; good only while there is no log of
 * writes beside it that it does not have yet. */
static int open_unchanging(struct store *store)
{
    char uri[3 * sizeof store->path + 32] = "file:", log[sizeof store->path + 8];
    snprintf(log, sizeof log, "%s-wal", store->path);
    if (access(log, F_OK) == 0 || access(store->path, R_OK) != 0)
        return SQLITE_CANTOPEN;
    for (const char *c = store->path; *c; c++)
        text_append(uri, sizeof uri, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
    text_append(uri, sizeof uri, "?immutable=1");
    return sqlite3_open_v2(uri, &store->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

/* SQLite opens a file only when it is first read. */
static int first_read(struct store *store)
{
    sqlite3_busy_timeout(store->database, PATIENCE_MS);
    return sqlite3_exec(store->database, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
}

/* Folders and pipes are refused by name; what is not there is SQLite's to make or to miss. */
static enum status check_file(const struct store *store, struct error *error)
{
    struct stat about;
    if (stat(store->path, &about) != 0 || S_ISREG(about.st_mode))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: %s, and a store is one file", store->path,
                S_ISDIR(about.st_mode) ? N_("this is a folder") : N_("this is not a regular file"));
}

/* What SQLite does not say: whether it is the file or its folder that the system refuses. NULL: neither. */
static const char *refusal(const struct store *store)
{
    char folder[sizeof store->path];
    strcpy(folder, store->path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    if (access(slash ? folder : ".", store->read_only ? X_OK : W_OK | X_OK) != 0)
        return strerror(errno);
    if (access(store->path, F_OK) == 0 && access(store->path, store->read_only ? R_OK : R_OK | W_OK) != 0)
        return strerror(errno);
    return NULL;
}

static enum status open_file(struct store *store, struct error *error)
{
    enum status status = check_file(store, error);
    if (status != STATUS_OK)
        return status;
    int flags = store->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(store->path, &store->database, flags, NULL);
    if (code == SQLITE_OK)
        code = first_read(store) & 0xff;
    if (store->read_only && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
        sqlite3_close(store->database);
        code = open_unchanging(store);
        if (code == SQLITE_OK)
            code = first_read(store);
    }
    const char *why = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY ? refusal(store) : NULL;
    if (why)
        return fail(error, STATUS_SYSTEM, "%s: cannot be opened: %s", store->path, why);
    return code == SQLITE_OK ? STATUS_OK : database_fail(store, error, "cannot be opened");
}

/* Settings that hold for this connection; a hostile file must not make SQLite do more than read tables. */
static enum status settle(struct store *store, struct error *error)
{
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_extended_result_codes(store->database, 1);
    return database_run(store, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON", error);
}

/* A damaged file is refused before anything is written to it. */
static enum status look_through(struct store *store, struct error *error)
{
    int64_t bytes = 0;
    sqlite3_stmt *statement;
    enum status status = database_number(
        store, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", 0, &bytes, error);
    if (status != STATUS_OK || bytes > CHECKED_BYTES)
        return status;
    status = database_prepare(store, "PRAGMA quick_check(1)", &statement, error);
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

/* `older` (may be NULL) becomes true when a file is refused only because it would have to be brought up to date. */
static enum status open_store(const char *path, bool read_only, struct store **opened, bool *older, struct error *error)
{
    *opened = NULL;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the store");
    store->read_only = read_only;
    enum status status = database_suits(sqlite3_libversion_number(), sqlite3_libversion(), error);
    if (status == STATUS_OK)
        status = name_file(store, path, !read_only, error);
    if (status == STATUS_OK && read_only && access(store->path, F_OK) != 0 && errno == ENOENT)
        status = fail(error, STATUS_UNAVAILABLE, "%s: there is no store yet; 'uskor bench' and its like make one",
                      store->path);
    if (status == STATUS_OK)
        status = open_file(store, error);
    if (status == STATUS_OK)
        status = settle(store, error);
    if (status == STATUS_OK && !read_only)
        status = look_through(store, error);
    if (status == STATUS_OK)
        status = schema_adopt(store, older, error);
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
    return open_store(path, false, store, NULL, error);
}

enum status store_open_to_read(const char *path, struct store **store, struct error *error)
{
    bool older = false;
    enum status status = open_store(path, true, store, &older, error);
    if (!older || store_open(path, store, NULL) != STATUS_OK)
        return status;
    store_close(*store);
    return open_store(path, true, store, NULL, error);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    sqlite3_close(store->database);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}
