#include "publications/publication.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"
#include "base/text.h"

const char *const publication_names[] = {"transpose-2013",     "matmul-opencl-2017", "dataflow-2017",
                                         "matmul-oneapi-2021", "sort-dot-2023",      NULL};

enum status publication_open(const char *name, struct publication *publication, struct error *error)
{
    char path[96] = "";
    *publication = (struct publication){0};
    for (size_t i = 0; publication_names[i]; i++)
        if (strcmp(publication_names[i], name) == 0)
            snprintf(path, sizeof path, "publications/%s.json", publication_names[i]);
    if (!*path) {
        const char *closest = text_closest(name, publication_names, COUNT_OF(publication_names) - 1);
        if (closest)
            return fail(error, STATUS_INVALID,
                        "there is no publication '%s'; did you mean '%s'?; 'uskor reproduce --list' lists them", name,
                        closest);
        return fail(error, STATUS_INVALID, "there is no publication '%s'; 'uskor reproduce --list' lists them", name);
    }
    const struct embedded_file *file = embedded_find(path);
    if (!file)
        return fail(error, STATUS_FAILED, "%s is missing in this program", path);
    return publication_parse(file->text, file->bytes, path, publication, error);
}

struct tie panel_tie(const struct panel *panel, size_t row, size_t column)
{
    const struct tie *across = &panel->rows[row].tie, *down = &panel->columns[column].tie;
    return (struct tie){
        .run = across->run ? across->run : down->run,
        .size = across->size ? across->size : down->size,
        .parameters = across->parameters ? across->parameters : down->parameters,
        .technology = across->technology ? across->technology : down->technology,
        .over = across->over ? across->over : down->over,
        .over_technology = across->over_technology ? across->over_technology : down->over_technology,
    };
}

bool fill_size(const char *pattern, int64_t size, char *text, size_t bytes)
{
    if (!bytes)
        return false;
    text[0] = 0;
    const char *hole;
    while ((hole = strstr(pattern, "{}")) != NULL) {
        if (!text_append(text, bytes, "%.*s%" PRId64, (int)(hole - pattern), pattern, size))
            return false;
        pattern = hole + 2;
    }
    return text_append(text, bytes, "%s", pattern);
}

bool published_time(const struct publication *publication, const struct tie *tie, double *mean, double *deviation)
{
    for (size_t t = 0; t < publication->table_count; t++)
        for (size_t p = 0; p < publication->tables[t].panel_count; p++) {
            const struct panel *panel = &publication->tables[t].panels[p];
            for (size_t i = 0; panel->quantity == QUANTITY_TIME && i < panel->row_count * panel->column_count; i++) {
                struct tie other = panel_tie(panel, i / panel->column_count, i % panel->column_count);
                const struct figure_printed *cell = &panel->cells[i];
                if (isnan(cell->value) || other.run != tie->run || other.size != tie->size ||
                    (tie->technology && other.technology != tie->technology))
                    continue;
                *mean = cell->value * panel->unit_ns;
                *deviation = cell->deviation * panel->unit_ns;
                return true;
            }
        }
    return false;
}
