/* Measurements out of the file. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "store/database.h"
#include "store/fields.h"

#define SQL_MOST 16384

/* The newest of each, and the ceilings that were measured beside them in the same run. */
static const char newest_begin[] =
    "WITH newest AS (SELECT m.id, row_number() OVER (PARTITION BY m.kernel, m.problem, m.machine, m.device,"
    " m.device_name, m.rung, m.parameters, m.threads, m.cold ORDER BY m.made_at DESC, m.id DESC) AS age"
    " FROM measurements m WHERE 1";
static const char newest_end[] =
    "), chosen AS (SELECT m.id, m.run, m.problem, m.device, m.cold FROM newest n JOIN measurements m ON m.id = n.id"
    " WHERE n.age = 1 AND m.kind <> 'probe'),"
    " beside AS (SELECT DISTINCT run, problem, device, cold FROM chosen)"
    " SELECT %s FROM measurements m JOIN runs r ON r.id = m.run WHERE m.id IN (SELECT id FROM chosen UNION"
    " SELECT l.id FROM beside b CROSS JOIN measurements l ON l.run = b.run AND l.problem = b.problem"
    " AND l.device = b.device AND l.cold = b.cold WHERE l.kind = 'probe')";
static const char all_begin[] = "SELECT %s FROM measurements m JOIN runs r ON r.id = m.run WHERE 1";
static const char order[] = " ORDER BY r.started, m.run, m.number";

static bool compose(const struct store_filter *filter, char *sql, size_t size)
{
    char columns[1024] = "m.id, m.run, m.number";
    bool fits = true;
    *sql = 0;
    for (size_t i = 0; fits && i < measurement_fields.count; i++)
        fits = text_append(columns, sizeof columns, ", m.%s", measurement_fields.items[i].name);
    if (filter->all)
        fits = fits && text_append(sql, size, all_begin, columns) && filter_conditions(filter, sql, size);
    else
        fits = fits && text_append(sql, size, newest_begin) && filter_conditions(filter, sql, size) &&
               text_append(sql, size, newest_end, columns);
    return fits && text_append(sql, size, order);
}

static enum status refuse_samples(const struct store *store, sqlite3_stmt *statement,
                                  const struct measurement *measurement, struct error *error)
{
    char phase[32];
    column_text(statement, 0, phase, sizeof phase);
    sqlite3_reset(statement);
    return fail(error, STATUS_INVALID,
                "%s: the samples '%s' of measurement %ld (%s of run %ld) do not agree with their checksum: they were "
                "damaged or changed",
                store->path, phase, measurement->id, measurement->rung, measurement->run);
}

static enum status take_samples(const struct store *store, sqlite3_stmt *statement, struct measurement *measurement,
                                struct error *error)
{
    int code;
    sqlite3_bind_int64(statement, 1, measurement->id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        enum phase phase;
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (!sqlite3_column_int(statement, 3))
            return refuse_samples(store, statement, measurement, error);
        const void *times = sqlite3_column_blob(statement, 1), *rounds = sqlite3_column_blob(statement, 2);
        if (!name || !phase_from_name(name, &phase) || measurement->phases[phase].items ||
            !samples_of_blobs(times, (size_t)sqlite3_column_bytes(statement, 1), rounds,
                              (size_t)sqlite3_column_bytes(statement, 2), &measurement->phases[phase])) {
            sqlite3_reset(statement);
            return fail(error, STATUS_INVALID, "%s: measurement %ld has samples that cannot be", store->path,
                        measurement->id);
        }
    }
    enum status status = code == SQLITE_DONE ? STATUS_OK : database_fail(store, error, "cannot be read");
    sqlite3_reset(statement);
    return status;
}

struct reading {
    struct measurement_list *list;
    sqlite3_stmt *samples; /* of one measurement */
};

/* Adds the row at hand; one that cannot be read whole is not left in the list. */
static enum status take_row(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    const struct reading *reading = into;
    struct measurement *measurement = measurement_list_add(reading->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    measurement->id = sqlite3_column_int64(row, 0);
    measurement->run = sqlite3_column_int64(row, 1);
    measurement->number = sqlite3_column_int64(row, 2);
    enum status status = fields_take(store, row, 3, &measurement_fields, measurement, error);
    if (status == STATUS_OK)
        status = take_samples(store, reading->samples, measurement, error);
    if (status == STATUS_OK)
        status = origins_recall(store, measurement, error);
    if (status != STATUS_OK) {
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            free(measurement->phases[phase].items);
        reading->list->count--;
    }
    return status;
}

enum status store_measurements(struct store *store, const struct store_filter *filter, struct measurement_list *list,
                               struct error *error)
{
    static const struct store_filter any;
    char sql[SQL_MOST];
    sqlite3_stmt *rows = NULL, *samples = NULL;
    if (!filter)
        filter = &any;
    if (!compose(filter, sql, sizeof sql))
        return fail(error, STATUS_INVALID, "%s: too many runs to choose from", store->path);
    enum status status = database_prepare(store, sql, &rows, error);
    if (status == STATUS_OK)
        status = database_prepare(store,
                                  "SELECT phase, times, rounds, checksum = " CHECKSUM_OF_COLUMNS
                                  " FROM samples WHERE measurement = ?1",
                                  &samples, error);
    if (status == STATUS_OK) {
        filter_bind(filter, rows);
        status = database_rows(store, rows, take_row, &(struct reading){list, samples}, error);
    } else {
        sqlite3_finalize(rows);
    }
    sqlite3_finalize(samples);
    return status;
}
