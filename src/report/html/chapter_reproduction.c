/* Publications and what became of them here: conclusions first, then every table with today's figures beside it. */
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/html/html.h"
#include "report/html/page.h"
#include "report/terminal/reproduction.h"

#define HEADINGS_MOST 64

const struct localized_text reproduction_chapter_title = {N_("Publications, reproduced"), NULL};

static const struct localized_text word_claim = {N_("conclusion"), NULL};
static const struct localized_text word_device = {N_("device"), NULL};
static const struct localized_text word_outcome = {N_("here"), NULL};
static const struct localized_text word_figure = {N_("figure"), NULL};
static const struct localized_text word_tables = {N_("The tables"), NULL};

/* The headings of a table. */
struct headings {
    char texts[HEADINGS_MOST][GRID_TEXT_BYTES * 2];
    const char *items[HEADINGS_MOST];
    size_t count;
};

static void add_heading(struct headings *headings, const char *before, const char *text)
{
    if (headings->count == HEADINGS_MOST)
        return;
    char *into = headings->texts[headings->count];
    snprintf(into, sizeof headings->texts[0], "%s%s", before, text);
    headings->items[headings->count++] = into;
}

static void write_label(struct page *page, const char *text)
{
    html(page->stream, "<th scope=\"row\">%s</th>", text);
}

/* Today's cell: what is missing says why when it is pointed at, and in the notes below. */
static void write_here(struct page *page, const struct panel *panel, const struct here_cell *cell)
{
    char text[GRID_TEXT_BYTES];
    here_text(panel, cell, text);
    if (cell->state == HERE_SKIP || cell->state == HERE_WRONG)
        html(page->stream, "<td class=\"n\" title=\"%s\">%s</td>", cell->text ? cell->text : "", text);
    else if (cell->state == HERE_VALUE && cell->measurement && cell->measurement->parameters[0])
        html(page->stream, "<td class=\"n\" title=\"%s\">%s</td>", cell->measurement->parameters, text);
    else
        page_number(page, text);
}

static void write_side_by_side(struct page *page, const struct panel_comparison *of)
{
    const struct panel *panel = of->panel;
    struct headings *headings = calloc(1, sizeof *headings);
    char text[GRID_TEXT_BYTES], before[GRID_TEXT_BYTES];
    if (!headings)
        return;
    add_heading(headings, "", "");
    for (size_t c = 0; c < panel->column_count; c++)
        add_heading(headings, "#", published_head(panel, c, text));
    for (size_t c = 0; c < of->column_count; c++) {
        bool predicts = of->columns[c].prediction != NULL;
        snprintf(before, sizeof before, predicts ? "#%s " : "#%s: ",
                 localized_text(predicts ? &reproduction_word_predicted : &reproduction_word_here));
        add_heading(headings, before, here_head(of, c, text));
    }
    page_table(page, "", headings->items, headings->count);
    for (size_t r = 0; r < panel->row_count; r++) {
        page_row(page, "", NULL);
        write_label(page, heading_text(&panel->rows[r], text));
        for (size_t c = 0; c < panel->column_count; c++)
            page_number(page, printed_text(&of->published[r * panel->column_count + c], text));
        for (size_t c = 0; c < of->column_count; c++)
            write_here(page, panel, &of->columns[c].cells[r]);
        page_row_end(page);
    }
    page_table_end(page);
    free(headings);
}

/* The least value of a grid: its index, or `count`. */
static size_t best_of(const struct panel_comparison *of, const struct here_column *column, size_t count)
{
    size_t best = count;
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        double value = column ? column->cells[i].value : of->published[i].text ? of->published[i].value : 0;
        if (value > 0 && (best == count || value < least)) {
            best = i;
            least = value;
        }
    }
    return best;
}

/* As published (column NULL), or today's; the best cell is strong. */
static void write_grid(struct page *page, const struct panel_comparison *of, const struct here_column *column)
{
    const struct panel *panel = of->panel;
    struct headings *headings = calloc(1, sizeof *headings);
    char text[GRID_TEXT_BYTES];
    size_t count = panel->row_count * panel->column_count, best = best_of(of, column, count);
    if (!headings)
        return;
    add_heading(headings, "", "");
    for (size_t c = 0; c < panel->column_count; c++)
        add_heading(headings, "#", heading_text(&panel->columns[c], text));
    page_table(page, "", headings->items, headings->count);
    for (size_t i = 0; i < count; i++) {
        if (i % panel->column_count == 0) {
            page_row(page, "", NULL);
            write_label(page, heading_text(&panel->rows[i / panel->column_count], text));
        }
        if (column)
            here_text(panel, &column->cells[i], text);
        else
            printed_text(&of->published[i], text);
        html(page->stream, i == best ? "<td class=\"n\"><strong>%s</strong></td>" : "<td class=\"n\">%s</td>", text);
        if (i % panel->column_count == panel->column_count - 1)
            page_row_end(page);
    }
    page_table_end(page);
    free(headings);
}

static void write_grids(struct page *page, const struct panel_comparison *of)
{
    write_grid(page, of, NULL);
    for (size_t c = 0; c < of->column_count; c++) {
        const struct here_column *column = &of->columns[c];
        char text[GRID_TEXT_BYTES * 4];
        if (column->prediction) {
            snprintf(text, sizeof text, "%s %s", localized_text(&reproduction_word_predicted), column->device);
            page_paragraph(page, "note", text);
            write_grid(page, of, column);
            continue;
        }
        const char *reason = column->cells[0].text;
        for (size_t i = 0; !column->device && i < of->panel->row_count * of->panel->column_count; i++)
            reason = reason ? reason : column->cells[i].text;
        snprintf(text, sizeof text, "%s, %s: %s%s%s%s", localized_text(&reproduction_word_here),
                 column->device ? column->device : technology_name(column->technology),
                 column->device ? column->device_name
                 : reason       ? say_message(reason)
                                : "",
                 column->device && column->is_cpu ? " (" : "",
                 column->device && column->is_cpu ? localized_text(&reproduction_word_no_gpu) : "",
                 column->device && column->is_cpu ? ")" : "");
        page_paragraph(page, "note", text);
        if (column->device)
            write_grid(page, of, column);
    }
}

static void write_tables(struct page *page, const struct reproduction *reproduction)
{
    const struct publication_table *table = NULL;
    char text[GRID_TEXT_BYTES * 2];
    for (size_t i = 0; i < reproduction->panel_count; i++) {
        const struct panel_comparison *of = &reproduction->panels[i];
        if (of->table != table)
            html(page->stream, "<h4>%s</h4>\n", table_text(of->table, text));
        table = of->table;
        page_paragraph(page, "note", panel_text(of->panel, text));
        if (of->panel->grid)
            write_grids(page, of);
        else
            write_side_by_side(page, of);
    }
}

static void write_claims(struct page *page, const struct reproduction *reproduction)
{
    const char *headings[] = {localized_text(&word_claim), localized_text(&reproduction_word_published),
                              localized_text(&word_device), localized_text(&word_outcome),
                              localized_text(&word_figure)};
    const struct claim *claim = NULL;
    page_table(page, "claims", headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < reproduction->claim_count; i++) {
        const struct claim_result *result = &reproduction->claims[i];
        bool again = result->claim == claim;
        bool no_gpu = result->is_cpu && result->device && strcmp(result->device, "cpu") != 0;
        claim = result->claim;
        page_row(page, "", result->device);
        page_cell(page, again ? "" : localized_text(&claim->text));
        char published[GRID_TEXT_BYTES], figure[GRID_TEXT_BYTES];
        snprintf(published, sizeof published, "%s", claim->published);
        snprintf(figure, sizeof figure, "%s", result->figure);
        page_cell(page, again ? "" : say_number(published));
        html(page->stream, "<td>%s%s%s%s</td><td>%s</td>", result->device ? result->device : "—", no_gpu ? " (" : "",
             no_gpu ? localized_text(&reproduction_word_no_gpu) : "", no_gpu ? ")" : "",
             judgement_text(result->outcome));
        html(page->stream, "<td>%s%s%s</td>", say_number(figure), figure[0] && result->why ? ": " : "",
             result->why ? say_message(result->why) : "");
        page_row_end(page);
    }
    page_table_end(page);
}

static void write_list(struct page *page, const struct publication *publication)
{
    if (!publication->remark_count)
        return;
    html(page->stream, "<h4>%s</h4>\n<ul>\n", localized_text(&reproduction_word_remarks));
    for (size_t i = 0; i < publication->remark_count; i++)
        html(page->stream, "<li>%s</li>\n", localized_text(&publication->remarks[i].text));
    html(page->stream, "</ul>\n");
}

/* Every reason once. */
static void write_reasons(struct page *page, const struct reproduction *reproduction)
{
    const char *seen[32];
    size_t count = 0;
    for (size_t p = 0; p < reproduction->panel_count; p++) {
        const struct panel_comparison *of = &reproduction->panels[p];
        size_t cells = of->panel->row_count * (of->panel->grid ? of->panel->column_count : 1);
        for (size_t i = 0; i < of->column_count * cells; i++) {
            const struct here_cell *cell = &of->columns[i / cells].cells[i % cells];
            bool is_new = (cell->state == HERE_SKIP || cell->state == HERE_WRONG) && cell->text && count < 32;
            for (size_t s = 0; s < count && is_new; s++)
                is_new = strcmp(seen[s], cell->text) != 0;
            if (!is_new)
                continue;
            char text[GRID_TEXT_BYTES], line[1024];
            snprintf(line, sizeof line, "%s: %s", here_text(of->panel, cell, text), say_message(cell->text));
            page_paragraph(page, "note", line);
            seen[count++] = cell->text;
        }
    }
}

static void write_plots(struct page *page, const struct reproduction *reproduction)
{
    static const char *const names[] = {"time", "rate", "ratio", "ceiling", "fact"};
    const struct publication *publication = reproduction->publication;
    for (size_t i = 0; i < publication->plot_count; i++) {
        const struct publication_plot *plot = &publication->plots[i];
        struct reproduction_plot data = {.reproduction = reproduction, .plot = plot};
        char name[CHART_NAME_MAX];
        snprintf(name, sizeof name, "reproduce/%s/%s%s%s", publication->name, names[plot->quantity],
                 plot->technology ? "/" : "", plot->technology ? technology_name(plot->technology) : "");
        page_figure(page, name, localized_text(&plot->title), NULL, draw_reproduction, &data);
        write_reproduction_points(page, &data);
        page_figure_end(page);
    }
}

static void write_publication(struct page *page, const struct reproduction *reproduction)
{
    const struct publication *publication = reproduction->publication;
    fputs("<section>\n", page->stream);
    page_heading(page, 3, publication->name, localized_text(&publication->title));
    page_paragraph(page, "note", publication->source);
    page_paragraph(page, "", localized_text(&publication->protocol));
    for (size_t i = 0; i < publication->machine_count; i++) {
        const struct publication_machine *machine = &publication->machines[i];
        html(page->stream, "<p class=\"note\">%s: %s (%s)</p>\n", localized_text(&reproduction_word_machines),
             machine->name, localized_text(&machine->about));
    }
    html(page->stream, "<h4>%s</h4>\n", localized_text(&reproduction_word_concluded));
    write_claims(page, reproduction);
    write_plots(page, reproduction);
    page_fold(page, localized_text(&word_tables));
    write_tables(page, reproduction);
    write_reasons(page, reproduction);
    page_paragraph(page, "note", localized_text(&reproduction_legend));
    page_fold_end(page);
    write_list(page, publication);
    html(page->stream, "</section>\n");
}

void chapter_reproduction(struct page *page, const void *context)
{
    const struct reproduction_chapter *chapter = context;
    for (size_t i = 0; i < chapter->count; i++)
        write_publication(page, &chapter->items[i]);
}
