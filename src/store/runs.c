#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "store/filter.h"

void store_run_list_free(struct store_run_list *list)
{
    free(list->items);
    *list = (struct store_run_list){0};
}

static enum status add_run(const struct store *store, sqlite3_stmt *statement, struct store_run_list *list,
                           struct error *error)
{
    if (!array_grow(&list->items, list->count, sizeof *list->items))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its runs", store->path);
    struct store_run *run = &list->items[list->count++];
    memset(run, 0, sizeof *run);
    run->id = sqlite3_column_int64(statement, 0);
    run->machine = sqlite3_column_int64(statement, 1);
    run->started = sqlite3_column_int64(statement, 2);
    column_text(statement, 3, run->key, sizeof run->key);
    column_text(statement, 4, run->command, sizeof run->command);
    column_text(statement, 5, run->label, sizeof run->label);
    column_text(statement, 6, run->code_version, sizeof run->code_version);
    run->measurements = (size_t)sqlite3_column_int64(statement, 7);
    run->wrong = (size_t)sqlite3_column_int64(statement, 8);
    return STATUS_OK;
}

enum status store_runs(struct store *store, const struct store_filter *filter, struct store_run_list *list,
                       struct error *error)
{
    static const struct store_filter any;
    char sql[16384] = "SELECT r.id, r.machine, r.started, r.key, r.command, r.label, r.code_version,"
                      " sum(m.kind <> 'probe'), sum(m.kind <> 'probe' AND m.verdict IN ('FAIL', 'ERROR'))"
                      " FROM runs r JOIN measurements m ON m.run = r.id WHERE 1";
    static const char end[] = " GROUP BY r.id ORDER BY r.started DESC, r.id DESC LIMIT :most";
    sqlite3_stmt *statement;
    *list = (struct store_run_list){0};
    if (!filter)
        filter = &any;
    if (!filter_conditions(filter, sql, sizeof sql - sizeof end))
        return fail(error, STATUS_INVALID, "%s: too many runs to choose from", store->path);
    strcat(sql, end);
    enum status status = database_prepare(store, sql, &statement, error);
    if (status != STATUS_OK)
        return status;
    filter_bind(filter, statement);
    int code = SQLITE_DONE;
    while (status == STATUS_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = add_run(store, statement, list, error);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    if (status != STATUS_OK)
        store_run_list_free(list);
    return status;
}
