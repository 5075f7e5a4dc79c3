#include <string.h>

#include "base/growing.h"
#include "store/database.h"

static enum status enter_device(struct store *store, int64_t machine, const struct machine_device *device, int64_t *id,
                                struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare_with(
        store,
        "INSERT INTO devices(machine, device, name, driver) VALUES(?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET name = name RETURNING id",
        SQL_VALUES(OF_INTEGER(machine), OF_TEXT(device->id), OF_TEXT(device->name), OF_TEXT(device->driver)),
        &statement, error);
    return status == STATUS_OK ? database_enter(store, statement, "cannot keep the device", id, error) : status;
}

static enum status enter_facts(struct store *store, int64_t id, const struct machine_device *device,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < device->fact_count; i++)
        status =
            database_write(store, "INSERT OR REPLACE INTO device_facts(device, key, value) VALUES(?, ?, ?)",
                           SQL_VALUES(OF_INTEGER(id), OF_TEXT(device->facts[i].key), OF_TEXT(device->facts[i].value)),
                           "cannot keep the device", error);
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

/* The devices of a machine as they are read, with the number of the last one. */
struct devices {
    struct machine *machine;
    int64_t last;
};

static bool add_device(struct machine *machine, sqlite3_stmt *row)
{
    if (!array_grow(&machine->devices, machine->device_count, sizeof *machine->devices))
        return false;
    struct machine_device *device = &machine->devices[machine->device_count++];
    memset(device, 0, sizeof *device);
    column_text(row, 1, device->id, sizeof device->id);
    column_text(row, 2, device->name, sizeof device->name);
    column_text(row, 3, device->driver, sizeof device->driver);
    return true;
}

static bool add_fact(struct machine_device *device, sqlite3_stmt *row)
{
    if (!array_grow(&device->facts, device->fact_count, sizeof *device->facts))
        return false;
    struct device_fact *fact = &device->facts[device->fact_count++];
    column_text(row, 4, fact->key, sizeof fact->key);
    column_text(row, 5, fact->value, sizeof fact->value);
    return true;
}

static enum status take_row(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    struct devices *devices = into;
    struct machine *machine = devices->machine;
    const bool is_new = sqlite3_column_int64(row, 0) != devices->last;
    bool fits = !is_new || add_device(machine, row);
    devices->last = sqlite3_column_int64(row, 0);
    if (fits && sqlite3_column_type(row, 4) != SQLITE_NULL)
        fits = add_fact(&machine->devices[machine->device_count - 1], row);
    return fits ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: no memory for its devices", store->path);
}

enum status devices_read(struct store *store, struct machine *machine, struct error *error)
{
    return database_query(store,
                          "SELECT d.id, d.device, d.name, d.driver, f.key, f.value FROM devices d"
                          " LEFT JOIN device_facts f ON f.device = d.id WHERE d.machine = ?"
                          " ORDER BY d.device, d.id, f.key",
                          SQL_VALUES(OF_INTEGER(machine->id)), take_row, &(struct devices){.machine = machine}, error);
}
