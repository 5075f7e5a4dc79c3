/* A timeline as JSON, for the store. */
#include <stdio.h>
#include <stdlib.h>

#include "store/timeline.h"

static void write_span(FILE *stream, const char *name, const double span[2], const char *after)
{
    fprintf(stream, "\"%s\": [%.0f, %.0f]%s", name, span[0], span[1], after);
}

char *timeline_json(const struct timeline *timeline)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "{\"queues\": %u, \"by_phase\": %s, \"unit\": \"ns\", \"parts\": [", timeline->queues,
            timeline->by_phase ? "true" : "false");
    for (size_t p = 0; p < timeline->count; p++) {
        const struct timeline_part *part = &timeline->parts[p];
        fprintf(stream, "%s{\"queue\": %u, ", p ? ", " : "", part->queue);
        write_span(stream, "in", part->in, ", ");
        write_span(stream, "compute", part->compute, ", ");
        write_span(stream, "out", part->out, "}");
    }
    fputs("]}", stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

void timeline_list_free(struct timeline_list *timelines)
{
    for (size_t i = 0; i < timelines->count; i++)
        free(timelines->items[i].parts);
    free(timelines->items);
    *timelines = (struct timeline_list){0};
}
