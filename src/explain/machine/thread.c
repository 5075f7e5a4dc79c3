#include "explain/machine/thread.h"

#include <string.h>

/* ---- reading ---- */

static struct machine_word constant_at(const struct machine_thread *thread, const struct operand *operand, size_t more)
{
    uint64_t at = operand->value + more;
    if (operand->base >= 0) {
        struct machine_word base = thread->registers[operand->base];
        if (!base.is_known)
            return (struct machine_word){0, false};
        at += base.value;
    }
    struct machine_word word = {0, operand->number == 0 && at + 4 <= MACHINE_CONSTANT_BYTES};
    if (word.is_known)
        memcpy(&word.value, thread->constants->bytes + at, 4);
    return word;
}

static struct machine_word plain(const struct machine_thread *thread, const struct operand *operand, int more)
{
    switch (operand->kind) {
    case OPERAND_REGISTER:
        if (operand->number < 0)
            return (struct machine_word){0, true};
        return thread->registers[(operand->number + more) % MACHINE_REGISTERS];
    case OPERAND_UNIFORM:
        if (operand->number < 0)
            return (struct machine_word){0, true};
        return thread->uniforms[(operand->number + more) % MACHINE_UNIFORMS];
    case OPERAND_NUMBER:
        return (struct machine_word){more ? (uint32_t)(operand->value >> 32) : (uint32_t)operand->value, true};
    case OPERAND_CONSTANT:
        return constant_at(thread, operand, 4 * (size_t)more);
    default:
        return (struct machine_word){0, false};
    }
}

struct machine_word machine_read(const struct machine_thread *thread, const struct operand *operand)
{
    struct machine_word word = plain(thread, operand, 0);
    if (operand->inverted)
        word.value = ~word.value;
    if (operand->negated)
        word.value = 0 - word.value;
    return word;
}

bool machine_read_wide(const struct machine_thread *thread, const struct operand *operand, bool is_signed,
                       uint64_t *value)
{
    struct machine_word low = plain(thread, operand, 0), high = {0, true};
    bool is_pair =
        (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_UNIFORM || operand->kind == OPERAND_CONSTANT) &&
        !(operand->number < 0);
    if (is_pair)
        high = plain(thread, operand, 1);
    else if (operand->kind == OPERAND_NUMBER && is_signed)
        high.value = low.value >> 31 ? UINT32_MAX : 0;
    *value = (uint64_t)high.value << 32 | low.value;
    if (operand->inverted)
        *value = ~*value;
    if (operand->negated)
        *value = 0 - *value;
    return low.is_known && high.is_known;
}

struct machine_word machine_predicate(const struct machine_thread *thread, const struct operand *operand)
{
    struct machine_word word = {1, true};
    if (operand->number >= 0)
        word = operand->kind == OPERAND_UNIFORM_PREDICATE
                   ? thread->uniform_predicates[operand->number % MACHINE_PREDICATES]
                   : thread->predicates[operand->number % MACHINE_PREDICATES];
    word.value = (word.value & 1) ^ (operand->inverted ? 1 : 0);
    return word;
}

bool machine_address(const struct machine_thread *thread, const struct operand *operand, uint64_t *address)
{
    uint64_t at = operand->value;
    if (operand->base >= 0) {
        const struct machine_word *base = &thread->registers[operand->base];
        if (!base[0].is_known || (operand->is_wide && !base[1].is_known))
            return false;
        at += base[0].value + (operand->is_wide ? (uint64_t)base[1].value << 32 : 0);
    }
    if (operand->uniform >= 0) {
        const struct machine_word *base = &thread->uniforms[operand->uniform];
        if (!base->is_known)
            return false;
        at += base->value;
    }
    *address = operand->is_wide ? at : (uint32_t)at;
    return true;
}

/* ---- writing ---- */

static void put(struct machine_thread *thread, const struct operand *operand, int more, struct machine_word word)
{
    if (operand->number < 0)
        return;
    if (operand->kind == OPERAND_REGISTER)
        thread->registers[(operand->number + more) % MACHINE_REGISTERS] = word;
    else if (operand->kind == OPERAND_UNIFORM)
        thread->uniforms[(operand->number + more) % MACHINE_UNIFORMS] = word;
}

void machine_write(struct machine_thread *thread, const struct operand *operand, struct machine_word word)
{
    put(thread, operand, 0, word);
}

void machine_write_wide(struct machine_thread *thread, const struct operand *operand, uint64_t value, bool is_known)
{
    put(thread, operand, 0, (struct machine_word){(uint32_t)value, is_known});
    put(thread, operand, 1, (struct machine_word){(uint32_t)(value >> 32), is_known});
}

void machine_write_predicate(struct machine_thread *thread, const struct operand *operand, struct machine_word word)
{
    if (operand->number < 0)
        return;
    if (operand->kind == OPERAND_PREDICATE)
        thread->predicates[operand->number % MACHINE_PREDICATES] = word;
    else if (operand->kind == OPERAND_UNIFORM_PREDICATE)
        thread->uniform_predicates[operand->number % MACHINE_PREDICATES] = word;
}

/* ---- a step ---- */

/* Marks the results as unknown: the leading predicate operands and the first register. */
static void forget(struct machine_thread *thread, const struct machine_instruction *instruction)
{
    static const struct machine_word unknown = {0, false};
    if (instruction->has_no_result)
        return;
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const struct operand *operand = &instruction->operands[i];
        if (operand->kind == OPERAND_PREDICATE || operand->kind == OPERAND_UNIFORM_PREDICATE) {
            machine_write_predicate(thread, operand, unknown);
            continue;
        }
        for (int w = 0; w < instruction->result_registers; w++)
            put(thread, operand, w, unknown);
        return;
    }
}

static struct machine_word guard_of(const struct machine_thread *thread, const struct machine_instruction *instruction)
{
    struct operand operand = {.kind = instruction->guard_is_uniform ? OPERAND_UNIFORM_PREDICATE : OPERAND_PREDICATE,
                              .number = instruction->guard,
                              .inverted = instruction->guard_is_negated};
    return machine_predicate(thread, &operand);
}

bool machine_step(struct machine_thread *thread)
{
    if (thread->is_done || thread->next >= thread->code->count)
        return false;
    const struct machine_instruction *instruction = &thread->code->instructions[thread->next++];
    thread->was_executed = true;
    if (instruction->is_guarded) {
        struct machine_word guard = guard_of(thread, instruction);
        bool is_control = instruction->opcode[0] == 'B' || instruction->opcode[0] == 'E';
        if (!guard.is_known) {
            if (!is_control) {
                if (instruction->when_unknown)
                    instruction->when_unknown(thread, instruction);
                forget(thread, instruction);
                return true;
            }
            thread->hit_unknown = true;
            if (!instruction->is_taken_unknown)
                return true;
        } else if (!guard.value) {
            thread->was_executed = false;
            return true;
        }
    }
    if (instruction->action)
        instruction->action(thread, instruction);
    else
        forget(thread, instruction);
    return !thread->is_done;
}
