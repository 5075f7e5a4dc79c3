#include "report/model/explained.h"

#include <string.h>

#define CELLS_MOST ((size_t)EXPLAINED_LANES * 4)

/* In order of place; a new one is put where it belongs. */
static struct explained_cell *cell_at(struct explained_spread *spread, uint64_t place)
{
    size_t i = 0;
    while (i < spread->count && spread->cells[i].place < place)
        i++;
    if (i < spread->count && spread->cells[i].place == place)
        return &spread->cells[i];
    if (spread->count == CELLS_MOST)
        return NULL;
    memmove(&spread->cells[i + 1], &spread->cells[i], (spread->count - i) * sizeof spread->cells[0]);
    spread->cells[i] = (struct explained_cell){.place = place};
    spread->count++;
    return &spread->cells[i];
}

static bool is_at_work(const struct explained_access *access, int lane)
{
    return access->mask >> lane & 1;
}

/* Whether a lane before this one touches the same piece of memory. */
static bool is_known(const struct explained_access *access, int lane, uint64_t at)
{
    for (int i = 0; i < lane; i++)
        if (is_at_work(access, i) && at >= access->at[i] && at < access->at[i] + access->bytes)
            return true;
    return false;
}

static uint64_t first_address(const struct explained_access *access)
{
    uint64_t first = UINT64_MAX;
    for (int lane = 0; lane < EXPLAINED_LANES; lane++)
        if (is_at_work(access, lane) && access->at[lane] < first)
            first = access->at[lane];
    return first;
}

static uint64_t place_of(const struct explained_access *access, uint64_t first, uint64_t at)
{
    return access->is_shared ? at / EXPLAINED_BANK_BYTES % EXPLAINED_BANKS
                             : at / EXPLAINED_SECTOR - first / EXPLAINED_SECTOR;
}

void explained_spread_make(const struct explained_access *access, struct explained_spread *spread)
{
    uint64_t first = first_address(access);
    unsigned step = access->is_shared && access->bytes > EXPLAINED_BANK_BYTES ? EXPLAINED_BANK_BYTES : access->bytes;
    *spread = (struct explained_spread){.count = 0};
    for (int lane = 0; lane < EXPLAINED_LANES; lane++)
        for (unsigned part = 0; is_at_work(access, lane) && step > 0 && part < access->bytes; part += step) {
            uint64_t at = access->at[lane] + part;
            struct explained_cell *cell = cell_at(spread, place_of(access, first, at));
            if (cell && !is_known(access, lane, at))
                cell->used += access->is_shared ? 1 : step;
            if (cell && cell->used > spread->most)
                spread->most = cell->used;
        }
    for (int lane = 0; lane < EXPLAINED_LANES; lane++)
        if (is_at_work(access, lane)) {
            uint64_t place = place_of(access, first, access->at[lane]);
            while (spread->cell_of[lane] + 1 < spread->count && spread->cells[spread->cell_of[lane]].place < place)
                spread->cell_of[lane]++;
        }
}
