/* The layout of the file, and how an older one becomes the present one. docs/store.md describes it. */
#include <inttypes.h>
#include <stdio.h>

#include "base/size.h"
#include "store/checksum.h"
#include "store/database.h"
#include "store/former_names.h"

/* "Uskr", in the file's header: identifies a store among SQLite files. */
#define APPLICATION 0x55736b72

#define RENAME_RUNG(kernel, former, present) \
    "UPDATE measurements SET rung = '" present "' WHERE kernel = '" kernel "' AND rung = '" former "';"

/* The steps from version i to version i + 1. A released step is never changed. */
static const char *const steps[] = {
    "CREATE TABLE machines(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, cpu TEXT NOT NULL,"
    "  architecture TEXT NOT NULL, kernel TEXT NOT NULL, os TEXT NOT NULL, cores INTEGER NOT NULL,"
    "  memory_bytes INTEGER NOT NULL);"
    "CREATE TABLE devices(id INTEGER PRIMARY KEY, machine INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE,"
    "  device TEXT NOT NULL, name TEXT NOT NULL, driver TEXT NOT NULL, UNIQUE(machine, device, name, driver));"
    "CREATE TABLE device_facts(device INTEGER NOT NULL REFERENCES devices ON DELETE CASCADE, key TEXT NOT NULL,"
    "  value TEXT NOT NULL, PRIMARY KEY(device, key)) WITHOUT ROWID;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, started INTEGER NOT NULL,"
    "  machine INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE, command TEXT NOT NULL, label TEXT NOT NULL,"
    "  code_version TEXT NOT NULL);"
    "CREATE INDEX runs_by_label ON runs(label);"
    "CREATE TABLE measurements(id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  machine INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE, kernel TEXT NOT NULL, problem TEXT NOT NULL,"
    "  rung TEXT NOT NULL, idea TEXT NOT NULL, kind TEXT NOT NULL, parameters TEXT NOT NULL, detail TEXT NOT NULL,"
    "  device TEXT NOT NULL, device_name TEXT NOT NULL, driver TEXT NOT NULL, device_is_cpu INTEGER NOT NULL,"
    "  threads INTEGER NOT NULL, code_version TEXT NOT NULL, made_at INTEGER NOT NULL, verdict TEXT NOT NULL,"
    "  reason TEXT NOT NULL, worst_error REAL, worst_where TEXT NOT NULL, warnings TEXT NOT NULL,"
    "  cold INTEGER NOT NULL, batch INTEGER NOT NULL, bytes REAL, operations REAL, work REAL,"
    "  rate_unit TEXT NOT NULL, limit_rung TEXT NOT NULL, UNIQUE(run, number));"
    "CREATE INDEX measurements_newest ON measurements(kernel, problem, machine, device, device_name, rung, parameters,"
    "  threads, cold, made_at DESC, id DESC);"
    "CREATE TABLE samples(measurement INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,"
    "  phase TEXT NOT NULL, count INTEGER NOT NULL, median REAL, quartile1 REAL, quartile3 REAL,"
    "  times BLOB NOT NULL, rounds BLOB NOT NULL, PRIMARY KEY(measurement, phase));"
    "CREATE TABLE attachments(measurement INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,"
    "  kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(measurement, kind));"
    "CREATE TABLE ceilings(id INTEGER PRIMARY KEY, machine INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE,"
    "  device TEXT NOT NULL, device_name TEXT NOT NULL, driver TEXT NOT NULL, threads INTEGER NOT NULL,"
    "  what TEXT NOT NULL, rate REAL NOT NULL, unit TEXT NOT NULL,"
    "  measurement INTEGER REFERENCES measurements ON DELETE SET NULL, made_at INTEGER NOT NULL);"
    "CREATE INDEX ceilings_newest ON ceilings(machine, device, device_name, driver, threads, what, made_at DESC,"
    "  id DESC);",
    "ALTER TABLE measurements ADD COLUMN core_distance REAL NOT NULL DEFAULT 0;"
    "CREATE INDEX limits ON measurements(run, problem, device, cold) WHERE kind = 'limit';",
    "ALTER TABLE measurements ADD COLUMN core_distance_low REAL NOT NULL DEFAULT 0;"
    "ALTER TABLE measurements ADD COLUMN core_distance_high REAL NOT NULL DEFAULT 0;",
    "ALTER TABLE samples ADD COLUMN checksum TEXT NOT NULL DEFAULT '';"
    "UPDATE samples SET checksum = " CHECKSUM_OF_COLUMNS ";",
    /* Names: a sum that was wrong stays wrong. */
    "ALTER TABLE measurements RENAME COLUMN core_distance TO core_latency;"
    "ALTER TABLE measurements RENAME COLUMN core_distance_low TO core_latency_low;"
    "ALTER TABLE measurements RENAME COLUMN core_distance_high TO core_latency_high;"
    "ALTER TABLE measurements RENAME COLUMN limit_rung TO ceiling_rung;"
    "UPDATE samples SET phase = 'end-to-end', checksum = CASE checksum WHEN " CHECKSUM_OF_COLUMNS
    " THEN " CHECKSUM_OF_RENAMED("'end-to-end'") " ELSE checksum END WHERE phase = 'whole';"
                                                 "DROP INDEX limits;"
                                                 "UPDATE measurements SET kind = 'probe' WHERE kind = 'limit';"
                                                 "CREATE INDEX probes ON measurements(run, problem, device, cold) "
                                                 "WHERE kind = 'probe';" FORMER_RUNGS(RENAME_RUNG),
};

#define VERSION ((int64_t)COUNT_OF(steps))

static enum status set_up(const struct store *store, int64_t from, struct error *error)
{
    char pragmas[96];
    enum status status = STATUS_OK;
    for (int64_t version = from; status == STATUS_OK && version < VERSION; version++)
        status = database_run(store, steps[version], error);
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%" PRId64, APPLICATION, VERSION);
    return status == STATUS_OK ? database_run(store, pragmas, error) : status;
}

/* The file's version; 0 for a file without content. Refuses what is not a store, and what is newer than this program.
 */
static enum status read_version(const struct store *store, int64_t *version, struct error *error)
{
    int64_t application = 0, tables = 0;
    enum status status = database_number(store, "PRAGMA application_id", 0, &application, error);
    if (status == STATUS_OK)
        status = database_number(store, "PRAGMA user_version", 0, version, error);
    if (status == STATUS_OK)
        status = database_number(store, "SELECT count(*) FROM sqlite_schema", 0, &tables, error);
    if (status != STATUS_OK)
        return status;
    if (application == 0 && *version == 0 && tables == 0)
        return STATUS_OK;
    if (application != APPLICATION || *version < 1)
        return fail(error, STATUS_INVALID, "%s: an SQLite file, but not a store of Uskor; it is left as it is",
                    store->path);
    if (*version > VERSION)
        return fail(
            error, STATUS_INVALID,
            "%s: a store of layout %ld, made by a newer Uskor; this one knows layouts up to %ld. It is left as it is",
            store->path, *version, VERSION);
    return STATUS_OK;
}

/* Another program may be doing the same: what is there is looked at again inside the transaction. */
static enum status migrate(struct store *store, struct error *error)
{
    int64_t version;
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = read_version(store, &version, error);
    if (status == STATUS_OK)
        status = schema_check(store, steps, (size_t)version, error);
    if (status == STATUS_OK && version < VERSION)
        status = set_up(store, version, error);
    return database_end(store, status, error);
}

/* Everything in one look: another program may be setting the file up at this moment. */
static enum status look_at_version(const struct store *store, int64_t *version, struct error *error)
{
    enum status status = database_run(store, "BEGIN", error);
    if (status != STATUS_OK)
        return status;
    status = read_version(store, version, error);
    if (status == STATUS_OK)
        status = schema_check(store, steps, (size_t)*version, error);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* of nothing but reading */
    return status;
}

enum status schema_adopt(struct store *store, bool *older, struct error *error)
{
    int64_t version;
    enum status status = look_at_version(store, &version, error);
    if (status != STATUS_OK || version == VERSION)
        return status;
    if (!store->read_only)
        return migrate(store, error);
    if (version == 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: nothing has been measured yet", store->path);
    if (older)
        *older = true;
    return fail(error, STATUS_INVALID,
                "%s: a store of the older layout %ld, which cannot be brought up to date, as it cannot be written",
                store->path, version);
}
