#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "choice/transfers.h"
#include "version.h"

/* NULL without memory. */
static char *line_of(const json_t *object)
{
    char *line = NULL, *json = object ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
    if (json && asprintf(&line, "%s\n", json) < 0)
        line = NULL;
    free(json);
    return line;
}

char *tuned_line(const struct tuned_entry *entry)
{
    char text[PROBLEM_TEXT_MAX];
    json_t *times = json_object(), *codes = json_object(), *tunables = json_object();
    for (size_t i = 0; i < entry->count; i++) {
        const struct tuned_time *time = &entry->times[i];
        json_object_set_new(times, time->rung, json_real(time->nanoseconds));
        if (time->code)
            json_object_set_new(codes, time->rung, json_sprintf("%08x", time->code));
        if (*time->tunables)
            json_object_set_new(tunables, time->rung, json_string(time->tunables));
    }
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "problem", problem_text(&entry->problem, text), "kind",
                               tuned_kind_name(entry->kind), "device", entry->device, "version", entry->version,
                               "threads", entry->threads, "ns", times);
    json_object_set_new(object, "cores", entry->cores > 0 ? json_integer(entry->cores) : NULL);
    json_object_set_new(object, "driver", *entry->driver ? json_string(entry->driver) : NULL);
    json_object_set_new(object, "code", json_object_size(codes) ? json_incref(codes) : NULL);
    json_object_set_new(object, "tunables", json_object_size(tunables) ? json_incref(tunables) : NULL);
    json_object_set_new(object, "uskor", json_string(USKOR_VERSION));
    char *line = line_of(object);
    json_decref(codes);
    json_decref(tunables);
    json_decref(object);
    return line;
}

static json_t *sizes_object(const struct transfer_sizes *sizes)
{
    json_t *object = json_object();
    char bytes[32];
    for (size_t i = 0; i < sizes->count; i++) {
        snprintf(bytes, sizeof bytes, "%.0f", sizes->bytes[i]);
        json_object_set_new(object, bytes, json_real(sizes->nanoseconds[i]));
    }
    return object;
}

char *transfers_line(const struct transfers *transfers)
{
    const struct tuned_entry *of = &transfers->of;
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:s}", "transfers", "pageable", "kind",
                               tuned_kind_name(of->kind), "device", of->device, "version", of->version, "opening_ns",
                               transfers->opening, "to_device_ns", sizes_object(&transfers->to_device),
                               "from_device_ns", sizes_object(&transfers->from_device), "uskor", USKOR_VERSION);
    json_object_set_new(object, "driver", *of->driver ? json_string(of->driver) : NULL);
    char *line = line_of(object);
    json_decref(object);
    return line;
}
