/* A file's tables and indices held against those that Uskor makes: in a database of their own, in memory. */
#include <stdio.h>
#include <string.h>

#include "store/database.h"

/* Triggers, views and virtual tables: they would run, or replace a table, when a table is read or written. Other
 * programs' tables ('.recover' makes one) and SQLite's own are left alone. */
static const char foreign[] =
    "SELECT type || ' ' || name FROM sqlite_schema WHERE type NOT IN ('table', 'index')"
    " OR (type = 'table' AND (sql IS NULL OR upper(substr(ltrim(sql), 1, 13)) <> 'CREATE TABLE '"
    " AND upper(substr(ltrim(sql), 1, 13)) <> 'CREATE TABLE('))";

static enum status refuse_foreign(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    char what[128];
    (void)into;
    column_text(row, 0, what, sizeof what);
    return fail(error, STATUS_INVALID, "%s: has a %s, which no store of Uskor has; it is left as it is", store->path,
                what);
}

/* Each table with its columns, and each index, of `expected` is in the file, word for word. */
static enum status compare(const struct store *store, const struct store *expected, struct error *error)
{
    char type[16], name[64], what[128];
    sqlite3_stmt *ours, *theirs = NULL;
    enum status status = database_prepare(
        expected, "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'", &ours,
        error);
    if (status == STATUS_OK)
        status = database_prepare(store, "SELECT sql FROM sqlite_schema WHERE type = ?1 AND name = ?2", &theirs, error);
    while (status == STATUS_OK && sqlite3_step(ours) == SQLITE_ROW) {
        column_text(ours, 0, type, sizeof type);
        column_text(ours, 1, name, sizeof name);
        sqlite3_bind_text(theirs, 1, type, -1, SQLITE_STATIC);
        sqlite3_bind_text(theirs, 2, name, -1, SQLITE_STATIC);
        bool found = sqlite3_step(theirs) == SQLITE_ROW;
        const char *sql = found ? (const char *)sqlite3_column_text(theirs, 0) : NULL;
        snprintf(what, sizeof what, "%s %s", type, name);
        if (!sql || strcmp(sql, (const char *)sqlite3_column_text(ours, 2)) != 0)
            status = fail(error, STATUS_INVALID, "%s: its %s is not as Uskor makes it; it is left as it is",
                          store->path, what);
        sqlite3_reset(theirs);
    }
    sqlite3_finalize(theirs);
    sqlite3_finalize(ours);
    return status;
}

/* As many indices of each of our tables as Uskor makes: another one would be written, and could refuse rows. */
static enum status compare_indices(const struct store *store, const struct store *expected, struct error *error)
{
    static const char sql[] =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND lower(tbl_name)"
        " IN ('machines', 'devices', 'device_facts', 'runs', 'measurements', 'samples',"
        " 'attachments', 'ceilings')";
    int64_t ours = 0, theirs = 0;
    enum status status = database_number(expected, sql, NULL, 0, &ours, error);
    if (status == STATUS_OK)
        status = database_number(store, sql, NULL, 0, &theirs, error);
    if (status != STATUS_OK || ours == theirs)
        return status;
    return fail(error, STATUS_INVALID, "%s: its tables have other indices than Uskor makes; it is left as it is",
                store->path);
}

enum status schema_check(const struct store *store, const char *tables, struct error *error)
{
    struct store expected = {.path = "a store in memory"};
    enum status status = STATUS_OK;
    int code = sqlite3_open_v2(":memory:", &expected.database, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK)
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory to look at its tables", store->path);
    if (status == STATUS_OK)
        status = database_run(&expected, tables, error);
    if (status == STATUS_OK)
        status = database_query(store, foreign, NULL, refuse_foreign, NULL, error);
    if (status == STATUS_OK)
        status = compare(store, &expected, error);
    if (status == STATUS_OK)
        status = compare_indices(store, &expected, error);
    sqlite3_close(expected.database);
    return status;
}
