#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "report/export/json.h"
#include "report/terminal/reproduction.h"

static const char *const quantity_names[] = {"time", "rate", "ratio", "ceiling", "fact"};

/* Nobody has verified what is predicted. */
static const char *state_name(const struct here_column *column, const struct here_cell *cell)
{
    static const char *const names[] = {
        [HERE_EMPTY] = "empty", [HERE_VALUE] = "PASS", [HERE_FACT] = "fact",
        [HERE_SKIP] = "SKIP",   [HERE_WRONG] = "FAIL", [HERE_UNMEASURED] = "unmeasured"};
    if (column->prediction && cell->state == HERE_VALUE)
        return "predicted";
    return cell->measurement && cell->state == HERE_WRONG ? verdict_name(cell->measurement->verdict)
                                                          : names[cell->state];
}

/* JSON is in English; returns the language to restore. */
static enum reader_language speak_english(void)
{
    enum reader_language chosen = language_now();
    language_choose(LANGUAGE_ENGLISH);
    return chosen;
}

/* null for no text and for no number */
static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *real_or_null(double value)
{
    return report_real(value);
}

static json_t *phrase_object(const struct localized_text *phrase)
{
    return json_pack("{s:s, s:s}", "en", phrase->english ? phrase->english : "", "ru",
                     phrase->russian   ? phrase->russian
                     : phrase->english ? phrase->english
                                       : "");
}

/* A figure that was printed alone has none. */
static double deviation_of(const struct figure_printed *figure)
{
    return figure->text ? NAN : figure->deviation;
}

static json_t *printed_object(const struct figure_printed *figure)
{
    json_t *samples = json_array();
    for (size_t i = 0; i < figure->sample_count; i++)
        json_array_append_new(samples, report_real(figure->samples[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "text", text_or_null(figure->text), "value",
                     figure->text || figure->value > 0 ? real_or_null(figure->value) : json_null(), "deviation",
                     report_real(deviation_of(figure)), "samples", samples);
}

static json_t *here_object(const struct here_column *column, const struct here_cell *cell)
{
    json_t *object = json_pack("{s:s}", "verdict", state_name(column, cell));
    if (cell->state == HERE_VALUE) {
        json_object_set_new(object, "value", report_real(cell->value));
        json_object_set_new(object, "deviation", report_real(cell->deviation));
        if (cell->better > 0)
            json_object_set_new(object, "times_the_published", report_real(cell->better));
        if (cell->measurement)
            json_object_set_new(object, "parameters", json_string(cell->measurement->parameters));
        if (cell->size)
            json_object_set_new(object, "size", json_integer(cell->size));
    } else if (cell->text) {
        json_object_set_new(object, cell->state == HERE_FACT ? "value" : "reason", json_string(cell->text));
    }
    return object;
}

static json_t *heads_array(const struct panel_comparison *of)
{
    json_t *heads = json_array();
    char text[GRID_TEXT_BYTES];
    for (size_t c = 0; c < of->panel->column_count; c++) {
        const struct publication_machine *machine = of->panel->columns[c].machine;
        json_array_append_new(heads, json_pack("{s:s, s:o}", "label", published_head(of->panel, c, text), "machine",
                                               text_or_null(machine ? machine->name : NULL)));
    }
    return heads;
}

static json_t *here_array(const struct panel_comparison *of)
{
    const struct panel *panel = of->panel;
    json_t *columns = json_array();
    for (size_t c = 0; c < of->column_count; c++) {
        const struct here_column *column = &of->columns[c];
        json_t *cells = json_array();
        for (size_t i = 0; i < panel->row_count * (panel->grid ? panel->column_count : 1); i++)
            json_array_append_new(cells, here_object(column, &column->cells[i]));
        char text[GRID_TEXT_BYTES];
        json_array_append_new(
            columns, json_pack("{s:s, s:o, s:o, s:s, s:b, s:b, s:o}", "label", here_head(of, c, text), "device",
                               text_or_null(column->device), "device_name", text_or_null(column->device_name),
                               "technology", technology_name(column->technology), "device_is_cpu", (int)column->is_cpu,
                               "beyond_the_publication", (int)column->beyond, "cells", cells));
    }
    return columns;
}

static json_t *panel_object(const struct panel_comparison *of)
{
    const struct panel *panel = of->panel;
    json_t *rows = json_array(), *published = json_array();
    char text[GRID_TEXT_BYTES];
    for (size_t r = 0; r < panel->row_count; r++)
        json_array_append_new(rows, json_string(heading_text(&panel->rows[r], text)));
    for (size_t i = 0; i < panel->row_count * panel->column_count; i++)
        json_array_append_new(published, printed_object(&of->published[i]));
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:s, s:b, s:o, s:o, s:o, s:o}", "table", of->table->number,
                     "table_title", phrase_object(&of->table->title), "title", phrase_object(&panel->title), "quantity",
                     quantity_names[panel->quantity], "unit", text_or_null(panel->unit), "times",
                     panel->end_to_end ? "end-to-end" : "kernel", "grid", (int)panel->grid, "rows", rows, "columns",
                     heads_array(of), "published", published, "here", here_array(of));
}

static json_t *claim_object(const struct claim_result *result)
{
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:s, s:o}", "claim", phrase_object(&result->claim->text), "published",
                     result->claim->published, "outcome", judgement_name(result->outcome), "device",
                     text_or_null(result->device), "device_name", text_or_null(result->device_name), "figure",
                     result->figure, "why", text_or_null(result->why));
}

static json_t *reproduction_object(const struct reproduction *reproduction)
{
    const struct publication *publication = reproduction->publication;
    json_t *panels = json_array(), *claims = json_array(), *remarks = json_array();
    for (size_t i = 0; i < reproduction->panel_count; i++)
        json_array_append_new(panels, panel_object(&reproduction->panels[i]));
    for (size_t i = 0; i < reproduction->claim_count; i++)
        json_array_append_new(claims, claim_object(&reproduction->claims[i]));
    for (size_t i = 0; i < publication->remark_count; i++)
        json_array_append_new(remarks, phrase_object(&publication->remarks[i].text));
    return json_pack("{s:s, s:o, s:s, s:o, s:i, s:o, s:o, s:o}", "publication", publication->name, "title",
                     phrase_object(&publication->title), "source", publication->source, "protocol",
                     phrase_object(&publication->protocol), "repeat", (int)publication->repeat, "panels", panels,
                     "claims", claims, "remarks", remarks);
}

bool report_reproduction_json(FILE *stream, const struct reproduction *reproduction,
                              const struct measurement_list *measurements)
{
    enum reader_language chosen = speak_english();
    json_t *object = reproduction_object(reproduction);
    language_choose(chosen);
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    bool written = object && memory && report_json(memory, measurements);
    written = memory && fclose(memory) == 0 && written;
    json_t *list = written ? json_loadb(text, bytes, 0, NULL) : NULL;
    written = list && json_object_set_new(object, "measurements", list) == 0;
    free(text);
    if (written)
        return report_json_write(stream, "uskor.reproduction/1", object);
    json_decref(object);
    return false;
}

/* ---- CSV ------------------------------------------------------------------------------------------------------ */

static void print_field(FILE *stream, const char *text, char end)
{
    bool quoted = text && strpbrk(text, ",\"\r\n");
    if (quoted)
        fputc('"', stream);
    for (; text && *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    if (quoted)
        fputc('"', stream);
    fputc(end, stream);
}

static void print_place(FILE *stream, const struct panel_comparison *of, const char *row, const char *column)
{
    print_field(stream, of->table->number, ',');
    print_field(stream, of->panel->title.english, ',');
    print_field(stream, quantity_names[of->panel->quantity], ',');
    print_field(stream, of->panel->quantity <= QUANTITY_RATE ? of->panel->unit : "", ',');
    print_field(stream, row, ',');
    print_field(stream, column, ',');
}

/* A single sample has none. */
static void print_deviation(FILE *stream, double deviation)
{
    if (!isnan(deviation))
        fprintf(stream, "%.9g", deviation);
    fputc(',', stream);
}

static void print_published_row(FILE *stream, const struct panel_comparison *of, size_t index)
{
    const struct panel *panel = of->panel;
    const struct figure_printed *figure = &of->published[index];
    char row[GRID_TEXT_BYTES], column[GRID_TEXT_BYTES];
    if (!figure->text && isnan(figure->value))
        return;
    heading_text(&panel->rows[index / panel->column_count], row);
    print_place(stream, of, row, published_head(panel, index % panel->column_count, column));
    fputs("published,", stream);
    if (figure->text)
        print_field(stream, figure->text, ',');
    else
        fprintf(stream, "%.9g,", figure->value);
    print_deviation(stream, deviation_of(figure));
    fputs(",,\n", stream);
}

static void print_here_row(FILE *stream, const struct panel_comparison *of, const struct here_column *column,
                           size_t index)
{
    const struct panel *panel = of->panel;
    const struct here_cell *cell = &column->cells[index];
    char row[GRID_TEXT_BYTES], head[GRID_TEXT_BYTES] = "";
    if (cell->state == HERE_EMPTY)
        return;
    heading_text(&panel->rows[panel->grid ? index / panel->column_count : index], row);
    if (panel->grid)
        heading_text(&panel->columns[index % panel->column_count], head);
    else
        here_head(of, (size_t)(column - of->columns), head);
    print_place(stream, of, row, head);
    print_field(stream, column->device ? column->device : technology_name(column->technology), ',');
    if (cell->state == HERE_VALUE)
        fprintf(stream, "%.9g,", cell->value), print_deviation(stream, cell->deviation),
            fprintf(stream, cell->better > 0 ? "%.6g," : ",", cell->better);
    else if (cell->state == HERE_FACT)
        print_field(stream, cell->text, ','), fputs(",,", stream);
    else
        fputs(",,,", stream);
    print_field(stream, state_name(column, cell), ',');
    print_field(stream, cell->state == HERE_FACT || cell->state == HERE_VALUE ? "" : cell->text, '\n');
}

bool report_reproduction_csv(FILE *stream, const struct reproduction *reproduction)
{
    enum reader_language chosen = speak_english();
    fputs("table,panel,quantity,unit,row,column,where,value,deviation,times_the_published,verdict,reason\n", stream);
    for (size_t i = 0; i < reproduction->panel_count; i++) {
        const struct panel_comparison *of = &reproduction->panels[i];
        const struct panel *panel = of->panel;
        for (size_t cell = 0; cell < panel->row_count * panel->column_count; cell++)
            print_published_row(stream, of, cell);
        for (size_t c = 0; c < of->column_count; c++)
            for (size_t cell = 0; cell < panel->row_count * (panel->grid ? panel->column_count : 1); cell++)
                print_here_row(stream, of, &of->columns[c], cell);
    }
    language_choose(chosen);
    return fflush(stream) == 0 && !ferror(stream);
}
