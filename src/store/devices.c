#include <stdlib.h>
#include <string.h>

#include "store/database.h"

static enum status enter_device(struct store *store, int64_t machine, const struct machine_device *device, int64_t *id,
                                struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(store,
                                          "INSERT INTO devices(machine, device, name, driver)"
                                          " VALUES(:machine, :device, :name, :driver)"
                                          " ON CONFLICT DO UPDATE SET name = name RETURNING id",
                                          &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":machine", machine);
    bind_text(statement, ":device", device->id);
    bind_text(statement, ":name", device->name);
    bind_text(statement, ":driver", device->driver);
    if (sqlite3_step(statement) == SQLITE_ROW)
        *id = sqlite3_column_int64(statement, 0);
    else
        status = database_fail(store, error, "cannot keep the device");
    sqlite3_finalize(statement);
    return status;
}

static enum status enter_facts(struct store *store, int64_t id, const struct machine_device *device,
                               struct error *error)
{
    sqlite3_stmt *statement;
    enum status status =
        database_prepare(store, "INSERT OR REPLACE INTO device_facts(device, key, value) VALUES(:device, :key, :value)",
                         &statement, error);
    for (size_t i = 0; status == STATUS_OK && i < device->fact_count; i++) {
        bind_integer(statement, ":device", id);
        bind_text(statement, ":key", device->facts[i].key);
        bind_text(statement, ":value", device->facts[i].value);
        status = database_finish(store, statement, "cannot keep the device", error);
    }
    sqlite3_finalize(statement);
    return status;
}

enum status store_put_device(struct store *store, int64_t machine, const struct machine_device *device,
                             struct error *error)
{
    int64_t id = 0;
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = enter_device(store, machine, device, &id, error);
    if (status == STATUS_OK)
        status = enter_facts(store, id, device, error);
    return database_end(store, status, error);
}

static enum status add_device(struct store *store, struct machine *machine, sqlite3_stmt *statement,
                              struct machine_device **added, struct error *error)
{
    struct machine_device *devices =
        reallocarray(machine->devices, machine->device_count + 1, sizeof *machine->devices);
    if (!devices)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its devices", store->path);
    machine->devices = devices;
    struct machine_device *device = *added = &devices[machine->device_count++];
    memset(device, 0, sizeof *device);
    column_text(statement, 1, device->id, sizeof device->id);
    column_text(statement, 2, device->name, sizeof device->name);
    column_text(statement, 3, device->driver, sizeof device->driver);
    return STATUS_OK;
}

static enum status add_fact(struct store *store, struct machine_device *device, sqlite3_stmt *statement,
                            struct error *error)
{
    struct device_fact *facts = reallocarray(device->facts, device->fact_count + 1, sizeof *facts);
    if (!facts)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its devices", store->path);
    device->facts = facts;
    column_text(statement, 4, facts[device->fact_count].key, sizeof facts->key);
    column_text(statement, 5, facts[device->fact_count].value, sizeof facts->value);
    device->fact_count++;
    return STATUS_OK;
}

enum status devices_read(struct store *store, struct machine *machine, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(store,
                                          "SELECT d.id, d.device, d.name, d.driver, f.key, f.value FROM devices d"
                                          " LEFT JOIN device_facts f ON f.device = d.id WHERE d.machine = :machine"
                                          " ORDER BY d.device, d.id, f.key",
                                          &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":machine", machine->id);
    struct machine_device *device = NULL;
    int64_t last = 0;
    int code = SQLITE_DONE;
    while (status == STATUS_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!device || sqlite3_column_int64(statement, 0) != last)
            status = add_device(store, machine, statement, &device, error);
        last = sqlite3_column_int64(statement, 0);
        if (status == STATUS_OK && sqlite3_column_type(statement, 4) != SQLITE_NULL)
            status = add_fact(store, device, statement, error);
    }
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}
