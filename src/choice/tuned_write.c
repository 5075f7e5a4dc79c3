#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "choice/tuned.h"
#include "version.h"

char *tuned_line(const struct tuned_entry *entry)
{
    char text[PROBLEM_TEXT_MAX], *line = NULL;
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
    json_object_set_new(object, "driver", *entry->driver ? json_string(entry->driver) : NULL);
    json_object_set_new(object, "code", json_object_size(codes) ? json_incref(codes) : NULL);
    json_object_set_new(object, "tunables", json_object_size(tunables) ? json_incref(tunables) : NULL);
    json_object_set_new(object, "uskor", json_string(USKOR_VERSION));
    char *json = object ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
    if (json && asprintf(&line, "%s\n", json) < 0)
        line = NULL;
    free(json);
    json_decref(codes);
    json_decref(tunables);
    json_decref(object);
    return line;
}
