#include "report/model/machines.h"

#include <string.h>

static bool same_problem(const struct ladder *a, const struct ladder *b)
{
    return ladder_of(a)->cold == ladder_of(b)->cold && strcmp(ladder_of(a)->problem, ladder_of(b)->problem) == 0;
}

static const struct ladder *fastest_of(const struct view *view, const struct ladder *like)
{
    const struct ladder *best = NULL;
    for (size_t i = 0; i < view->ladder_count; i++) {
        const struct ladder *ladder = &view->ladders[i];
        if (ladder->fastest && !ladder_rehearses(ladder) && same_problem(ladder, like) &&
            (!best || ladder->fastest->rate > best->fastest->rate))
            best = ladder;
    }
    return best;
}

static void add_row(const struct view *const views[], size_t count, const struct ladder *of, struct machine_rows *rows)
{
    struct machine_row *row = &rows->items[rows->count];
    size_t measured = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (same_problem(rows->items[i].of, of))
            return;
    if (rows->count == MACHINE_ROWS_MOST)
        return;
    *row = (struct machine_row){.of = of};
    for (size_t m = 0; m < count; m++) {
        row->cells[m] = fastest_of(views[m], of);
        if (row->cells[m] && (!measured || row->cells[m]->fastest->rate > row->cells[row->lead]->fastest->rate))
            row->lead = m;
        measured += row->cells[m] != NULL;
    }
    rows->count += measured > 1;
}

static void add_kernel(const struct view *const views[], size_t count, const char *name, struct machine_rows *rows)
{
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < views[m]->kernel_count; k++) {
            const struct kernel_view *kernel = &views[m]->kernels[k];
            for (size_t l = 0; strcmp(kernel->name, name) == 0 && l < kernel->ladder_count; l++)
                if (ladder_is_first_of_device(kernel, &kernel->ladders[l]))
                    add_row(views, count, kernel_representative(kernel, &kernel->ladders[l]), rows);
        }
}

void machine_rows_make(const struct view *const views[], size_t count, struct machine_rows *rows)
{
    rows->count = 0;
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < views[m]->kernel_count; k++)
            add_kernel(views, count, views[m]->kernels[k].name, rows); /* one that an earlier machine has adds no row */
}
