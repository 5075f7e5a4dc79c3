#include "report/terminal/roofline.h"
#include "report/model/heading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/folded.h"
#include "store/cores.h"
#include "store/noise.h"

#define HEIGHT 20
#define MARK_MOST 6 /* columns of a number below the picture */
#define BOUND_WIDTH 14
#define MARGIN 9 /* of the axis's figures */
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* ---- what the ceilings allow ---- */

static double rate_of(const struct measurement *measurement)
{
    double median = measurement_summary(measurement, PHASE_COMPUTE).median;
    return median > 0 ? measurement->work / median : 0;
}

static double highest(const struct roof_chart *chart, enum ceiling_kind first, enum ceiling_kind last)
{
    double rate = 0;
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        enum ceiling_kind kind = ceiling_by_name(chart->ceilings[i]->rung);
        if (kind >= first && kind <= last)
            rate = fmax(rate, rate_of(chart->ceilings[i]));
    }
    return rate;
}

double roof_at(const struct roof_chart *chart, double intensity, double arithmetic, bool *by_memory)
{
    double memory = intensity * highest(chart, CEILING_DRAM_READ, CEILING_DRAM_TRIAD);
    *by_memory = memory < arithmetic;
    return fmin(arithmetic, memory);
}

static bool is_double(const struct measurement *measurement)
{
    const char *comma = strrchr(measurement->problem, ',');
    return comma && (strcmp(comma, ",f64") == 0 || strcmp(comma, ",c128") == 0);
}

/* The level roof of a mark: of tensor cores, what they do for its problem. */
static double level_of(const struct roof_chart *chart, const struct roof_mark *mark)
{
    enum ceiling_kind level = mark->tensor_products          ? CEILING_TENSOR_BF16
                              : is_double(mark->measurement) ? CEILING_FMA_F64
                                                             : CEILING_FMA_F32;
    return highest(chart, level, level) / (mark->tensor_products ? mark->tensor_products : 1);
}

/* Main memory's ceilings are another machine's where the cores were elsewhere. */
static bool memory_is_alike(const struct roof_chart *chart, const struct measurement *measurement)
{
    for (size_t i = 0; i < chart->ceiling_count; i++)
        if (ceiling_by_name(chart->ceilings[i]->rung) >= CEILING_DRAM_READ &&
            !cores_alike(chart->ceilings[i], measurement))
            return false;
    return true;
}

/* The probe that moved the same bytes in the same rounds: whatever holds them, a cache or main memory. */
static const struct measurement *probe_of(const struct measurement_list *list, const struct measurement *of)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const struct measurement *other = &list->items[i];
        if (other->kind == MEASURED_PROBE && other->verdict == VERDICT_PASS && other->run == of->run &&
            other->cold == of->cold && other->threads == of->threads && strcmp(other->problem, of->problem) == 0 &&
            strcmp(other->device, of->device) == 0 &&
            (strcmp(other->rung, "copy") == 0 || strcmp(other->rung, "streams") == 0))
            return other;
    }
    return NULL;
}

/* Faster than that and it was not main memory's data: a little more is noise. */
#define ABOVE 1.05

/* The slowest roof of memory, from main memory to the first cache, that the rate is not above; the highest if none is.
 */
static double roof_of_data(const struct roof_chart *chart, double intensity, double rate, double arithmetic,
                           bool *by_memory)
{
    double roof = roof_at(chart, intensity, arithmetic, by_memory);
    for (int kind = CEILING_L3_READ; *by_memory && rate > ABOVE * roof && kind >= CEILING_LOCAL_READ; kind--) {
        const double cache = intensity * highest(chart, (enum ceiling_kind)kind, (enum ceiling_kind)kind);
        if (cache <= roof)
            continue;
        *by_memory = cache < arithmetic;
        roof = fmin(cache, arithmetic);
    }
    return roof;
}

/* By the probe of the same bytes, or the roof of arithmetic where that is lower; 0 where noise voids it. */
static double roof_beside(const struct measurement *of, const struct measurement *probe, double arithmetic,
                          bool *by_memory)
{
    const struct measured_ratio share = measurement_compare(of, probe);
    const double rate = of->operations / measurement_summary(of, PHASE_COMPUTE).median;
    const double memory = share.value > 0 ? rate / share.value : 0;
    *by_memory = !(arithmetic > 0) || memory < arithmetic;
    return *by_memory ? memory : arithmetic;
}

bool roof_mark_make(const struct roof_chart *chart, const struct measurement_list *list,
                    const struct measurement *measurement, struct roof_mark *mark)
{
    double median = measurement_is_void(measurement) ? 0 : measurement_summary(measurement, PHASE_COMPUTE).median;
    if (measurement->verdict != VERDICT_PASS || measurement->kind == MEASURED_PROBE || !(measurement->operations > 0) ||
        !(measurement->bytes > 0) || !(median > 0))
        return false;
    *mark = (struct roof_mark){
        .measurement = measurement,
        .intensity = measurement->operations / measurement->bytes,
        .rate = measurement->operations / median,
        .tensor_products = tensor_products_of(measurement->ceiling),
    };
    const struct measurement *probe = probe_of(list, measurement);
    if (probe) {
        mark->roof = roof_beside(measurement, probe, level_of(chart, mark), &mark->by_memory);
        return true;
    }
    mark->roof = roof_of_data(chart, mark->intensity, mark->rate, level_of(chart, mark), &mark->by_memory);
    if (mark->by_memory && !memory_is_alike(chart, measurement))
        mark->roof = 0;
    return true;
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
        if (at_cell(&picture->x, x) * highest(chart, CEILING_LOCAL_READ, CEILING_KINDS) >= rate)
            ink(picture, x, cell(&picture->y, rate), INK_LEVEL);
}

/* Of arithmetic: the highest level roof. */
static double top_of(const struct roof_chart *chart)
{
    double top = highest(chart, CEILING_FMA_F32, CEILING_FMA_F64);
    for (size_t i = 0; i < chart->mark_count; i++)
        top = fmax(top, level_of(chart, &chart->marks[i]));
    return top;
}

static void draw_ceilings(const struct picture *picture, const struct roof_chart *chart)
{
    double top = top_of(chart);
    for (size_t i = 0; i < chart->mark_count; i++)
        if (chart->marks[i].tensor_products)
            draw_level(picture, chart, level_of(chart, &chart->marks[i]));
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        enum ceiling_kind kind = ceiling_by_name(chart->ceilings[i]->rung);
        double rate = rate_of(chart->ceilings[i]);
        bool main_memory = kind >= CEILING_DRAM_READ;
        if (main_memory && rate < highest(chart, CEILING_DRAM_READ, CEILING_DRAM_TRIAD))
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

static void frame(const struct roof_chart *chart, int width, struct picture *picture)
{
    double low_x = 0.25, high_x = 64, low_y = INFINITY, high_y = 0;
    for (size_t i = 0; i < chart->mark_count; i++) {
        low_x = fmin(low_x, chart->marks[i].intensity / 2);
        high_x = fmax(high_x, chart->marks[i].intensity * 2);
        low_y = fmin(low_y, chart->marks[i].rate);
        high_y = fmax(high_y, chart->marks[i].rate);
    }
    bool by_memory;
    low_y = fmin(low_y, roof_at(chart, low_x, highest(chart, CEILING_FMA_F32, CEILING_FMA_F32), &by_memory));
    high_y = fmax(high_y, top_of(chart));
    picture->x = (struct axis){exp2(floor(log2(low_x))), exp2(ceil(log2(high_x))), width};
    picture->y = (struct axis){low_y / 1.5, high_y * 1.5, HEIGHT};
}

static void print_cell(FILE *stream, int what, struct style style)
{
    static const char *const signs[] = {" ", "·", "╱", "─"};
    if (what < INK_MARK)
        fputs(signs[what], stream);
    else
        fprintf(stream, "%s%c%s", style.colour ? "\033[1;32m" : "", LETTERS[(what - INK_MARK) % (int)strlen(LETTERS)],
                style.colour ? "\033[0m" : "");
}

/* A number beside an axis; returns how many columns it took. */
static int print_mark(FILE *stream, double value, int width)
{
    char text[32];
    snprintf(text, sizeof text, "%*.3g", width, value);
    return fprintf(stream, "%s", say_number(text));
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

static void print_marks(FILE *stream, const struct roof_chart *chart, struct style style)
{
    const char *faint = style.colour ? "\033[2m" : "", *plain = style.colour ? "\033[0m" : "";
    char title[HEADING_BYTES];
    int names = 4;
    for (size_t i = 0; i < chart->mark_count; i++) {
        int own = column_width(chart->marks[i].measurement->rung);
        names = own > names ? own : names;
    }
    fprintf(stream, "\n  %s  ", faint);
    column_left(stream, tr("rung"), names);
    column_right(stream, tr("op/byte"), 9);
    column_right(stream, say_unit("GFLOP/s"), 10);
    column_right(stream, tr("of roof"), 10);
    fputs("  ", stream);
    column_left(stream, tr("bound by"), BOUND_WIDTH);
    fprintf(stream, "  %s%s\n", tr("problem"), plain);
    for (size_t i = 0; i < chart->mark_count; i++) {
        const struct roof_mark *mark = &chart->marks[i];
        const struct measurement *measurement = mark->measurement;
        char figures[64], share[32] = "—";
        snprintf(figures, sizeof figures, "%9.3g%10.4g", mark->intensity, mark->rate);
        if (mark->roof > 0)
            snprintf(share, sizeof share, "%.1f %%", 100 * mark->rate / mark->roof);
        fprintf(stream, "  %c ", LETTERS[i % strlen(LETTERS)]);
        column_left(stream, measurement->rung, names);
        fputs(say_number(figures), stream);
        column_right(stream, say_number(share), 10);
        fputs("  ", stream);
        column_left(stream, tr(mark->by_memory ? N_("memory") : N_("arithmetic")), BOUND_WIDTH);
        fprintf(stream, "  %s%s%s\n", faint, problem_title(measurement->problem, title), plain);
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
        char rate[32];
        snprintf(rate, sizeof rate, "%.4g", rate_of(ceiling));
        if (kind != CEILING_CLOCK && kind != CEILING_KINDS &&
            (kind != CEILING_TENSOR_BF16 || shows_tensor_cores(chart)))
            fprintf(stream, "  %s %-11s %9s %s\n",
                    ceiling_is_of_arithmetic(kind) ? "─"
                    : kind >= CEILING_DRAM_READ    ? "╱"
                                                   : "·",
                    ceiling->rung, say_number(rate), say_unit(ceiling->rate_unit));
    }
}

void report_roofline(FILE *out, const struct roof_chart *chart, struct style style)
{
    int width = style.width - MARGIN - 2;
    struct picture picture;
    struct cores_seen cores = {0};
    if (!chart->ceiling_count)
        return;
    frame(chart, width < 40 ? 40 : width > 96 ? 96 : width, &picture);
    picture.cells = calloc((size_t)picture.x.cells * HEIGHT, sizeof *picture.cells);
    if (!picture.cells)
        return;
    draw_ceilings(&picture, chart);
    for (size_t i = 0; i < chart->mark_count; i++)
        ink(&picture, cell(&picture.x, chart->marks[i].intensity), cell(&picture.y, chart->marks[i].rate),
            INK_MARK + (int)i);
    FILE *stream = folded_begin(out, style);
    const struct measurement *first = chart->ceilings[0];
    fprintf(stream, "\n%s%s — %s%s", style.colour ? "\033[1m" : "", first->device, first->device_name,
            style.colour ? "\033[0m" : "");
    if (first->threads) {
        fputs(", ", stream);
        fprintf(stream, tr_plural("%u thread", "%u threads", first->threads), first->threads);
    }
    fputc('\n', stream);
    print_picture(stream, &picture, style);
    print_lines(stream, chart);
    for (size_t i = 0; i < chart->ceiling_count; i++)
        cores_add(&cores, chart->ceilings[i]);
    cores_print(stream, &cores, style);
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
