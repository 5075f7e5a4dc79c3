#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
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

#define WORD_BYTES 8

unsigned tuned_odd_rows(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count = 0;
    unsigned odd = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < count; i++)
        if (arrays[i].rows > 1 && arrays[i].cols * element_info(arrays[i].type)->bytes % WORD_BYTES != 0)
            odd |= 1u << i;
    return odd;
}

static enum status take_word(const json_t *object, const char *name, char *word, size_t size, struct error *error)
{
    const char *text = json_string_value(json_object_get(object, name));
    if (!text || !*text || strlen(text) >= size)
        return fail(error, STATUS_INVALID, "\"%s\" is missing, empty or too long", name);
    snprintf(word, size, "%s", text);
    return STATUS_OK;
}

static enum status take_kind(const json_t *object, enum tuned_kind *kind, struct error *error)
{
    char word[16];
    enum status status = take_word(object, "kind", word, sizeof word, error);
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i], word) == 0) {
            *kind = (enum tuned_kind)i;
            return STATUS_OK;
        }
    return status != STATUS_OK
               ? status
               : fail(error, STATUS_INVALID, "'%s' is not a kind; cpu, cuda, opencl, opencl_cpu are", word);
}

/* A rung that the ladder no longer has is passed over. */
static enum status take_times(json_t *object, struct tuned_entry *entry, struct error *error)
{
    const char *name;
    json_t *value;
    json_t *times = json_object_get(object, "ns");
    if (!json_is_object(times))
        return fail(error, STATUS_INVALID, "\"ns\" is not an object of rungs and nanoseconds");
    json_object_foreach(times, name, value)
    {
        const double nanoseconds = json_number_value(value);
        if (!json_is_number(value) || !(nanoseconds > 0) || !isfinite(nanoseconds))
            return fail(error, STATUS_INVALID, "the nanoseconds of '%s' are not a number above 0", name);
        if (entry->count == TUNED_RUNGS_MAX || strlen(name) >= RUNG_NAME_MAX ||
            !rung_by_name(entry->problem.kernel, name, NULL))
            continue;
        struct tuned_time *time = &entry->times[entry->count++];
        snprintf(time->rung, sizeof time->rung, "%s", name);
        time->nanoseconds = nanoseconds;
    }
    return entry->count > 0 ? STATUS_OK : fail(error, STATUS_INVALID, "\"ns\" has no rung of this ladder");
}

char *tuned_line(const struct tuned_entry *entry)
{
    char text[PROBLEM_TEXT_MAX], *line = NULL;
    json_t *times = json_object();
    for (size_t i = 0; i < entry->count; i++)
        json_object_set_new(times, entry->times[i].rung, json_real(entry->times[i].nanoseconds));
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "problem", problem_text(&entry->problem, text), "kind",
                               tuned_kind_name(entry->kind), "device", entry->device, "version", entry->version,
                               "threads", entry->threads, "ns", times);
    char *json = object ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
    if (json && asprintf(&line, "%s\n", json) < 0)
        line = NULL;
    free(json);
    json_decref(object);
    return line;
}

static enum status take_object(json_t *object, struct tuned_entry *entry, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    json_t *threads = json_object_get(object, "threads");
    enum status status = take_word(object, "problem", text, sizeof text, error);
    if (status == STATUS_OK)
        status = problem_parse(text, &entry->problem, error);
    if (status == STATUS_OK)
        status = take_kind(object, &entry->kind, error);
    if (status == STATUS_OK)
        status = take_word(object, "device", entry->device, sizeof entry->device, error);
    if (status == STATUS_OK)
        status = take_word(object, "version", entry->version, sizeof entry->version, error);
    if (status == STATUS_OK && threads &&
        (!json_is_integer(threads) || json_integer_value(threads) < 0 || json_integer_value(threads) > THREADS_MOST))
        status = fail(error, STATUS_INVALID, "\"threads\" is not a number from 0 to %d", THREADS_MOST);
    if (status != STATUS_OK)
        return status;
    entry->threads = (int)json_integer_value(threads);
    entry->odd_rows = tuned_odd_rows(&entry->problem);
    return take_times(object, entry, error);
}

enum status tuned_read_line(const char *line, size_t length, const char *file, struct tuned_entry *entry,
                            struct error *error)
{
    json_error_t why;
    *entry = (struct tuned_entry){.file = file};
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    if (!object)
        return fail(error, STATUS_INVALID, "not JSON: %s", why.text);
    enum status status =
        json_is_object(object) ? take_object(object, entry, error) : fail(error, STATUS_INVALID, "not a JSON object");
    json_decref(object);
    return status;
}
