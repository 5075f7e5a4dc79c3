#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/statistics.h"
#include "base/text.h"
#include "publications/parse.h"

#define TABLES_MOST 64
#define PANELS_MOST 32
#define PLOTS_MOST 16
#define PREDICTIONS_MOST 8

static const char *const quantities[] = {"time", "rate", "ratio", "ceiling", "fact"};

static const struct {
    const char *name;
    double nanoseconds;
} units[] = {{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}};

enum quantity parse_quantity(struct json_reader *reader, const char *place, json_t *object)
{
    const char *quantity = read_text(reader, place, object, "quantity", true);
    for (size_t i = 0; quantity && i < COUNT_OF(quantities); i++)
        if (strcmp(quantities[i], quantity) == 0)
            return (enum quantity)i;
    json_reader_refuse(reader, place, "\"quantity\" is none of: time rate ratio ceiling fact");
    return QUANTITY_FACT;
}

static double last_digit(const char *text)
{
    const char *point = strchr(text, '.');
    return point ? pow(10, -(double)strlen(point + 1)) : 1;
}

/* A figure as printed; of a fact and of a range ("3.5–10") the text alone counts. */
static void parse_printed(struct json_reader *reader, const char *place, const struct panel *panel, const char *text,
                          struct figure_printed *figure)
{
    figure->text = text;
    bool is_range = strstr(text, "–") != NULL;
    if (panel->quantity == QUANTITY_FACT || is_range)
        return;
    if (!text_real(text, &figure->value) || figure->value <= 0) {
        figure->value = NAN;
        json_reader_refuse(reader, place, "\"%.40s\" is not a number above 0", text);
    }
    figure->unit = last_digit(text);
}

static void parse_samples(struct json_reader *reader, const char *place, json_t *list, struct figure_printed *figure)
{
    size_t count = json_array_size(list);
    if (count < 2 || count > SAMPLES_MOST) {
        json_reader_refuse(reader, place, "samples are 2 to %d", SAMPLES_MOST);
        return;
    }
    figure->samples = read_allocate(reader, count, sizeof *figure->samples);
    for (size_t i = 0; figure->samples && i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text || !text_real(text, &figure->samples[i]) || figure->samples[i] <= 0) {
            json_reader_refuse(reader, place, "sample %zu is not a number above 0 in quotes", i);
            return;
        }
        figure->unit = last_digit(text);
        figure->sample_count++;
    }
    struct summary summary;
    if (!figure->samples || !statistics_summarise(figure->samples, count, &summary)) {
        json_reader_refuse(reader, place, "no memory");
        return;
    }
    figure->value = summary.mean;
    figure->deviation = summary.deviation;
}

static void parse_cells(struct json_reader *reader, const char *place, json_t *object, struct panel *panel)
{
    size_t count;
    if (!size_multiply(panel->row_count, panel->column_count, &count))
        return;
    panel->cells = read_allocate(reader, count, sizeof *panel->cells);
    for (size_t i = 0; panel->cells && i < count; i++)
        panel->cells[i].value = NAN;
    json_t *rows = read_array(reader, place, object, "values", ROWS_MOST, !panel->computed);
    if (panel->computed || !panel->cells)
        return;
    if (json_array_size(rows) != panel->row_count)
        json_reader_refuse(reader, place, "\"values\" has %zu rows, not %zu", json_array_size(rows), panel->row_count);
    for (size_t i = 0; !reader->failed && i < count; i++) {
        json_t *row = json_array_get(rows, i / panel->column_count);
        json_t *cell = json_array_get(row, i % panel->column_count);
        char at[128];
        snprintf(at, sizeof at, "%s.values[%zu][%zu]", place, i / panel->column_count, i % panel->column_count);
        if (json_array_size(row) != panel->column_count)
            json_reader_refuse(reader, at, "the row has %zu figures, not %zu", json_array_size(row),
                               panel->column_count);
        else if (json_is_string(cell) && strlen(json_string_value(cell)) <= 100)
            parse_printed(reader, at, panel, json_string_value(cell), &panel->cells[i]);
        else if (json_is_array(cell))
            parse_samples(reader, at, cell, &panel->cells[i]);
        else if (!json_is_null(cell))
            json_reader_refuse(reader, at, "is neither a figure in quotes, nor samples, nor null");
    }
}

/* One figure of a list of lists (a grid) or of a list; null is a blank. */
static json_t *prediction_cell(const struct panel *panel, json_t *rows, size_t index)
{
    return panel->grid ? json_array_get(json_array_get(rows, index / panel->column_count), index % panel->column_count)
                       : json_array_get(rows, index);
}

static void parse_predictions(struct json_reader *reader, const char *place, json_t *object, struct panel *panel)
{
    json_t *list = read_array(reader, place, object, "predictions", PREDICTIONS_MOST, false);
    panel->predictions = read_allocate(reader, json_array_size(list), sizeof *panel->predictions);
    for (size_t i = 0; panel->predictions && !reader->failed && i < json_array_size(list); i++) {
        json_t *item = json_array_get(list, i);
        struct prediction *prediction = &panel->predictions[panel->prediction_count++];
        size_t count = panel->row_count * (panel->grid ? panel->column_count : 1);
        char at[128];
        snprintf(at, sizeof at, "%s.predictions[%zu]", place, i);
        read_known(reader, at, item, "for label values");
        prediction->target = read_text(reader, at, item, "for", true);
        prediction->label = read_localized_text(reader, at, item, "label", false);
        json_t *rows = read_array(reader, at, item, "values", ROWS_MOST, true);
        if (json_array_size(rows) != panel->row_count)
            json_reader_refuse(reader, at, "\"values\" has %zu rows, not %zu", json_array_size(rows), panel->row_count);
        prediction->cells = read_allocate(reader, count, sizeof *prediction->cells);
        for (size_t c = 0; prediction->cells && !reader->failed && c < count; c++) {
            json_t *cell = prediction_cell(panel, rows, c);
            prediction->cells[c].value = NAN;
            if (json_is_string(cell) && strlen(json_string_value(cell)) <= 100)
                parse_printed(reader, at, panel, json_string_value(cell), &prediction->cells[c]);
            else if (!json_is_null(cell))
                json_reader_refuse(reader, at, "figure %zu is neither in quotes nor null", c);
        }
    }
}

static struct heading *parse_headings(struct json_reader *reader, const char *place, json_t *object, const char *name,
                                      size_t most, const struct publication *publication, size_t *count)
{
    json_t *list = read_array(reader, place, object, name, most, true);
    if (json_array_size(list) == 0)
        json_reader_refuse(reader, place, "\"%s\" is empty", name);
    struct heading *headings = read_allocate(reader, json_array_size(list), sizeof *headings);
    for (size_t i = 0; headings && !reader->failed && i < json_array_size(list); i++) {
        json_t *item = json_array_get(list, i);
        char at[128];
        snprintf(at, sizeof at, "%s.%s[%zu]", place, name, i);
        read_known(reader, at, item, "label machine run size parameters technology over over_technology property");
        headings[i] = (struct heading){
            .label = read_localized_text(reader, at, item, "label", false),
            .machine = parse_machine_of(reader, at, item, publication),
            .tie = parse_tie(reader, at, item, publication),
            .property = read_text(reader, at, item, "property", false),
        };
        ++*count;
    }
    return headings;
}

/* The panel's own value is every column's default. */
static void hand_down(struct json_reader *reader, const char *place, json_t *object,
                      const struct publication *publication, struct panel *panel)
{
    struct tie all = parse_tie(reader, place, object, publication);
    const struct publication_machine *machine = parse_machine_of(reader, place, object, publication);
    for (size_t i = 0; i < panel->column_count; i++) {
        struct heading *column = &panel->columns[i];
        column->machine = column->machine ? column->machine : machine;
        column->tie.run = column->tie.run ? column->tie.run : all.run;
        column->tie.over = column->tie.over ? column->tie.over : all.over;
        if (!column->tie.over_technology)
            column->tie.over_technology = all.over_technology;
        if (!column->tie.technology && column->machine)
            column->tie.technology = column->machine->technology;
    }
}

static void parse_unit(struct json_reader *reader, const char *place, json_t *object, struct panel *panel)
{
    panel->unit = read_text(reader, place, object, "unit", panel->quantity <= QUANTITY_RATE);
    for (size_t i = 0; panel->unit && i < COUNT_OF(units); i++)
        if (strcmp(panel->unit, units[i].name) == 0)
            panel->unit_ns = units[i].nanoseconds;
    if (panel->quantity == QUANTITY_TIME && panel->unit && panel->unit_ns <= 0)
        json_reader_refuse(reader, place, "\"unit\" of a time is none of: s ms µs ns");
}

static void parse_panel(struct json_reader *reader, const char *place, json_t *object,
                        const struct publication *publication, struct panel *panel)
{
    read_known(
        reader, place, object,
        "title quantity unit phase grid computed rows columns values predictions machine run over over_technology");
    panel->title = read_localized_text(reader, place, object, "title", true);
    panel->quantity = parse_quantity(reader, place, object);
    parse_unit(reader, place, object, panel);
    const char *phase = read_text(reader, place, object, "phase", false);
    panel->end_to_end = phase ? strcmp(phase, "end-to-end") == 0 : publication->end_to_end;
    panel->grid = read_flag(reader, place, object, "grid");
    panel->computed = read_flag(reader, place, object, "computed");
    panel->rows = parse_headings(reader, place, object, "rows", ROWS_MOST, publication, &panel->row_count);
    panel->columns = parse_headings(reader, place, object, "columns", COLUMNS_MOST, publication, &panel->column_count);
    if (reader->failed)
        return;
    hand_down(reader, place, object, publication, panel);
    parse_cells(reader, place, object, panel);
    parse_predictions(reader, place, object, panel);
    if (panel->computed && panel->quantity != QUANTITY_RATIO)
        json_reader_refuse(reader, place, "only a ratio can be \"computed\"");
}

static void parse_table(struct json_reader *reader, size_t number, json_t *object, struct publication *publication,
                        struct publication_table *table)
{
    char place[64];
    snprintf(place, sizeof place, "tables[%zu]", number);
    read_known(reader, place, object, "number title panels");
    table->number = read_text(reader, place, object, "number", true);
    table->title = read_localized_text(reader, place, object, "title", true);
    json_t *list = read_array(reader, place, object, "panels", PANELS_MOST, true);
    table->panels = read_allocate(reader, json_array_size(list), sizeof *table->panels);
    for (size_t i = 0; table->panels && !reader->failed && i < json_array_size(list); i++) {
        char at[96];
        snprintf(at, sizeof at, "%s.panels[%zu]", place, i);
        parse_panel(reader, at, json_array_get(list, i), publication, &table->panels[table->panel_count++]);
    }
}

void parse_tables(struct json_reader *reader, json_t *root, struct publication *publication)
{
    json_t *list = read_array(reader, "", root, "tables", TABLES_MOST, true);
    publication->tables = read_allocate(reader, json_array_size(list), sizeof *publication->tables);
    for (size_t i = 0; publication->tables && !reader->failed && i < json_array_size(list); i++)
        parse_table(reader, i, json_array_get(list, i), publication, &publication->tables[publication->table_count++]);
}

void parse_plots(struct json_reader *reader, json_t *root, struct publication *publication)
{
    json_t *list = read_array(reader, "", root, "plots", PLOTS_MOST, false);
    publication->plots = read_allocate(reader, json_array_size(list), sizeof *publication->plots);
    for (size_t i = 0; publication->plots && !reader->failed && i < json_array_size(list); i++) {
        json_t *object = json_array_get(list, i);
        char place[64];
        snprintf(place, sizeof place, "plots[%zu]", i);
        read_known(reader, place, object, "title quantity technology");
        publication->plots[publication->plot_count++] = (struct publication_plot){
            .title = read_localized_text(reader, place, object, "title", true),
            .quantity = parse_quantity(reader, place, object),
            .technology = read_technology(reader, place, object, "technology"),
        };
    }
}
