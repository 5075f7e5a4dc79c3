#include "explain/machine/warp.h"

#include <string.h>

/* ---- reading ---- */

static void broadcast(struct machine_register *room, uint32_t word, bool is_known)
{
    room->words = (machine_words){0} + word;
    room->known = is_known ? MACHINE_ALL : 0;
}

static void constant_at(const struct machine_warp *warp, const struct operand *operand, size_t more,
                        struct machine_register *room)
{
    uint64_t at = operand->value + more;
    uint32_t word = 0;
    if (operand->base >= 0) {
        const struct machine_register *base = &warp->registers[operand->base];
        room->known = 0;
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            uint64_t own = at + base->words[l];
            if ((base->known >> l & 1) && operand->number == 0 && own + 4 <= MACHINE_CONSTANT_BYTES) {
                memcpy(&word, warp->constants->bytes + own, 4);
                room->words[l] = word;
                room->known |= 1u << l;
            }
        }
        return;
    }
    if (operand->uniform >= 0) {
        const struct machine_register *base = &warp->uniforms[operand->uniform];
        at += base->words[0];
        if (!base->known)
            at = UINT64_MAX - 8;
    }
    bool is_known = operand->number == 0 && at + 4 <= MACHINE_CONSTANT_BYTES;
    if (is_known)
        memcpy(&word, warp->constants->bytes + at, 4);
    broadcast(room, word, is_known);
}

static const struct machine_register *plain(const struct machine_warp *warp, const struct operand *operand, int more,
                                            struct machine_register *room)
{
    switch (operand->kind) {
    case OPERAND_REGISTER:
        if (operand->number >= 0)
            return &warp->registers[(operand->number + more) % MACHINE_REGISTERS];
        break;
    case OPERAND_UNIFORM:
        if (operand->number >= 0)
            return &warp->uniforms[(operand->number + more) % MACHINE_UNIFORMS];
        break;
    case OPERAND_NUMBER:
        broadcast(room, more ? (uint32_t)(operand->value >> 32) : (uint32_t)operand->value, true);
        return room;
    case OPERAND_CONSTANT:
        constant_at(warp, operand, 4 * (size_t)more, room);
        return room;
    default:
        broadcast(room, 0, false);
        return room;
    }
    broadcast(room, 0, true);
    return room;
}

const struct machine_register *machine_read(const struct machine_warp *warp, const struct operand *operand,
                                            struct machine_register *room)
{
    const struct machine_register *found = plain(warp, operand, 0, room);
    if (!operand->inverted && !operand->negated)
        return found;
    room->words = operand->inverted ? ~found->words : found->words;
    room->known = found->known;
    if (operand->negated)
        room->words = 0 - room->words;
    return room;
}

static bool is_pair(const struct operand *operand)
{
    return (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_UNIFORM ||
            operand->kind == OPERAND_CONSTANT) &&
           !(operand->number < 0);
}

const struct machine_register *machine_read_high(const struct machine_warp *warp, const struct operand *operand,
                                                 bool is_signed, struct machine_register *room)
{
    if (is_pair(operand))
        return plain(warp, operand, 1, room);
    bool is_negative = operand->kind == OPERAND_NUMBER && is_signed && operand->value >> 31 & 1;
    broadcast(room, is_negative ? UINT32_MAX : 0, true);
    return room;
}

uint32_t machine_read_wide(const struct machine_warp *warp, const struct operand *operand, bool is_signed,
                           uint64_t values[MACHINE_LANES])
{
    struct machine_register rooms[2];
    const struct machine_register *low = plain(warp, operand, 0, &rooms[0]),
                                  *high = machine_read_high(warp, operand, is_signed, &rooms[1]);
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        uint64_t value = (uint64_t)high->words[l] << 32 | low->words[l];
        value = operand->inverted ? ~value : value;
        values[l] = operand->negated ? 0 - value : value;
    }
    return low->known & high->known;
}

struct machine_predicate machine_predicate_of(const struct machine_warp *warp, const struct operand *operand)
{
    struct machine_predicate found = {MACHINE_ALL, MACHINE_ALL};
    if (operand->number >= 0)
        found = operand->kind == OPERAND_UNIFORM_PREDICATE
                    ? warp->uniform_predicates[operand->number % MACHINE_PREDICATES]
                    : warp->predicates[operand->number % MACHINE_PREDICATES];
    if (operand->inverted)
        found.value = ~found.value;
    return found;
}

uint32_t machine_addresses(const struct machine_warp *warp, const struct operand *operand,
                           uint64_t addresses[MACHINE_LANES])
{
    uint64_t at = operand->value;
    uint32_t known = MACHINE_ALL;
    if (operand->uniform >= 0) {
        const struct machine_register *base = &warp->uniforms[operand->uniform];
        const struct machine_register *high = &warp->uniforms[(operand->uniform + 1) % MACHINE_UNIFORMS];
        bool is_pair_alone = operand->is_wide && operand->base < 0;
        known &= base->known;
        at += base->words[0] + (is_pair_alone ? (uint64_t)high->words[0] << 32 : 0);
    }
    if (operand->base < 0) {
        for (unsigned l = 0; l < MACHINE_LANES; l++)
            addresses[l] = operand->is_wide ? at : (uint32_t)at;
        return known;
    }
    const struct machine_register *low = &warp->registers[operand->base],
                                  *high = &warp->registers[(operand->base + 1) % MACHINE_REGISTERS];
    known &= low->known & (operand->is_wide ? high->known : MACHINE_ALL);
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        addresses[l] =
            operand->is_wide ? at + ((uint64_t)high->words[l] << 32 | low->words[l]) : (uint32_t)(at + low->words[l]);
    return known;
}

/* ---- writing ---- */

void machine_write(struct machine_warp *warp, const struct operand *operand, int more,
                   const struct machine_register *value)
{
    if (operand->number < 0)
        return;
    if (operand->kind == OPERAND_REGISTER) {
        struct machine_register *to = &warp->registers[(operand->number + more) % MACHINE_REGISTERS];
        warp->bits[(operand->number + more) % MACHINE_REGISTERS] = 0;
        if (warp->lanes == MACHINE_ALL) {
            *to = *value;
            return;
        }
        to->words = (value->words & warp->mask) | (to->words & ~warp->mask);
        to->known = (value->known & warp->lanes) | (to->known & ~warp->lanes);
    } else if (operand->kind == OPERAND_UNIFORM && warp->lanes) {
        int first = __builtin_ctz(warp->lanes);
        broadcast(&warp->uniforms[(operand->number + more) % MACHINE_UNIFORMS], value->words[first],
                  value->known >> first & 1);
    }
}

void machine_write_wide(struct machine_warp *warp, const struct operand *operand, const uint64_t values[MACHINE_LANES],
                        uint32_t known)
{
    struct machine_register low = {.known = known}, high = {.known = known};
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        low.words[l] = (uint32_t)values[l];
        high.words[l] = (uint32_t)(values[l] >> 32);
    }
    machine_write(warp, operand, 0, &low);
    machine_write(warp, operand, 1, &high);
}

void machine_write_predicate(struct machine_warp *warp, const struct operand *operand, struct machine_predicate value)
{
    if (operand->number < 0 || !is_predicate(operand))
        return;
    if (operand->kind == OPERAND_PREDICATE) {
        struct machine_predicate *to = &warp->predicates[operand->number % MACHINE_PREDICATES];
        to->value = (value.value & warp->lanes) | (to->value & ~warp->lanes);
        to->known = (value.known & warp->lanes) | (to->known & ~warp->lanes);
    } else if (warp->lanes) {
        int first = __builtin_ctz(warp->lanes);
        warp->uniform_predicates[operand->number % MACHINE_PREDICATES] = (struct machine_predicate){
            value.value >> first & 1 ? MACHINE_ALL : 0, value.known >> first & 1 ? MACHINE_ALL : 0};
    }
}

/* The leading predicate operands and the first register. */
void machine_forget(struct machine_warp *warp, const struct machine_instruction *instruction)
{
    static const struct machine_register unknown;
    static const struct machine_predicate none;
    if (instruction->has_no_result)
        return;
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const struct operand *operand = &instruction->operands[i];
        if (is_predicate(operand)) {
            machine_write_predicate(warp, operand, none);
            continue;
        }
        for (int w = 0; w < instruction->result_registers; w++)
            machine_write(warp, operand, w, &unknown);
        return;
    }
}

/* ---- fragments ---- */

static void drop(struct machine_warp *warp, size_t fragment)
{
    warp->fragments[fragment] = warp->fragments[--warp->fragment_count];
    if (warp->current >= fragment)
        warp->current = 0;
}

void machine_branch(struct machine_warp *warp, uint32_t lanes, size_t to)
{
    struct machine_fragment *one = &warp->fragments[warp->current];
    lanes &= one->lanes;
    if (!lanes)
        return;
    bool is_back = to < one->next;
    if (lanes == one->lanes || warp->fragment_count == MACHINE_LANES) {
        one->next = to;
        one->turns += is_back;
        return;
    }
    struct machine_fragment *other = &warp->fragments[warp->fragment_count++];
    *other = *one;
    other->lanes = lanes;
    other->next = to;
    one->lanes &= ~lanes;
    one->turns += is_back;
}

/* Fragments that waited for lanes which have ended, or came, go on as one. */
static void settle(struct machine_warp *warp)
{
    for (size_t i = 0; i < warp->fragment_count; i++) {
        struct machine_fragment *one = &warp->fragments[i];
        if (one->state != FRAGMENT_MEETS)
            continue;
        for (size_t k = warp->fragment_count; k-- > i + 1;) {
            struct machine_fragment *other = &warp->fragments[k];
            if (other->state != FRAGMENT_MEETS || other->next != one->next)
                continue;
            one->lanes |= other->lanes;
            size_t current = warp->current;
            drop(warp, k);
            warp->current = current < warp->fragment_count ? current : 0;
        }
        if ((one->meets & warp->left & ~one->lanes) == 0)
            one->state = FRAGMENT_RUNS;
    }
}

void machine_end(struct machine_warp *warp, uint32_t lanes)
{
    struct machine_fragment *one = &warp->fragments[warp->current];
    lanes &= one->lanes;
    warp->left &= ~lanes;
    one->lanes &= ~lanes;
    if (!one->lanes)
        drop(warp, warp->current);
    settle(warp);
}

void machine_meet(struct machine_warp *warp, uint32_t lanes)
{
    struct machine_fragment *one = &warp->fragments[warp->current];
    one->meets = lanes;
    one->state = FRAGMENT_MEETS;
    settle(warp);
}

#define TURNS_MOST 256 /* rounds of a loop until lanes elsewhere have their turn: these may wait for those */

bool machine_warp_can_run(struct machine_warp *warp)
{
    size_t count = warp->fragment_count;
    if (count == 0)
        return false;
    struct machine_fragment *one = &warp->fragments[warp->current];
    if (one->state == FRAGMENT_RUNS && one->turns < TURNS_MOST)
        return true;
    one->turns = 0;
    bool is_at_barrier = false;
    for (size_t n = 1; n <= count; n++) {
        size_t i = (warp->current + n) % count;
        is_at_barrier |= warp->fragments[i].state == FRAGMENT_BARRIER;
        if (warp->fragments[i].state == FRAGMENT_RUNS) {
            warp->current = i;
            return true;
        }
    }
    if (is_at_barrier)
        return false;
    for (size_t i = 0; i < count; i++) /* lanes that nobody will meet */
        warp->fragments[i].state = FRAGMENT_RUNS;
    return true;
}

size_t machine_warp_next(const struct machine_warp *warp)
{
    return warp->fragments[warp->current].next;
}

uint32_t machine_warp_waiting(const struct machine_warp *warp, unsigned *barrier)
{
    uint32_t lanes = 0;
    for (size_t i = 0; i < warp->fragment_count; i++) {
        const struct machine_fragment *one = &warp->fragments[i];
        if (one->state != FRAGMENT_BARRIER || (lanes && one->barrier != *barrier))
            continue;
        *barrier = one->barrier;
        lanes |= one->lanes;
    }
    return lanes;
}

void machine_warp_release(struct machine_warp *warp, unsigned barrier)
{
    for (size_t i = 0; i < warp->fragment_count; i++)
        if (warp->fragments[i].state == FRAGMENT_BARRIER && warp->fragments[i].barrier == barrier)
            warp->fragments[i].state = FRAGMENT_RUNS;
}

void machine_warp_begin(struct machine_warp *warp, uint32_t lanes)
{
    for (size_t i = 0; i < MACHINE_REGISTERS; i++)
        warp->registers[i].known = warp->bits[i] = 0;
    for (size_t i = 0; i < MACHINE_UNIFORMS; i++)
        warp->uniforms[i].known = 0;
    memset(warp->predicates, 0, sizeof warp->predicates);
    memset(warp->uniform_predicates, 0, sizeof warp->uniform_predicates);
    if (warp->stacks.count > 0)
        memset(warp->stacks.is_known, 0, warp->stacks.count * sizeof *warp->stacks.is_known);
    warp->fragments[0] = (struct machine_fragment){.lanes = lanes};
    warp->fragment_count = 1;
    warp->current = 0;
    warp->left = lanes;
    warp->mask_lanes = 0;
    warp->mask = (machine_words){0};
    warp->hit_unknown = warp->is_doubtful = false;
}

/* ---- a step ---- */

uint32_t machine_warp_lanes(const struct machine_warp *warp, const struct machine_instruction *instruction,
                            uint32_t *unknown)
{
    uint32_t lanes = warp->fragments[warp->current].lanes;
    *unknown = 0;
    if (!instruction->is_guarded)
        return lanes;
    struct operand operand = {.kind = instruction->guard_is_uniform ? OPERAND_UNIFORM_PREDICATE : OPERAND_PREDICATE,
                              .number = instruction->guard,
                              .inverted = instruction->guard_is_negated};
    struct machine_predicate guard = machine_predicate_of(warp, &operand);
    *unknown = lanes & ~guard.known;
    return lanes & (guard.value | ~guard.known);
}

static void choose_lanes(struct machine_warp *warp, uint32_t lanes)
{
    warp->lanes = lanes;
    if (warp->mask_lanes == lanes)
        return;
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        warp->mask[l] = lanes >> l & 1 ? UINT32_MAX : 0;
    warp->mask_lanes = lanes;
}

static void act(struct machine_warp *warp, const struct machine_instruction *instruction, uint32_t lanes)
{
    if (!lanes)
        return;
    choose_lanes(warp, lanes);
    if (instruction->action)
        instruction->action(warp, instruction);
    else
        machine_forget(warp, instruction);
}

void machine_step(struct machine_warp *warp)
{
    struct machine_fragment *one = &warp->fragments[warp->current];
    if (one->next >= warp->code->count) {
        machine_end(warp, one->lanes);
        return;
    }
    const struct machine_instruction *instruction = &warp->code->instructions[one->next];
    uint32_t unknown, lanes = machine_warp_lanes(warp, instruction, &unknown);
    one->next++;
    if (unknown && instruction->is_control) {
        warp->hit_unknown = true;
        if (!instruction->is_taken_unknown)
            lanes &= ~unknown;
        unknown = 0;
    }
    act(warp, instruction, lanes & ~unknown);
    if (unknown) {
        warp->is_doubtful = true;
        act(warp, instruction, unknown);
        machine_forget(warp, instruction);
        warp->is_doubtful = false;
    }
}
