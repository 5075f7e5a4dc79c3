#include "report/terminal/roofline.h"
#include "report/model/heading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/folded.h"
#include "report/terminal/noise_notes.h"

#define HEIGHT 20
#define MARK_MOST 6 /* columns of a number below the picture */
#define BOUND_WIDTH 12
#define MARGIN 9 /* of the axis's figures */
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* The sign of a rung in the picture and in the table; those beyond the signs share one. */
static char letter_of(size_t index)
{
    return index < strlen(LETTERS) ? LETTERS[index] : '*';
}

/* ---- the picture ---- */

/* Where a number lies on a logarithmic axis of `cells` cells. */
struct axis {
    double low, high;
    int cells;
};

static int cell(const struct axis *axis, double value)
{
    double place = (log2(value) - log2(axis->low)) / (log2(axis->high) - log2(axis->low));
    return isfinite(place) ? (int)lround(fmin(fmax(place, -1), 2) * (axis->cells - 1)) : -1;
}

static double at_cell(const struct axis *axis, int index)
{
    return axis->low * pow(axis->high / axis->low, (double)index / (axis->cells - 1));
}

/* A cell: what is shown there. */
enum ink {
    INK_NONE,
    INK_CACHE,
    INK_MEMORY,
    INK_LEVEL,
    INK_MARK, /* + index of the letter */
};

struct picture {
    struct axis x, y;
    int *cells; /* y.cells rows of x.cells, the highest first */
};

static int *at(const struct picture *picture, int x, int y)
{
    if (x < 0 || x >= picture->x.cells || y < 0 || y >= picture->y.cells)
        return NULL;
    return &picture->cells[(picture->y.cells - 1 - y) * picture->x.cells + x];
}

static void ink(const struct picture *picture, int x, int y, int what)
{
    int *there = at(picture, x, y);
    if (there && *there < INK_MARK)
        *there = what;
}

static void draw_level(const struct picture *picture, const struct roof_chart *chart, double rate)
{
    for (int x = 0; x < picture->x.cells; x++)
        if (at_cell(&picture->x, x) * roof_highest(chart, CEILING_LOCAL_READ, CEILING_KINDS) >= rate)
            ink(picture, x, cell(&picture->y, rate), INK_LEVEL);
}

/* Of arithmetic: the highest level roof. */
static double top_of(const struct roof_chart *chart)
{
    double top = roof_highest(chart, CEILING_FMA_F32, CEILING_FMA_F64);
    for (size_t i = 0; i < chart->mark_count; i++)
        top = fmax(top, roof_level(chart, &chart->marks[i]));
    return top;
}

static void draw_ceilings(const struct picture *picture, const struct roof_chart *chart)
{
    double top = top_of(chart);
    for (size_t i = 0; i < chart->mark_count; i++)
        if (chart->marks[i].tensor_products)
            draw_level(picture, chart, roof_level(chart, &chart->marks[i]));
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        enum ceiling_kind kind = ceiling_by_name(chart->ceilings[i]->rung);
        double rate = figures_rate(chart->ceilings[i]);
        bool main_memory = kind >= CEILING_DRAM_READ;
        if (main_memory && rate < roof_highest(chart, CEILING_DRAM_READ, CEILING_DRAM_TRIAD))
            continue; /* one line for the memory */
        if (kind == CEILING_FMA_F32 || kind == CEILING_FMA_F64)
            draw_level(picture, chart, rate);
        for (int x = 0; x < picture->x.cells; x++) {
            double intensity = at_cell(&picture->x, x);
            if (ceiling_is_of_memory(kind) && intensity * rate <= top)
                ink(picture, x, cell(&picture->y, intensity * rate), main_memory ? INK_MEMORY : INK_CACHE);
        }
    }
}

/* False when there is nothing above 0 to draw. */
static bool frame(const struct roof_chart *chart, int width, struct picture *picture)
{
    double low_x = 0.25, high_x = 64, low_y = INFINITY, high_y = 0;
    bool by_memory;
    for (size_t i = 0; i < chart->mark_count; i++) {
        low_x = fmin(low_x, chart->marks[i].intensity / 2);
        high_x = fmax(high_x, chart->marks[i].intensity * 2);
        low_y = fmin(low_y, chart->marks[i].rate);
        high_y = fmax(high_y, chart->marks[i].rate);
    }
    const double corner = roof_at(chart, low_x, roof_highest(chart, CEILING_FMA_F32, CEILING_FMA_F32), &by_memory);
    if (corner > 0) /* 0 where noise voids a ceiling */
        low_y = fmin(low_y, corner);
    high_y = fmax(high_y, top_of(chart));
    low_y = fmin(low_y, high_y / 2);
    picture->x = (struct axis){exp2(floor(log2(low_x))), exp2(ceil(log2(high_x))), width};
    picture->y = (struct axis){low_y / 1.5, high_y * 1.5, HEIGHT};
    return high_y > 0;
}

static void print_cell(FILE *stream, int what, struct style style)
{
    static const char *const signs[] = {" ", "·", "╱", "─"};
    if (what < INK_MARK)
        fputs(signs[what], stream);
    else
        fprintf(stream, "%s%c%s", style.colour ? "\033[1;32m" : "", letter_of((size_t)(what - INK_MARK)), plain(style));
}

/* A number beside an axis; returns how many columns it took. */
static int print_mark(FILE *stream, double value, int width)
{
    return fprintf(stream, "%*s", width, figure_number(value).text);
}

static void print_picture(FILE *stream, const struct picture *picture, struct style style)
{
    fprintf(stream, "  %s\n", say_unit("GFLOP/s"));
    for (int row = 0; row < picture->y.cells; row++) {
        int y = picture->y.cells - 1 - row;
        if (y % 4 == 0)
            print_mark(stream, at_cell(&picture->y, y), MARGIN);
        else
            fprintf(stream, "%*s", MARGIN, "");
        fputs(y % 4 == 0 ? " ┤" : " │", stream);
        for (int x = 0; x < picture->x.cells; x++)
            print_cell(stream, picture->cells[row * picture->x.cells + x], style);
        fputc('\n', stream);
    }
    fprintf(stream, "%*s └", MARGIN, "");
    for (int x = 0; x < picture->x.cells; x++)
        fputs("─", stream);
    fprintf(stream, "\n%*s ", MARGIN + 1, "");
    for (int x = 0; x + MARK_MOST <= picture->x.cells;) {
        int printed = print_mark(stream, at_cell(&picture->x, x), 0);
        int next = x + picture->x.cells / 6;
        for (x += printed > 0 ? printed : 1; x < next && x < picture->x.cells; x++)
            fputc(' ', stream);
    }
    fprintf(stream, "\n%*s%s\n", MARGIN + 2, "", tr("operations per byte"));
}

/* ---- the table below it ---- */

static bool is_of_one_kernel(const struct roof_chart *chart)
{
    for (size_t i = 1; i < chart->mark_count; i++)
        if (strcmp(chart->marks[i].measurement->kernel, chart->marks[0].measurement->kernel) != 0)
            return false;
    return true;
}

static void print_marks(FILE *stream, const struct roof_chart *chart, struct style style)
{
    char title[HEADING_BYTES];
    int names = 4;
    const bool one_kernel = is_of_one_kernel(chart);
    for (size_t i = 0; i < chart->mark_count; i++) {
        int own = column_width(chart->marks[i].measurement->rung);
        names = own > names ? own : names;
    }
    columns_print(stream, "\n  %  <*>8>9>9  <* %%\n", faint(style), names, tr("rung"), tr("op/byte"),
                  say_unit("GFLOP/s"), tr("ceiling"), BOUND_WIDTH, tr("bound by"),
                  one_kernel ? chart->marks[0].measurement->kernel : tr("problem"), plain(style));
    for (size_t i = 0; i < chart->mark_count; i++) {
        const struct roof_mark *mark = &chart->marks[i];
        const struct measurement *measurement = mark->measurement;
        char share[32] = "—";
        if (mark->roof > 0)
            snprintf(share, sizeof share, "%.1f %%", 100 * mark->rate / mark->roof);
        fprintf(stream, "  %c ", letter_of(i));
        columns_print(stream, "<*>8>9>9  <*", names, measurement->rung, figure_number(mark->intensity).text,
                      figure_number(mark->rate).text, say_number(share), BOUND_WIDTH,
                      tr(mark->by_memory ? N_("memory") : N_("arithmetic")));
        fprintf(stream, " %s%s%s\n", faint(style),
                one_kernel ? problem_title_of_kernel(measurement->problem, measurement->kernel, title)
                           : problem_title(measurement->problem, title),
                plain(style));
    }
}

static bool shows_tensor_cores(const struct roof_chart *chart)
{
    for (size_t i = 0; i < chart->mark_count; i++)
        if (chart->marks[i].tensor_products)
            return true;
    return false;
}

static void print_lines(FILE *stream, const struct roof_chart *chart)
{
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        const struct measurement *ceiling = chart->ceilings[i];
        enum ceiling_kind kind = ceiling_by_name(ceiling->rung);
        const bool is_void = !(figures_rate(ceiling) > 0);
        if (kind != CEILING_CLOCK && kind != CEILING_ISSUE && kind != CEILING_KINDS &&
            (kind != CEILING_TENSOR_BF16 || shows_tensor_cores(chart)))
            fprintf(stream, "  %s %-11s %9s %s\n",
                    ceiling_is_of_arithmetic(kind) ? "─"
                    : kind >= CEILING_DRAM_READ    ? "╱"
                                                   : "·",
                    ceiling->rung, is_void ? "" : figure_number(figures_rate(ceiling)).text,
                    is_void ? tr("—, too noisy") : say_unit(ceiling->rate_unit));
    }
}

void report_roofline(FILE *out, const struct roof_chart *chart, struct style style)
{
    int width = style.width - MARGIN - 2;
    struct picture picture;
    struct cores_seen cores = {0};
    if (!chart->ceiling_count)
        return;
    const bool has_picture = frame(chart, width < 40 ? 40 : width > 96 ? 96 : width, &picture);
    picture.cells = calloc((size_t)picture.x.cells * HEIGHT, sizeof *picture.cells);
    if (!picture.cells)
        return;
    draw_ceilings(&picture, chart);
    for (size_t i = 0; i < chart->mark_count; i++)
        ink(&picture, cell(&picture.x, chart->marks[i].intensity), cell(&picture.y, chart->marks[i].rate),
            INK_MARK + (int)i);
    FILE *stream = folded_begin(out, style);
    const struct measurement *first = chart->ceilings[0];
    fprintf(stream, "\n%s%s — %s%s", strong(style), first->device, first->device_name, plain(style));
    if (first->threads) {
        fputs(", ", stream);
        fprintf(stream, tr_plural("%u thread", "%u threads", first->threads), first->threads);
    }
    fputc('\n', stream);
    if (has_picture)
        print_picture(stream, &picture, style);
    print_lines(stream, chart);
    for (size_t i = 0; i < chart->ceiling_count; i++)
        cores_add(&cores, chart->ceilings[i]);
    cores_print(stream, &cores, style);
    noise_notes_print(stream, chart->ceilings, chart->ceiling_count, style);
    if (chart->mark_count)
        print_marks(stream, chart, style);
    else
        columns_note(stream, style, "%s",
                     tr("No points: no rung that does arithmetic was measured here with as many threads."));
    columns_note(stream, style, "%s",
                 tr("A rung whose data fits a cache may exceed the memory line. More: uskor help roofline"));
    free(picture.cells);
    folded_end(stream, out);
}
