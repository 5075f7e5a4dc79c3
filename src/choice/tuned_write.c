#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "choice/tuned.h"

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
