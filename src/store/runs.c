#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "store/database.h"
#include "store/fields.h"

void store_run_list_free(struct store_run_list *list)
{
    free(list->items);
    *list = (struct store_run_list){0};
}

static enum status add_run(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    struct store_run_list *list = into;
    if (!array_grow(&list->items, list->count, sizeof *list->items))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its runs", store->path);
    struct store_run *run = &list->items[list->count++];
    *run = (struct store_run){.id = sqlite3_column_int64(row, 0),
                              .machine = sqlite3_column_int64(row, 1),
                              .measurements = (size_t)sqlite3_column_int64(row, 2),
                              .wrong = (size_t)sqlite3_column_int64(row, 3)};
    return fields_take(store, row, 4, &run_fields, run, error);
}

enum status store_runs(struct store *store, const struct store_filter *filter, struct store_run_list *list,
                       struct error *error)
{
    static const struct store_filter any;
    char sql[16384] = "SELECT r.id, r.machine, sum(m.kind <> 'probe'), sum(m.kind <> 'probe' AND m.verdict IN"
                      " ('FAIL', 'ERROR')), r.key, r.started, r.command, r.label, r.code_version"
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
    status = database_rows(store, statement, add_run, list, error);
    if (status != STATUS_OK)
        store_run_list_free(list);
    return status;
}
