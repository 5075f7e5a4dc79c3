/* Branches, calls, barriers, special registers and constants. */
#include <string.h>

#include "explain/machine/actions.h"
#include "explain/machine/arithmetic.h"

static struct machine_fragment *current(struct machine_warp *warp)
{
    return &warp->fragments[warp->current];
}

static void leave(struct machine_warp *warp, one in)
{
    (void)in;
    machine_end(warp, warp->lanes);
}

static void stop_unknown(struct machine_warp *warp, one in)
{
    warp->hit_unknown = true;
    leave(warp, in);
}

/* "BRA P1, `(.L)" has a second predicate. BRA.DIV branches if the warp has diverged, and not to where the others come
 * together; BRA.U.ANY serves its lanes one by one: neither is taken. */
static void branch(struct machine_warp *warp, one in)
{
    const size_t to = machine_target(in);
    uint32_t lanes = warp->lanes;
    if (has(in, MODIFIER_DIV) || has(in, MODIFIER_ANY))
        return;
    if (to > warp->code->count) {
        stop_unknown(warp, in);
        return;
    }
    if (is_predicate(&in->operands[0])) {
        struct machine_predicate more = machine_predicate_of(warp, &in->operands[0]);
        uint32_t unknown = lanes & ~more.known;
        warp->hit_unknown |= unknown != 0;
        lanes &= (more.value & more.known) | (in->is_taken_unknown ? unknown : 0);
    }
    machine_branch(warp, lanes, to);
}

/* ---- calls: the return address is in a register, and the caller's on a stack besides ---- */

static void call(struct machine_warp *warp, one in)
{
    const size_t to = machine_target(in);
    struct machine_fragment *one_of = current(warp);
    if (to > warp->code->count) {
        stop_unknown(warp, in);
        return;
    }
    if (one_of->call_count < MACHINE_CALLS_MAX)
        one_of->calls[one_of->call_count] = one_of->next;
    one_of->call_count++;
    machine_branch(warp, warp->lanes, to);
}

static size_t instruction_at(const struct machine_code *code, uint32_t offset)
{
    size_t low = 0, high = code->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code->instructions[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->instructions[low].offset == offset ? low : SIZE_MAX;
}

/* Lanes may return to different places. Where the address is not known, the instruction behind the call is taken. */
static void give_back(struct machine_warp *warp, one in)
{
    struct machine_register room;
    const struct machine_register *to = machine_read(warp, &in->operands[0], &room);
    struct machine_fragment *one_of = current(warp);
    uint32_t left = warp->lanes;
    size_t depth = one_of->call_count > 0 ? --one_of->call_count : SIZE_MAX;
    size_t behind = depth < MACHINE_CALLS_MAX ? one_of->calls[depth] : SIZE_MAX;
    while (left) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t same = 0;
        bool is_known = to->known >> first & 1;
        EACH_LANE(l)
        if ((left >> l & 1) && (bool)(to->known >> l & 1) == is_known &&
            (!is_known || to->words[l] == to->words[first]))
            same |= 1u << l;
        size_t place = is_known ? instruction_at(warp->code, to->words[first]) : behind;
        place = place == SIZE_MAX ? behind : place;
        left &= ~same;
        if (place == SIZE_MAX) {
            warp->hit_unknown = true;
            machine_end(warp, same);
            return;
        }
        machine_branch(warp, same, place);
    }
}

/* ---- lanes that meet again ---- */

/* BSSY B0, `(.L): the lanes that are here will meet at BSYNC B0. */
static void begin_meeting(struct machine_warp *warp, one in)
{
    struct machine_fragment *one_of = current(warp);
    one_of->meeting[in->operands[0].number % MACHINE_BARRIERS] = one_of->lanes;
}

static void end_meeting(struct machine_warp *warp, one in)
{
    machine_meet(warp, current(warp)->meeting[in->operands[0].number % MACHINE_BARRIERS]);
}

/* BREAK B0: these lanes will not come; all that would meet them learn it. */
static void leave_meeting(struct machine_warp *warp, one in)
{
    int index = 0;
    for (size_t i = 0; i < in->operand_count; i++)
        if (in->operands[i].kind == OPERAND_BARRIER)
            index = in->operands[i].number % MACHINE_BARRIERS;
    uint32_t mask = current(warp)->meeting[index];
    for (size_t i = 0; i < warp->fragment_count; i++) {
        struct machine_fragment *other = &warp->fragments[i];
        if (other->meeting[index] == mask)
            other->meeting[index] &= ~warp->lanes;
        if (other->state == FRAGMENT_MEETS && other->meets == mask)
            other->meets &= ~warp->lanes;
    }
    machine_meet(warp, 0);
}

/* BMOV.32 R, B0; BMOV.32 B0, R; BMOV.32.CLEAR */
static void move_meeting(struct machine_warp *warp, one in)
{
    struct machine_fragment *one_of = current(warp);
    struct machine_register room, word = {.known = MACHINE_ALL};
    if (in->operand_count < 2)
        return;
    if (in->operands[0].kind == OPERAND_BARRIER) {
        const struct machine_register *from = machine_read(warp, &in->operands[1], &room);
        int first = __builtin_ctz(warp->lanes);
        if (from->known >> first & 1)
            one_of->meeting[in->operands[0].number % MACHINE_BARRIERS] = from->words[first];
    } else if (in->operands[1].kind == OPERAND_BARRIER) {
        word.words = (machine_words){0} + one_of->meeting[in->operands[1].number % MACHINE_BARRIERS];
        machine_write(warp, &in->operands[0], 0, &word);
    }
}

/* WARPSYNC mask; WARPSYNC.ALL */
static void meet(struct machine_warp *warp, one in)
{
    struct machine_register room;
    uint32_t lanes = MACHINE_ALL;
    if (!has(in, MODIFIER_ALL) && in->operand_count > 0) {
        const struct machine_register *mask = machine_read(warp, &in->operands[0], &room);
        int first = __builtin_ctz(warp->lanes);
        lanes = mask->known >> first & 1 ? mask->words[first] : 0;
    }
    machine_meet(warp, lanes);
}

/* BAR.SYNC and BAR.RED wait for the group; BAR.ARV does not. */
static void wait(struct machine_warp *warp, one in)
{
    struct machine_fragment *one_of = current(warp);
    if (machine_has_word(in, "ARV"))
        return;
    one_of->state = FRAGMENT_BARRIER;
    one_of->barrier =
        in->operand_count > 0 && in->operands[0].kind == OPERAND_NUMBER ? (unsigned)in->operands[0].value : 0;
}

static void nothing(struct machine_warp *warp, one in)
{
    (void)warp, (void)in;
}

/* Waits succeed at once: a barrier in shared memory has completed, registers are available. */
static void succeed(struct machine_warp *warp, one in)
{
    for (size_t i = 0; i < in->operand_count; i++)
        machine_write_predicate(warp, &in->operands[i], (struct machine_predicate){MACHINE_ALL, MACHINE_ALL});
}

/* ---- special registers and constants ---- */

static void read_special(struct machine_warp *warp, one in)
{
    uint64_t which = in->operands[1].value;
    struct machine_register word = {.known = which == SPECIAL_UNKNOWN ? 0 : MACHINE_ALL};
    if (which >= SPECIAL_ITEM && which < SPECIAL_ITEM + 3)
        word.words = warp->item[which - SPECIAL_ITEM];
    else if (which >= SPECIAL_GROUP && which < SPECIAL_GROUP + 3)
        word.words += warp->group[which - SPECIAL_GROUP];
    else
        EACH_LANE(l)
        {
            uint32_t own = 1u << l;
            word.words[l] = which == SPECIAL_LANE          ? l
                            : which == SPECIAL_LANES_BELOW ? own - 1
                            : which == SPECIAL_LANES_TO    ? own | (own - 1)
                            : which == SPECIAL_LANES_FROM  ? ~(own - 1)
                            : which == SPECIAL_LANES_ABOVE ? ~(own | (own - 1))
                                                           : 0;
        }
    machine_write(warp, &in->operands[0], 0, &word);
    if (strcmp(in->opcode, "CS2R") == 0 && !has(in, MODIFIER_32)) {
        word.words = (machine_words){0};
        machine_write(warp, &in->operands[0], 1, &word);
    }
}

static void load_constant(struct machine_warp *warp, one in)
{
    struct machine_register room;
    machine_write(warp, &in->operands[0], 0, machine_read(warp, &in->operands[1], &room));
    if (has(in, MODIFIER_64 | MODIFIER_128))
        machine_write(warp, &in->operands[0], 1, machine_read_high(warp, &in->operands[1], false, &room));
    for (int w = 2; has(in, MODIFIER_128) && w < 4; w++) {
        struct operand more = in->operands[1];
        more.value += 4 * (uint64_t)w;
        machine_write(warp, &in->operands[0], w, machine_read(warp, &more, &room));
    }
}

const struct machine_opcodes machine_control_opcodes[] = {
    {branch, "BRA"},
    {stop_unknown, "BRX BRXU JMX"},
    {leave, "EXIT"},
    {call, "CALL"},
    {give_back, "RET"},
    {begin_meeting, "BSSY"},
    {end_meeting, "BSYNC"},
    {leave_meeting, "BREAK"},
    {meet, "WARPSYNC"},
    {wait, "BAR"},
    {read_special, "S2R S2UR CS2R"},
    {load_constant, "LDC ULDC LDCU"},
    {succeed, "SYNCS USETMAXREG"},
    {nothing, "NOP YIELD MEMBAR UBLKCP ACQBULK"},
    {move_meeting, "BMOV"},
    {NULL, NULL},
};
