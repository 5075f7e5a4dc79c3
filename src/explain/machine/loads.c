/* Loads and stores of global memory, of the group's and of the lanes' own, and copies between them. */
#include "explain/machine/actions.h"
#include "explain/machine/words.h"

static int words_of(one in)
{
    return has(in, MODIFIER_128) ? 4 : has(in, MODIFIER_64) ? 2 : 1;
}

static unsigned bytes_of(one in)
{
    return has(in, MODIFIER_BYTE) ? 1 : has(in, MODIFIER_HALF) ? 2 : 4;
}

static const struct operand *address_of(one in, size_t which)
{
    for (size_t i = 0; i < in->operand_count; i++)
        if (in->operands[i].kind == OPERAND_ADDRESS && which-- == 0)
            return &in->operands[i];
    return NULL;
}

static uint32_t extended(one in, uint32_t word)
{
    if (!has(in, MODIFIER_SIGNED))
        return word;
    return has(in, MODIFIER_BYTE) ? (uint32_t)(int32_t)(int8_t)word : (uint32_t)(int32_t)(int16_t)word;
}

static void load(struct machine_warp *warp, one in)
{
    uint64_t at[MACHINE_LANES];
    const struct operand *from = address_of(in, 0);
    enum explain_space space = machine_space_of(in);
    if (!from) {
        machine_forget(warp, in);
        return;
    }
    uint32_t known = machine_addresses(warp, from, at);
    for (int w = 0; w < words_of(in); w++) {
        struct machine_register result = {.known = 0};
        EACH_LANE(l)
        {
            uint32_t word = 0;
            if (warp->lanes & known & 1u << l &&
                machine_word_read(warp, space, l, at[l] + 4 * (uint64_t)w, bytes_of(in), &word))
                result.known |= 1u << l;
            result.words[l] = extended(in, word);
        }
        /* "LDG P0, R2, …" has a predicate before its register. */
        machine_write(warp, &in->operands[is_predicate(&in->operands[0])], w, &result);
    }
}

static void store(struct machine_warp *warp, one in)
{
    uint64_t at[MACHINE_LANES];
    const struct operand *to = address_of(in, 0);
    enum explain_space space = machine_space_of(in);
    if (!to)
        return;
    uint32_t known = machine_addresses(warp, to, at);
    if (warp->lanes & ~known)
        machine_words_forget(warp, space);
    for (int w = 0; w < words_of(in); w++) {
        struct machine_register room;
        struct operand from = to[1];
        from.number += from.number < 0 ? 0 : w;
        const struct machine_register *words = machine_read(warp, &from, &room);
        EACH_LANE(l)
        if (warp->lanes & known & 1u << l)
            machine_word_write(warp, space, l, at[l] + 4 * (uint64_t)w, bytes_of(in), words->words[l],
                               words->known >> l & 1);
    }
}

/* LDGSTS [shared], desc[…][global] */
static void copy(struct machine_warp *warp, one in)
{
    uint64_t to[MACHINE_LANES], from[MACHINE_LANES];
    const struct operand *target = address_of(in, 0), *source = address_of(in, 1);
    if (!target || !source)
        return;
    uint32_t known = machine_addresses(warp, target, to) & machine_addresses(warp, source, from);
    EACH_LANE(l)
    for (uint64_t w = 0; warp->lanes & known & 1u << l && w < (uint64_t)words_of(in); w++) {
        uint32_t word = 0;
        bool is_known = machine_word_read(warp, EXPLAIN_GLOBAL, l, from[l] + 4 * w, 4, &word);
        machine_word_write(warp, EXPLAIN_SHARED, l, to[l] + 4 * w, 4, word, is_known);
    }
}

const struct machine_opcodes machine_load_opcodes[] = {
    {load, "LDG LD LDS LDL"},
    {store, "STG ST STS STL"},
    {copy, "LDGSTS"},
    {NULL, NULL},
};
