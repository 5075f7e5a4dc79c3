#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "store/ceiling.h"
#include "store/database.h"
#include "store/fields.h"

void ceiling_list_free(struct ceiling_list *list)
{
    free(list->items);
    *list = (struct ceiling_list){0};
}

static void bind_ceiling(sqlite3_stmt *statement, const struct ceiling *ceiling, int64_t machine)
{
    bind_integer(statement, ":machine", machine);
    fields_bind(statement, &ceiling_fields, ceiling);
    if (ceiling->measurement)
        bind_integer(statement, ":measurement", ceiling->measurement);
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
                              " measurement, made_at) VALUES(:machine, :device, :device_name, :driver, :threads, :what,"
                              " :rate, :unit, :measurement, :made_at)",
                              &statement, error);
    if (status == STATUS_OK) {
        bind_ceiling(statement, ceiling, machine);
        status = database_finish(store, statement, "cannot keep the ceiling", error);
        sqlite3_finalize(statement);
    }
    return database_end(store, status, error);
}

static enum status add_ceiling(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    struct ceiling_list *list = into;
    if (!array_grow(&list->items, list->count, sizeof *list->items))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its ceilings", store->path);
    struct ceiling *ceiling = &list->items[list->count++];
    *ceiling = (struct ceiling){.id = sqlite3_column_int64(row, 0),
                                .machine = sqlite3_column_int64(row, 1),
                                .measurement = sqlite3_column_int64(row, 2)};
    return fields_take(store, row, 3, &ceiling_fields, ceiling, error);
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
        "SELECT id, machine, measurement, device, device_name, driver, threads, what, rate, unit, made_at FROM"
        " (SELECT *, row_number() OVER (PARTITION BY machine, device, device_name, driver, threads, what"
        " ORDER BY made_at DESC, id DESC) AS age FROM ceilings c WHERE (?1 = 0 OR machine = ?1)"
        " AND (?2 = '' OR device = ?2) AND NOT EXISTS (SELECT 1 FROM measurements m WHERE"
        " m.kernel = '" CEILING_KERNEL "' AND m.machine = c.machine AND m.device = c.device AND"
        " m.device_name = c.device_name AND m.driver = c.driver AND m.threads = c.threads AND m.rung = c.what AND"
        " m.made_at = c.made_at AND instr(?3, ',' || m.id || ',') > 0)) WHERE age = 1 ORDER BY machine, device, "
        "device_name, threads, id";
    char *spoilt;
    *list = (struct ceiling_list){0};
    enum status status = find_spoilt(store, machine, device, &spoilt, error);
    if (status == STATUS_OK)
        status = database_query(store, sql, SQL_VALUES(OF_INTEGER(machine), OF_TEXT(device), OF_TEXT(spoilt)),
                                add_ceiling, list, error);
    free(spoilt);
    if (status != STATUS_OK)
        ceiling_list_free(list);
    return status;
}

enum status ceiling_is_known(struct store *store, const struct ceiling *ceiling, bool *known, struct error *error)
{
    int64_t found = 0;
    enum status status =
        database_number(store,
                        "SELECT 1 FROM ceilings WHERE machine = ? AND device = ? AND device_name = ? AND driver = ? AND"
                        " threads = ? AND what = ? AND made_at = ?",
                        SQL_VALUES(OF_INTEGER(ceiling->machine), OF_TEXT(ceiling->device),
                                   OF_TEXT(ceiling->device_name), OF_TEXT(ceiling->driver),
                                   OF_INTEGER(ceiling->threads), OF_TEXT(ceiling->what), OF_INTEGER(ceiling->made_at)),
                        0, &found, error);
    *known = found != 0;
    return status;
}
