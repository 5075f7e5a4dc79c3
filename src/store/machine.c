#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/size.h"
#include "store/database.h"
#include "store/fields.h"

#define MEMORY_STEP ((uint64_t)64 << 20)

/* The value of the first line "key<between>value" of a file, without quotes and blanks around it; "" when there is
 * none.
 */
static void read_line_of(const char *path, const char *key, char between, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "re");
    *value = 0;
    while (file && !*value && fgets(line, sizeof line, file)) {
        char *at = strchr(line, between);
        if (!at || strncmp(line, key, strlen(key)) != 0 || line[strlen(key)] == '_')
            continue;
        at += 1 + strspn(at + 1, " \t\"");
        at[strcspn(at, "\"\n")] = 0;
        snprintf(value, size, "%s", text_is_plain(at) ? at : "");
    }
    if (file)
        fclose(file);
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    } while (*text++);
    return hash;
}

void machine_take_fingerprint(struct machine *machine)
{
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%u %" PRIu64, machine->cores, machine->memory_bytes);
    const char *const facts[] = {machine->cpu, machine->architecture, machine->kernel, machine->os, numbers};
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        hash = hash_text(hash, facts[i]);
    snprintf(machine->fingerprint, sizeof machine->fingerprint, "%016" PRIx64, hash);
}

/* A core's logical processors are listed in ascending order; the first one stands for the core. */
static unsigned count_cores(unsigned processors)
{
    unsigned count = 0;
    for (unsigned i = 0; i < processors; i++) {
        char path[96];
        unsigned first;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", i);
        FILE *stream = fopen(path, "r");
        count += stream && fscanf(stream, "%u", &first) == 1 && first == i;
        if (stream)
            fclose(stream);
    }
    return count;
}

void machine_here(struct machine *machine)
{
    struct utsname system;
    memset(machine, 0, sizeof *machine);
    if (uname(&system) == 0) {
        snprintf(machine->architecture, sizeof machine->architecture, "%s", system.machine);
        snprintf(machine->kernel, sizeof machine->kernel, "%s %s", system.sysname, system.release);
    }
    read_line_of("/proc/cpuinfo", "model name", ':', machine->cpu, sizeof machine->cpu);
    if (!machine->cpu[0])
        snprintf(machine->cpu, sizeof machine->cpu, "%s processor", machine->architecture);
    read_line_of("/etc/os-release", "PRETTY_NAME", '=', machine->os, sizeof machine->os);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    machine->cores = cores > 0 ? (unsigned)cores : 0;
    machine->core_count = count_cores(machine->cores);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    machine->memory_bytes = (bytes + MEMORY_STEP / 2) / MEMORY_STEP * MEMORY_STEP;
    machine_take_fingerprint(machine);
}

/* The number of the machine with this fingerprint; 0 when it is not there. */
static enum status find_machine(struct store *store, const char *fingerprint, int64_t *id, struct error *error)
{
    return database_number(store, "SELECT id FROM machines WHERE fingerprint = ?", SQL_VALUES(OF_TEXT(fingerprint)), 0,
                           id, error);
}

enum status machine_enter(struct store *store, const struct machine *machine, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = find_machine(store, machine->fingerprint, id, error);
    if (status != STATUS_OK || *id)
        return status;
    status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = database_prepare(store,
                              "INSERT INTO machines(fingerprint, cpu, architecture, kernel, os, cores, memory_bytes)"
                              " VALUES(:fingerprint, :cpu, :architecture, :kernel, :os, :cores, :memory_bytes)"
                              " ON CONFLICT DO NOTHING",
                              &statement, error);
    if (status == STATUS_OK) {
        fields_bind(statement, &machine_fields, machine);
        status = database_finish(store, statement, "cannot keep the machine", error);
        sqlite3_finalize(statement);
    }
    if (status == STATUS_OK)
        status = find_machine(store, machine->fingerprint, id, error);
    return database_end(store, status, error);
}

enum status store_this_machine(struct store *store, int64_t *machine, struct error *error)
{
    struct machine here;
    enum status status = STATUS_OK;
    if (!store->machine) {
        machine_here(&here);
        if (store->read_only) {
            status = find_machine(store, here.fingerprint, &store->machine, error);
            if (status == STATUS_OK && !store->machine)
                status = fail(error, STATUS_UNAVAILABLE, "%s: nothing of this machine is in it", store->path);
        } else {
            status = machine_enter(store, &here, &store->machine, error);
        }
    }
    *machine = store->machine;
    return status;
}

static enum status take_machine(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    struct machine *machine = into;
    machine->id = sqlite3_column_int64(row, 0);
    return fields_take(store, row, 1, &machine_fields, machine, error);
}

enum status store_machine(struct store *store, int64_t id, struct machine *machine, struct error *error)
{
    memset(machine, 0, sizeof *machine);
    enum status status = database_query(
        store, "SELECT id, fingerprint, cpu, architecture, kernel, os, cores, memory_bytes FROM machines WHERE id = ?",
        SQL_VALUES(OF_INTEGER(id)), take_machine, machine, error);
    if (status == STATUS_OK && !machine->id)
        status = fail(error, STATUS_INVALID, "%s: there is no machine %ld", store->path, id);
    if (status == STATUS_OK)
        status = devices_read(store, machine, error);
    if (status != STATUS_OK)
        machine_free(machine);
    return status;
}

void machine_free(struct machine *machine)
{
    for (size_t d = 0; d < machine->device_count; d++)
        free(machine->devices[d].facts);
    free(machine->devices);
    machine->devices = NULL;
    machine->device_count = 0;
}
