#include "report/terminal/counters.h"

#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/figure_text.h"
#include "report/terminal/text_grid.h"

enum { COLUMNS = 7 };

bool counters_are_there(const struct measurement *measurement)
{
    return measurement->throttled || measurement->clock_mhz > 0 || measurement->joules > 0 || measurement->cycles > 0;
}

static void set(const struct text_grid *grid, size_t row, size_t column, const char *text)
{
    snprintf(text_grid_cell(grid, row, column), GRID_CELL_BYTES, "%s", text);
}

/* "2.00 GHz"; an em dash where it is not known. */
static struct figure with_unit(double value, const char *unit)
{
    struct figure figure = figure_number(value);
    if (value > 0)
        text_append(figure.text, sizeof figure.text, " %s", say_unit(unit));
    return figure;
}

static void fill_row(const struct text_grid *grid, size_t row, const struct measurement *measurement)
{
    const double seconds = measurement_summary(measurement, PHASE_COMPUTE).median * 1e-9, joules = measurement->joules;
    const struct figure figures[COLUMNS - 1] = {
        with_unit(measurement->clock_mhz / 1e3, "GHz"),
        with_unit(joules * 1e3, "mJ"),
        with_unit(seconds > 0 ? joules / seconds : 0, "W"),
        with_unit(measurement->cycles / 1e6, "M"),
        figure_number(measurement->cycles > 0 ? measurement->instructions / measurement->cycles : 0),
        figure_count(measurement->throttled),
    };
    set(grid, row, 0, measurement->rung);
    for (size_t i = 0; i < COLUMNS - 1; i++)
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
    const char *const heads[COLUMNS] = {tr("rung"),
                                        tr("clock"),
                                        tr("energy of a run"),
                                        tr("power"),
                                        tr("cycles"),
                                        tr("instructions per cycle"),
                                        tr("samples left out")};
    struct text_grid grid;
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < list->count; i++)
        rows += belongs(&list->items[i], first);
    if (rows == 0 || !text_grid_make(&grid, rows + 1, COLUMNS))
        return;
    for (size_t i = 0; i < COLUMNS; i++)
        set(&grid, 0, i, heads[i]);
    for (size_t i = 0; i < list->count; i++)
        if (belongs(&list->items[i], first))
            fill_row(&grid, ++row, &list->items[i]);
    fputc('\n', stream);
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
}
