#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/ceiling.h"
#include "store/database.h"

void ceiling_list_free(struct ceiling_list *list)
{
    free(list->items);
    *list = (struct ceiling_list){0};
}

static void bind_ceiling(sqlite3_stmt *statement, const struct ceiling *ceiling, int64_t machine)
{
    bind_integer(statement, ":machine", machine);
    bind_text(statement, ":device", ceiling->device);
    bind_text(statement, ":name", ceiling->device_name);
    bind_text(statement, ":driver", ceiling->driver);
    bind_integer(statement, ":threads", ceiling->threads);
    bind_text(statement, ":what", ceiling->what);
    bind_real(statement, ":rate", ceiling->rate);
    bind_text(statement, ":unit", ceiling->unit);
    if (ceiling->measurement)
        bind_integer(statement, ":measurement", ceiling->measurement);
    bind_integer(statement, ":made", ceiling->made_at);
}

enum status store_put_ceiling(struct store *store, const struct ceiling *ceiling, struct error *error)
{
    sqlite3_stmt *statement;
    int64_t machine = ceiling->machine;
    enum status status = machine ? STATUS_OK : store_this_machine(store, &machine, error);
    if (status == STATUS_OK && !isfinite(ceiling->rate))
        status = fail(error, STATUS_INVALID, "the ceiling '%s' of %s is not a number", ceiling->what, ceiling->device);
    if (status == STATUS_OK)
        status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = database_prepare(store,
                              "INSERT INTO ceilings(machine, device, device_name, driver, threads, what, rate, unit,"
                              " measurement, made_at) VALUES(:machine, :device, :name, :driver, :threads, :what, :rate,"
                              " :unit, :measurement, :made)",
                              &statement, error);
    if (status == STATUS_OK) {
        bind_ceiling(statement, ceiling, machine);
        status = database_finish(store, statement, "cannot keep the ceiling", error);
        sqlite3_finalize(statement);
    }
    return database_end(store, status, error);
}

static enum status add_ceiling(const struct store *store, sqlite3_stmt *statement, struct ceiling_list *list,
                               struct error *error)
{
    struct ceiling *items = reallocarray(list->items, list->count + 1, sizeof *items);
    if (!items)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its ceilings", store->path);
    list->items = items;
    struct ceiling *ceiling = &items[list->count++];
    memset(ceiling, 0, sizeof *ceiling);
    ceiling->id = sqlite3_column_int64(statement, 0);
    ceiling->machine = sqlite3_column_int64(statement, 1);
    column_text(statement, 2, ceiling->device, sizeof ceiling->device);
    column_text(statement, 3, ceiling->device_name, sizeof ceiling->device_name);
    column_text(statement, 4, ceiling->driver, sizeof ceiling->driver);
    ceiling->threads = (unsigned)sqlite3_column_int64(statement, 5);
    column_text(statement, 6, ceiling->what, sizeof ceiling->what);
    ceiling->rate = sqlite3_column_double(statement, 7);
    column_text(statement, 8, ceiling->unit, sizeof ceiling->unit);
    ceiling->measurement = sqlite3_column_int64(statement, 9);
    ceiling->made_at = sqlite3_column_int64(statement, 10);
    return STATUS_OK;
}

/* ",3,17,": the ids of measurements of ceilings that noise spoilt. Older programs stored ceilings of such ones, too. */
static enum status find_spoilt(struct store *store, int64_t machine, const char *device, char **ids,
                               struct error *error)
{
    const struct store_filter filter = {.kernel = CEILING_KERNEL, .machine = machine, .device = device, .all = true};
    struct measurement_list list = {0};
    size_t length = 1;
    enum status status = store_measurements(store, &filter, &list, error);
    *ids = status == STATUS_OK ? malloc(21 * list.count + 2) : NULL;
    if (*ids)
        strcpy(*ids, ",");
    else if (status == STATUS_OK)
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its ceilings", store->path);
    for (size_t i = 0; *ids && i < list.count; i++)
        if (!ceiling_lasts(&list.items[i]))
            length += (size_t)sprintf(*ids + length, "%" PRId64 ",", list.items[i].id);
    measurement_list_free(&list);
    return status;
}

enum status store_ceilings(struct store *store, int64_t machine, const char *device, struct ceiling_list *list,
                           struct error *error)
{
    /* An imported row names no measurement: its moment and its device do. */
    static const char sql[] =
        "SELECT id, machine, device, device_name, driver, threads, what, rate, unit, measurement, made_at FROM"
        " (SELECT *, row_number() OVER (PARTITION BY machine, device, device_name, driver, threads, what"
        " ORDER BY made_at DESC, id DESC) AS age FROM ceilings c WHERE (:machine = 0 OR machine = :machine)"
        " AND (:device = '' OR device = :device) AND NOT EXISTS (SELECT 1 FROM measurements m WHERE"
        " m.kernel = '" CEILING_KERNEL "' AND m.machine = c.machine AND m.device = c.device AND"
        " m.device_name = c.device_name AND m.driver = c.driver AND m.threads = c.threads AND m.rung = c.what AND"
        " m.made_at = c.made_at AND instr(:spoilt, ',' || m.id || ',') > 0)) WHERE age = 1 ORDER BY machine, device, "
        "device_name, threads, id";
    sqlite3_stmt *statement;
    char *spoilt;
    *list = (struct ceiling_list){0};
    enum status status = find_spoilt(store, machine, device, &spoilt, error);
    if (status == STATUS_OK)
        status = database_prepare(store, sql, &statement, error);
    if (status != STATUS_OK) {
        free(spoilt);
        return status;
    }
    bind_integer(statement, ":machine", machine);
    bind_text(statement, ":device", device);
    bind_text(statement, ":spoilt", spoilt);
    int code = SQLITE_DONE;
    while (status == STATUS_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = add_ceiling(store, statement, list, error);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    free(spoilt);
    if (status != STATUS_OK)
        ceiling_list_free(list);
    return status;
}

enum status ceiling_is_known(struct store *store, const struct ceiling *ceiling, bool *known, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(store,
                                          "SELECT 1 FROM ceilings WHERE machine = :machine AND device = :device AND"
                                          " device_name = :name AND driver = :driver AND threads = :threads AND"
                                          " what = :what AND made_at = :made",
                                          &statement, error);
    *known = false;
    if (status != STATUS_OK)
        return status;
    bind_ceiling(statement, ceiling, ceiling->machine);
    int code = sqlite3_step(statement);
    *known = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}
