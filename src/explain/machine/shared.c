/* Shared memory: words that threads of the group stored, where both the address and the word were known. Threads run
 * one after another, each to its end, so a word has the value that an earlier thread left: right for what one thread
 * prepares for all, such as the bounds of their loops. */
#include <string.h>

#include "base/size.h"
#include "explain/machine/thread.h"

typedef const struct machine_instruction *one;

static size_t words_of(one in)
{
    return in->modifiers & MODIFIER_128 ? 4 : in->modifiers & MODIFIER_64 ? 2 : 1;
}

/* Finds the words that the operand addresses; false: the address is unknown, or outside what is kept. */
static bool find(const struct machine_thread *thread, const struct operand *operand, size_t words, size_t *place)
{
    uint64_t at;
    if (!thread->shared || !machine_address(thread, operand, &at) || at / 4 + words > thread->shared->count)
        return false;
    *place = at / 4;
    return true;
}

/* "LDS.U8 R0, [R1]" and the like move a part of a word, which stays unknown. */
static void load(struct machine_thread *thread, one in)
{
    size_t place = 0, words = words_of(in);
    bool is_there = !(in->modifiers & MODIFIER_NARROW) && find(thread, &in->operands[1], words, &place);
    for (size_t i = 0; i < words; i++) {
        struct operand target = in->operands[0];
        target.number += target.number < 0 ? 0 : (int)i;
        machine_write(thread, &target, is_there ? thread->shared->words[place + i] : (struct machine_word){0, false});
    }
}

/* A store or an atomic operation at an unknown address may have changed any word. */
static void forget_all(struct machine_thread *thread, const struct operand *operand)
{
    uint64_t at;
    for (size_t i = 0; thread->shared && !machine_address(thread, operand, &at) && i < thread->shared->count; i++)
        thread->shared->words[i].is_known = false;
}

static void store(struct machine_thread *thread, one in)
{
    size_t place = 0, words = words_of(in);
    forget_all(thread, &in->operands[0]);
    if (!find(thread, &in->operands[0], words, &place))
        return;
    for (size_t i = 0; i < words; i++) {
        struct operand from = in->operands[1];
        from.number += from.number < 0 ? 0 : (int)i;
        thread->shared->words[place + i] =
            in->modifiers & MODIFIER_NARROW ? (struct machine_word){0, false} : machine_read(thread, &from);
    }
}

/* The word that an atomic operation leaves is unknown, as other threads' operations are in it. */
static void change(struct machine_thread *thread, one in)
{
    machine_forget_stored(thread, in);
    machine_write(thread, &in->operands[0], (struct machine_word){0, false});
}

void machine_forget_stored(struct machine_thread *thread, one in)
{
    size_t place = 0;
    bool is_store = strcmp(in->opcode, "STS") == 0, is_atomic = strcmp(in->opcode, "ATOMS") == 0;
    for (size_t i = 0; (is_store || is_atomic) && i < in->operand_count; i++) {
        if (in->operands[i].kind != OPERAND_ADDRESS)
            continue;
        forget_all(thread, &in->operands[i]);
        if (find(thread, &in->operands[i], words_of(in), &place))
            for (size_t w = 0; w < words_of(in); w++)
                thread->shared->words[place + w].is_known = false;
    }
}

machine_action machine_shared_action(const char *opcode)
{
    static const struct {
        const char *opcode;
        machine_action action;
    } rows[] = {{"LDS", load}, {"STS", store}, {"ATOMS", change}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(opcode, rows[i].opcode) == 0)
            return rows[i].action;
    return NULL;
}
