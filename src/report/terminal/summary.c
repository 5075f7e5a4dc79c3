#include "report/terminal/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/vendor_ratio.h"
#include "report/model/view.h"
#include "report/terminal/folded.h"
#include "report/terminal/text_grid.h"

enum cells { KERNEL, DEVICE, RUNG, RATE, SHARE, VENDOR, COLUMNS };

/* The kinds of measurement besides kernels (store/measurement.h names them like kernels). */
static bool is_of_kernel(const struct kernel_view *kernel)
{
    static const char *const others[] = {"bandwidth", "peers", "overlap", "memory", "accuracy", "ceilings"};
    bool is_other = false;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        is_other = is_other || strcmp(kernel->name, others[i]) == 0;
    return !is_other;
}

/* The fastest rung; a library's has the best of ours behind it: "clblast … ours: naive 0.548×". */
static void fill_row(const struct text_grid *grid, size_t row, const struct ladder *ladder, bool is_narrow)
{
    const struct entry *fastest = ladder->fastest;
    char title[HEADING_BYTES];
    char *cells[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        cells[c] = text_grid_cell(grid, row, c);
    snprintf(cells[KERNEL], GRID_CELL_BYTES, "%s", problem_title(ladder_of(ladder)->problem, title));
    snprintf(cells[DEVICE], GRID_CELL_BYTES, "%s", is_narrow ? "" : ladder_of(ladder)->device);
    if (!fastest) {
        snprintf(cells[RUNG], GRID_CELL_BYTES, "—");
        return;
    }
    snprintf(cells[RUNG], GRID_CELL_BYTES, "%s", fastest->measurement->rung);
    snprintf(cells[RATE], GRID_CELL_BYTES, "%s", figure_rate(fastest->rate, fastest->measurement->rate_unit).text);
    snprintf(cells[SHARE], GRID_CELL_BYTES, "%s",
             fastest->share_is_void && !is_narrow ? tr("—, too noisy")
             : fastest->of_ceiling > 0            ? figure_percent(fastest->of_ceiling).text
                                                  : "—");
    if (!*ladder_against_vendor(ladder, cells[VENDOR], GRID_CELL_BYTES))
        snprintf(cells[VENDOR], GRID_CELL_BYTES, "—");
}

#define INDENT 2

/* "wave 64 × 64 × 64, steps=2, f32" becomes "wave 64³, steps=2". */
static void shorten(char *title)
{
    static const char times[] = " × ";
    char *type = strrchr(title, ','), *size = strchr(title, ' ');
    if (type)
        *type = 0;
    if (!size)
        return;
    const size_t length = strcspn(++size, " ,");
    size_t factors = 1;
    char *end = size + length;
    while (strncmp(end, times, strlen(times)) == 0 && strncmp(end + strlen(times), size, length) == 0) {
        end += strlen(times) + length;
        factors++;
    }
    if ((*end && *end != ',') || factors < 2 || factors > 3)
        return;
    char rest[GRID_CELL_BYTES];
    snprintf(rest, sizeof rest, "%s%s", factors == 2 ? "²" : "³", end);
    strcpy(size + length, rest);
}

/* Rather than print the table in two blocks. */
static void leave_out_sizes(const struct text_grid *grid)
{
    for (size_t r = 1; r < grid->rows; r++) {
        char *title = text_grid_cell(grid, r, KERNEL);
        title[strcspn(title, " ")] = 0;
    }
}

static bool same_device(const struct ladder *a, const struct ladder *b)
{
    return strcmp(ladder_of(a)->device, ladder_of(b)->device) == 0;
}

/* Device by device, which has a line of its own. */
static void fill_narrow(struct text_grid *grid, const struct ladder *const *ladders, size_t count)
{
    memset(text_grid_cell(grid, 1, 0), 0, 2 * count * COLUMNS * GRID_CELL_BYTES);
    *text_grid_cell(grid, 0, DEVICE) = 0;
    snprintf(text_grid_cell(grid, 0, SHARE), GRID_CELL_BYTES, "%s", tr("ceiling"));
    grid->rows = 1;
    for (size_t i = 0; i < count; i++) {
        bool is_told = false;
        for (size_t j = 0; j < i && !is_told; j++)
            is_told = same_device(ladders[j], ladders[i]);
        if (is_told)
            continue;
        snprintf(text_grid_cell(grid, grid->rows++, KERNEL), GRID_CELL_BYTES, "%s:", ladder_of(ladders[i])->device);
        for (size_t j = i; j < count; j++)
            if (same_device(ladders[j], ladders[i])) {
                fill_row(grid, grid->rows, ladders[j], true);
                shorten(text_grid_cell(grid, grid->rows++, KERNEL));
            }
    }
}

/* The ladder that represents each kernel on each device; returns how many. */
static size_t representatives(const struct view *view, const struct ladder **ladders)
{
    size_t count = 0;
    for (size_t k = 0; k < view->kernel_count; k++)
        for (size_t l = 0; l < view->kernels[k].ladder_count && is_of_kernel(&view->kernels[k]); l++)
            if (ladder_is_first_of_device(&view->kernels[k], &view->kernels[k].ladders[l]))
                ladders[count++] = kernel_representative(&view->kernels[k], &view->kernels[k].ladders[l]);
    return count;
}

static void fill(struct text_grid *grid, const struct ladder *const *ladders, size_t count, int width)
{
    static const char *const heads[COLUMNS] = {N_("kernel"), N_("device"),     N_("fastest"),
                                               N_("rate"),   N_("of ceiling"), N_("vs library")};
    for (size_t c = 0; c < COLUMNS; c++)
        snprintf(text_grid_cell(grid, 0, c), GRID_CELL_BYTES, "%s", tr(heads[c]));
    grid->rows = 1;
    for (size_t i = 0; i < count; i++)
        fill_row(grid, grid->rows++, ladders[i], false);
    if (text_grid_width(grid) + INDENT > width)
        fill_narrow(grid, ladders, count);
    if (text_grid_width(grid) + INDENT > width)
        leave_out_sizes(grid);
}

void report_summary(FILE *out, const struct measurement_list *list, struct style style)
{
    struct view view;
    struct text_grid grid = {0};
    if (view_make(list, &view, NULL) != STATUS_OK)
        return;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
    const struct ladder **ladders = calloc(view.ladder_count + 1, sizeof *ladders);
    const size_t count = ladders ? representatives(&view, ladders) : 0;
    if (count && text_grid_make(&grid, 1 + 2 * count, COLUMNS)) {
        fill(&grid, ladders, count, style.width);
        FILE *stream = folded_begin(out, style);
        fputc('\n', stream);
        text_grid_print(stream, &grid, 1, 0, INDENT, style);
        folded_end(stream, out);
    }
    text_grid_free(&grid);
    free(ladders);
    view_free(&view);
}
