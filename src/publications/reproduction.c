#include "publications/reproduction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "store/noise.h"

/* Published properties of devices beside those of this machine's. */
static const char *fact_of(const struct here *here, const char *device, const char *key)
{
    for (size_t i = 0; i < here->fact_count; i++)
        if (strcmp(here->facts[i].device, device) == 0 && strcmp(here->facts[i].key, key) == 0)
            return here->facts[i].value;
    return NULL;
}

/* "host:os" is the host's "os"; all else is a device's. */
static bool is_of_host(const char *property)
{
    return strncmp(property, "host:", 5) == 0;
}

static const char *value_for(const struct here *here, const char *device, const char *property)
{
    if (!property || is_of_host(property) != !*device)
        return NULL;
    return fact_of(here, device, is_of_host(property) ? property + 5 : property);
}

static bool add_device(struct panel_comparison *into, const struct here *here, const char *device,
                       struct here_column *(*add)(struct panel_comparison *))
{
    const struct panel *panel = into->panel;
    bool has_any = false;
    for (size_t r = 0; r < panel->row_count; r++)
        has_any = has_any || value_for(here, device, panel->rows[r].property);
    if (!has_any)
        return true;
    struct here_column *column = add(into);
    if (!column)
        return false;
    column->device = device;
    column->device_name = *device ? fact_of(here, device, "name") : NULL;
    column->technology = technology_of_device(device);
    for (size_t r = 0; r < panel->row_count; r++) {
        column->cells[r].text = value_for(here, device, panel->rows[r].property);
        column->cells[r].state = column->cells[r].text ? HERE_FACT : HERE_EMPTY;
        column->cells[r].is_version = panel->rows[r].property && strcmp(panel->rows[r].property, "version") == 0;
    }
    return true;
}

/* Adds a column for each device (or for the host, where the rows' properties are the host's) that has any of the
 * properties named in the panel's rows. `add` makes a column with empty cells, NULL when memory is out: then the result
 * is false. */
static bool facts_fill(struct panel_comparison *into, const struct here *here,
                       struct here_column *(*add)(struct panel_comparison *))
{
    for (size_t i = 0; i < here->fact_count; i++) {
        const char *device = here->facts[i].device;
        bool is_first = strcmp(device, "cpu") != 0; /* the host's own rows say it */
        for (size_t before = 0; before < i && is_first; before++)
            is_first = strcmp(here->facts[before].device, device) != 0;
        if (is_first && !add_device(into, here, device, add))
            return false;
    }
    return true;
}

static const struct localized_text not_measured = {N_("not measured"), NULL};
static const struct localized_text too_noisy = {N_("—, too noisy"), NULL};
static const struct localized_text no_such_device = {N_("no such device was measured"), NULL};
static const struct localized_text not_same_hardware = {N_("no device of that technology on the same hardware"), NULL};

static const char *reason_for(const struct here *here, enum technology technology)
{
    const char *reason = technology == TECHNOLOGY_CUDA     ? here->no_cuda
                         : technology == TECHNOLOGY_OPENCL ? here->no_opencl
                                                           : NULL;
    return reason ? reason : localized_text(&no_such_device);
}

/* ---- columns -------------------------------------------------------------------------------------------------- */

/* Published columns that differ in nothing but the machine share today's columns. */
static bool same_group(const struct tie *a, const struct tie *b)
{
    return a->run == b->run && a->over == b->over && a->over_technology == b->over_technology && a->size == b->size &&
           (a->parameters == b->parameters ||
            (a->parameters && b->parameters && strcmp(a->parameters, b->parameters) == 0));
}

static bool begins_group(const struct panel *panel, size_t column)
{
    for (size_t i = 0; i < column; i++)
        if (panel->grid || same_group(&panel->columns[i].tie, &panel->columns[column].tie))
            return false;
    return true;
}

/* Technologies of the group's published columns, and all that its runs are measured with. */
static void group_technologies(const struct panel *panel, size_t first, unsigned *published, unsigned *all)
{
    *published = *all = 0;
    for (size_t c = first; c < panel->column_count; c++)
        if (panel->grid || same_group(&panel->columns[first].tie, &panel->columns[c].tie))
            *published |= panel->columns[c].tie.technology;
    bool between_devices = panel->columns[first].tie.over_technology & ~(unsigned)TECHNOLOGY_CPU;
    for (size_t r = 0; r < panel->row_count && !between_devices; r++) {
        struct tie tie = panel_tie(panel, r, first);
        *all |= tie.run ? tie.run->technologies : 0;
    }
    *all |= *published;
}

static bool has_ties(const struct panel *panel)
{
    for (size_t r = 0; r < panel->row_count; r++)
        for (size_t c = 0; c < panel->column_count; c++)
            if (panel_tie(panel, r, c).run)
                return true;
    return false;
}

static struct here_column *add_column(struct panel_comparison *into)
{
    const struct panel *panel = into->panel;
    size_t cells = panel->row_count * (panel->grid ? panel->column_count : 1);
    struct here_column *grown = reallocarray(into->columns, into->column_count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    into->columns = grown;
    struct here_column *column = &grown[into->column_count];
    *column = (struct here_column){.cells = calloc(cells ? cells : 1, sizeof *column->cells)};
    if (!column->cells)
        return NULL;
    into->column_count++;
    return column;
}

static bool add_technology(struct panel_comparison *into, const struct here *here, size_t first,
                           enum technology technology, bool beyond)
{
    const struct measurement *devices[HERE_DEVICES_MOST];
    size_t count = measured_devices(here->list, devices, HERE_DEVICES_MOST), found = 0;
    for (size_t d = 0; d < count; d++) {
        if (technology_of_device(devices[d]->device) != technology)
            continue;
        struct here_column *column = add_column(into);
        if (!column)
            return false;
        column->device = devices[d]->device;
        column->device_name = devices[d]->device_name;
        column->is_cpu = devices[d]->device_is_cpu;
        column->technology = technology;
        column->beyond = beyond;
        column->of = first;
        found++;
    }
    if (found || beyond)
        return true;
    struct here_column *column = add_column(into);
    if (column) {
        column->technology = technology;
        column->of = first;
    }
    return column != NULL;
}

static bool add_columns(struct panel_comparison *into, const struct here *here)
{
    static const enum technology order[] = {TECHNOLOGY_CPU, TECHNOLOGY_CUDA, TECHNOLOGY_OPENCL, TECHNOLOGY_OPENGL};
    const struct panel *panel = into->panel;
    for (size_t c = 0; c < panel->column_count; c++) {
        unsigned published, all;
        if (!begins_group(panel, c))
            continue;
        group_technologies(panel, c, &published, &all);
        for (int beyond = 0; beyond < 2; beyond++)
            for (size_t t = 0; t < COUNT_OF(order); t++)
                if ((all & order[t]) && (beyond != 0) == ((published & order[t]) == 0) &&
                    !add_technology(into, here, c, order[t], beyond != 0))
                    return false;
    }
    return true;
}

/* ---- cells ---------------------------------------------------------------------------------------------------- */

static void set_reason(struct here_cell *cell, const struct mean *mean)
{
    const struct measurement *measurement = mean->measurement;
    cell->measurement = measurement;
    cell->state = !measurement ? HERE_UNMEASURED : measurement->verdict == VERDICT_SKIP ? HERE_SKIP : HERE_WRONG;
    cell->text = measurement ? measurement->reason : localized_text(&not_measured);
}

/* Does noise void the figure? Then the cell says so. */
static bool mark_void(struct here_cell *cell, const struct mean *mean, bool whole)
{
    struct summary times = measurement_summary(mean->measurement, whole ? PHASE_END_TO_END : PHASE_COMPUTE);
    if (!times.count) /* the host's whole time is the rung's own */
        times = measurement_summary(mean->measurement, PHASE_COMPUTE);
    if (!summary_is_void(&times))
        return false;
    cell->state = HERE_UNMEASURED;
    cell->text = localized_text(&too_noisy);
    return true;
}

/* The ratio at the tie's size, or at the largest at which both sides were timed. */
static void fill_ratio(struct here_cell *cell, const struct here *here, const struct tie *tie, const char *device,
                       bool whole)
{
    const char *base = measured_base_device(here->list, device, tie->over_technology);
    if (!base) {
        cell->state = HERE_SKIP;
        cell->text = localized_text(tie->over_technology == TECHNOLOGY_CPU ? &not_measured : &not_same_hardware);
        return;
    }
    struct mean of = {0}, over = {0};
    struct tie of_tie = *tie, over_tie = {.run = tie->over};
    size_t sizes = tie->size ? 1 : tie->run->size_count ? tie->run->size_count : 1;
    for (size_t i = sizes; i-- > 0 && (of.value <= 0 || over.value <= 0);) {
        of_tie.size = over_tie.size = tie->size ? tie->size : tie->run->size_count ? tie->run->sizes[i] : 0;
        of = measured_tie(here->list, &of_tie, device, whole);
        over = measured_tie(here->list, &over_tie, base, whole);
    }
    if (of.value <= 0 || over.value <= 0) {
        set_reason(cell, of.value <= 0 ? &of : &over);
        return;
    }
    if (mark_void(cell, &of, whole) || mark_void(cell, &over, whole))
        return;
    struct ratio ratio = ratio_of(&of, &over);
    *cell = (struct here_cell){.state = HERE_VALUE,
                               .value = ratio.value,
                               .deviation = ratio.error,
                               .measurement = of.measurement,
                               .size = tie->size ? 0 : of.size};
}

static void fill_cell(struct here_cell *cell, const struct panel *panel, const struct here *here,
                      const struct here_column *column, struct tie tie)
{
    if (!tie.run || !(tie.run->technologies & column->technology))
        return;
    if (!column->device) {
        cell->state = HERE_SKIP;
        cell->text = reason_for(here, column->technology);
        return;
    }
    if (panel->quantity == QUANTITY_RATIO) {
        fill_ratio(cell, here, &tie, column->device, panel->end_to_end);
        return;
    }
    struct mean mean = measured_tie(here->list, &tie, column->device, panel->end_to_end);
    if (mean.value <= 0) {
        set_reason(cell, &mean);
        return;
    }
    if (mark_void(cell, &mean, panel->end_to_end))
        return;
    cell->measurement = mean.measurement;
    cell->state = HERE_VALUE;
    cell->size = tie.size ? 0 : mean.size;
    if (panel->quantity == QUANTITY_TIME) {
        cell->value = mean.value / panel->unit_ns;
        cell->deviation = mean.deviation / panel->unit_ns;
    } else if (panel->quantity == QUANTITY_RATE) {
        cell->value = mean.measurement->work / mean.value;
        cell->deviation = cell->value * mean.deviation / mean.value;
    } else {
        const struct measurement *ceiling = measurement_ceiling(here->list, mean.measurement);
        cell->value = ceiling ? 100 * measurement_ratio(mean.measurement, ceiling) : 0;
        if (!(cell->value > 0)) {
            cell->state = HERE_UNMEASURED;
            cell->text = localized_text(ceiling ? &too_noisy : &not_measured);
        }
    }
}

/* The best published figure of the row in the column's group: of the same technology, else of any. */
static double published_best(const struct panel_comparison *of, const struct here_column *column, size_t row)
{
    const struct panel *panel = of->panel;
    double best = 0;
    for (int any = 0; any < 2 && best <= 0; any++)
        for (size_t c = 0; c < panel->column_count; c++) {
            double value = of->published[row * panel->column_count + c].value;
            if (isnan(value) || !same_group(&panel->columns[column->of].tie, &panel->columns[c].tie) ||
                (!any && panel->columns[c].tie.technology != column->technology))
                continue;
            bool is_better = panel->quantity == QUANTITY_TIME ? value < best : value > best;
            best = best <= 0 || is_better ? value : best;
        }
    return best;
}

static void weigh(struct here_cell *cell, const struct panel *panel, double published)
{
    if (cell->state != HERE_VALUE || !(published > 0))
        return;
    if (panel->quantity == QUANTITY_TIME)
        cell->better = published / cell->value;
    else if (panel->quantity == QUANTITY_RATE)
        cell->better = cell->value / published;
}

static void fill_column(const struct panel_comparison *of, const struct here *here, struct here_column *column)
{
    const struct panel *panel = of->panel;
    for (size_t r = 0; r < panel->row_count; r++)
        for (size_t c = 0; c < (panel->grid ? panel->column_count : 1); c++) {
            size_t at = panel->grid ? r * panel->column_count + c : r;
            struct tie tie = panel_tie(panel, r, panel->grid ? c : column->of);
            char both[128];
            if (panel->grid) {
                snprintf(both, sizeof both, "%s %s", panel->columns[c].tie.parameters, panel->rows[r].tie.parameters);
                tie.parameters = both;
                if (!of->published[at].text)
                    continue;
            }
            fill_cell(&column->cells[at], panel, here, column, tie);
            weigh(&column->cells[at], panel, panel->grid ? of->published[at].value : published_best(of, column, r));
        }
}

/* ---- what is worked out of published samples ------------------------------------------------------------------ */

static bool work_out(struct panel_comparison *of, const struct publication *publication)
{
    const struct panel *panel = of->panel;
    of->published = panel->cells;
    if (!panel->computed)
        return true;
    size_t count = panel->row_count * panel->column_count;
    of->worked_out = calloc(count ? count : 1, sizeof *of->worked_out);
    of->published = of->worked_out;
    for (size_t i = 0; of->worked_out && i < count; i++) {
        struct figure_printed *cell = &of->worked_out[i];
        struct tie tie = panel_tie(panel, i / panel->column_count, i % panel->column_count);
        struct tie base = {.run = tie.over, .size = tie.size, .technology = tie.over_technology};
        struct mean mean = {.count = 1}, over = {.count = 1};
        cell->value = NAN;
        if (!published_time(publication, &tie, &mean.value, &mean.deviation) ||
            !published_time(publication, &base, &over.value, &over.deviation))
            continue;
        struct ratio ratio = ratio_of(&mean, &over);
        cell->value = ratio.value;
        cell->deviation = ratio.error;
    }
    return of->worked_out != NULL;
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

/* A column for each prediction, after today's. */
static bool add_predictions(struct panel_comparison *into)
{
    const struct panel *panel = into->panel;
    size_t count = panel->row_count * (panel->grid ? panel->column_count : 1);
    for (size_t p = 0; p < panel->prediction_count; p++) {
        const struct prediction *prediction = &panel->predictions[p];
        struct here_column *column = add_column(into);
        if (!column)
            return false;
        column->prediction = prediction;
        column->device = column->device_name = prediction->target;
        for (size_t i = 0; i < count; i++) {
            const struct figure_printed *figure = &prediction->cells[i];
            bool is_number = !isnan(figure->value);
            column->cells[i] = (struct here_cell){
                .state = is_number      ? HERE_VALUE
                         : figure->text ? HERE_FACT
                                        : HERE_EMPTY,
                .value = is_number ? figure->value : 0,
                .deviation = NAN,
                .text = figure->text,
            };
        }
    }
    return true;
}

static bool build_panel(const struct publication *publication, const struct here *here,
                        const struct publication_table *table, const struct panel *panel, struct panel_comparison *into)
{
    into->table = table;
    into->panel = panel;
    if (!work_out(into, publication))
        return false;
    if (panel->quantity == QUANTITY_FACT)
        return facts_fill(into, here, add_column) && add_predictions(into);
    if (!has_ties(panel))
        return add_predictions(into);
    if (!add_columns(into, here))
        return false;
    for (size_t i = 0; i < into->column_count; i++)
        fill_column(into, here, &into->columns[i]);
    return add_predictions(into);
}

static bool build_panels(const struct publication *publication, const struct here *here, struct reproduction *into)
{
    size_t count = 0;
    for (size_t t = 0; t < publication->table_count; t++)
        count += publication->tables[t].panel_count;
    into->panels = calloc(count ? count : 1, sizeof *into->panels);
    if (!into->panels)
        return false;
    for (size_t t = 0; t < publication->table_count; t++)
        for (size_t p = 0; p < publication->tables[t].panel_count; p++) {
            const struct publication_table *table = &publication->tables[t];
            if (!build_panel(publication, here, table, &table->panels[p], &into->panels[into->panel_count++]))
                return false;
        }
    return true;
}

enum status reproduction_build(const struct publication *publication, const struct here *here,
                               struct reproduction *reproduction, struct error *error)
{
    *reproduction = (struct reproduction){.publication = publication};
    size_t most = publication->claim_count * HERE_DEVICES_MOST;
    reproduction->claims = calloc(most ? most : 1, sizeof *reproduction->claims);
    if (!reproduction->claims || !build_panels(publication, here, reproduction)) {
        reproduction_free(reproduction);
        return fail(error, STATUS_UNAVAILABLE, "no memory to compare with %s", publication->name);
    }
    for (size_t i = 0; i < publication->claim_count; i++)
        reproduction->claim_count +=
            claims_judge(publication, here, &publication->claims[i], &reproduction->claims[reproduction->claim_count],
                         most - reproduction->claim_count);
    return STATUS_OK;
}

void reproduction_free(struct reproduction *reproduction)
{
    for (size_t p = 0; p < reproduction->panel_count; p++) {
        struct panel_comparison *panel = &reproduction->panels[p];
        for (size_t c = 0; c < panel->column_count; c++)
            free(panel->columns[c].cells);
        free(panel->columns);
        free(panel->worked_out);
    }
    free(reproduction->panels);
    free(reproduction->claims);
    *reproduction = (struct reproduction){0};
}
