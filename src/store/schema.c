/* The layout of the file. docs/store.md describes it. */
#include <inttypes.h>
#include <stdio.h>

#include "store/database.h"

/* "Uskr", in the file's header: identifies a store among SQLite files. */
#define APPLICATION 0x55736b72

/* The number of the layout below, kept in the file: another one when a table changes. */
#define LAYOUT 7

static const char tables[] =
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
    "  rate_unit TEXT NOT NULL, ceiling_rung TEXT NOT NULL,"
    "  core_latency REAL NOT NULL, core_latency_low REAL NOT NULL, core_latency_high REAL NOT NULL,"
    "  throttled_samples INTEGER NOT NULL, clock_mhz REAL NOT NULL, joules REAL NOT NULL, cycles REAL NOT NULL,"
    "  instructions REAL NOT NULL,"
    "  UNIQUE(run, number));"
    "CREATE INDEX measurements_newest ON measurements(kernel, problem, machine, device, device_name, rung, parameters,"
    "  threads, cold, made_at DESC, id DESC);"
    "CREATE INDEX probes ON measurements(run, problem, device, cold) WHERE kind = 'probe';"
    "CREATE TABLE samples(measurement INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,"
    "  phase TEXT NOT NULL, count INTEGER NOT NULL, median REAL, quartile1 REAL, quartile3 REAL,"
    "  times BLOB NOT NULL, rounds BLOB NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY(measurement, phase));"
    "CREATE TABLE attachments(measurement INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,"
    "  kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(measurement, kind));"
    "CREATE TABLE ceilings(id INTEGER PRIMARY KEY, machine INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE,"
    "  device TEXT NOT NULL, device_name TEXT NOT NULL, driver TEXT NOT NULL, threads INTEGER NOT NULL,"
    "  what TEXT NOT NULL, rate REAL NOT NULL, unit TEXT NOT NULL,"
    "  measurement INTEGER REFERENCES measurements ON DELETE SET NULL, made_at INTEGER NOT NULL);"
    "CREATE INDEX ceilings_newest ON ceilings(machine, device, device_name, driver, threads, what, made_at DESC,"
    "  id DESC);";

static enum status set_up(const struct store *store, struct error *error)
{
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION, LAYOUT);
    enum status status = database_run(store, tables, error);
    return status == STATUS_OK ? database_run(store, pragmas, error) : status;
}

/* Whether the file has no content yet. Refuses what is not a store, and what has another layout. */
static enum status read_layout(const struct store *store, bool *empty, struct error *error)
{
    int64_t application = 0, count = 0, layout = 0;
    enum status status = database_number(store, "PRAGMA application_id", NULL, 0, &application, error);
    if (status == STATUS_OK)
        status = database_number(store, "PRAGMA user_version", NULL, 0, &layout, error);
    if (status == STATUS_OK)
        status = database_number(store, "SELECT count(*) FROM sqlite_schema", NULL, 0, &count, error);
    if (status != STATUS_OK)
        return status;
    *empty = application == 0 && layout == 0 && count == 0;
    if (*empty || (application == APPLICATION && layout == LAYOUT))
        return STATUS_OK;
    if (application != APPLICATION)
        return fail(error, STATUS_INVALID, "%s: an SQLite file, but not a store of Uskor; it is left as it is",
                    store->path);
    return fail(error, STATUS_INVALID,
                "%s: a store of layout %ld, made by another version of Uskor; this one knows layout %d. It is left as "
                "it is",
                store->path, layout, LAYOUT);
}

/* Another program may be doing the same: what is there is looked at again inside the transaction. */
static enum status fill(struct store *store, struct error *error)
{
    bool empty = false;
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = read_layout(store, &empty, error);
    if (status == STATUS_OK)
        status = empty ? set_up(store, error) : schema_check(store, tables, error);
    return database_end(store, status, error);
}

/* Everything in one look: another program may be setting the file up at this moment. */
static enum status look(const struct store *store, bool *empty, struct error *error)
{
    enum status status = database_run(store, "BEGIN", error);
    if (status != STATUS_OK)
        return status;
    status = read_layout(store, empty, error);
    if (status == STATUS_OK && !*empty)
        status = schema_check(store, tables, error);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* of nothing but reading */
    return status;
}

enum status schema_adopt(struct store *store, struct error *error)
{
    bool empty = false;
    enum status status = look(store, &empty, error);
    if (status != STATUS_OK || !empty)
        return status;
    if (!store->read_only)
        return fill(store, error);
    return fail(error, STATUS_UNAVAILABLE, "%s: nothing has been measured yet", store->path);
}
