#include "report/terminal/reproduction.h"

#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/text_grid.h"

#define REASONS_MOST 32
#define SHORT_REASON 60 /* a longer one is given by its number */

/* Why what is missing is missing: each reason once, by its number. */
struct reasons {
    const char *texts[REASONS_MOST];
    size_t count;
};

struct paper {
    FILE *stream;
    struct style style;
    struct reasons reasons;
};

/* The reason's number, from 1; 0 when there are too many. */
static size_t reason_number(struct reasons *reasons, const char *text)
{
    for (size_t i = 0; i < reasons->count; i++)
        if (strcmp(reasons->texts[i], text) == 0)
            return i + 1;
    if (reasons->count == REASONS_MOST)
        return 0;
    reasons->texts[reasons->count++] = text;
    return reasons->count;
}

/* Words in lines of the style's width, indented. */
static void print_wrapped(const struct paper *paper, const char *first, int indent, const char *text)
{
    const int at = indent + column_width(first);
    fprintf(paper->stream, "%*s%s", indent, "", first);
    columns_wrapped(paper->stream, text, at, at, paper->style.width);
}

static void print_head(const struct paper *paper, const struct publication *publication)
{
    fprintf(paper->stream, "\n%s%s — %s%s\n", strong(paper->style), publication->name,
            localized_text(&publication->title), plain(paper->style));
    print_wrapped(paper, "", 2, publication->source);
    print_wrapped(paper, "", 2, localized_text(&publication->protocol));
    for (size_t i = 0; i < publication->machine_count; i++) {
        const struct publication_machine *machine = &publication->machines[i];
        fprintf(paper->stream, "  %s: %s (%s)\n", localized_text(&reproduction_word_machines), machine->name,
                localized_text(&machine->about));
    }
}

/* Today's cell, with the number of its reason where it has one. */
static void write_here(struct paper *paper, const struct panel *panel, const struct here_cell *cell,
                       char text[GRID_CELL_BYTES])
{
    here_text(panel, cell, text);
    if (cell->state != HERE_SKIP && cell->state != HERE_WRONG)
        return;
    size_t number = reason_number(&paper->reasons, cell->text);
    size_t length = strlen(text);
    if (number)
        snprintf(text + length, GRID_CELL_BYTES - length, " [%zu]", number);
}

/* Above a column that is not the publication's. */
static const struct localized_text *word_above(const struct here_column *column)
{
    return column->prediction ? &reproduction_word_predicted : &reproduction_word_here;
}

static void print_side_by_side(struct paper *paper, const struct panel_comparison *of)
{
    const struct panel *panel = of->panel;
    struct text_grid grid;
    size_t today = 1 + panel->column_count;
    if (!text_grid_make(&grid, 2 + panel->row_count, today + of->column_count))
        return;
    for (size_t c = 1; c < grid.columns; c++)
        snprintf(text_grid_cell(&grid, 0, c), GRID_CELL_BYTES, "%s",
                 localized_text(c < today ? &reproduction_word_published : word_above(&of->columns[c - today])));
    for (size_t c = 0; c < panel->column_count; c++)
        published_head(panel, c, text_grid_cell(&grid, 1, 1 + c));
    for (size_t c = 0; c < of->column_count; c++)
        here_head(of, c, text_grid_cell(&grid, 1, today + c));
    for (size_t r = 0; r < panel->row_count; r++) {
        heading_text(&panel->rows[r], text_grid_cell(&grid, 2 + r, 0));
        for (size_t c = 0; c < panel->column_count; c++)
            printed_text(&of->published[r * panel->column_count + c], text_grid_cell(&grid, 2 + r, 1 + c));
        for (size_t c = 0; c < of->column_count; c++)
            write_here(paper, panel, &of->columns[c].cells[r], text_grid_cell(&grid, 2 + r, today + c));
    }
    text_grid_print(paper->stream, &grid, 2, today, 2, paper->style);
    text_grid_free(&grid);
}

/* A grid as published, or today's (column not NULL); the best cell has a star. */
static void print_grid(struct paper *paper, const struct panel_comparison *of, const struct here_column *column)
{
    const struct panel *panel = of->panel;
    struct text_grid grid;
    size_t count = panel->row_count * panel->column_count, best = count;
    double best_value = 0;
    if (!text_grid_make(&grid, 1 + panel->row_count, 1 + panel->column_count))
        return;
    for (size_t c = 0; c < panel->column_count; c++)
        heading_text(&panel->columns[c], text_grid_cell(&grid, 0, 1 + c));
    for (size_t i = 0; i < count; i++) {
        char *cell = text_grid_cell(&grid, 1 + i / panel->column_count, 1 + i % panel->column_count);
        double value = column ? column->cells[i].value : of->published[i].text ? of->published[i].value : 0;
        heading_text(&panel->rows[i / panel->column_count], text_grid_cell(&grid, 1 + i / panel->column_count, 0));
        if (column)
            write_here(paper, panel, &column->cells[i], cell);
        else
            printed_text(&of->published[i], cell);
        if (value > 0 && (best == count || value < best_value)) {
            best = i;
            best_value = value;
        }
    }
    if (best < count) {
        char *cell = text_grid_cell(&grid, 1 + best / panel->column_count, 1 + best % panel->column_count);
        size_t length = strlen(cell);
        snprintf(cell + length, GRID_CELL_BYTES - length, "*");
    }
    text_grid_print(paper->stream, &grid, 1, 0, 2, paper->style);
    text_grid_free(&grid);
}

/* `again`: the next panel is a grid of the same run, and this machine's grid is printed there. */
static void print_grids(struct paper *paper, const struct panel_comparison *of, bool again)
{
    print_grid(paper, of, NULL);
    for (size_t c = 0; c < of->column_count; c++) {
        const struct here_column *column = &of->columns[c];
        if (column->prediction) {
            fprintf(paper->stream, "  %s %s\n", localized_text(&reproduction_word_predicted), column->device);
            print_grid(paper, of, column);
        }
        if (again || column->prediction)
            continue;
        bool is_there = column->device != NULL;
        fprintf(paper->stream, "  %s, %s%s%s", localized_text(&reproduction_word_here),
                is_there ? column->device : technology_name(column->technology), is_there ? " — " : "",
                is_there ? column->device_name : "");
        if (is_there && column->is_cpu)
            fprintf(paper->stream, " (%s)", localized_text(&reproduction_word_no_gpu));
        const char *reason = NULL;
        for (size_t i = 0; !is_there && i < of->panel->row_count * of->panel->column_count; i++)
            reason = reason ? reason : column->cells[i].text;
        if (reason) {
            fprintf(paper->stream, ": %s [%zu]\n", tr("SKIP"), reason_number(&paper->reasons, reason));
            continue;
        }
        fputc('\n', paper->stream);
        print_grid(paper, of, column);
    }
}

static bool is_same_grid(const struct panel_comparison *a, const struct panel_comparison *b)
{
    return b->panel->grid && a->panel->columns[0].tie.run == b->panel->columns[0].tie.run;
}

static void print_panels(struct paper *paper, const struct reproduction *reproduction)
{
    const struct publication_table *table = NULL;
    for (size_t i = 0; i < reproduction->panel_count; i++) {
        const struct panel_comparison *of = &reproduction->panels[i];
        char text[GRID_TEXT_BYTES * 2];
        if (of->table != table)
            fprintf(paper->stream, "\n%s%s%s\n", strong(paper->style), table_text(of->table, text),
                    plain(paper->style));
        table = of->table;
        fprintf(paper->stream, "  %s%s%s\n", faint(paper->style), panel_text(of->panel, text), plain(paper->style));
        if (of->panel->grid)
            print_grids(paper, of, i + 1 < reproduction->panel_count && is_same_grid(of, of + 1));
        else
            print_side_by_side(paper, of);
    }
}

static void print_result(struct paper *paper, const struct claim_result *result)
{
    static const char *const colours[] = {"\033[32m", "\033[31m", "\033[2m"};
    const char *word = judgement_text(result->outcome);
    fprintf(paper->stream, "      %-10s %s%s%s%*s", result->device ? result->device : "",
            paper->style.colour ? colours[result->outcome] : "", word, plain(paper->style), 15 - column_width(word),
            "");
    char figure[GRID_TEXT_BYTES];
    snprintf(figure, sizeof figure, "%s", result->figure);
    fprintf(paper->stream, "  %s%s", say_number(figure), figure[0] && result->why ? ": " : "");
    if (result->why && column_width(say_message(result->why)) > SHORT_REASON)
        fprintf(paper->stream, "[%zu]", reason_number(&paper->reasons, result->why));
    else if (result->why)
        fputs(say_message(result->why), paper->stream);
    if (result->is_cpu && result->device && strcmp(result->device, "cpu") != 0)
        fprintf(paper->stream, "  (%s)", localized_text(&reproduction_word_no_gpu));
    fputc('\n', paper->stream);
}

static void print_claims(struct paper *paper, const struct reproduction *reproduction)
{
    const struct claim *claim = NULL;
    char published[GRID_TEXT_BYTES];
    fprintf(paper->stream, "\n%s%s%s\n", strong(paper->style), localized_text(&reproduction_word_concluded),
            plain(paper->style));
    for (size_t i = 0; i < reproduction->claim_count; i++) {
        const struct claim_result *result = &reproduction->claims[i];
        if (result->claim != claim) {
            print_wrapped(paper, "· ", 2, localized_text(&result->claim->text));
            snprintf(published, sizeof published, "%s", result->claim->published);
            fprintf(paper->stream, "      %s  %s\n", localized_text(&reproduction_word_published),
                    say_number(published));
        }
        claim = result->claim;
        print_result(paper, result);
    }
}

static void print_remarks(const struct paper *paper, const struct publication *publication)
{
    if (!publication->remark_count)
        return;
    fprintf(paper->stream, "\n%s%s%s\n", strong(paper->style), localized_text(&reproduction_word_remarks),
            plain(paper->style));
    for (size_t i = 0; i < publication->remark_count; i++)
        print_wrapped(paper, "· ", 2, localized_text(&publication->remarks[i].text));
}

static void print_reasons(const struct paper *paper)
{
    if (paper->reasons.count)
        fputc('\n', paper->stream);
    for (size_t i = 0; i < paper->reasons.count; i++) {
        char number[16];
        snprintf(number, sizeof number, "[%zu] ", i + 1);
        print_wrapped(paper, number, 2, say_message(paper->reasons.texts[i]));
    }
}

void report_reproduction(FILE *out, const struct reproduction *reproduction, struct style style)
{
    FILE *stream = folded_begin(out, style);
    struct paper paper = {.stream = stream, .style = style};
    print_head(&paper, reproduction->publication);
    print_panels(&paper, reproduction);
    print_claims(&paper, reproduction);
    print_remarks(&paper, reproduction->publication);
    print_reasons(&paper);
    fputc('\n', stream);
    print_wrapped(&paper, "", 2, localized_text(&reproduction_legend));
    folded_end(stream, out);
}
