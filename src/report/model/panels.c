#include "report/model/panels.h"

#include <math.h>
#include <string.h>

const struct entry *panel_entry(const struct ladder *ladder, const char *rung)
{
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (strcmp(ladder->rungs[i]->measurement->rung, rung) == 0)
            return ladder->rungs[i];
    return NULL;
}

static bool has_share(const struct entry *entry)
{
    return entry->of_ceiling > 0 && !entry->share_is_void;
}

static size_t shares(const struct ladder *ladder)
{
    size_t count = 0;
    for (size_t i = 0; i < ladder->rung_count; i++)
        count += has_share(ladder->rungs[i]);
    return count;
}

static bool belongs(const struct ladder *ladder, const struct ladder *like)
{
    return ladder_same_device(ladder, like) && ladder_of(ladder)->cold == ladder_of(like)->cold && shares(ladder) > 1 &&
           2 * shares(ladder) >= shares(like);
}

static void add_rungs(struct panel_row *row, const struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const char *name = ladder->rungs[i]->measurement->rung;
        bool is_new = has_share(ladder->rungs[i]) && row->rung_count < PANEL_RUNGS;
        for (size_t r = 0; r < row->rung_count && is_new; r++)
            is_new = strcmp(row->rungs[r], name) != 0;
        if (is_new)
            row->rungs[row->rung_count++] = name;
    }
}

static void fill_row(const struct kernel_view *kernel, const struct ladder *like, struct panel_row *row)
{
    size_t count = 0, place = 0;
    for (size_t i = 0; i < kernel->ladder_count; i++)
        count += belongs(&kernel->ladders[i], like);
    size_t most = count < PANEL_COLUMNS ? count : PANEL_COLUMNS;
    *row = (struct panel_row){0};
    for (size_t i = 0; i < kernel->ladder_count && row->ladder_count < most; i++) {
        if (!belongs(&kernel->ladders[i], like))
            continue;
        /* The first, the last, and between them at even distances. */
        if (place++ == (most > 1 ? row->ladder_count * (count - 1) / (most - 1) : 0))
            row->ladders[row->ladder_count++] = &kernel->ladders[i];
    }
    add_rungs(row, like);
    for (size_t i = 0; i < row->ladder_count; i++)
        add_rungs(row, row->ladders[i]);
}

static void widen(struct panels *panels, const struct panel_row *row)
{
    panels->columns = row->ladder_count > panels->columns ? row->ladder_count : panels->columns;
    panels->panel_count += row->ladder_count;
    for (size_t l = 0; l < row->ladder_count; l++)
        for (size_t i = 0; i < row->ladders[l]->rung_count; i++)
            if (has_share(row->ladders[l]->rungs[i]))
                panels->most = fmin(fmax(panels->most, row->ladders[l]->rungs[i]->of_ceiling), PANEL_SHARE_MOST);
}

void panels_make(const struct kernel_view *kernel, struct panels *panels)
{
    *panels = (struct panels){.most = 1};
    for (size_t i = 0; i < kernel->ladder_count && panels->row_count < PANEL_ROWS; i++) {
        const struct ladder *ladder = &kernel->ladders[i];
        if (!ladder_is_first_of_device(kernel, ladder) || ladder_rehearses(ladder))
            continue;
        struct panel_row *row = &panels->rows[panels->row_count];
        fill_row(kernel, kernel_representative(kernel, ladder), row);
        if (!row->ladder_count)
            continue;
        widen(panels, row);
        panels->row_count++;
    }
}
