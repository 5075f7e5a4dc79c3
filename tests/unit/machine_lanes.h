/* One lane's arithmetic of SASS's instructions, written down as PTX has it, and the instructions in a table. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- a lane's words ---- */

/* R1 to R4; R6, R7 and R8, R9: pairs; P1, P2 and P3. */
struct operands {
    uint32_t a, b, c, d;
    uint64_t wide, other;
    bool p, q, r;
};

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t as_wide(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- one lane's result; `out` receives the predicates P4 and P5 ---- */

typedef uint64_t (*reference)(const struct operands *l, bool out[2]);

#define WORD(name, value)                                       \
    static uint64_t name(const struct operands *l, bool out[2]) \
    {                                                           \
        (void)out;                                              \
        (void)l;                                                \
        return value;                                           \
    }
#define WITH(name, first, second, value)                        \
    static uint64_t name(const struct operands *l, bool out[2]) \
    {                                                           \
        out[0] = first;                                         \
        out[1] = second;                                        \
        (void)l;                                                \
        return value;                                           \
    }

#define SUM(x, y, z) ((uint64_t)(x) + (uint64_t)(y) + (uint64_t)(z))
#define LESS(x, y) ((x) < (y) ? (x) : (y))
#define MORE(x, y) ((x) > (y) ? (x) : (y))
#define S(x) ((int32_t)(x))
#define PAIR(high, low) ((uint64_t)(high) << 32 | (low))

WORD(add3, (uint32_t)(l->a + l->b + l->c))
WORD(subtract, (uint32_t)(l->a - l->b + l->c))
WITH(add_carry, SUM(l->a, l->b, 0) >> 32 != 0, false, (uint32_t)(l->a + l->b))
WITH(add_carries, SUM(l->a, l->b, l->c) >> 32 > 0, SUM(l->a, l->b, l->c) >> 32 > 1, (uint32_t)(l->a + l->b + l->c))
WITH(subtract_borrow, l->a >= l->b, false, (uint32_t)(l->a - l->b))
WITH(add_with, SUM(l->a, l->b, l->p) >> 32 != 0, false, (uint32_t)(l->a + l->b + l->p))
WITH(subtract_with, SUM(l->a, (uint32_t)~l->b, l->p) >> 32 != 0, false, (uint32_t)(l->a + ~l->b + l->p))
WORD(add_seven, (uint32_t)(l->a + 7))
WORD(multiply, (uint32_t)(l->a * l->b + l->c))
WORD(multiply_negated, (uint32_t)(l->a * l->b - l->c))
WORD(multiply_with, (uint32_t)(l->a * l->b + l->c + l->p))
WORD(wide_signed, (uint64_t)((int64_t)S(l->a) * S(l->b)) + l->wide)
WORD(wide_unsigned, (uint64_t)l->a * l->b + l->wide)
WITH(wide_carry, (uint64_t)l->a * l->b + l->wide < (uint64_t)l->a * l->b, false, (uint64_t)l->a * l->b + l->wide)
WORD(high_signed, (uint32_t)(((uint64_t)((int64_t)S(l->a) * S(l->b)) + l->wide) >> 32))
WORD(high_unsigned, (uint32_t)(((uint64_t)l->a * l->b + l->wide) >> 32))
WORD(shift_add, (uint32_t)((l->a << 5) + l->b))
WITH(shift_add_carry, SUM((uint32_t)(l->a << 5), l->b, 0) >> 32 != 0, false, (uint32_t)((l->a << 5) + l->b))
WORD(shift_add_high, (uint32_t)((uint32_t)(PAIR(l->c, l->a) << 27 >> 32) + l->b))
WORD(shift_add_high_with, (uint32_t)((uint32_t)(PAIR(l->c, l->a) << 5 >> 32) + l->b + l->p))
WORD(shift_add_signed, (uint32_t)((uint32_t)((uint64_t)(int64_t)S(l->a) << 27 >> 32) + l->b))
WORD(shift_add_signed_with, (uint32_t)((uint32_t)((uint64_t)(int64_t)S(l->a) << 5 >> 32) + l->b + l->p))

static uint32_t least(uint32_t a, uint32_t b)
{
    return LESS(a, b);
}

WORD(left, l->b > 31 ? 0 : (uint32_t)(l->a << l->b))
WORD(right, l->b > 31 ? 0 : l->a >> l->b)
WORD(right_signed, (uint32_t)(S(l->a) >> least(l->b, 31)))
WORD(funnel_left, (uint32_t)(PAIR(l->c, l->a) << (l->b & 31) >> 32))
WORD(funnel_right, (uint32_t)(PAIR(l->c, l->a) >> (l->b & 31)))
WORD(left_high, l->b > 63 ? 0 : (uint32_t)(PAIR(l->c, l->a) << l->b >> 32))
WORD(right_low, l->b > 63 ? 0 : (uint32_t)(PAIR(l->c, l->a) >> l->b))
WORD(right_low_signed, (uint32_t)((int64_t)PAIR(l->c, l->a) >> least(l->b, 63)))

WORD(and_, l->a & l->b)
WORD(xor3, l->a ^ l->b ^ l->c)
WORD(majority, (l->a & l->b) | (l->a & l->c) | (l->b & l->c))
WORD(select_bits, (l->a & l->b) | (~l->a & l->c))
WITH(or_and_test, (l->a | l->b) != 0, false, l->a | l->b)
WITH(and_and_test, (l->a & l->b) != 0 || l->p, false, l->a & l->b)
WITH(table_of_three, (l->p && l->q) || !l->r, l->p != l->q, 0)

WORD(choose, l->p ? l->a : l->b)
WORD(extreme, (uint32_t)(l->p ? LESS(S(l->a), S(l->b)) : MORE(S(l->a), S(l->b))))
WORD(extreme_unsigned, l->p ? LESS(l->a, l->b) : MORE(l->a, l->b))
WORD(least_of_three, (uint32_t)LESS(LESS(S(l->a), S(l->b)), S(l->c)))
WORD(most_of_sum, (uint32_t)MORE(S(l->a + l->b), S(l->c)))

#define COMPARISONS(name, operator)                                                                                    \
    WITH(name, S(l->a) operator S(l->b) && l->p, !(S(l->a) operator S(l->b)) && l->p, 0)                               \
    WITH(name##_unsigned, (l->a operator l->b) || l->p, !(l->a operator l->b) || l->p, 0)                              \
    WITH(name##_extended, S(l->a) == S(l->b) ? l->p : S(l->a) operator S(l->b),                                        \
         !(S(l->a) == S(l->b) ? l->p : S(l->a) operator S(l->b)), 0)                                                   \
    WITH(name##_float,                                                                                                 \
         (as_float(l->a) operator as_float(l->b) && !isnan(as_float(l->a)) && !isnan(as_float(l->b))) != l->p,         \
         !(as_float(l->a) operator as_float(l->b) && !isnan(as_float(l->a)) && !isnan(as_float(l->b))) != l->p, 0)     \
    WITH(name##_unordered, as_float(l->a) operator as_float(l->b) || isnan(as_float(l->a)) || isnan(as_float(l->b)),   \
         !(as_float(l->a) operator as_float(l->b) || isnan(as_float(l->a)) || isnan(as_float(l->b))), 0)               \
    WITH(name##_double,                                                                                                \
         as_double(l->wide) operator as_double(l->other) && !isnan(as_double(l->wide)) && !isnan(as_double(l->other)), \
         !(as_double(l->wide) operator as_double(l->other) && !isnan(as_double(l->wide)) &&                            \
           !isnan(as_double(l->other))),                                                                               \
         0)
COMPARISONS(lt, <)
COMPARISONS(le, <=)
COMPARISONS(gt, >)
COMPARISONS(ge, >=)
COMPARISONS(eq, ==)
COMPARISONS(ne, !=)
WITH(are_numbers, !isnan(as_float(l->a)) && !isnan(as_float(l->b)), isnan(as_float(l->a)) || isnan(as_float(l->b)), 0)
WITH(are_not_numbers, isnan(as_float(l->a)) || isnan(as_float(l->b)), !isnan(as_float(l->a)) && !isnan(as_float(l->b)),
     0)

WORD(ones, (uint32_t)__builtin_popcount(l->a))
WORD(absolute, S(l->a) < 0 ? 0 - l->a : l->a)

static uint32_t turned(uint32_t word)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++, word /= 2)
        result = 2 * result + word % 2;
    return result;
}

static uint32_t highest(uint32_t word)
{
    uint32_t place = UINT32_MAX;
    for (; word; word /= 2)
        place++;
    return place;
}

WORD(bits_turned, turned(l->a))
WORD(highest_signed, highest(S(l->a) < 0 ? ~l->a : l->a))
WORD(highest_unsigned, highest(l->a))
WORD(zeros_above, l->a ? 31 - highest(l->a) : UINT32_MAX)

static uint32_t permuted(const struct operands *l)
{
    uint8_t bytes[8];
    uint32_t result = 0;
    memcpy(bytes, &l->a, 4);
    memcpy(bytes + 4, &l->c, 4);
    for (int i = 3; i >= 0; i--) {
        const uint32_t selector = l->b >> 4 * i & 15, byte = bytes[selector % 8];
        result = result << 8 | (selector < 8 ? byte : byte < 128 ? 0 : 255);
    }
    return result;
}

WORD(permute, permuted(l))

#define A as_float(l->a)
#define B as_float(l->b)
#define C as_float(l->c)
#define X as_double(l->wide)
#define Y as_double(l->other)
WORD(add_floats, as_bits(A + B))
WORD(subtract_sizes, as_bits(-fabsf(A) + B))
WORD(multiply_floats, as_bits(A *B))
WORD(fused, as_bits((float)((double)A *(double)B + (double)C))) /* rounded twice, which may change the last bit */
WORD(least_or_most_float, as_bits(l->p ? fminf(A, B) : fmaxf(A, B)))
WORD(choose_float, l->p ? l->a : l->b)
WORD(choose_negated, l->p ? l->a : l->b ^ 0x80000000)
WORD(add_doubles, as_wide(X + Y))
WORD(multiply_doubles, as_wide(X *Y))
WORD(fused_doubles, as_wide(fma(X, Y, X)))
WORD(from_signed, as_bits((float)S(l->a)))
WORD(from_unsigned, as_bits((float)l->a))
WORD(from_signed_to_double, as_wide((double)S(l->a)))
WORD(from_unsigned_to_double, as_wide((double)l->a))
WORD(from_long, as_bits((float)(int64_t)l->wide))
WORD(from_unsigned_long, as_wide((double)l->wide))
WORD(from_byte, as_bits((float)(l->a & 255)))
WORD(from_half_word, as_bits((float)(l->a & 65535)))
WORD(to_float, as_bits((float)X))
WORD(to_double, as_wide((double)A))
WORD(round_even, as_bits(rintf(A)))
WORD(round_down, as_bits(floorf(A)))
WORD(round_up, as_bits(ceilf(A)))
WORD(round_to_zero, as_bits(truncf(A)))

/* Neither operand, nor the quotient, is near the ends of the exponent's range. */
static bool is_ordinary(float a, float b)
{
    const float dividend = fabsf(a), divisor = fabsf(b), quotient = dividend / divisor;
    return 0x1p-126f < divisor && divisor < 0x1p126f && quotient < 0x1p127f &&
           (a == 0 || (0x1p-100f < dividend && dividend < INFINITY && 0x1p-126f < quotient));
}

WITH(is_rare, !is_ordinary(A, B), false, 0)
WORD(reciprocal, as_bits((float)(1 / (double)A)))
WORD(root, as_bits((float)sqrt((double)A)))
WORD(reciprocal_root, as_bits((float)(1 / sqrt((double)A))))

/* A conversion holds at the type's ends; what is no number becomes 0. */
static uint64_t held(double value, double low, double most, uint64_t at_low, uint64_t at_most)
{
    if (isnan(value))
        return 0;
    return value <= low ? at_low : value >= most ? at_most : value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

WORD(to_signed, (uint32_t)held(trunc((double)A), -0x1p31, 0x1p31, 0x80000000, INT32_MAX))
WORD(to_unsigned, (uint32_t)held(floor((double)A), 0, 0x1p32, 0, UINT32_MAX))
WORD(to_signed_up, (uint32_t)held(ceil((double)A), -0x1p31, 0x1p31, 0x80000000, INT32_MAX))
WORD(to_nearest, (uint32_t)held(rint(X), -0x1p31, 0x1p31, 0x80000000, INT32_MAX))
WORD(to_long, held(trunc((double)A), -0x1p63, 0x1p63, (uint64_t)1 << 63, INT64_MAX))
WORD(to_unsigned_long, held(trunc(X), 0, 0x1p64, 0, UINT64_MAX))

/* ---- instructions ---- */

enum form { INTEGER, LONG, FLOAT, DOUBLE };

struct row {
    const char *instruction; /* into R20 (and R21), P4 and P5 */
    reference reference;
    enum form form;         /* of the result */
    bool is_known_by_parts; /* known where some words of its operands are not */
};

static const struct row integers[] = {{"IADD3 R20, R1, R2, R3", add3, INTEGER, false},
                                      {"IADD3 R20, R1, -R2, R3", subtract, INTEGER, false},
                                      {"IADD3 R20, P4, R1, R2, RZ", add_carry, INTEGER, false},
                                      {"IADD3 R20, P4, P5, R1, R2, R3", add_carries, INTEGER, false},
                                      {"IADD3 R20, P4, R1, -R2, RZ", subtract_borrow, INTEGER, false},
                                      {"IADD3.X R20, P4, R1, R2, RZ, P1, !PT", add_with, INTEGER, false},
                                      {"IADD3.X R20, P4, R1, ~R2, RZ, P1, !PT", subtract_with, INTEGER, false},
                                      {"VIADD R20, R1, 0x7", add_seven, INTEGER, false},
                                      {"IMAD R20, R1, R2, R3", multiply, INTEGER, true},
                                      {"IMAD R20, R1, R2, -R3", multiply_negated, INTEGER, true},
                                      {"IMAD.X R20, R1, R2, R3, P1", multiply_with, INTEGER, true},
                                      {"IMAD.WIDE R20, R1, R2, R6", wide_signed, LONG, true},
                                      {"IMAD.WIDE.U32 R20, R1, R2, R6", wide_unsigned, LONG, true},
                                      {"IMAD.WIDE.U32 R20, P4, R1, R2, R6", wide_carry, LONG, true},
                                      {"IMAD.HI R20, R1, R2, R6", high_signed, INTEGER, true},
                                      {"IMAD.HI.U32 R20, R1, R2, R6", high_unsigned, INTEGER, true},
                                      {"LEA R20, R1, R2, 0x5", shift_add, INTEGER, false},
                                      {"LEA R20, P4, R1, R2, 0x5", shift_add_carry, INTEGER, false},
                                      {"LEA.HI R20, R1, R2, R3, 0x1b", shift_add_high, INTEGER, false},
                                      {"LEA.HI.X R20, R1, R2, R3, 0x5, P1", shift_add_high_with, INTEGER, false},
                                      {"LEA.HI.SX32 R20, R1, R2, 0x1b", shift_add_signed, INTEGER, false},
                                      {"LEA.HI.X.SX32 R20, R1, R2, 0x5, P1", shift_add_signed_with, INTEGER, false},
                                      {"SHF.L.U32 R20, R1, R2, RZ", left, INTEGER, false},
                                      {"SHF.R.U32.HI R20, RZ, R2, R1", right, INTEGER, false},
                                      {"SHF.R.S32.HI R20, RZ, R2, R1", right_signed, INTEGER, false},
                                      {"SHF.L.W.U32.HI R20, R1, R2, R3", funnel_left, INTEGER, false},
                                      {"SHF.R.W.U32 R20, R1, R2, R3", funnel_right, INTEGER, false},
                                      {"SHF.L.U64.HI R20, R1, R2, R3", left_high, INTEGER, false},
                                      {"SHF.R.U64 R20, R1, R2, R3", right_low, INTEGER, false},
                                      {"SHF.R.S64 R20, R1, R2, R3", right_low_signed, INTEGER, false},
                                      {"LOP3.LUT R20, R1, R2, RZ, 0xc0, !PT", and_, INTEGER, true},
                                      {"LOP3.LUT R20, R1, R2, R3, 0x96, !PT", xor3, INTEGER, true},
                                      {"LOP3.LUT R20, R1, R2, R3, 0xe8, !PT", majority, INTEGER, true},
                                      {"LOP3.LUT R20, R1, R2, R3, 0xca, !PT", select_bits, INTEGER, true},
                                      {"LOP3.LUT P4, R20, R1, R2, RZ, 0xfc, !PT", or_and_test, INTEGER, true},
                                      {"LOP3.LUT P4, R20, R1, R2, RZ, 0xc0, P1", and_and_test, INTEGER, true},
                                      {"PLOP3.LUT P4, P5, P1, P2, P3, 0xd5, 0x3c", table_of_three, INTEGER, true},
                                      {"SEL R20, R1, R2, P1", choose, INTEGER, true},
                                      {"VIMNMX R20, R1, R2, P1", extreme, INTEGER, false},
                                      {"VIMNMX.U32 R20, R1, R2, P1", extreme_unsigned, INTEGER, false},
                                      {"VIMNMX3 R20, R1, R2, R3, PT", least_of_three, INTEGER, false},
                                      {"VIADDMNMX R20, R1, R2, R3, !PT", most_of_sum, INTEGER, false},
                                      {"POPC R20, R1", ones, INTEGER, false},
                                      {"IABS R20, R1", absolute, INTEGER, false},
                                      {"BREV R20, R1", bits_turned, INTEGER, false},
                                      {"FLO R20, R1", highest_signed, INTEGER, false},
                                      {"FLO.U32 R20, R1", highest_unsigned, INTEGER, false},
                                      {"FLO.U32.SH R20, R1", zeros_above, INTEGER, false},
                                      {"PRMT R20, R1, R2, R3", permute, INTEGER, true},
                                      {"I2FP.F32.S32 R20, R1", from_signed, FLOAT, false},
                                      {"I2FP.F32.U32 R20, R1", from_unsigned, FLOAT, false},
                                      {"I2F.F64 R20, R1", from_signed_to_double, DOUBLE, false},
                                      {"I2F.F64.U32 R20, R1", from_unsigned_to_double, DOUBLE, false},
                                      {"I2F.S64 R20, R6", from_long, FLOAT, false},
                                      {"I2F.F64.U64 R20, R6", from_unsigned_long, DOUBLE, false},
                                      {"I2F.U8 R20, R1", from_byte, FLOAT, false},
                                      {"I2F.U16 R20, R1", from_half_word, FLOAT, false},
#define ROWS(word, name)                                                              \
    {"ISETP." word ".AND P4, P5, R1, R2, P1", name, INTEGER, true},                   \
        {"ISETP." word ".U32.OR P4, P5, R1, R2, P1", name##_unsigned, INTEGER, true}, \
        {"ISETP." word ".AND.EX P4, P5, R1, R2, PT, P1", name##_extended, INTEGER, true},
                                      ROWS("LT", lt) ROWS("LE", le) ROWS("GT", gt) ROWS("GE", ge) ROWS("EQ", eq)
                                          ROWS("NE", ne)
#undef ROWS
};

static const struct row reals[] = {{"FADD R20, R1, R2", add_floats, FLOAT, false},
                                   {"FADD R20, -|R1|, R2", subtract_sizes, FLOAT, false},
                                   {"FMUL R20, R1, R2", multiply_floats, FLOAT, false},
                                   {"FFMA R20, R1, R2, R3", fused, FLOAT, false},
                                   {"FMNMX R20, R1, R2, P1", least_or_most_float, FLOAT, false},
                                   {"FSEL R20, R1, R2, P1", choose_float, FLOAT, true},
                                   {"FSEL R20, R1, -R2, P1", choose_negated, FLOAT, true},
                                   {"DADD R20, R6, R8", add_doubles, DOUBLE, false},
                                   {"DMUL R20, R6, R8", multiply_doubles, DOUBLE, false},
                                   {"DFMA R20, R6, R8, R6", fused_doubles, DOUBLE, false},
                                   {"F2F.F32.F64 R20, R6", to_float, FLOAT, false},
                                   {"F2F.F64.F32 R20, R1", to_double, DOUBLE, false},
                                   {"FRND R20, R1", round_even, FLOAT, false},
                                   {"FRND.FLOOR R20, R1", round_down, FLOAT, false},
                                   {"FRND.CEIL R20, R1", round_up, FLOAT, false},
                                   {"FRND.TRUNC R20, R1", round_to_zero, FLOAT, false},
                                   {"MUFU.RCP R20, R1", reciprocal, FLOAT, false},
                                   {"MUFU.SQRT R20, R1", root, FLOAT, false},
                                   {"MUFU.RSQ R20, R1", reciprocal_root, FLOAT, false},
                                   {"F2I.TRUNC.NTZ R20, R1", to_signed, INTEGER, false},
                                   {"F2I.U32.FLOOR.NTZ R20, R1", to_unsigned, INTEGER, false},
                                   {"F2I.CEIL.NTZ R20, R1", to_signed_up, INTEGER, false},
                                   {"F2I.F64 R20, R6", to_nearest, INTEGER, false},
                                   {"F2I.S64.TRUNC R20, R1", to_long, LONG, false},
                                   {"F2I.U64.F64.TRUNC R20, R6", to_unsigned_long, LONG, false},
                                   {"FSETP.NUM.AND P4, P5, R1, R2, PT", are_numbers, INTEGER, false},
                                   {"FSETP.NAN.AND P4, P5, R1, R2, PT", are_not_numbers, INTEGER, false},
#define ROWS(word, name)                                                              \
    {"FSETP." word ".XOR P4, P5, R1, R2, P1", name##_float, INTEGER, false},          \
        {"FSETP." word "U.AND P4, P5, R1, R2, PT", name##_unordered, INTEGER, false}, \
        {"DSETP." word ".AND P4, P5, R6, R8, PT", name##_double, INTEGER, false},
                                   ROWS("LT", lt) ROWS("LE", le) ROWS("GT", gt) ROWS("GE", ge) ROWS("EQ", eq)
                                       ROWS("NE", ne)
#undef ROWS
};

static const struct row divisions[] = {{"FCHK P4, R1, R2", is_rare, INTEGER, false}};
