/* Integers: sums, products, shifts, logic, comparisons, choices and bits. */
#include <string.h>

#include "base/size.h"
#include "explain/machine/arithmetic.h"

static bool is_predicate(const struct operand *operand)
{
    return operand->kind == OPERAND_PREDICATE || operand->kind == OPERAND_UNIFORM_PREDICATE;
}

/* ---- sums: IADD3 R, [P, [P,]] a, b, c [, P, P] ---- */

/* A negated word is its complement plus one, so that the carry of a - b means a >= b. */
static uint64_t addend(const struct machine_thread *thread, const struct operand *operand, bool *is_known)
{
    struct operand plain = *operand;
    plain.negated = false;
    struct machine_word word = machine_read(thread, &plain);
    *is_known &= word.is_known;
    return operand->negated ? (uint64_t)(uint32_t)~word.value + 1 : word.value;
}

static void add(struct machine_thread *thread, one in)
{
    size_t first = 1, carries = 0;
    while (first < in->operand_count && is_predicate(&in->operands[first])) {
        first++;
        carries++;
    }
    bool is_known = true;
    uint64_t sum = 0;
    for (size_t i = first; i < in->operand_count; i++) {
        const struct operand *operand = &in->operands[i];
        if (is_predicate(operand)) {
            struct machine_word carry = machine_predicate(thread, operand);
            is_known &= carry.is_known;
            sum += carry.value;
        } else {
            sum += addend(thread, operand, &is_known);
        }
    }
    for (size_t i = 0; i < carries; i++)
        machine_write_predicate(thread, &in->operands[1 + i], known(sum >> 32 > i, is_known));
    machine_write(thread, &in->operands[0], known((uint32_t)sum, is_known));
}

/* ---- products: IMAD R, [P,] a, b, c [, P] ---- */

static uint64_t product(one in, uint32_t a, uint32_t b)
{
    if (has(in, MODIFIER_U))
        return (uint64_t)a * b;
    return (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
}

static void multiply(struct machine_thread *thread, one in)
{
    bool has_carry = in->operand_count > 1 && is_predicate(&in->operands[1]), is_wide = has(in, MODIFIER_WIDE);
    const struct operand *operands = &in->operands[1 + has_carry];
    struct machine_word a = machine_read(thread, &operands[0]), b = machine_read(thread, &operands[1]);
    bool is_known = a.is_known && b.is_known, is_long = is_wide || has(in, MODIFIER_HI);
    /* A product with zero is known even if the other factor is not. */
    if ((a.is_known && a.value == 0) || (b.is_known && b.value == 0)) {
        is_known = true;
        a.value = b.value = 0;
    }
    uint64_t addend = 0, result = product(in, a.value, b.value);
    if (is_long) {
        is_known &= machine_read_wide(thread, &operands[2], !has(in, MODIFIER_U), &addend);
    } else {
        struct machine_word c = machine_read(thread, &operands[2]);
        is_known &= c.is_known;
        addend = c.value;
    }
    uint64_t sum = result + addend;
    if (has(in, MODIFIER_X) && in->operand_count > 4U + has_carry) {
        struct machine_word carry = machine_predicate(thread, &in->operands[4 + has_carry]);
        is_known &= carry.is_known;
        sum += carry.value;
    }
    if (has_carry)
        machine_write_predicate(thread, &in->operands[1], known(sum < result, is_known));
    if (is_wide)
        machine_write_wide(thread, &in->operands[0], sum, is_known);
    else
        machine_write(thread, &in->operands[0],
                      known(has(in, MODIFIER_HI) ? (uint32_t)(sum >> 32) : (uint32_t)sum, is_known));
}

/* ---- shifted sums: LEA R, [P,] a, b, [c,] shift [, P] ---- */

static void shift_add(struct machine_thread *thread, one in)
{
    size_t at = 1 + (in->operand_count > 1 && is_predicate(&in->operands[1]));
    const struct operand *carry_out = at == 2 ? &in->operands[1] : NULL;
    bool is_high = has(in, MODIFIER_HI), has_high = is_high && !has(in, MODIFIER_SX32), is_known = true;
    uint64_t a = addend(thread, &in->operands[at], &is_known), b = addend(thread, &in->operands[at + 1], &is_known);
    struct machine_word high = {has(in, MODIFIER_SX32) && a >> 31 & 1 ? UINT32_MAX : 0, true};
    if (has_high)
        high = machine_read(thread, &in->operands[at + 2]);
    uint64_t shift = in->operands[at + 2 + has_high].value & 31;
    uint64_t moved = ((uint64_t)high.value << 32 | (uint32_t)a) << shift;
    uint64_t sum = (uint32_t)(is_high ? moved >> 32 : moved) + b;
    is_known &= high.is_known;
    if (has(in, MODIFIER_X)) {
        struct machine_word carry = machine_predicate(thread, &in->operands[at + 3 + has_high]);
        is_known &= carry.is_known;
        sum += carry.value;
    }
    if (carry_out)
        machine_write_predicate(thread, carry_out, known(sum >> 32 != 0, is_known));
    machine_write(thread, &in->operands[0], known((uint32_t)sum, is_known));
}

/* ---- shifts: SHF R, low, shift, high ---- */

static void shift(struct machine_thread *thread, one in)
{
    struct machine_word low = machine_read(thread, &in->operands[1]), by = machine_read(thread, &in->operands[2]),
                        high = machine_read(thread, &in->operands[3]);
    bool is_known = low.is_known && by.is_known && high.is_known, is_long = has(in, MODIFIER_64);
    unsigned most = is_long ? 64 : 32, count = by.value;
    if (has(in, MODIFIER_W))
        count %= most;
    else if (count > most)
        count = most;
    uint64_t pair = (uint64_t)high.value << 32 | low.value, result;
    if (has(in, MODIFIER_L))
        result = count > 63 ? 0 : pair << count;
    else if (has(in, MODIFIER_S))
        result = (uint64_t)((int64_t)pair >> (count > 63 ? 63 : count));
    else
        result = count > 63 ? 0 : pair >> count;
    machine_write(thread, &in->operands[0],
                  known(has(in, MODIFIER_HI) ? (uint32_t)(result >> 32) : (uint32_t)result, is_known));
}

/* ---- logic ---- */

static void logic(struct machine_thread *thread, one in)
{
    size_t at = is_predicate(&in->operands[0]);
    struct machine_word a = machine_read(thread, &in->operands[at + 1]),
                        b = machine_read(thread, &in->operands[at + 2]),
                        c = machine_read(thread, &in->operands[at + 3]);
    uint32_t table = (uint32_t)in->operands[at + 4].value, result = 0, words[] = {a.value, b.value, c.value};
    bool is_known = a.is_known && b.is_known && c.is_known;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? words[0] : ~words[0]) & (i & 2 ? words[1] : ~words[1]) & (i & 1 ? words[2] : ~words[2]);
    if (at) {
        struct machine_word more = machine_predicate(thread, &in->operands[at + 5]);
        machine_write_predicate(thread, &in->operands[0], known(result != 0 || more.value, is_known && more.is_known));
    }
    machine_write(thread, &in->operands[at], known(result, is_known));
}

/* PLOP3 P, P, a, b, c, table, table: the result is known if the table gives one value for all unknown inputs. */
static void predicate_logic(struct machine_thread *thread, one in)
{
    struct machine_word inputs[3];
    for (size_t i = 0; i < 3; i++)
        inputs[i] = machine_predicate(thread, &in->operands[2 + i]);
    for (size_t result = 0; result < 2; result++) {
        uint32_t table = (uint32_t)in->operands[5 + result].value;
        bool can[2] = {false, false};
        for (unsigned i = 0; i < 8; i++) {
            bool fits = true;
            for (unsigned k = 0; k < 3; k++)
                fits &= !inputs[k].is_known || inputs[k].value == (i >> (2 - k) & 1);
            if (fits)
                can[table >> i & 1] = true;
        }
        machine_write_predicate(thread, &in->operands[result], known(can[1], can[0] != can[1]));
    }
}

/* ---- comparisons: ISETP P, P, a, b, P [, P] ---- */

static void compare_integers(struct machine_thread *thread, one in)
{
    struct machine_word a = machine_read(thread, &in->operands[2]), b = machine_read(thread, &in->operands[3]);
    int64_t left = has(in, MODIFIER_U) ? (int64_t)a.value : (int32_t)a.value;
    int64_t right = has(in, MODIFIER_U) ? (int64_t)b.value : (int32_t)b.value;
    struct machine_word result = known(machine_compare(in->comparison, left, right), a.is_known && b.is_known);
    if (has(in, MODIFIER_EX)) {
        struct machine_word low = machine_predicate(thread, &in->operands[5]);
        bool decides_low = left == right;
        result.is_known &= low.is_known || !decides_low;
        if (decides_low)
            result.value = low.value;
    }
    machine_finish_comparison(thread, in, result);
}

/* ---- choices ---- */

static void choose(struct machine_thread *thread, one in)
{
    struct machine_word a = machine_read(thread, &in->operands[1]), b = machine_read(thread, &in->operands[2]),
                        which = machine_predicate(thread, &in->operands[3]);
    struct machine_word result = which.value ? a : b;
    bool is_same = a.is_known && b.is_known && a.value == b.value;
    result.is_known &= which.is_known || is_same;
    machine_write(thread, &in->operands[0], result);
}

static uint32_t extreme(one in, uint32_t a, uint32_t b, bool is_least)
{
    bool is_less = has(in, MODIFIER_U) ? a < b : (int32_t)a < (int32_t)b;
    return is_less == is_least ? a : b;
}

/* VIMNMX R, a, b, P; VIMNMX3 R, a, b, c, P of three; VIADDMNMX adds the first two before the comparison. */
static void least_or_most(struct machine_thread *thread, one in)
{
    size_t count = in->operand_count - 2;
    struct machine_word which = machine_predicate(thread, &in->operands[in->operand_count - 1]);
    struct machine_word result = machine_read(thread, &in->operands[1]);
    bool adds = strncmp(in->opcode, "VIADD", 5) == 0;
    for (size_t i = 2; i <= count; i++) {
        struct machine_word next = machine_read(thread, &in->operands[i]);
        result.is_known &= next.is_known && which.is_known;
        result.value =
            adds && i == 2 ? result.value + next.value : extreme(in, result.value, next.value, which.value != 0);
    }
    machine_write(thread, &in->operands[0], result);
}

/* ---- bits of a word ---- */

static void move(struct machine_thread *thread, one in)
{
    machine_write(thread, &in->operands[0], machine_read(thread, &in->operands[1]));
}

static uint32_t of_bits(one in, uint32_t word)
{
    if (strstr(in->opcode, "POPC"))
        return (uint32_t)__builtin_popcount(word);
    if (strstr(in->opcode, "IABS"))
        return (int32_t)word < 0 ? 0 - word : word;
    if (strstr(in->opcode, "BREV")) {
        uint32_t turned = 0;
        for (unsigned i = 0; i < 32; i++)
            turned |= (word >> i & 1) << (31 - i);
        return turned;
    }
    if (!has(in, MODIFIER_U) && (int32_t)word < 0)
        word = ~word;
    if (word == 0)
        return UINT32_MAX;
    uint32_t zeros = (uint32_t)__builtin_clz(word);
    return has(in, MODIFIER_SH) ? zeros : 31 - zeros;
}

static void count_bits(struct machine_thread *thread, one in)
{
    struct machine_word word = machine_read(thread, &in->operands[in->operand_count - 1]);
    machine_write(thread, &in->operands[0], known(of_bits(in, word.value), word.is_known));
}

/* PRMT R, a, selector, b: bytes selected from both words. */
static void permute(struct machine_thread *thread, one in)
{
    struct machine_word a = machine_read(thread, &in->operands[1]), by = machine_read(thread, &in->operands[2]),
                        b = machine_read(thread, &in->operands[3]);
    uint64_t pair = (uint64_t)b.value << 32 | a.value;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = by.value >> 4 * i & 15, byte = pair >> 8 * (selector & 7) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        result |= (uint32_t)byte << 8 * i;
    }
    /* 0x7610 puts a value of 16 bits into a register: what its other half holds is not used. */
    bool b_matters = !(by.is_known && by.value == 0x7610);
    machine_write(thread, &in->operands[0], known(result, a.is_known && (b.is_known || !b_matters) && by.is_known));
}

machine_action machine_integer_action(const char *opcode)
{
    static const struct {
        const char *opcode;
        machine_action action;
    } rows[] = {
        {"IADD3", add},
        {"UIADD3", add},
        {"VIADD", add},
        {"UVIADD", add},
        {"IMAD", multiply},
        {"UIMAD", multiply},
        {"LEA", shift_add},
        {"ULEA", shift_add},
        {"SHF", shift},
        {"USHF", shift},
        {"LOP3", logic},
        {"ULOP3", logic},
        {"PLOP3", predicate_logic},
        {"UPLOP3", predicate_logic},
        {"ISETP", compare_integers},
        {"UISETP", compare_integers},
        {"SEL", choose},
        {"USEL", choose},
        {"VIMNMX", least_or_most},
        {"VIMNMX3", least_or_most},
        {"IMNMX", least_or_most},
        {"UIMNMX", least_or_most},
        {"UVIMNMX", least_or_most},
        {"VIADDMNMX", least_or_most},
        {"MOV", move},
        {"UMOV", move},
        {"R2UR", move},
        {"POPC", count_bits},
        {"UPOPC", count_bits},
        {"IABS", count_bits},
        {"UIABS", count_bits},
        {"BREV", count_bits},
        {"UBREV", count_bits},
        {"FLO", count_bits},
        {"UFLO", count_bits},
        {"PRMT", permute},
        {"UPRMT", permute},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(opcode, rows[i].opcode) == 0)
            return rows[i].action;
    return NULL;
}
