/* Branches, calls, special registers, constants, the stack, and exchanges between the lanes of a warp. */
#include <string.h>

#include "base/size.h"
#include "explain/machine/thread.h"

typedef const struct machine_instruction *one;

static bool has(one in, unsigned modifier)
{
    return (in->modifiers & modifier) != 0;
}

/* ---- branches ---- */

static const struct operand *label_of(one in)
{
    for (size_t i = 0; i < in->operand_count; i++)
        if (in->operands[i].kind == OPERAND_LABEL)
            return &in->operands[i];
    return NULL;
}

/* "BRA P1, `(.L)" has a second predicate. BRA.DIV branches if the warp has diverged; BRA.U.ANY serves its lanes one by
 * one. A single lane takes neither. */
static void branch(struct machine_thread *thread, one in)
{
    const struct operand *label = label_of(in);
    if (has(in, MODIFIER_DIV) || has(in, MODIFIER_ANY))
        return;
    if (!label || label->value > thread->code->count) {
        thread->is_done = thread->hit_unknown = true;
        return;
    }
    if (in->operands[0].kind == OPERAND_PREDICATE || in->operands[0].kind == OPERAND_UNIFORM_PREDICATE) {
        struct machine_word more = machine_predicate(thread, &in->operands[0]);
        thread->hit_unknown |= !more.is_known;
        if (more.is_known ? !more.value : !in->is_taken_unknown)
            return;
    }
    thread->next = label->value;
}

static void leave(struct machine_thread *thread, one in)
{
    (void)in;
    thread->is_done = true;
}

static void stop_unknown(struct machine_thread *thread, one in)
{
    (void)in;
    thread->is_done = thread->hit_unknown = true;
}

static void call(struct machine_thread *thread, one in)
{
    const struct operand *label = label_of(in);
    if (!label || label->value > thread->code->count || thread->call_count == MACHINE_CALLS_MAX) {
        stop_unknown(thread, in);
        return;
    }
    thread->calls[thread->call_count++] = thread->next;
    thread->next = label->value;
}

/* The return address is in a register. If its value is unknown, the instruction after the call is taken. */
static void give_back(struct machine_thread *thread, one in)
{
    struct machine_word to = machine_read(thread, &in->operands[0]);
    size_t behind = thread->call_count > 0 ? thread->calls[--thread->call_count] : SIZE_MAX;
    for (size_t i = 0; to.is_known && i < thread->code->count; i++)
        if (thread->code->instructions[i].offset == to.value) {
            thread->next = i;
            return;
        }
    if (behind == SIZE_MAX)
        stop_unknown(thread, in);
    else
        thread->next = behind;
}

static void nothing(struct machine_thread *thread, one in)
{
    (void)thread, (void)in;
}

/* ---- special registers and constants ---- */

static struct machine_word special(const struct machine_thread *thread, uint64_t which)
{
    uint32_t bit = 1u << thread->lane;
    if (which >= SPECIAL_ITEM && which < SPECIAL_ITEM + 3)
        return (struct machine_word){thread->item[which - SPECIAL_ITEM], true};
    if (which >= SPECIAL_GROUP && which < SPECIAL_GROUP + 3)
        return (struct machine_word){thread->group[which - SPECIAL_GROUP], true};
    switch (which) {
    case SPECIAL_ZERO:
        return (struct machine_word){0, true};
    case SPECIAL_LANE:
        return (struct machine_word){thread->lane, true};
    case SPECIAL_LANES_BELOW:
        return (struct machine_word){bit - 1, true};
    case SPECIAL_LANES_TO:
        return (struct machine_word){bit | (bit - 1), true};
    case SPECIAL_LANES_FROM:
        return (struct machine_word){~(bit - 1), true};
    case SPECIAL_LANES_ABOVE:
        return (struct machine_word){~(bit | (bit - 1)), true};
    default:
        return (struct machine_word){0, false};
    }
}

static void read_special(struct machine_thread *thread, one in)
{
    struct machine_word word = special(thread, in->operands[1].value);
    if (strcmp(in->opcode, "CS2R") == 0 && !has(in, MODIFIER_32))
        machine_write_wide(thread, &in->operands[0], word.value, word.is_known);
    else
        machine_write(thread, &in->operands[0], word);
}

static void load_constant(struct machine_thread *thread, one in)
{
    uint64_t wide;
    if (!has(in, MODIFIER_64)) {
        machine_write(thread, &in->operands[0], machine_read(thread, &in->operands[1]));
        return;
    }
    bool is_known = machine_read_wide(thread, &in->operands[1], false, &wide);
    machine_write_wide(thread, &in->operands[0], wide, is_known);
}

/* ---- predicates in a register: P2R R, PR, R, mask and R2P PR, R, mask ---- */

static void predicates_to_register(struct machine_thread *thread, one in)
{
    struct machine_word word = machine_read(thread, &in->operands[2]);
    uint32_t mask = (uint32_t)in->operands[3].value;
    for (unsigned i = 0; i < 7; i++)
        if (mask >> i & 1) {
            word.is_known &= thread->predicates[i].is_known;
            word.value = (word.value & ~(1u << i)) | (thread->predicates[i].value & 1) << i;
        }
    machine_write(thread, &in->operands[0], word);
}

static void register_to_predicates(struct machine_thread *thread, one in)
{
    struct machine_word word = machine_read(thread, &in->operands[1]);
    uint32_t mask = (uint32_t)in->operands[2].value;
    for (unsigned i = 0; i < 7; i++)
        if (mask >> i & 1)
            thread->predicates[i] = (struct machine_word){word.value >> i & 1, word.is_known};
}

/* ---- the stack ---- */

static size_t words_of(one in)
{
    return has(in, MODIFIER_128) ? 4 : has(in, MODIFIER_64) ? 2 : 1;
}

static bool stack_place(const struct machine_thread *thread, const struct operand *operand, size_t words, size_t *place)
{
    uint64_t at;
    if (!machine_address(thread, operand, &at) || at / 4 + words > MACHINE_STACK_WORDS)
        return false;
    *place = at / 4;
    return true;
}

static void put_words(struct machine_thread *thread, const struct operand *target, size_t words,
                      const struct machine_word *from)
{
    for (size_t i = 0; i < words; i++) {
        struct operand one_of = *target;
        one_of.number += target->number < 0 ? 0 : (int)i;
        machine_write(thread, &one_of, from ? from[i] : (struct machine_word){0, false});
    }
}

static void load_stack(struct machine_thread *thread, one in)
{
    size_t place;
    bool is_there = stack_place(thread, &in->operands[1], words_of(in), &place);
    put_words(thread, &in->operands[0], words_of(in), is_there ? &thread->stack[place] : NULL);
}

static void store_stack(struct machine_thread *thread, one in)
{
    size_t place;
    if (!stack_place(thread, &in->operands[0], words_of(in), &place))
        return;
    for (size_t i = 0; i < words_of(in); i++) {
        struct operand from = in->operands[1];
        from.number += from.number < 0 ? 0 : (int)i;
        thread->stack[place + i] = machine_read(thread, &from);
    }
}

/* ---- between lanes ---- */

/* SHFL.IDX of lane 0 is assumed to deliver the lane's own word: kernels use it to mark the warp's number as uniform. */
static void exchange(struct machine_thread *thread, one in)
{
    const struct operand *lane = &in->operands[3];
    struct machine_word word = machine_read(thread, &in->operands[2]), from = machine_read(thread, lane);
    word.is_known &= has(in, MODIFIER_IDX) && from.is_known && from.value == 0;
    machine_write(thread, &in->operands[1], word);
}

static void elect(struct machine_thread *thread, one in)
{
    machine_write_predicate(thread, &in->operands[0], (struct machine_word){thread->lane == 0, true});
}

/* Waits succeed at once: a barrier in shared memory has completed, registers are available. */
static void succeed(struct machine_thread *thread, one in)
{
    for (size_t i = 0; i < in->operand_count; i++)
        if (in->operands[i].kind == OPERAND_PREDICATE || in->operands[i].kind == OPERAND_UNIFORM_PREDICATE)
            machine_write_predicate(thread, &in->operands[i], (struct machine_word){1, true});
}

/* VOTE.ANY [R,] P, P: all lanes are assumed to vote alike. */
static void vote(struct machine_thread *thread, one in)
{
    struct machine_word own = machine_predicate(thread, &in->operands[in->operand_count - 1]);
    const struct operand *first = &in->operands[0];
    if (first->kind == OPERAND_REGISTER || first->kind == OPERAND_UNIFORM) {
        machine_write(thread, first, (struct machine_word){own.value ? UINT32_MAX : 0, own.is_known});
        first++;
    }
    if (first->kind == OPERAND_PREDICATE || first->kind == OPERAND_UNIFORM_PREDICATE)
        machine_write_predicate(thread, first, own);
}

machine_action machine_control_action(const char *opcode)
{
    static const struct {
        const char *opcode;
        machine_action action;
    } rows[] = {
        {"BRA", branch},
        {"BRX", stop_unknown},
        {"BRXU", stop_unknown},
        {"EXIT", leave},
        {"CALL", call},
        {"RET", give_back},
        {"S2R", read_special},
        {"S2UR", read_special},
        {"CS2R", read_special},
        {"LDC", load_constant},
        {"ULDC", load_constant},
        {"LDCU", load_constant},
        {"P2R", predicates_to_register},
        {"R2P", register_to_predicates},
        {"LDL", load_stack},
        {"STL", store_stack},
        {"SHFL", exchange},
        {"ELECT", elect},
        {"SYNCS", succeed},
        {"USETMAXREG", succeed},
        {"VOTE", vote},
        {"VOTEU", vote},
        {"NOP", nothing},
        {"BSSY", nothing},
        {"BSYNC", nothing},
        {"BREAK", nothing},
        {"BAR", nothing},
        {"WARPSYNC", nothing},
        {"YIELD", nothing},
        {"MEMBAR", nothing},
        {"UBLKCP", nothing},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(opcode, rows[i].opcode) == 0)
            return rows[i].action;
    return NULL;
}
