#include "explain/machine/words.h"

#include <string.h>

/* The place of a word that is not global; NULL: there is none. */
static struct machine_store *find(struct machine_warp *warp, enum explain_space space, unsigned lane, uint64_t address,
                                  size_t *index)
{
    struct machine_store *store = space == EXPLAIN_OWN ? &warp->stacks : warp->shared;
    *index = address / 4 * (space == EXPLAIN_OWN ? MACHINE_LANES : 1) + (space == EXPLAIN_OWN ? lane : 0);
    return store && address / 4 < store->count && *index < store->count ? store : NULL;
}

bool machine_word_read(struct machine_warp *warp, enum explain_space space, unsigned lane, uint64_t address,
                       unsigned bytes, uint32_t *word)
{
    size_t index;
    if (space == EXPLAIN_GLOBAL && address >= MACHINE_FIRST_ADDRESS)
        return machine_memory_read(warp->memory, address, bytes, word);
    const struct machine_store *store =
        find(warp, space == EXPLAIN_OWN ? space : EXPLAIN_SHARED, lane, address, &index);
    *word = store ? store->words[index] >> 8 * (address % 4) : 0;
    if (bytes < 4)
        *word &= bytes == 1 ? 0xff : 0xffff;
    return store && store->is_known[index];
}

void machine_word_write(struct machine_warp *warp, enum explain_space space, unsigned lane, uint64_t address,
                        unsigned bytes, uint32_t word, bool is_known)
{
    size_t index;
    is_known &= !warp->is_doubtful;
    if (space == EXPLAIN_GLOBAL && address >= MACHINE_FIRST_ADDRESS) {
        machine_memory_write(warp->memory, address, bytes, word, is_known);
        return;
    }
    struct machine_store *store = find(warp, space == EXPLAIN_OWN ? space : EXPLAIN_SHARED, lane, address, &index);
    if (!store)
        return;
    uint32_t bits = bytes == 4 ? UINT32_MAX : (bytes == 1 ? 0xffu : 0xffffu) << 8 * (address % 4);
    store->words[index] = (store->words[index] & ~bits) | (word << 8 * (address % 4) & bits);
    store->is_known[index] = is_known && (bytes == 4 || store->is_known[index]);
}

void machine_words_forget(struct machine_warp *warp, enum explain_space space)
{
    struct machine_store *store = space == EXPLAIN_OWN ? &warp->stacks : space == EXPLAIN_SHARED ? warp->shared : NULL;
    if (store)
        memset(store->is_known, 0, store->count * sizeof *store->is_known);
}
