#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flat_json.h"
#include "base/size.h"
#include "choice/code_hash.h"
#include "choice/tuned.h"

#define THREADS_MOST 4096

static const char *const kinds[] = {
    [TUNED_CPU] = "cpu",
    [TUNED_CUDA] = "cuda",
    [TUNED_OPENCL] = "opencl",
    [TUNED_OPENCL_CPU] = "opencl_cpu",
};

const char *tuned_kind_name(enum tuned_kind kind)
{
    return kind < TUNED_KIND_COUNT ? kinds[kind] : "other";
}

enum tuned_kind tuned_kind_of(const struct device *device)
{
    switch (device->backend->kind) {
    case BACKEND_CPU:
        return TUNED_CPU;
    case BACKEND_CUDA:
        return TUNED_CUDA;
    case BACKEND_OPENCL:
        return device->properties.is_cpu ? TUNED_OPENCL_CPU : TUNED_OPENCL;
    default:
        return TUNED_KIND_COUNT;
    }
}

static unsigned alignment_of(size_t bytes)
{
    unsigned power = 0;
    while (power < TUNED_LINE && (bytes >> power & 1) == 0)
        power++;
    return power;
}

unsigned tuned_alignment(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count = 0;
    unsigned all = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < count; i++) {
        const size_t bytes = arrays[i].cols * element_info(arrays[i].type)->bytes;
        all |= (arrays[i].rows > 1 ? alignment_of(bytes) : TUNED_LINE) << TUNED_ALIGNMENT_BITS * (unsigned)i;
    }
    return all;
}

static enum status take_word(const struct flat_json *json, const char *name, char *word, size_t size,
                             struct error *error)
{
    const struct flat_json_value *value = flat_json_find(json, NULL, name);
    if (!value || value->kind != FLAT_STRING || !*value->text || strlen(value->text) >= size)
        return fail(error, STATUS_INVALID, "\"%s\" is missing, empty or too long", name);
    snprintf(word, size, "%s", value->text);
    return STATUS_OK;
}

static enum status take_kind(const struct flat_json *json, enum tuned_kind *kind, struct error *error)
{
    char word[16];
    enum status status = take_word(json, "kind", word, sizeof word, error);
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i], word) == 0) {
            *kind = (enum tuned_kind)i;
            return STATUS_OK;
        }
    return status != STATUS_OK
               ? status
               : fail(error, STATUS_INVALID, "'%s' is not a kind; cpu, cuda, opencl, opencl_cpu are", word);
}

/* For the cpu no device rung's file is read: the ladder's host rungs are known. */
static const struct rung *find_rung(const struct tuned_entry *entry, const char *name)
{
    const struct rung *of_host[KERNEL_RUNGS_MAX];
    if (entry->kind != TUNED_CPU)
        return rung_by_name(entry->problem.kernel, name, NULL);
    const size_t count = kernel_host_rungs(entry->problem.kernel, of_host);
    for (size_t i = 0; i < count; i++)
        if (strcmp(of_host[i]->name, name) == 0)
            return of_host[i];
    return NULL;
}

/* What the object of that name says of a rung; "" where nothing. */
static const char *said_of(const struct flat_json *json, const char *object, const char *rung)
{
    const struct flat_json_value *all = flat_json_find(json, NULL, object);
    const struct flat_json_value *value = all && all->kind == FLAT_OBJECT ? flat_json_find(json, all, rung) : NULL;
    return value && value->kind == FLAT_STRING ? value->text : "";
}

/* A stale time is left out; the first one is named in `stale`. */
static enum status take_time(const struct flat_json *json, const struct flat_json_value *value,
                             struct tuned_entry *entry, struct error *stale, struct error *error)
{
    if (value->kind != FLAT_NUMBER || !(value->number > 0))
        return fail(error, STATUS_INVALID, "the nanoseconds of '%s' are not a number above 0", value->name);
    if (strcmp(value->name, "openblas") == 0)
        entry->openblas = value->number;
    if (entry->count == TUNED_RUNGS_MAX || strlen(value->name) >= RUNG_NAME_MAX)
        return STATUS_OK;
    const struct rung *rung = find_rung(entry, value->name);
    const char *code = said_of(json, "code", value->name), *tunables = said_of(json, "tunables", value->name);
    const uint32_t measured = (uint32_t)strtoul(code, NULL, 16),
                   present = rung ? code_hash(entry->problem.kernel, rung) : 0;
    if (rung && measured && present && measured != present && !*stale->text)
        fail(stale, STATUS_UNAVAILABLE, "rung '%s' has changed since it was measured", value->name);
    if (!rung || (measured && present && measured != present))
        return STATUS_OK;
    if (strlen(tunables) >= TUNED_TUNABLES_MAX)
        return fail(error, STATUS_INVALID, "the tunables of '%s' are longer than %d letters", value->name,
                    TUNED_TUNABLES_MAX - 1);
    struct tuned_time *time = &entry->times[entry->count++];
    snprintf(time->rung, sizeof time->rung, "%s", value->name);
    snprintf(time->tunables, sizeof time->tunables, "%s", tunables);
    time->nanoseconds = value->number;
    time->code = measured;
    return STATUS_OK;
}

/* A rung that the ladder no longer has is passed over. */
static enum status take_times(const struct flat_json *json, struct tuned_entry *entry, struct error *error)
{
    const struct flat_json_value *times = flat_json_find(json, NULL, "ns");
    struct error stale = {""};
    enum status status = STATUS_OK;
    if (!times || times->kind != FLAT_OBJECT)
        return fail(error, STATUS_INVALID, "\"ns\" is not an object of rungs and nanoseconds");
    for (size_t i = 0; status == STATUS_OK && i < json->count; i++)
        if (json->values[i].parent == times)
            status = take_time(json, &json->values[i], entry, &stale, error);
    if (status == STATUS_OK && entry->count == 0 && !*stale.text)
        status = fail(error, STATUS_INVALID, "\"ns\" has no rung of this ladder");
    if (status != STATUS_OK)
        return status;
    entry->is_cut = *stale.text;
    if (error)
        *error = stale;
    return entry->count == 0 ? STATUS_UNAVAILABLE : STATUS_OK;
}

/* 0 where there is none. */
static enum status take_count(const struct flat_json *json, const char *name, int *count, struct error *error)
{
    const struct flat_json_value *value = flat_json_find(json, NULL, name);
    *count = 0;
    if (!value)
        return STATUS_OK;
    if (value->kind != FLAT_NUMBER || !(value->number >= 0 && value->number <= THREADS_MOST) ||
        value->number != floor(value->number))
        return fail(error, STATUS_INVALID, "\"%s\" is not a number from 0 to %d", name, THREADS_MOST);
    *count = (int)value->number;
    return STATUS_OK;
}

void tuned_describe(const struct device *device, int threads, struct tuned_entry *entry)
{
    const struct device_properties *properties = &device->properties;
    const bool is_cpu = device->backend->kind == BACKEND_CPU;
    entry->kind = tuned_kind_of(device);
    entry->threads = is_cpu ? threads : 0;
    entry->cores = is_cpu ? (int)properties->cores : 0;
    snprintf(entry->device, sizeof entry->device, "%s", properties->name);
    snprintf(entry->version, sizeof entry->version, "%s", properties->version);
    snprintf(entry->driver, sizeof entry->driver, "%s", is_cpu ? "" : properties->driver);
}

bool tuned_is_of_device(const struct tuned_entry *entry, const struct device *device)
{
    return entry->kind == tuned_kind_of(device) && strcmp(entry->device, device->properties.name) == 0 &&
           strcmp(entry->version, device->properties.version) == 0;
}

bool tuned_has_other_driver(const struct tuned_entry *entry, const struct device *device)
{
    const struct device_properties *properties = &device->properties;
    return *entry->driver && *properties->driver && tuned_is_of_device(entry, device) &&
           strncmp(entry->driver, properties->driver, sizeof entry->driver - 1) != 0;
}

enum status tuned_read_device(const struct flat_json *json, struct tuned_entry *entry, struct error *error)
{
    enum status status = take_kind(json, &entry->kind, error);
    if (status == STATUS_OK)
        status = take_word(json, "device", entry->device, sizeof entry->device, error);
    if (status == STATUS_OK)
        status = take_word(json, "version", entry->version, sizeof entry->version, error);
    const struct flat_json_value *driver = flat_json_find(json, NULL, "driver");
    if (driver && driver->kind == FLAT_STRING)
        snprintf(entry->driver, sizeof entry->driver, "%s", driver->text);
    return status;
}

enum status tuned_read_line(const char *line, size_t length, const char *file, struct tuned_entry *entry,
                            struct error *error)
{
    struct flat_json json;
    char text[PROBLEM_TEXT_MAX];
    *entry = (struct tuned_entry){.file = file};
    enum status status = flat_json_read(line, length, &json, error);
    if (status == STATUS_OK)
        status = take_word(&json, "problem", text, sizeof text, error);
    if (status == STATUS_OK)
        status = problem_parse(text, &entry->problem, error);
    if (status == STATUS_OK)
        status = tuned_read_device(&json, entry, error);
    if (status == STATUS_OK)
        status = take_count(&json, "threads", &entry->threads, error);
    if (status == STATUS_OK)
        status = take_count(&json, "cores", &entry->cores, error);
    if (status != STATUS_OK)
        return status;
    entry->alignment = tuned_alignment(&entry->problem);
    return take_times(&json, entry, error);
}
