/* Runs, measurements with their samples, and attachments into the file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/text.h"
#include "base/visible.h"
#include "store/database.h"
#include "store/fields.h"

enum status run_enter(struct store *store, const struct store_run *run, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(store,
                                          "INSERT INTO runs(key, started, machine, command, label, code_version)"
                                          " VALUES(:key, :started, :machine, :command, :label, :code_version)"
                                          " ON CONFLICT(key) DO UPDATE SET key = key RETURNING id",
                                          &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":machine", run->machine);
    fields_bind(statement, &run_fields, run);
    return database_enter(store, statement, "cannot keep the run", id, error);
}

enum status store_begin_run(struct store *store, const struct run_facts *facts, int64_t *run, struct error *error)
{
    struct store_run begun = {.started = (int64_t)time(NULL)};
    unsigned char key[16];
    if (getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
        return fail(error, STATUS_SYSTEM, "the system gives no random number to name the run by");
    for (size_t i = 0; i < sizeof key; i++)
        snprintf(begun.key + 2 * i, 3, "%02x", key[i]);
    visible_copy(facts->command ? facts->command : "", begun.command, sizeof begun.command);
    visible_copy(facts->label ? facts->label : "", begun.label, sizeof begun.label);
    visible_copy(facts->code_version ? facts->code_version : "", begun.code_version, sizeof begun.code_version);
    enum status status = store_this_machine(store, &begun.machine, error);
    if (status == STATUS_OK)
        status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = run_enter(store, &begun, run, error);
    return database_end(store, status, error);
}

/* "INSERT … (run, number, machine, kernel, …) VALUES …" or "UPDATE … SET kernel = :kernel, …", from the table of
 * fields. */
static enum status prepare_fields(const struct store *store, bool insert, sqlite3_stmt **statement, struct error *error)
{
    char names[1024] = "", values[1024] = "", settings[2048] = "", sql[4096];
    for (size_t i = 0; i < measurement_fields.count; i++) {
        const char *name = measurement_fields.items[i].name;
        text_append(names, sizeof names, ", %s", name);
        text_append(values, sizeof values, ", :%s", name);
        text_append(settings, sizeof settings, "%s%s = :%s", i ? ", " : "", name, name);
    }
    if (insert)
        snprintf(sql, sizeof sql,
                 "INSERT INTO measurements(run, number, machine%s) SELECT :run, CASE WHEN :number > 0 THEN :number ELSE"
                 " 1 + (SELECT coalesce(max(number), 0) FROM measurements WHERE run = :run) END, machine%s FROM runs"
                 " WHERE id = :run ON CONFLICT(run, number) DO NOTHING RETURNING id",
                 names, values);
    else
        snprintf(sql, sizeof sql, "UPDATE measurements SET %s WHERE id = :id RETURNING id", settings);
    return database_prepare(store, sql, statement, error);
}

/* Adds one phase's samples, with their summary for those who ask the file with SQL. */
static enum status enter_phase(struct store *store, sqlite3_stmt *statement, int64_t id,
                               const struct measurement *measurement, enum phase phase, struct error *error)
{
    const struct samples *samples = &measurement->phases[phase];
    struct summary summary = measurement_summary(measurement, phase);
    size_t times_bytes, rounds_bytes;
    unsigned char *times = blob_of_times(samples, &times_bytes);
    unsigned char *rounds = blob_of_rounds(samples, &rounds_bytes);
    enum status status = times && rounds ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for the samples");
    if (status == STATUS_OK) {
        bind_integer(statement, ":id", id);
        bind_text(statement, ":phase", phase_name(phase));
        bind_integer(statement, ":count", (int64_t)samples->count);
        bind_real(statement, ":median", summary.median);
        bind_real(statement, ":quartile1", summary.quartile1);
        bind_real(statement, ":quartile3", summary.quartile3);
        sqlite3_bind_blob64(statement, sqlite3_bind_parameter_index(statement, ":times"), times, times_bytes,
                            SQLITE_STATIC);
        sqlite3_bind_blob64(statement, sqlite3_bind_parameter_index(statement, ":rounds"), rounds, rounds_bytes,
                            SQLITE_STATIC);
        status = database_finish(store, statement, "cannot keep the samples", error);
    }
    sqlite3_clear_bindings(statement);
    free(times);
    free(rounds);
    return status;
}

static enum status enter_samples(struct store *store, int64_t id, const struct measurement *measurement,
                                 struct error *error)
{
    sqlite3_stmt *statement;
    enum status status =
        database_prepare(store,
                         "INSERT INTO samples(measurement, phase, count, median, quartile1, quartile3, times, rounds,"
                         " checksum) VALUES(:id, :phase, :count, :median, :quartile1, :quartile3, :times,"
                         " :rounds, " CHECKSUM_OF_PARAMETERS ")",
                         &statement, error);
    for (int phase = 0; status == STATUS_OK && phase < PHASE_COUNT; phase++)
        if (measurement->phases[phase].count)
            status = enter_phase(store, statement, id, measurement, (enum phase)phase, error);
    sqlite3_finalize(statement);
    return status;
}

enum status measurement_enter(struct store *store, int64_t run, int64_t number, const struct measurement *measurement,
                              int64_t *id, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = prepare_fields(store, true, &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":run", run);
    bind_integer(statement, ":number", number);
    fields_bind(statement, &measurement_fields, measurement);
    status = database_enter(store, statement, "cannot keep the measurement", id, error);
    if (status == STATUS_OK && *id)
        status = enter_samples(store, *id, measurement, error);
    return status == STATUS_OK && *id ? origins_enter(store, *id, measurement, error) : status;
}

enum status store_add(struct store *store, int64_t run, const struct measurement *measurement, int64_t *id,
                      struct error *error)
{
    int64_t added = 0;
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = measurement_enter(store, run, measurement->number, measurement, &added, error);
    if (status == STATUS_OK && !added && measurement->number)
        status = measurement_enter(store, run, 0, measurement, &added, error);
    if (status == STATUS_OK && !added)
        status = fail(error, STATUS_INVALID, "%s: there is no run %ld", store->path, run);
    status = database_end(store, status, error);
    if (id)
        *id = status == STATUS_OK ? added : 0;
    return status;
}

static enum status replace_fields(struct store *store, int64_t id, const struct measurement *measurement,
                                  struct error *error)
{
    sqlite3_stmt *statement;
    int64_t found = 0;
    enum status status = prepare_fields(store, false, &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":id", id);
    fields_bind(statement, &measurement_fields, measurement);
    status = database_enter(store, statement, "cannot keep the measurement", &found, error);
    if (status == STATUS_OK && !found)
        status = fail(error, STATUS_INVALID, "%s: there is no measurement %ld", store->path, id);
    return status;
}

enum status store_replace(struct store *store, int64_t id, const struct measurement *measurement, struct error *error)
{
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = replace_fields(store, id, measurement, error);
    if (status == STATUS_OK)
        status = database_write(store, "DELETE FROM samples WHERE measurement = ?", SQL_VALUES(OF_INTEGER(id)),
                                "cannot keep the measurement", error);
    if (status == STATUS_OK)
        status = enter_samples(store, id, measurement, error);
    if (status == STATUS_OK)
        status = origins_enter(store, id, measurement, error);
    return database_end(store, status, error);
}
