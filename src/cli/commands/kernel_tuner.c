#include "cli/commands/tune_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "choice/tunables.h"
#include "cli/options/result.h"

#define VERSION "1.0.0"
#define NS_IN_MS 1e6

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static bool is_of(const struct measurement *measurement, const struct rung *rung, const struct device *device)
{
    return measurement->kind != MEASURED_PROBE && strcmp(measurement->rung, rung->name) == 0 &&
           strcmp(measurement->device, device->id) == 0;
}

/* "8,16": how the file names a combination. */
static void write_key(const struct rung *rung, const struct parameters *values, char *key, size_t size)
{
    key[0] = 0;
    for (size_t t = 0; t < rung->tunable_count; t++)
        text_append(key, size, "%s%" PRId64, t ? "," : "", values->values[t]);
}

static json_t *point_of(const struct measurement *measurement, const struct rung *rung, const struct parameters *values)
{
    const struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    const bool is_timed = measurement->verdict == VERDICT_PASS && samples->count > 0;
    json_t *point = json_object(), *times = json_array();
    for (size_t t = 0; t < rung->tunable_count; t++)
        json_object_set_new(point, rung->tunables[t].name, json_integer(values->values[t]));
    for (size_t i = 0; is_timed && i < samples->count; i++)
        json_array_append_new(times, json_real(samples->items[i].nanoseconds / NS_IN_MS));
    json_object_set_new(point, "time",
                        is_timed ? json_real(measurement_summary(measurement, PHASE_COMPUTE).median / NS_IN_MS)
                        : measurement->verdict == VERDICT_SKIP ? json_string("InvalidConfig")
                                                               : json_string("RuntimeFailedConfig"));
    json_object_set_new(point, "times", times);
    for (size_t i = 0; i < 5; i++) {
        static const char *const unknown[] = {"compile_time", "verification_time", "benchmark_time", "strategy_time",
                                              "framework_time"};
        json_object_set_new(point, unknown[i], json_real(0));
    }
    char when[32] = "";
    struct tm made_at;
    if (gmtime_r(&(time_t){(time_t)measurement->made_at}, &made_at))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S+00:00", &made_at);
    json_object_set_new(point, "timestamp", json_string(when));
    return point;
}

static void add_value(json_t *values, int64_t value)
{
    size_t at = 0;
    while (at < json_array_size(values) && json_integer_value(json_array_get(values, at)) < value)
        at++;
    if (at == json_array_size(values) || json_integer_value(json_array_get(values, at)) != value)
        json_array_insert_new(values, at, json_integer(value));
}

static json_t *make_cache(const struct measurement_list *list, const struct rung *rung, const struct device *device)
{
    json_t *names = json_array(), *offered = json_object(), *cache = json_object();
    const char *kernel = "", *problem = "";
    for (size_t t = 0; t < rung->tunable_count; t++) {
        json_array_append_new(names, json_string(rung->tunables[t].name));
        json_object_set_new(offered, rung->tunables[t].name, json_array());
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        struct parameters values = {{0}};
        char key[256];
        if (!is_of(measurement, rung, device) || !tunables_apply(measurement->parameters, rung, &values))
            continue;
        kernel = measurement->kernel;
        problem = measurement->problem;
        write_key(rung, &values, key, sizeof key);
        json_object_set_new(cache, key, point_of(measurement, rung, &values));
        for (size_t t = 0; t < rung->tunable_count; t++)
            add_value(json_object_get(offered, rung->tunables[t].name), values.values[t]);
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:s, s:o}", "schema_version", VERSION, "device_name",
                     device->properties.name, "kernel_name", json_sprintf("%s/%s", kernel, rung->name), "problem_size",
                     problem, "tune_params_keys", names, "tune_params", offered, "objective", "time", "cache", cache);
}

enum status kernel_tuner_write(const char *path, const struct measurement_list *list, const struct rung *rung,
                               const struct device *device, struct error *error)
{
    struct result result;
    enum status status = result_open(path, false, &result, error);
    if (status != STATUS_OK)
        return status;
    json_t *all = make_cache(list, rung, device);
    if (!all || json_dumpf(all, result.stream, JSON_INDENT(1)) != 0 || fputc('\n', result.stream) == EOF)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", path, result_reason(result.stream));
    json_decref(all);
    return result_close(&result, status, error);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The combination as a text that tunables_apply takes; false where a value is no integer. */
static bool text_of(const json_t *point, const json_t *names, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const json_t *value = name ? json_object_get(point, name) : NULL;
        if (!json_is_integer(value) ||
            !text_append(text, size, "%s%s=%" JSON_INTEGER_FORMAT, i ? " " : "", name, json_integer_value(value)))
            return false;
    }
    return true;
}

static enum status take_best(const char *path, json_t *root, struct candidate *candidate, struct error *error)
{
    const json_t *names = json_object_get(root, "tune_params_keys");
    json_t *cache = json_object_get(root, "cache"), *point, *best = NULL;
    double least = INFINITY;
    const char *key;
    char text[512];
    if (!json_is_array(names) || !json_is_object(cache))
        return fail(error, STATUS_INVALID, "%s: not a cache file of Kernel Tuner: no tune_params_keys or no cache",
                    path);
    json_object_foreach(cache, key, point)
    {
        const json_t *time = json_object_get(point, "time");
        if (json_is_number(time) && json_number_value(time) > 0 && json_number_value(time) < least) {
            least = json_number_value(time);
            best = point;
        }
    }
    if (!best)
        return fail(error, STATUS_INVALID, "%s: no combination has a time", path);
    if (!text_of(best, names, text, sizeof text))
        return fail(error, STATUS_INVALID, "%s: a parameter of its fastest combination is missing, or no integer",
                    path);
    if (!tunables_apply(text, candidate->rung, &candidate->parameters))
        return fail(error, STATUS_INVALID, "%s: rung '%s' does not offer %s", path, candidate->rung->name, text);
    return STATUS_OK;
}

/* A file that Kernel Tuner has left open ends with a comma, and lacks its last brackets. */
static json_t *load(const char *path, json_error_t *why)
{
    FILE *file = fopen(path, "re");
    char *text = NULL, *closed = NULL;
    size_t room = 0;
    json_t *root = NULL;
    ssize_t length = file ? getdelim(&text, &room, 0, file) : -1;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    const bool is_open = length > 0 && text[length - 1] == ',';
    *why = (json_error_t){.line = 0};
    if (length <= 0)
        snprintf(why->text, sizeof why->text, "cannot be read, or is empty");
    else if (asprintf(&closed, "%.*s%s", (int)(length - is_open), text, is_open ? "}}" : "") >= 0)
        root = json_loads(closed, JSON_REJECT_DUPLICATES, why);
    free(closed);
    free(text);
    if (file)
        fclose(file);
    return root;
}

static enum status find_rung(const char *path, const json_t *root, const struct candidate *candidates, size_t count,
                             struct candidate *found, struct error *error)
{
    const char *name = json_string_value(json_object_get(root, "kernel_name"));
    const char *slash = name ? strchr(name, '/') : NULL;
    for (size_t i = 0; slash && i < count; i++)
        if (strcmp(candidates[i].rung->name, slash + 1) == 0) {
            *found = candidates[i];
            return STATUS_OK;
        }
    return fail(error, STATUS_INVALID, "%s: its kernel_name, '%s', is not KERNEL/RUNG of a rung that runs here", path,
                name ? name : "");
}

enum status kernel_tuner_read(const char *path, const struct candidate *candidates, size_t count,
                              struct candidate *winner, struct error *error)
{
    json_error_t why;
    json_t *root = load(path, &why);
    if (!root)
        return fail(error, STATUS_INVALID, "%s:%d: %s", path, why.line, why.text);
    enum status status = find_rung(path, root, candidates, count, winner, error);
    if (status == STATUS_OK)
        status = take_best(path, root, winner, error);
    json_decref(root);
    return status;
}
