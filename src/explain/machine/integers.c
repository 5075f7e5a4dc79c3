/* Integers: sums, products, shifts, logic, comparisons, choices and bits. */
#include <string.h>

#include "explain/machine/actions.h"
#include "explain/machine/arithmetic.h"

static inline uint32_t bit(uint32_t word, unsigned lane)
{
    return word >> lane & 1;
}

/* ---- sums: IADD3 R, [P, [P,]] a, b, c [, P, P] ---- */

static void add_plain(struct machine_warp *warp, one in)
{
    struct machine_register sum = {.known = MACHINE_ALL}, room;
    for (size_t i = 1; i < in->operand_count; i++) {
        const struct machine_register *addend = machine_read(warp, &in->operands[i], &room);
        sum.words += addend->words;
        sum.known &= addend->known;
    }
    machine_write(warp, &in->operands[0], 0, &sum);
}

/* A negated word is its complement plus one, so that the carry of a - b means a >= b. */
static void add_to(const struct machine_warp *warp, const struct operand *operand, uint64_t sums[MACHINE_LANES],
                   uint32_t *known)
{
    struct machine_register room;
    struct operand unsigned_one = *operand;
    unsigned_one.negated = false;
    const struct machine_register *addend = machine_read(warp, &unsigned_one, &room);
    *known &= addend->known;
    EACH_LANE(l) sums[l] += operand->negated ? (uint64_t)(uint32_t)~addend->words[l] + 1 : addend->words[l];
}

static void write_low(struct machine_warp *warp, const struct operand *operand, const uint64_t sums[MACHINE_LANES],
                      uint32_t known)
{
    struct machine_register result = {.known = known};
    EACH_LANE(l) result.words[l] = (uint32_t)sums[l];
    machine_write(warp, operand, 0, &result);
}

static void write_carry(struct machine_warp *warp, const struct operand *operand, const uint64_t sums[MACHINE_LANES],
                        uint64_t above, uint32_t known)
{
    struct machine_predicate carry = {0, known};
    EACH_LANE(l) carry.value |= (uint32_t)(sums[l] >> 32 > above) << l;
    machine_write_predicate(warp, operand, carry);
}

static void add(struct machine_warp *warp, one in)
{
    uint64_t sums[MACHINE_LANES] = {0};
    uint32_t known = MACHINE_ALL;
    size_t first = 1, carries = 0;
    bool is_plain = true;
    for (size_t i = 1; i < in->operand_count; i++)
        is_plain &= !is_predicate(&in->operands[i]);
    if (is_plain) {
        add_plain(warp, in);
        return;
    }
    for (; first < in->operand_count && is_predicate(&in->operands[first]); first++)
        carries++;
    for (size_t i = first; i < in->operand_count; i++) {
        const struct operand *operand = &in->operands[i];
        if (!is_predicate(operand)) {
            add_to(warp, operand, sums, &known);
            continue;
        }
        struct machine_predicate carry = machine_predicate_of(warp, operand);
        known &= carry.known;
        EACH_LANE(l) sums[l] += bit(carry.value, l);
    }
    for (size_t i = 0; i < carries; i++)
        write_carry(warp, &in->operands[1 + i], sums, i, known);
    write_low(warp, &in->operands[0], sums, known);
}

/* ---- products: IMAD R, [P,] a, b, c [, P] ---- */

/* Lanes whose factor is known to be zero. */
static uint32_t zeros_of(const struct machine_register *factor)
{
    uint32_t zeros = 0;
    EACH_LANE(l) zeros |= (uint32_t)(factor->words[l] == 0) << l;
    return zeros & factor->known;
}

/* A product with zero is known even if the other factor is not. */
static uint32_t known_products(const struct machine_register *a, const struct machine_register *b, uint32_t *zeros)
{
    uint32_t known = a->known & b->known;
    *zeros = known == MACHINE_ALL ? 0 : zeros_of(a) | zeros_of(b);
    return known | *zeros;
}

static void multiply_plain(struct machine_warp *warp, one in, const struct operand *operands)
{
    struct machine_register rooms[3], result;
    const struct machine_register *a = machine_read(warp, &operands[0], &rooms[0]),
                                  *b = machine_read(warp, &operands[1], &rooms[1]),
                                  *c = machine_read(warp, &operands[2], &rooms[2]);
    uint32_t zeros;
    result.known = known_products(a, b, &zeros) & c->known;
    result.words = a->words * b->words + c->words;
    if (zeros)
        EACH_LANE(l) if (bit(zeros, l)) result.words[l] = c->words[l];
    machine_write(warp, &in->operands[0], 0, &result);
}

static void multiply(struct machine_warp *warp, one in)
{
    bool has_carry = in->operand_count > 1 && is_predicate(&in->operands[1]), is_wide = has(in, MODIFIER_WIDE),
         is_high = has(in, MODIFIER_HI), is_unsigned = has(in, MODIFIER_U);
    const struct operand *operands = &in->operands[1 + has_carry];
    uint64_t addends[MACHINE_LANES], sums[MACHINE_LANES];
    struct machine_register rooms[2];
    struct machine_predicate carry = {0, MACHINE_ALL}, out = {0, 0};
    uint32_t zeros;
    if (!has_carry && !is_wide && !is_high && !has(in, MODIFIER_X)) {
        multiply_plain(warp, in, operands);
        return;
    }
    const struct machine_register *a = machine_read(warp, &operands[0], &rooms[0]),
                                  *b = machine_read(warp, &operands[1], &rooms[1]);
    uint32_t known = known_products(a, b, &zeros);
    if (is_wide || is_high) {
        known &= machine_read_wide(warp, &operands[2], !is_unsigned, addends);
    } else {
        struct machine_register room;
        const struct machine_register *c = machine_read(warp, &operands[2], &room);
        known &= c->known;
        EACH_LANE(l) addends[l] = c->words[l];
    }
    if (has(in, MODIFIER_X) && in->operand_count > 4U + has_carry)
        carry = machine_predicate_of(warp, &in->operands[4 + has_carry]);
    known &= carry.known;
    EACH_LANE(l)
    {
        uint64_t product = is_unsigned ? (uint64_t)a->words[l] * b->words[l]
                                       : (uint64_t)((int64_t)(int32_t)a->words[l] * (int32_t)b->words[l]);
        product = bit(zeros, l) ? 0 : product;
        sums[l] = product + addends[l] + bit(carry.value, l);
        out.value |= (uint32_t)(sums[l] < product) << l;
        sums[l] = is_high && !is_wide ? sums[l] >> 32 : sums[l];
    }
    out.known = known;
    if (has_carry)
        machine_write_predicate(warp, &in->operands[1], out);
    if (is_wide)
        machine_write_wide(warp, &in->operands[0], sums, known);
    else
        write_low(warp, &in->operands[0], sums, known);
}

/* ---- shifted sums: LEA R, [P,] a, b, [c,] shift [, P] ---- */

static void shift_add(struct machine_warp *warp, one in)
{
    size_t at = 1 + (in->operand_count > 1 && is_predicate(&in->operands[1]));
    bool is_high = has(in, MODIFIER_HI), is_extended = has(in, MODIFIER_SX32), has_high = is_high && !is_extended;
    uint64_t a[MACHINE_LANES] = {0}, b[MACHINE_LANES] = {0};
    uint32_t known = MACHINE_ALL;
    struct machine_register room;
    const struct machine_register *high = NULL;
    struct machine_predicate carry = {0, MACHINE_ALL};
    add_to(warp, &in->operands[at], a, &known);
    add_to(warp, &in->operands[at + 1], b, &known);
    if (has_high) {
        high = machine_read(warp, &in->operands[at + 2], &room);
        known &= high->known;
    }
    unsigned shift = in->operands[at + 2 + has_high].value & 31;
    if (has(in, MODIFIER_X))
        carry = machine_predicate_of(warp, &in->operands[at + 3 + has_high]);
    known &= carry.known;
    EACH_LANE(l)
    {
        uint32_t low = (uint32_t)a[l], above = high ? high->words[l] : is_extended && low >> 31 ? UINT32_MAX : 0;
        uint64_t moved = ((uint64_t)above << 32 | low) << shift;
        a[l] = (uint32_t)(is_high ? moved >> 32 : moved) + b[l] + bit(carry.value, l);
    }
    if (at == 2)
        write_carry(warp, &in->operands[1], a, 0, known);
    write_low(warp, &in->operands[0], a, known);
}

/* ---- shifts: SHF R, low, shift, high ---- */

static uint32_t shifted(one in, uint32_t low, uint32_t high, uint32_t by)
{
    unsigned most = has(in, MODIFIER_64) ? 64 : 32, count = has(in, MODIFIER_W) ? by % most : by > most ? most : by;
    uint64_t pair = (uint64_t)high << 32 | low, result;
    if (has(in, MODIFIER_L))
        result = count > 63 ? 0 : pair << count;
    else if (has(in, MODIFIER_S))
        result = (uint64_t)((int64_t)pair >> (count > 63 ? 63 : count));
    else
        result = count > 63 ? 0 : pair >> count;
    return has(in, MODIFIER_HI) ? (uint32_t)(result >> 32) : (uint32_t)result;
}

static void shift(struct machine_warp *warp, one in)
{
    struct machine_register rooms[3], result;
    const struct machine_register *low = machine_read(warp, &in->operands[1], &rooms[0]),
                                  *by = machine_read(warp, &in->operands[2], &rooms[1]),
                                  *high = machine_read(warp, &in->operands[3], &rooms[2]);
    result.known = low->known & by->known & high->known;
    EACH_LANE(l) result.words[l] = shifted(in, low->words[l], high->words[l], by->words[l]);
    machine_write(warp, &in->operands[0], 0, &result);
}

/* ---- logic ---- */

static machine_words combined(uint32_t table, const machine_words *a, const machine_words *b, const machine_words *c)
{
    machine_words result = {0};
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? *a : ~*a) & (i & 2 ? *b : ~*b) & (i & 1 ? *c : ~*c);
    return result;
}

/* The bits of an operand that all lanes know: compilers gather predicates as bits of a word that nobody set whole. */
static uint32_t known_bits(const struct machine_warp *warp, const struct operand *operand,
                           const struct machine_register *value)
{
    if ((value->known & warp->lanes) == warp->lanes)
        return MACHINE_ALL;
    return operand->kind == OPERAND_REGISTER && operand->number >= 0 ? warp->bits[operand->number] : 0;
}

/* The bits of a combination that are the same whatever the unknown bits of its operands are. */
static uint32_t combined_bits(const struct machine_warp *warp, uint32_t table,
                              const struct machine_register *const values[3], const struct operand operands[3])
{
    machine_words can[2] = {{0}, {0}};
    uint32_t common = MACHINE_ALL, bits[3];
    for (unsigned k = 0; k < 3; k++)
        bits[k] = known_bits(warp, &operands[k], values[k]);
    for (unsigned i = 0; i < 8; i++) {
        machine_words fits = ~(machine_words){0};
        for (unsigned k = 0; k < 3; k++)
            fits &= (i >> (2 - k) & 1 ? values[k]->words : ~values[k]->words) | ~bits[k];
        can[table >> i & 1] |= fits;
    }
    EACH_LANE(l)
    if (bit(warp->lanes, l))
        common &= can[0][l] ^ can[1][l];
    return common;
}

/* Writes a combination, of which these bits are known in the lanes that execute the instruction. */
static void write_bits(struct machine_warp *warp, const struct operand *to, const struct machine_register *value,
                       uint32_t bits)
{
    const bool is_register = to->kind == OPERAND_REGISTER && to->number >= 0;
    const uint32_t others = is_register ? ~warp->lanes & ~warp->registers[to->number].known : 0,
                   before = others ? warp->bits[to->number] : MACHINE_ALL;
    machine_write(warp, to, 0, value);
    if (is_register)
        warp->bits[to->number] = bits & before;
}

static void logic(struct machine_warp *warp, one in)
{
    size_t at = is_predicate(&in->operands[0]);
    struct machine_register rooms[3], result;
    const struct machine_register *values[3];
    uint32_t table = (uint32_t)in->operands[at + 4].value, bits = MACHINE_ALL;
    for (size_t i = 0; i < 3; i++)
        values[i] = machine_read(warp, &in->operands[at + 1 + i], &rooms[i]);
    const struct machine_register *a = values[0], *b = values[1], *c = values[2];
    result.known = a->known & b->known & c->known;
    result.words = table == 0xc0 ? a->words & b->words : combined(table, &a->words, &b->words, &c->words);
    if (table == 0xc0) /* a word that is known to be zero makes it so */
        result.known |= result.known == MACHINE_ALL ? 0 : zeros_of(a) | zeros_of(b);
    if (table == 0xc0 && result.known & ~(a->known & b->known))
        EACH_LANE(l) if (bit(~(a->known & b->known), l)) result.words[l] = 0;
    if ((result.known & warp->lanes) != warp->lanes)
        bits = combined_bits(warp, table, values, &in->operands[at + 1]);
    result.known |= bits == MACHINE_ALL ? warp->lanes : 0;
    if (at) {
        struct machine_predicate more = machine_predicate_of(warp, &in->operands[at + 5]);
        for (unsigned l = 0; l < MACHINE_LANES; l++)
            more.value |= (uint32_t)(result.words[l] != 0) << l;
        more.known &= result.known;
        machine_write_predicate(warp, &in->operands[0], more);
    }
    write_bits(warp, &in->operands[at], &result, bits);
}

/* PLOP3 P, P, a, b, c, table, table: the result is known if the table gives one value for all unknown inputs. */
static void predicate_logic(struct machine_warp *warp, one in)
{
    struct machine_predicate inputs[3];
    for (size_t i = 0; i < 3; i++)
        inputs[i] = machine_predicate_of(warp, &in->operands[2 + i]);
    for (size_t result = 0; result < 2; result++) {
        uint32_t table = (uint32_t)in->operands[5 + result].value, can[2] = {0, 0};
        for (unsigned i = 0; i < 8; i++) {
            uint32_t fits = MACHINE_ALL;
            for (unsigned k = 0; k < 3; k++)
                fits &= ~inputs[k].known | (i >> (2 - k) & 1 ? inputs[k].value : ~inputs[k].value);
            can[table >> i & 1] |= fits;
        }
        machine_write_predicate(warp, &in->operands[result], (struct machine_predicate){can[1], can[0] ^ can[1]});
    }
}

/* ---- comparisons: ISETP P, P, a, b, P [, P] ---- */

void machine_finish_comparison(struct machine_warp *warp, one in, struct machine_predicate result)
{
    struct machine_predicate more = machine_predicate_of(warp, &in->operands[4]);
    const uint32_t values[2] = {result.value, ~result.value};
    for (size_t i = 0; i < 2; i++) {
        struct machine_predicate joined = {values[i] & more.value, result.known & more.known};
        joined.known |= (result.known & ~values[i]) | (more.known & ~more.value); /* false and anything */
        if (has(in, MODIFIER_OR)) {
            joined.value = values[i] | more.value;
            joined.known = (result.known & more.known) | (result.known & values[i]) | (more.known & more.value);
        } else if (has(in, MODIFIER_XOR)) {
            joined.value = values[i] ^ more.value;
            joined.known = result.known & more.known;
        }
        machine_write_predicate(warp, &in->operands[i], joined);
    }
}

static void compare_integers(struct machine_warp *warp, one in)
{
    struct machine_register rooms[2];
    struct machine_predicate result = {0, 0}, low = {0, MACHINE_ALL};
    const struct machine_register *a = machine_read(warp, &in->operands[2], &rooms[0]),
                                  *b = machine_read(warp, &in->operands[3], &rooms[1]);
    bool is_unsigned = has(in, MODIFIER_U);
    if (has(in, MODIFIER_EX))
        low = machine_predicate_of(warp, &in->operands[5]);
    result.known = a->known & b->known;
    EACH_LANE(l)
    {
        int64_t left = is_unsigned ? (int64_t)a->words[l] : (int32_t)a->words[l];
        int64_t right = is_unsigned ? (int64_t)b->words[l] : (int32_t)b->words[l];
        bool is_low = has(in, MODIFIER_EX) && left == right;
        result.value |=
            (is_low ? bit(low.value, l) : (uint32_t)machine_compare(in->comparison, left < right, left == right, true))
            << l;
        result.known &= ~((uint32_t)(is_low && !bit(low.known, l)) << l);
    }
    machine_finish_comparison(warp, in, result);
}

/* ---- choices ---- */

static void choose(struct machine_warp *warp, one in)
{
    struct machine_register rooms[2], result;
    const struct machine_register *a = machine_read(warp, &in->operands[1], &rooms[0]),
                                  *b = machine_read(warp, &in->operands[2], &rooms[1]);
    struct machine_predicate which = machine_predicate_of(warp, &in->operands[3]);
    result.known = ((which.value & a->known) | (~which.value & b->known)) & which.known;
    EACH_LANE(l)
    {
        result.words[l] = bit(which.value, l) ? a->words[l] : b->words[l];
        result.known |= (bit(a->known & b->known, l) & (uint32_t)(a->words[l] == b->words[l])) << l;
    }
    machine_write(warp, &in->operands[0], 0, &result);
}

static uint32_t extreme(one in, uint32_t a, uint32_t b, bool is_least)
{
    bool is_less = has(in, MODIFIER_U) ? a < b : (int32_t)a < (int32_t)b;
    return is_less == is_least ? a : b;
}

/* VIMNMX R, a, b, P; VIMNMX3 R, a, b, c, P of three; VIADDMNMX adds the first two before the comparison. */
static void least_or_most(struct machine_warp *warp, one in)
{
    size_t last = in->operand_count - 1;
    struct machine_predicate which = machine_predicate_of(warp, &in->operands[last]);
    struct machine_register room, result = *machine_read(warp, &in->operands[1], &room);
    bool adds = strncmp(in->opcode, "VIADD", 5) == 0;
    for (size_t i = 2; i < last; i++) {
        const struct machine_register *next = machine_read(warp, &in->operands[i], &room);
        result.known &= next->known & which.known;
        if (adds && i == 2)
            result.words += next->words;
        else
            EACH_LANE(l) result.words[l] = extreme(in, result.words[l], next->words[l], bit(which.value, l));
    }
    machine_write(warp, &in->operands[0], 0, &result);
}

/* ---- bits of a word ---- */

static void move(struct machine_warp *warp, one in)
{
    struct machine_register room;
    machine_write(warp, &in->operands[0], 0, machine_read(warp, &in->operands[1], &room));
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

static void count_bits(struct machine_warp *warp, one in)
{
    struct machine_register room, result;
    const struct machine_register *word = machine_read(warp, &in->operands[in->operand_count - 1], &room);
    result.known = word->known;
    EACH_LANE(l) result.words[l] = of_bits(in, word->words[l]);
    machine_write(warp, &in->operands[0], 0, &result);
}

static uint32_t permuted(uint32_t a, uint32_t by, uint32_t b)
{
    uint64_t pair = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = by >> 4 * i & 15, byte = pair >> 8 * (selector & 7) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        result |= (uint32_t)byte << 8 * i;
    }
    return result;
}

/* PRMT R, a, selector, b: bytes selected from both words. Which of them are selected decides what must be known;
 * 0x7610 puts a value of 16 bits into a register, whose other half is not used. */
static void permute(struct machine_warp *warp, one in)
{
    struct machine_register rooms[3], result;
    const struct machine_register *a = machine_read(warp, &in->operands[1], &rooms[0]),
                                  *by = machine_read(warp, &in->operands[2], &rooms[1]),
                                  *b = machine_read(warp, &in->operands[3], &rooms[2]);
    result.known = 0;
    EACH_LANE(l)
    {
        uint32_t selector = by->words[l];
        bool takes_a = (~selector & 0x4444) != 0, takes_b = (selector & 0x4444) != 0 && selector != 0x7610;
        bool is_known = bit(by->known, l) && (!takes_a || bit(a->known, l)) && (!takes_b || bit(b->known, l));
        result.words[l] = permuted(a->words[l], selector, b->words[l]);
        result.known |= (uint32_t)is_known << l;
    }
    machine_write(warp, &in->operands[0], 0, &result);
}

const struct machine_opcodes machine_integer_opcodes[] = {
    {add, "IADD3 UIADD3 VIADD UVIADD"},
    {multiply, "IMAD UIMAD"},
    {shift_add, "LEA ULEA"},
    {shift, "SHF USHF"},
    {logic, "LOP3 ULOP3"},
    {predicate_logic, "PLOP3 UPLOP3"},
    {compare_integers, "ISETP UISETP"},
    {choose, "SEL USEL"},
    {least_or_most, "VIMNMX VIMNMX3 IMNMX UIMNMX UVIMNMX VIADDMNMX"},
    {move, "MOV UMOV R2UR"},
    {count_bits, "POPC UPOPC IABS UIABS BREV UBREV FLO UFLO"},
    {permute, "PRMT UPRMT"},
    {NULL, NULL},
};
