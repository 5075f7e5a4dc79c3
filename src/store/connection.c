#include "store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/planted.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"

#define PATIENCE_MS 10000        /* for another program that writes */
#define SHARED_INDEX_LEAST 32768 /* bytes of a log's index that is in use */

/* ---- the name --------------------------------------------------------------------------------------------- */

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

/* Names that SQLite would read as a temporary database or as a URI with settings. */
static enum status take_name(struct store *store, const char *path, struct error *error)
{
    if (!text_append(store->path, sizeof store->path, "%s", path) || !*path)
        return fail(error, STATUS_INVALID, "the store's file name is %s", *path ? N_("too long") : "empty");
    if (strcmp(path, ":memory:") == 0 || strncmp(path, "file:", 5) == 0)
        return fail(
            error, STATUS_INVALID,
            "%s: a store is a file, and this is not a file's name; --store none keeps nothing, ./%s is a file of "
            "that name",
            path, path);
    return STATUS_OK;
}

enum status connection_name(struct store *store, const char *path, bool make, struct error *error)
{
    if (path)
        return take_name(store, path, error);
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

/* ---- the file --------------------------------------------------------------------------------------------- */

/* Folders and pipes are refused by name; what is not there is SQLite's to make or to miss. */
static enum status check_file(const struct store *store, struct error *error)
{
    struct stat about;
    if (link_is_planted(store->path))
        return fail(error, STATUS_INVALID, "%s: a link that somebody else has put into a shared folder", store->path);
    if (stat(store->path, &about) != 0)
        return errno == ENOENT ? STATUS_OK
                               : fail(error, STATUS_SYSTEM, "%s: cannot be opened: %s", store->path, strerror(errno));
    if (S_ISREG(about.st_mode))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: %s, and a store is one file", store->path,
                S_ISDIR(about.st_mode) ? N_("this is a folder") : N_("this is not a regular file"));
}

/* A transaction over several databases ends its journal with the name of a file that SQLite deletes when it rolls the
 * transaction back, whatever file that is. A store is never written together with another database. */
static enum status check_journal(const struct store *store, struct error *error)
{
    static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char end[sizeof mark];
    char name[PATH_MAX + 16], *real = realpath(store->path, NULL);
    struct stat about;
    bool is_well = true;
    snprintf(name, sizeof name, "%s-journal", real ? real : store->path);
    free(real);
    int journal = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (journal < 0)
        is_well = errno != ELOOP;
    else
        is_well = fstat(journal, &about) == 0 && S_ISREG(about.st_mode) &&
                  (about.st_size < (off_t)sizeof end ||
                   (pread(journal, end, sizeof end, about.st_size - (off_t)sizeof end) == (ssize_t)sizeof end &&
                    memcmp(end, mark, sizeof end) != 0));
    if (journal >= 0)
        close(journal);
    return is_well ? STATUS_OK
                   : fail(error, STATUS_INVALID,
                          "%s: it names another file, which would be deleted; no store has such a journal", name);
}

/* Made here, and not by SQLite, so that it is known whose it is when nothing comes to be in it. */
static bool make_file(const struct store *store)
{
    int descriptor = open(store->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

/* The cause that SQLite's error leaves out: permissions of the file or of its folder. NULL: neither. */
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
    int descriptor = open(store->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *why = descriptor < 0 && errno != ENOENT ? strerror(errno) : NULL; /* too many open files */
    if (descriptor >= 0)
        close(descriptor);
    return why;
}

/* ---- the connection --------------------------------------------------------------------------------------- */

/* A hostile file must not make SQLite do more than read and write tables. */
static int settle(sqlite3 *database)
{
    static const struct {
        int what, on;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    static const struct {
        int what, most;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 256 << 20}, {SQLITE_LIMIT_SQL_LENGTH, 100000},       {SQLITE_LIMIT_COLUMN, 100},
        {SQLITE_LIMIT_EXPR_DEPTH, 100},   {SQLITE_LIMIT_COMPOUND_SELECT, 5},       {SQLITE_LIMIT_FUNCTION_ARG, 16},
        {SQLITE_LIMIT_ATTACHED, 0},       {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 10}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < COUNT_OF(settings); i++)
        sqlite3_db_config(database, settings[i].what, settings[i].on, NULL);
    for (size_t i = 0; i < COUNT_OF(limits); i++)
        sqlite3_limit(database, limits[i].what, limits[i].most);
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, PATIENCE_MS);
    int code = checksum_register(database);
    return code == SQLITE_OK
               ? sqlite3_exec(database, "PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON; PRAGMA mmap_size=0", NULL,
                              NULL, NULL)
               : code;
}

/* Opens the file and reads from it: SQLite opens it only at the first read. On failure there is no connection. */
static int connect(struct store *store, const char *name, int flags)
{
    int code = sqlite3_open_v2(name, &store->database, flags, NULL);
    if (code == SQLITE_OK)
        code = settle(store->database);
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->database, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
    return code;
}

static void disconnect(struct store *store)
{
    sqlite3_close(store->database);
    store->database = NULL;
}

/* Read-only access to a file in a folder that cannot be written, where SQLite cannot create its own files beside it.
 * Allowed only while there is no write-ahead log with further content. */
static int connect_unchanging(struct store *store)
{
    char uri[3 * sizeof store->path + 32] = "file:";
    for (const char *c = store->path; *c; c++)
        text_append(uri, sizeof uri, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
    text_append(uri, sizeof uri, "?immutable=1");
    return connect(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

static bool has_beside(const struct store *store, const char *end)
{
    char name[sizeof store->path + 16];
    struct stat about;
    snprintf(name, sizeof name, "%s%s", store->path, end);
    return stat(name, &about) == 0 && (about.st_size > 0 || strcmp(end, "-wal") == 0);
}

static bool has_log(const struct store *store)
{
    return has_beside(store, "-wal");
}

/* A connection that may only read makes the log's files beside a store that has none, and must leave them there. One
 * that may write, and does not, takes them away again; where there is neither a log nor a journal it has nothing to
 * write. */
static int connect_to_read(struct store *store, const char *name)
{
    if (has_log(store) || has_beside(store, "-journal"))
        return connect(store, name, SQLITE_OPEN_READONLY);
    const int code = connect(store, name, SQLITE_OPEN_READWRITE);
    return code == SQLITE_OK ? sqlite3_exec(store->database, "PRAGMA query_only=ON", NULL, NULL, NULL) : code;
}

/* On a full disk SQLite makes the log's files beside a store, finds no room for what is to be in them, and leaves them.
 */
static void remove_vain_log(const struct store *store)
{
    char log[sizeof store->path + 8], index[sizeof store->path + 8];
    struct stat about;
    snprintf(log, sizeof log, "%s-wal", store->path);
    snprintf(index, sizeof index, "%s-shm", store->path);
    if (stat(log, &about) == 0 && about.st_size > 0)
        return;
    if (stat(index, &about) == 0 && about.st_size < SHARED_INDEX_LEAST) {
        unlink(index);
        unlink(log);
    }
}

static bool is_out_of_room(int code)
{
    return code == SQLITE_FULL || code == SQLITE_IOERR;
}

static enum status open_to_read(struct store *store, const char *name, struct error *error)
{
    const bool had_log = has_log(store);
    int code = connect_to_read(store, name) & 0xff;
    if (is_out_of_room(code) && !had_log) {
        disconnect(store);
        remove_vain_log(store);
        code = connect_unchanging(store) & 0xff;
    } else if (code == SQLITE_READONLY && has_beside(store, "-journal")) {
        return fail(error, STATUS_INVALID,
                    "%s: a write was cut off. It is taken back from %s-journal by a command that writes to the store, "
                    "such as 'uskor bench'",
                    store->path, store->path);
    } else if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !refusal(store)) {
        if (has_log(store))
            return fail(error, STATUS_SYSTEM,
                        "%s: cannot be read. Its last writes are in %s-wal, and this folder cannot be written to; copy "
                        "both files to another folder",
                        store->path, store->path);
        disconnect(store);
        code = connect_unchanging(store) & 0xff;
    }
    const char *why = code == SQLITE_CANTOPEN || code == SQLITE_READONLY ? refusal(store) : NULL;
    if (why)
        return fail(error, STATUS_SYSTEM, "%s: cannot be opened: %s", store->path, why);
    return code == SQLITE_OK ? STATUS_OK : database_fail(store, error, "cannot be opened");
}

enum status connection_open(struct store *store, struct error *error)
{
    char name[sizeof store->path + 2];
    if (store->in_memory)
        return connect(store, ":memory:", SQLITE_OPEN_READWRITE) == SQLITE_OK
                   ? STATUS_OK
                   : database_fail(store, error, "cannot be opened");
    enum status status = check_file(store, error);
    if (status == STATUS_OK)
        status = check_journal(store, error);
    if (status != STATUS_OK)
        return status;
    /* With a folder before it no name means anything but a file. */
    snprintf(name, sizeof name, "%s%s", store->path[0] == '/' ? "" : "./", store->path);
    if (store->read_only)
        return open_to_read(store, name, error);
    store->made = make_file(store);
    int code = connect(store, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) & 0xff;
    const char *why = code == SQLITE_CANTOPEN || code == SQLITE_READONLY ? refusal(store) : NULL;
    if (why)
        return fail(error, STATUS_SYSTEM, "%s: cannot be opened: %s", store->path, why);
    return code == SQLITE_OK ? STATUS_OK : database_fail(store, error, "cannot be opened");
}

/* ---- the end ---------------------------------------------------------------------------------------------- */

/* Whether nothing is kept in the file. Only when no other program has it open: then alone can it be taken for oneself.
 */
static bool is_empty(struct store *store)
{
    int64_t tables = 0, rows = 0;
    if (database_number(store, "SELECT count(*) FROM sqlite_schema", NULL, 1, &tables, NULL) != STATUS_OK)
        return false;
    return tables == 0 ||
           (database_number(store, "SELECT EXISTS(SELECT 1 FROM measurements) + EXISTS(SELECT 1 FROM ceilings)", NULL,
                            1, &rows, NULL) == STATUS_OK &&
            rows == 0);
}

static bool is_ours_and_empty(struct store *store)
{
    sqlite3_busy_timeout(store->database, 0);
    return sqlite3_exec(store->database, "PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE", NULL, NULL, NULL) ==
               SQLITE_OK &&
           is_empty(store);
}

/* A connection that needs no room on the disk: who has the file alone has the log's index in memory. */
static int connect_alone(struct store *store, const char *name)
{
    int code = sqlite3_open_v2(name, &store->database, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = settle(store->database);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(store->database, 0);
        code = sqlite3_exec(store->database, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL);
    }
    return code;
}

/* The connection that failed may have been short of files or of room: another one is asked, when that is closed. */
static bool holds_nothing(struct store *store)
{
    char name[sizeof store->path + 2];
    struct stat about;
    if (stat(store->path, &about) != 0)
        return false;
    if (about.st_size == 0 || (store->database && is_ours_and_empty(store)))
        return true;
    if (store->database && sqlite3_errcode(store->database) == SQLITE_OK)
        return false;
    disconnect(store);
    snprintf(name, sizeof name, "%s%s", store->path[0] == '/' ? "" : "./", store->path);
    return connect_alone(store, name) == SQLITE_OK && is_empty(store);
}

void connection_close(struct store *store)
{
    if (store->made && holds_nothing(store)) {
        static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
        char name[sizeof store->path + 16];
        for (size_t i = 0; i < COUNT_OF(ends); i++) {
            snprintf(name, sizeof name, "%s%s", store->path, ends[i]);
            unlink(name);
        }
    }
    disconnect(store);
}
