#include "store/database.h"

#include <string.h>

#include "base/visible.h"

#include "base/translation.h"

static enum status status_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    case SQLITE_CONSTRAINT:
        return STATUS_INVALID;
    case SQLITE_NOMEM:
        return STATUS_UNAVAILABLE;
    default:
        return STATUS_SYSTEM;
    }
}

enum status database_fail(const struct store *store, struct error *error, const char *what)
{
    if (!store->database)
        return fail(error, STATUS_SYSTEM, "%s: %s", store->path, what);
    int code = sqlite3_extended_errcode(store->database);
    const char *words = sqlite3_errmsg(store->database);
    if ((code & 0xff) == SQLITE_BUSY)
        words = N_("another program has kept it locked for too long");
    else if ((code & 0xff) == SQLITE_CORRUPT)
        words = N_("the file is damaged; 'sqlite3 FILE .recover' may save what is left in it");
    else if ((code & 0xff) == SQLITE_NOTADB)
        words = N_("this is not an SQLite file");
    else if ((code & 0xff) == SQLITE_IOERR && !sqlite3_system_errno(store->database))
        words = N_("the system refuses it: the disk fails, or the file may not grow (ulimit -f)");
    else if ((code & 0xff) == SQLITE_FULL)
        words = N_("the disk is full");
    else if (((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN) &&
             sqlite3_system_errno(store->database))
        words = strerror(sqlite3_system_errno(store->database)); /* a file that may not grow, too many open files */
    return fail(error, status_of(code), "%s: %s: %s", store->path, what, words);
}

enum status database_suits(int version, const char *version_text, struct error *error)
{
    if (version >= DATABASE_LEAST)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "the store needs SQLite %d.%d or newer; this machine's library is %s",
                DATABASE_LEAST / 1000000, DATABASE_LEAST / 1000 % 1000, version_text);
}

enum status database_prepare(const struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) == SQLITE_OK)
        return STATUS_OK;
    *statement = NULL;
    return database_fail(store, error, "cannot be read");
}

enum status database_run(const struct store *store, const char *sql, struct error *error)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return STATUS_OK;
    return database_fail(store, error, "cannot be written");
}

enum status database_finish(const struct store *store, sqlite3_stmt *statement, const char *what, struct error *error)
{
    enum status status = sqlite3_step(statement) == SQLITE_DONE ? STATUS_OK : database_fail(store, error, what);
    sqlite3_reset(statement);
    return status;
}

enum status database_prepare_with(const struct store *store, const char *sql, const struct sql_value *values,
                                  sqlite3_stmt **statement, struct error *error)
{
    enum status status = database_prepare(store, sql, statement, error);
    for (int i = 0; status == STATUS_OK && values && values[i].kind != SQL_END; i++)
        if (values[i].kind == SQL_TEXT)
            sqlite3_bind_text(*statement, i + 1, values[i].text ? values[i].text : "", -1, SQLITE_STATIC);
        else
            sqlite3_bind_int64(*statement, i + 1, values[i].integer);
    return status;
}

enum status database_write(const struct store *store, const char *sql, const struct sql_value *values, const char *what,
                           struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare_with(store, sql, values, &statement, error);
    if (status == STATUS_OK)
        status = database_finish(store, statement, what, error);
    sqlite3_finalize(statement);
    return status;
}

enum status database_rows(const struct store *store, sqlite3_stmt *statement, take_sql_row *take, void *into,
                          struct error *error)
{
    enum status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (status == STATUS_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = take(store, statement, into, error);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}

enum status database_query(const struct store *store, const char *sql, const struct sql_value *values,
                           take_sql_row *take, void *into, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare_with(store, sql, values, &statement, error);
    return status == STATUS_OK ? database_rows(store, statement, take, into, error) : status;
}

enum status database_enter(const struct store *store, sqlite3_stmt *statement, const char *what, int64_t *id,
                           struct error *error)
{
    int code = sqlite3_step(statement);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    enum status status = code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : database_fail(store, error, what);
    sqlite3_finalize(statement);
    return status;
}

static enum status take_number(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    (void)store, (void)error;
    *(int64_t *)into = sqlite3_column_int64(row, 0);
    return STATUS_OK;
}

enum status database_number(const struct store *store, const char *sql, const struct sql_value *values, int64_t none,
                            int64_t *number, struct error *error)
{
    *number = none;
    return database_query(store, sql, values, take_number, number, error);
}

enum status database_begin(struct store *store, struct error *error)
{
    if (store->read_only)
        return fail(error, STATUS_SYSTEM, "%s: opened to be read only", store->path);
    return store->in_transaction ? STATUS_OK : database_run(store, "BEGIN IMMEDIATE", error);
}

enum status database_end(struct store *store, enum status status, struct error *error)
{
    if (store->in_transaction)
        return status;
    if (status == STATUS_OK)
        status = database_run(store, "COMMIT", error);
    /* A full disk may have rolled the transaction back already; then this fails too, and the error is ignored. */
    if (status != STATUS_OK)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

void bind_text(sqlite3_stmt *statement, const char *name, const char *text)
{
    int index = sqlite3_bind_parameter_index(statement, name);
    if (index)
        sqlite3_bind_text(statement, index, text ? text : "", -1, SQLITE_STATIC);
}

void bind_integer(sqlite3_stmt *statement, const char *name, int64_t value)
{
    int index = sqlite3_bind_parameter_index(statement, name);
    if (index)
        sqlite3_bind_int64(statement, index, value);
}

void bind_real(sqlite3_stmt *statement, const char *name, double value)
{
    int index = sqlite3_bind_parameter_index(statement, name);
    if (index)
        sqlite3_bind_double(statement, index, value);
}

void column_text(sqlite3_stmt *statement, int column, char *text, size_t size)
{
    const char *value = (const char *)sqlite3_column_text(statement, column);
    visible_copy(value ? value : "", text, size);
}
