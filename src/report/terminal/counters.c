#include "report/terminal/counters.h"

#include <string.h>

#include "base/translation.h"
#include "report/model/counters.h"
#include "report/terminal/text_grid.h"

static void set(const struct text_grid *grid, size_t row, size_t column, const char *text)
{
    snprintf(text_grid_cell(grid, row, column), GRID_CELL_BYTES, "%s", text);
}

static void fill_row(const struct text_grid *grid, size_t row, const struct measurement *measurement)
{
    struct figure figures[COUNTERS];
    counters_of(measurement, figures);
    set(grid, row, 0, measurement->rung);
    for (size_t i = 0; i < COUNTERS; i++)
        set(grid, row, i + 1, figures[i].text);
}

static bool belongs(const struct measurement *measurement, const struct measurement *first)
{
    return counters_are_there(measurement) && strcmp(measurement->problem, first->problem) == 0 &&
           strcmp(measurement->device, first->device) == 0;
}

void counters_print(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                    struct style style)
{
    struct text_grid grid;
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < list->count; i++)
        rows += belongs(&list->items[i], first);
    if (rows == 0 || !text_grid_make(&grid, rows + 1, COUNTERS + 1))
        return;
    set(&grid, 0, 0, tr("rung"));
    for (size_t i = 0; i < COUNTERS; i++)
        set(&grid, 0, i + 1, tr(counter_names[i]));
    for (size_t i = 0; i < list->count; i++)
        if (belongs(&list->items[i], first))
            fill_row(&grid, ++row, &list->items[i]);
    fputc('\n', stream);
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
}
