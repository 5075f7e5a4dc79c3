/* Atomic operations: lanes take them one after another. */
#include <string.h>

#include "explain/machine/actions.h"
#include "explain/machine/words.h"

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t sum_of(one in, uint64_t a, uint64_t b)
{
    if (has(in, MODIFIER_F32)) {
        float sum = as_float((uint32_t)a) + as_float((uint32_t)b);
        uint32_t bits;
        memcpy(&bits, &sum, sizeof bits);
        return bits;
    }
    if (has(in, MODIFIER_F64)) {
        double sum = as_double(a) + as_double(b);
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        return bits;
    }
    return a + b;
}

static bool is_less(one in, uint64_t a, uint64_t b)
{
    if (!has(in, MODIFIER_S))
        return a < b;
    return has(in, MODIFIER_64) ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
}

/* What is in memory behind the operation; `b` is what a compare and swap stores. */
static uint64_t changed(one in, uint64_t old, uint64_t a, uint64_t b)
{
    if (machine_has_word(in, "ADD"))
        return sum_of(in, old, a);
    if (machine_has_word(in, "EXCH"))
        return a;
    if (machine_has_word(in, "INC"))
        return machine_has_word(in, "POPC") ? old + 1 : old >= a ? 0 : old + 1;
    if (machine_has_word(in, "DEC"))
        return old == 0 || old > a ? a : old - 1;
    if (machine_has_word(in, "MIN"))
        return is_less(in, a, old) ? a : old;
    if (machine_has_word(in, "MAX"))
        return is_less(in, old, a) ? a : old;
    if (has(in, MODIFIER_OR))
        return old | a;
    if (has(in, MODIFIER_XOR))
        return old ^ a;
    if (machine_has_word(in, "AND"))
        return old & a;
    return old == a ? b : old; /* CAS, CAST */
}

struct operation {
    enum explain_space space;
    bool is_wide, is_swap;
    uint64_t a[MACHINE_LANES], b[MACHINE_LANES];
    uint32_t known; /* lanes that know what they bring */
};

static bool read_place(struct machine_warp *warp, const struct operation *operation, unsigned lane, uint64_t at,
                       uint64_t *old)
{
    uint32_t low = 0, high = 0;
    bool is_known = machine_word_read(warp, operation->space, lane, at, 4, &low);
    if (operation->is_wide)
        is_known &= machine_word_read(warp, operation->space, lane, at + 4, 4, &high);
    *old = (uint64_t)high << 32 | low;
    return is_known;
}

static void write_place(struct machine_warp *warp, const struct operation *operation, unsigned lane, uint64_t at,
                        uint64_t value, bool is_known)
{
    machine_word_write(warp, operation->space, lane, at, 4, (uint32_t)value, is_known);
    if (operation->is_wide)
        machine_word_write(warp, operation->space, lane, at + 4, 4, (uint32_t)(value >> 32), is_known);
}

static uint32_t read_values(const struct machine_warp *warp, const struct operand *operand, bool is_wide,
                            uint64_t values[MACHINE_LANES])
{
    struct machine_register room;
    if (is_wide)
        return machine_read_wide(warp, operand, false, values);
    const struct machine_register *words = machine_read(warp, operand, &room);
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        values[l] = words->words[l];
    return words->known;
}

/* ATOMG [P,] R, desc[…][R.64], a [, b]; REDG desc[…][R.64], a. A compare and swap that may fail of its own accord
 * (CAST.SPIN) gives 1 where it did not. */
static void operate(struct machine_warp *warp, one in)
{
    uint64_t at[MACHINE_LANES], results[MACHINE_LANES] = {0};
    size_t place = 0;
    while (place < in->operand_count && in->operands[place].kind != OPERAND_ADDRESS)
        place++;
    if (place == in->operand_count) {
        machine_forget(warp, in);
        return;
    }
    struct operation operation = {.space = machine_space_of(in), .known = MACHINE_ALL};
    operation.is_wide = has(in, MODIFIER_64 | MODIFIER_F64);
    operation.is_swap = machine_has_word(in, "CAS") || machine_has_word(in, "CAST");
    bool is_cast = machine_has_word(in, "CAST"), is_odd = strstr(in->words, "F16") != NULL || strstr(in->words, "BF16");
    size_t values = in->operand_count - place - 1;
    if (values > 0)
        operation.known &= read_values(warp, &in->operands[place + 1], operation.is_wide, operation.a);
    if (values > 1)
        operation.known &= read_values(warp, &in->operands[place + 2], operation.is_wide, operation.b);
    uint32_t known = machine_addresses(warp, &in->operands[place], at), known_results = 0;
    if (warp->lanes & ~known)
        machine_words_forget(warp, operation.space);
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        if (!(warp->lanes & known & 1u << l))
            continue;
        uint64_t old = 0;
        bool is_known = read_place(warp, &operation, l, at[l], &old);
        bool knows = is_known && (operation.known >> l & 1) && !is_odd;
        write_place(warp, &operation, l, at[l], changed(in, old, operation.a[l], operation.b[l]), knows);
        results[l] = is_cast ? old == operation.a[l] : old;
        known_results |= (uint32_t)(is_cast ? knows : is_known) << l;
    }
    if (in->has_no_result || place == 0)
        return;
    if (operation.is_wide)
        machine_write_wide(warp, &in->operands[place - 1], results, known_results);
    else {
        struct machine_register result = {.known = known_results};
        for (unsigned l = 0; l < MACHINE_LANES; l++)
            result.words[l] = (uint32_t)results[l];
        machine_write(warp, &in->operands[place - 1], 0, &result);
    }
}

const struct machine_opcodes machine_atomic_opcodes[] = {
    {operate, "ATOM ATOMG ATOMS RED REDG"},
    {NULL, NULL},
};
