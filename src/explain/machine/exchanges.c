/* Between the lanes of a warp: exchanges, votes, and what they add up. */
#include "explain/machine/actions.h"
#include "explain/machine/arithmetic.h"

/* SHFL.IDX|UP|DOWN|BFLY P, R, word, lane, mask: the low bits of `mask` bound the lane, those from the eighth on divide
 * the warp into segments. */
static void exchange(struct machine_warp *warp, one in)
{
    struct machine_register rooms[3], result = {.known = 0};
    const struct machine_register *word = machine_read(warp, &in->operands[2], &rooms[0]),
                                  *by = machine_read(warp, &in->operands[3], &rooms[1]),
                                  *bounds = machine_read(warp, &in->operands[4], &rooms[2]);
    struct machine_predicate inside = {0, by->known & bounds->known};
    EACH_LANE(l)
    {
        unsigned clamp = bounds->words[l] & 31, segment = bounds->words[l] >> 8 & 31, b = by->words[l] & 31;
        unsigned most = (l & segment) | (clamp & ~segment), least = l & segment;
        int from = has(in, MODIFIER_UP)     ? (int)l - (int)b
                   : has(in, MODIFIER_DOWN) ? (int)(l + b)
                   : has(in, MODIFIER_BFLY) ? (int)(l ^ b)
                                            : (int)(least | (b & ~segment));
        bool is_inside = has(in, MODIFIER_UP) ? from >= (int)most : from <= (int)most;
        unsigned source = is_inside ? (unsigned)from & 31 : l;
        result.words[l] = word->words[source];
        result.known |= (inside.known >> l & word->known >> source & 1) << l;
        inside.value |= (uint32_t)is_inside << l;
    }
    machine_write(warp, &in->operands[1], 0, &result);
    machine_write_predicate(warp, &in->operands[0], inside);
}

/* VOTE.ANY|ALL|EQ [R,] P, P: of the lanes that execute it. */
static void vote(struct machine_warp *warp, one in)
{
    struct machine_predicate own = machine_predicate_of(warp, &in->operands[in->operand_count - 1]);
    const struct operand *first = &in->operands[0];
    uint32_t yes = own.value & warp->lanes, is_known = (own.known & warp->lanes) == warp->lanes ? MACHINE_ALL : 0;
    if (!is_predicate(first)) {
        struct machine_register ballot = {.known = is_known};
        ballot.words = (machine_words){0} + yes;
        machine_write(warp, first, 0, &ballot);
        first++;
    }
    bool is_so = has(in, MODIFIER_ALL)  ? yes == warp->lanes
                 : has(in, MODIFIER_EQ) ? yes == warp->lanes || yes == 0
                                        : yes != 0;
    if (is_predicate(first))
        machine_write_predicate(warp, first, (struct machine_predicate){is_so ? MACHINE_ALL : 0, is_known});
}

static void elect(struct machine_warp *warp, one in)
{
    uint32_t first = warp->lanes & (0 - warp->lanes);
    for (size_t i = 0; i < in->operand_count; i++)
        if (is_predicate(&in->operands[i])) {
            machine_write_predicate(warp, &in->operands[i], (struct machine_predicate){first, MACHINE_ALL});
            return;
        }
}

static uint32_t reduced(one in, uint32_t a, uint32_t b)
{
    if (has(in, MODIFIER_OR))
        return a | b;
    if (has(in, MODIFIER_XOR))
        return a ^ b;
    if (machine_has_word(in, "SUM"))
        return a + b;
    bool is_less = has(in, MODIFIER_S) ? (int32_t)a < (int32_t)b : a < b;
    if (machine_has_word(in, "MIN"))
        return is_less ? a : b;
    if (machine_has_word(in, "MAX"))
        return is_less ? b : a;
    return a & b;
}

/* REDUX[.SUM|MIN|MAX|OR|XOR][.S32] UR, R */
static void reduce(struct machine_warp *warp, one in)
{
    struct machine_register room, result;
    const struct machine_register *word = machine_read(warp, &in->operands[1], &room);
    uint32_t left = warp->lanes, value = word->words[__builtin_ctz(left)];
    for (left &= left - 1; left; left &= left - 1)
        value = reduced(in, value, word->words[__builtin_ctz(left)]);
    result.words = (machine_words){0} + value;
    result.known = (word->known & warp->lanes) == warp->lanes ? MACHINE_ALL : 0;
    machine_write(warp, &in->operands[0], 0, &result);
}

/* MATCH.ANY R, a: the lanes that have the same word. */
static void match(struct machine_warp *warp, one in)
{
    struct machine_register room, result = {.known = 0};
    size_t at = is_predicate(&in->operands[0]) ? 1 : 0;
    const struct machine_register *word = machine_read(warp, &in->operands[at + 1], &room);
    bool is_known = (word->known & warp->lanes) == warp->lanes && has(in, MODIFIER_ANY) && !has(in, MODIFIER_64);
    EACH_LANE(l)
    {
        uint32_t same = 0;
        EACH_LANE(k) same |= (uint32_t)(word->words[k] == word->words[l]) << k;
        result.words[l] = same & warp->lanes;
    }
    result.known = is_known ? MACHINE_ALL : 0;
    machine_write(warp, &in->operands[at], 0, &result);
    if (at)
        machine_write_predicate(warp, &in->operands[0], (struct machine_predicate){0, 0});
}

/* ---- predicates in a register: P2R R, PR, R, mask and R2P PR, R, mask ---- */

static void predicates_to_register(struct machine_warp *warp, one in)
{
    struct machine_register room, result = *machine_read(warp, &in->operands[2], &room);
    uint32_t mask = (uint32_t)in->operands[3].value;
    for (unsigned i = 0; i < 7; i++)
        if (mask >> i & 1) {
            result.known &= warp->predicates[i].known;
            EACH_LANE(l)
            result.words[l] = (result.words[l] & ~(1u << i)) | (warp->predicates[i].value >> l & 1) << i;
        }
    machine_write(warp, &in->operands[0], 0, &result);
}

static void register_to_predicates(struct machine_warp *warp, one in)
{
    struct machine_register room;
    const struct machine_register *word = machine_read(warp, &in->operands[1], &room);
    uint32_t mask = (uint32_t)in->operands[2].value;
    for (int i = 0; i < 7; i++) {
        const struct operand target = {.kind = OPERAND_PREDICATE, .number = i};
        struct machine_predicate value = {0, word->known};
        EACH_LANE(l) value.value |= (word->words[l] >> i & 1) << l;
        if (mask >> i & 1)
            machine_write_predicate(warp, &target, value);
    }
}

const struct machine_opcodes machine_exchange_opcodes[] = {
    {exchange, "SHFL"},
    {vote, "VOTE VOTEU"},
    {elect, "ELECT"},
    {reduce, "REDUX CREDUX"},
    {match, "MATCH"},
    {predicates_to_register, "P2R"},
    {register_to_predicates, "R2P"},
    {NULL, NULL},
};
