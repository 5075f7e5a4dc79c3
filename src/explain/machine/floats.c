/* Floats of 32 and 64 bits, conversions, roots and constants of half precision. Results are those of the host's
 * arithmetic: a last bit may differ, as it may where denormals are flushed. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"
#include "explain/machine/arithmetic.h"

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- reading and writing ---- */

/* A float's bits in each lane. */
static const struct machine_register *read_bits(const struct machine_warp *warp, const struct operand *operand,
                                                struct machine_register *room)
{
    struct operand plain = *operand;
    plain.negated = plain.inverted = false;
    if (operand->kind == OPERAND_NUMBER && operand->is_real)
        plain.value = as_bits((float)operand->real);
    *room = *machine_read(warp, &plain, room);
    room->words &= operand->absolute ? 0x7fffffffu : UINT32_MAX;
    room->words ^= operand->negated ? 0x80000000u : 0;
    return room;
}

static uint32_t read_doubles(const struct machine_warp *warp, const struct operand *operand,
                             double values[MACHINE_LANES])
{
    uint64_t bits[MACHINE_LANES];
    struct operand plain = *operand;
    plain.negated = plain.inverted = false;
    uint32_t known = machine_read_wide(warp, &plain, false, bits);
    EACH_LANE(l)
    {
        bits[l] = operand->kind == OPERAND_NUMBER ? operand->value << 32 : bits[l]; /* the upper half */
        memcpy(&values[l], &bits[l], sizeof bits[l]);
        values[l] = operand->kind == OPERAND_NUMBER && operand->is_real ? operand->real : values[l];
        values[l] = operand->absolute ? fabs(values[l]) : values[l];
        values[l] = operand->negated ? -values[l] : values[l];
    }
    return known;
}

/* Floats as doubles, which sum and multiply them exactly enough: the result, rounded to a float, is the same. */
static uint32_t read_numbers(const struct machine_warp *warp, const struct operand *operand, bool is_double,
                             double values[MACHINE_LANES])
{
    struct machine_register room;
    if (is_double)
        return read_doubles(warp, operand, values);
    const struct machine_register *words = read_bits(warp, operand, &room);
    EACH_LANE(l) values[l] = (double)as_float(words->words[l]);
    return words->known;
}

static void write_numbers(struct machine_warp *warp, const struct operand *operand, bool is_double,
                          const double values[MACHINE_LANES], uint32_t known)
{
    struct machine_register result = {.known = known};
    uint64_t bits[MACHINE_LANES];
    memcpy(bits, values, sizeof bits);
    if (is_double) {
        machine_write_wide(warp, operand, bits, known);
        return;
    }
    EACH_LANE(l) result.words[l] = as_bits((float)values[l]);
    machine_write(warp, operand, 0, &result);
}

static bool is_of_doubles(one in)
{
    return in->opcode[0] == 'D';
}

/* ---- arithmetic ---- */

/* A product's factors and, behind them, what is added: FADD a, b; FMUL a, b; FFMA a, b, c; … of doubles. */
static void compute(struct machine_warp *warp, one in)
{
    double a[MACHINE_LANES], b[MACHINE_LANES], c[MACHINE_LANES];
    const bool is_double = is_of_doubles(in), adds = in->opcode[1] == 'A', has_addend = in->opcode[1] == 'F';
    uint32_t known = read_numbers(warp, &in->operands[1], is_double, a);
    known &= read_numbers(warp, &in->operands[2], is_double, b);
    if (has_addend)
        known &= read_numbers(warp, &in->operands[3], is_double, c);
    if (has_addend && is_double)
        EACH_LANE(l) a[l] = fma(a[l], b[l], c[l]);
    else
        EACH_LANE(l) a[l] = adds ? a[l] + b[l] : has_addend ? a[l] * b[l] + c[l] : a[l] * b[l];
    write_numbers(warp, &in->operands[0], is_double, a, known);
}

/* FMNMX R, a, b, P: the least where P is true. */
static void least_or_most(struct machine_warp *warp, one in)
{
    double a[MACHINE_LANES], b[MACHINE_LANES];
    uint32_t known = read_numbers(warp, &in->operands[1], false, a);
    known &= read_numbers(warp, &in->operands[2], false, b);
    struct machine_predicate which = machine_predicate_of(warp, &in->operands[3]);
    EACH_LANE(l) a[l] = which.value >> l & 1 ? fmin(a[l], b[l]) : fmax(a[l], b[l]);
    write_numbers(warp, &in->operands[0], false, a, known & which.known);
}

/* The bits stay as they are: they may be half of a double. */
static void choose(struct machine_warp *warp, one in)
{
    struct machine_register rooms[2];
    const struct machine_register *a = read_bits(warp, &in->operands[1], &rooms[0]),
                                  *b = read_bits(warp, &in->operands[2], &rooms[1]);
    struct machine_predicate which = machine_predicate_of(warp, &in->operands[3]);
    struct machine_register result = {.known = which.known & ((which.value & a->known) | (~which.value & b->known))};
    EACH_LANE(l) result.words[l] = which.value >> l & 1 ? a->words[l] : b->words[l];
    machine_write(warp, &in->operands[0], 0, &result);
}

static void compare(struct machine_warp *warp, one in)
{
    double a[MACHINE_LANES], b[MACHINE_LANES];
    struct machine_predicate result = {0, 0};
    result.known = read_numbers(warp, &in->operands[2], is_of_doubles(in), a);
    result.known &= read_numbers(warp, &in->operands[3], is_of_doubles(in), b);
    EACH_LANE(l)
    result.value |= (uint32_t)machine_compare(in->comparison, a[l]<b[l], a[l] == b[l], a[l]> b[l]) << l;
    machine_finish_comparison(warp, in, result);
}

/* FCHK P, a, b: whether a division needs its slow path: not for ordinary operands. */
static void check(struct machine_warp *warp, one in)
{
    struct machine_register rooms[2];
    struct machine_predicate is_rare = {0, 0};
    const struct machine_register *a = read_bits(warp, &in->operands[1], &rooms[0]),
                                  *b = read_bits(warp, &in->operands[2], &rooms[1]);
    is_rare.known = a->known & b->known;
    EACH_LANE(l)
    {
        float x = fabsf(as_float(a->words[l])), y = fabsf(as_float(b->words[l]));
        bool is_ordinary = y > 0x1p-126f && y < 0x1p126f && (x == 0 || (x > 0x1p-100f && x < INFINITY)) &&
                           x / y < 0x1p127f && (x == 0 || x / y > 0x1p-126f);
        is_rare.value |= (uint32_t)(!is_ordinary) << l;
    }
    machine_write_predicate(warp, &in->operands[0], is_rare);
}

/* ---- conversions ---- */

/* I2F[.F64][.U32|.S64|.U64][.RP] R, a */
static void from_integer(struct machine_warp *warp, one in)
{
    uint64_t wide[MACHINE_LANES];
    double values[MACHINE_LANES];
    bool is_signed = !has(in, MODIFIER_U), is_long = has(in, MODIFIER_64), to_double = has(in, MODIFIER_F64);
    uint32_t known;
    const struct operand *from = &in->operands[1];
    if (is_long) {
        known = machine_read_wide(warp, from, is_signed, wide);
    } else {
        struct machine_register room;
        const struct machine_register *words = machine_read(warp, from, &room);
        known = words->known;
        EACH_LANE(l) wide[l] = is_signed ? (uint64_t)(int64_t)(int32_t)words->words[l] : words->words[l];
        if (has(in, MODIFIER_NARROW))
            EACH_LANE(l) wide[l] &= has(in, MODIFIER_BYTE) ? 0xff : 0xffff;
    }
    EACH_LANE(l)
    {
        values[l] = is_signed ? (double)(int64_t)wide[l] : (double)wide[l];
        float value = is_signed ? (float)(int64_t)wide[l] : (float)wide[l];
        bool is_below = (double)value < values[l];
        if (!to_double)
            values[l] = (double)(has(in, MODIFIER_RP) && is_below ? nextafterf(value, INFINITY) : value);
    }
    write_numbers(warp, &in->operands[0], to_double, values, known);
}

static double rounded(one in, double value)
{
    if (machine_has_word(in, "FLOOR"))
        return floor(value);
    if (machine_has_word(in, "CEIL"))
        return ceil(value);
    if (machine_has_word(in, "TRUNC"))
        return trunc(value);
    return nearbyint(value);
}

/* F2I[.U32|.S64|.U64][.F64].FLOOR|CEIL|TRUNC R, a */
static void to_integer(struct machine_warp *warp, one in)
{
    double values[MACHINE_LANES];
    uint64_t wide[MACHINE_LANES];
    struct machine_register result;
    bool is_unsigned = has(in, MODIFIER_U), is_long = has(in, MODIFIER_64);
    uint32_t known = read_numbers(warp, &in->operands[1], has(in, MODIFIER_F64), values);
    double most = is_long       ? is_unsigned ? 0x1p64 : 0x1p63
                  : is_unsigned ? 0x1p32
                                : 0x1p31,
           least = is_unsigned ? 0 : -most;
    EACH_LANE(l)
    {
        double value = isnan(values[l]) ? 0 : rounded(in, values[l]);
        wide[l] = value >= most    ? is_long ? is_unsigned ? UINT64_MAX : INT64_MAX : (uint64_t)most - 1
                  : value <= least ? (uint64_t)(int64_t)least
                  : value >= 0     ? (uint64_t)value
                                   : (uint64_t)(int64_t)value;
        result.words[l] = (uint32_t)wide[l];
    }
    result.known = known;
    if (is_long)
        machine_write_wide(warp, &in->operands[0], wide, known);
    else
        machine_write(warp, &in->operands[0], 0, &result);
}

/* Before Volta, F2F.F32.F32.FLOOR rounds. */
static bool rounds(one in)
{
    return in->opcode[1] == 'R' || machine_has_word(in, "FLOOR") || machine_has_word(in, "CEIL") ||
           machine_has_word(in, "TRUNC") || machine_has_word(in, "ROUND");
}

/* F2F.F32.F64, F2F.F64.F32, F2F.F32 … and FRND */
static void convert(struct machine_warp *warp, one in)
{
    double values[MACHINE_LANES];
    const char *to = strstr(in->words, ".F64."), *from = strstr(in->words, ".F32.");
    if (machine_has_word(in, "F16") || machine_has_word(in, "BF16")) {
        machine_forget(warp, in);
        return;
    }
    bool is_rounding = in->opcode[1] == 'R', to_double = to && (!from || to < from),
         from_double = to && from && from < to;
    if (is_rounding)
        to_double = from_double = to != NULL;
    uint32_t known = read_numbers(warp, &in->operands[1], from_double, values);
    if (rounds(in))
        EACH_LANE(l) values[l] = rounded(in, values[l]);
    write_numbers(warp, &in->operands[0], to_double, values, known);
}

/* ---- roots and the like ---- */

static double special_of(one in, double x)
{
    static const struct {
        const char *word;
        double (*function)(double);
    } rows[] = {{"SQRT", sqrt}, {"LG2", log2}, {"EX2", exp2}, {"TANH", tanh}};
    const double turn = 6.283185307179586; /* RRO has divided by it */
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (machine_has_word(in, rows[i].word))
            return rows[i].function(x);
    if (machine_has_word(in, "SIN"))
        return sin(x * turn);
    if (machine_has_word(in, "COS"))
        return cos(x * turn);
    return strstr(in->words, "RSQ") ? 1 / sqrt(x) : 1 / x;
}

/* MUFU.RCP64H and RSQ64H take and give the upper word of a double. */
static void special(struct machine_warp *warp, one in)
{
    struct machine_register result;
    const bool is_upper = strstr(in->words, "64H") != NULL;
    result = *read_bits(warp, &in->operands[1], &result);
    EACH_LANE(l)
    {
        uint64_t bits = (uint64_t)result.words[l] << 32;
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        wide = special_of(in, is_upper ? wide : (double)as_float(result.words[l]));
        memcpy(&bits, &wide, sizeof bits);
        result.words[l] = is_upper ? (uint32_t)(bits >> 32) : as_bits((float)wide);
    }
    machine_write(warp, &in->operands[0], 0, &result);
}

/* The bits of a half-precision constant that is exactly representable. */
static uint32_t half_bits(double value)
{
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (magnitude == 0 || magnitude > 65504)
        return sign | (magnitude > 0 ? 0x7c00 : 0);
    if (magnitude < 0x1p-14)
        return sign | (uint32_t)(magnitude * 0x1p24);
    int exponent;
    double fraction = frexp(magnitude, &exponent); /* in [0.5, 1) */
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)(fraction * 2048) & 0x3ff);
}

static uint32_t half_of(const struct operand *constant)
{
    return half_bits(constant->negated ? -constant->real : constant->real);
}

/* "HFMA2 R, -RZ, RZ, high, low" loads a constant into a register. Other half-precision products are unknown. */
static void halves(struct machine_warp *warp, one in)
{
    bool is_constant = in->operand_count == 5 && in->operands[1].kind == OPERAND_REGISTER &&
                       in->operands[1].number < 0 && in->operands[2].number < 0 && in->operands[3].is_real &&
                       in->operands[4].is_real;
    uint32_t word = is_constant ? half_of(&in->operands[3]) << 16 | half_of(&in->operands[4]) : 0;
    struct machine_register result = {.known = is_constant ? MACHINE_ALL : 0};
    result.words = (machine_words){0} + word;
    machine_write(warp, &in->operands[0], 0, &result);
}

const struct machine_opcodes machine_float_opcodes[] = {
    {compute, "FADD FMUL FFMA DADD DMUL DFMA"},
    {compare, "FSETP DSETP"},
    {choose, "FSEL"},
    {least_or_most, "FMNMX"},
    {check, "FCHK"},
    {from_integer, "I2F I2FP"},
    {to_integer, "F2I"},
    {convert, "F2F FRND"},
    {special, "MUFU"},
    {halves, "HFMA2"},
    {NULL, NULL},
};
