/* Words of the memories that a warp's lanes reach: global, the group's, and each lane's own. */
#pragma once

#include "explain/machine/arithmetic.h"

/* Addresses below this one are no buffer's: a generic one is the group's memory. */
#define MACHINE_FIRST_ADDRESS ((uint64_t)1 << 32)

/* The space that the instruction's opcode names. */
static inline enum explain_space machine_space_of(one in)
{
    return in->kind.space == CODE_SHARED ? EXPLAIN_SHARED : in->kind.space == CODE_STACK ? EXPLAIN_OWN : EXPLAIN_GLOBAL;
}

/* `bytes` is 1, 2 or 4. Returns whether the word is known. */
bool machine_word_read(struct machine_warp *warp, enum explain_space space, unsigned lane, uint64_t address,
                       unsigned bytes, uint32_t *word);
void machine_word_write(struct machine_warp *warp, enum explain_space space, unsigned lane, uint64_t address,
                        unsigned bytes, uint32_t word, bool is_known);
/* A store at an address that is not known may have changed any word of the group's or the lane's own memory. */
void machine_words_forget(struct machine_warp *warp, enum explain_space space);
