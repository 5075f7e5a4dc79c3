#include "report/terminal/summary.h"

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
static void fill_row(const struct text_grid *grid, size_t row, const struct ladder *ladder)
{
    const struct entry *fastest = ladder->fastest;
    char title[HEADING_BYTES];
    char *cells[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        cells[c] = text_grid_cell(grid, row, c);
    snprintf(cells[KERNEL], GRID_CELL_BYTES, "%s", problem_title(ladder_of(ladder)->problem, title));
    snprintf(cells[DEVICE], GRID_CELL_BYTES, "%s", ladder_of(ladder)->device);
    if (!fastest) {
        snprintf(cells[RUNG], GRID_CELL_BYTES, "—");
        return;
    }
    snprintf(cells[RUNG], GRID_CELL_BYTES, "%s", fastest->measurement->rung);
    snprintf(cells[RATE], GRID_CELL_BYTES, "%s", figure_rate(fastest->rate, fastest->measurement->rate_unit).text);
    snprintf(cells[SHARE], GRID_CELL_BYTES, "%s",
             fastest->share_is_void    ? tr("—, too noisy")
             : fastest->of_ceiling > 0 ? figure_percent(fastest->of_ceiling).text
                                       : "—");
    if (!*ladder_against_vendor(ladder, cells[VENDOR], GRID_CELL_BYTES))
        snprintf(cells[VENDOR], GRID_CELL_BYTES, "—");
}

#define INDENT 2

/* Rather than print the table in two blocks. */
static void leave_out_sizes(const struct text_grid *grid)
{
    for (size_t r = 1; r < grid->rows; r++) {
        char *title = text_grid_cell(grid, r, KERNEL);
        title[strcspn(title, " :")] = 0;
    }
}

void report_summary(FILE *out, const struct measurement_list *list, struct style style)
{
    static const char *const heads[COLUMNS] = {N_("kernel"), N_("device"),     N_("fastest"),
                                               N_("rate"),   N_("of ceiling"), N_("vs library")};
    struct view view;
    struct text_grid grid;
    if (view_make(list, &view, NULL) != STATUS_OK)
        return;
    if (text_grid_make(&grid, view.ladder_count + 1, COLUMNS)) {
        grid.rows = 1;
        for (size_t c = 0; c < COLUMNS; c++)
            snprintf(text_grid_cell(&grid, 0, c), GRID_CELL_BYTES, "%s", tr(heads[c]));
        for (size_t k = 0; k < view.kernel_count; k++)
            for (size_t l = 0; l < view.kernels[k].ladder_count && is_of_kernel(&view.kernels[k]); l++)
                if (ladder_is_first_of_device(&view.kernels[k], &view.kernels[k].ladders[l]))
                    fill_row(&grid, grid.rows++, kernel_representative(&view.kernels[k], &view.kernels[k].ladders[l]));
        if (text_grid_width(&grid) + INDENT > style.width)
            leave_out_sizes(&grid);
        FILE *stream = folded_begin(out, style);
        if (grid.rows > 1) {
            fputc('\n', stream);
            text_grid_print(stream, &grid, 1, 0, INDENT, style);
        }
        folded_end(stream, out);
        text_grid_free(&grid);
    }
    view_free(&view);
}
