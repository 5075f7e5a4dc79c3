/* Instructions of SASS over lanes with words of their own: each beside the arithmetic of PTX, written down here for one
 * lane, for pairs of edge values; and what a lane does not know changes no word that it claims to know. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "machine_launch.h"

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

/* ---- running them ---- */

static const uint32_t integer_edges[16] = {
    0, 1, 5, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0xdeadbeef, 255, 0x4321, 0xba98fedc};
static const float real_edges[16] = {0,    -3e-39f, 1,       -1.5f,  2.25f,  0.5f,     2.5f,      -0.25f,
                                     3e9f, -3e9f,   1.5e19f, -1e20f, 1e-40f, INFINITY, -INFINITY, NAN};
static const float division_edges[16] = {0,          1,         -2,          0x1p-126f, -0x1.8p-126f, 0x1p126f,
                                         0x1.8p125f, 0x1p-100f, 0x1.1p-100f, 0x1p127f,  INFINITY,     NAN,
                                         0x1p-127f,  1.5f,      0x1p100f,    0x1p-27f};
static const float *reals_used = real_edges;
#define EDGES 16
#define ROUNDS (EDGES * EDGES / MACHINE_LANES)

/* Every pair of edges is that of a lane in one of the rounds. */
static struct operands lane_of(unsigned round, unsigned l, bool is_real)
{
    const unsigned i = round * MACHINE_LANES + l, first = i % EDGES, second = i / EDGES,
                   third = (i * 7 + i / 5) % EDGES, bits = i * 0x9e3779b9u >> 13;
    struct operands lane = {.p = bits & 1, .q = bits & 2, .r = bits & 4};
    if (is_real) {
        lane.a = as_bits(reals_used[first]), lane.b = as_bits(reals_used[second]), lane.c = as_bits(reals_used[third]);
        lane.wide = as_wide((double)reals_used[first] * 1.0000000001);
        lane.other = as_wide((double)reals_used[second] * (second % 2 ? 1 : 1.0000000001));
    } else {
        lane.a = integer_edges[first], lane.b = integer_edges[second], lane.c = integer_edges[third];
        lane.wide = PAIR(integer_edges[third], integer_edges[(first + 3 * second) % EDGES]);
        lane.other = PAIR(lane.a, lane.b);
    }
    lane.d = 0xabcdef01;
    return lane;
}

static void give(struct machine_warp *warp, int number, unsigned l, uint32_t word)
{
    warp->registers[number].words[l] = word;
}

static void give_bit(struct machine_warp *warp, int number, unsigned l, bool bit)
{
    warp->predicates[number].value |= (uint32_t)bit << l;
}

/* Which lanes know the words of R1, R2, R3, R6, R8, P1, P2 and P3. The last lane may know none of them. */
static const uint32_t all_known[8] = {MACHINE_ALL, MACHINE_ALL, MACHINE_ALL, MACHINE_ALL,
                                      MACHINE_ALL, MACHINE_ALL, MACHINE_ALL, MACHINE_ALL};
static const uint32_t some_known[8] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff,
                                       0x0000ffff, 0x66666666, 0x5a5a5a5a, 0x3cc33cc3};
static const char *const names[8] = {"R1", "R2", "R3", "R6", "R8", "P1", "P2", "P3"};

/* One instruction. Lanes that do not know a word hold its complement where `others`. */
static void run(struct machine_warp *warp, const struct machine_code *code, unsigned round, bool is_real,
                const uint32_t known[8], bool others)
{
    static const int numbers[8] = {1, 2, 3, 6, 8, 1, 2, 3};
    machine_warp_begin(warp, MACHINE_ALL);
    warp->code = code;
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        const struct operands lane = lane_of(round, l, is_real);
        give(warp, 1, l, lane.a), give(warp, 2, l, lane.b), give(warp, 3, l, lane.c);
        give(warp, 6, l, (uint32_t)lane.wide), give(warp, 7, l, (uint32_t)(lane.wide >> 32));
        give(warp, 8, l, (uint32_t)lane.other), give(warp, 9, l, (uint32_t)(lane.other >> 32));
        give(warp, 20, l, lane.d), give(warp, 21, l, lane.d);
        give_bit(warp, 1, l, lane.p), give_bit(warp, 2, l, lane.q), give_bit(warp, 3, l, lane.r);
    }
    for (int i = 0; i < 8; i++) {
        const bool is_pair = i == 3 || i == 4;
        for (int more = 0; i < 5 && more <= is_pair; more++) {
            struct machine_register *to = &warp->registers[numbers[i] + more];
            to->known = known[i];
            for (unsigned l = 0; others && l < MACHINE_LANES; l++)
                to->words[l] ^= known[i] >> l & 1 ? 0 : UINT32_MAX;
        }
        if (i >= 5) {
            warp->predicates[numbers[i]].known = known[i];
            warp->predicates[numbers[i]].value ^= others ? ~known[i] : 0;
        }
    }
    warp->registers[20].known = warp->registers[21].known = MACHINE_ALL;
    warp->predicates[4] = warp->predicates[5] = (struct machine_predicate){0, MACHINE_ALL};
    machine_step(warp);
}

/* A register or predicate among the operands, not part of another's name. */
static bool reads(const char *instruction, const char *name)
{
    for (const char *at = strstr(instruction, name); at; at = strstr(at + 1, name)) {
        const char before = at[-1], after = at[strlen(name)];
        if (!(after >= '0' && after <= '9') && before != 'U')
            return true;
    }
    return false;
}

static struct machine_code read_code(const char *guard, const char *instruction)
{
    char text[256];
    struct machine_code code;
    struct error error;
    snprintf(text, sizeof text, FUNCTION "/*0000*/ %s%s ;\n/*0010*/ EXIT ;\n", guard, instruction);
    if (machine_code_read(text, "k", 2, &code, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    machine_bind(&code);
    return code;
}

struct result {
    uint64_t value;
    bool p[2];
};

static struct result result_of(const struct machine_warp *warp, unsigned l, enum form form)
{
    const bool is_long = form == LONG || form == DOUBLE;
    return (struct result){PAIR(is_long ? warp->registers[21].words[l] : 0, warp->registers[20].words[l]),
                           {warp->predicates[4].value >> l & 1, warp->predicates[5].value >> l & 1}};
}

static bool is_number(uint64_t value, enum form form)
{
    return form == FLOAT ? !isnan(as_float((uint32_t)value)) : form != DOUBLE || !isnan(as_double(value));
}

static void compare(const struct row *row, unsigned round, unsigned l, const struct operands *lane, struct result found)
{
    struct result wanted = {0, {false, false}};
    wanted.value = row->reference(lane, wanted.p);
    const bool has_word = strstr(row->instruction, "R20"), is_nothing = !is_number(wanted.value, row->form);
    for (int i = 0; i < 2; i++)
        if (strstr(row->instruction, i ? "P5" : "P4") && found.p[i] != wanted.p[i])
            fail_msg("%s: round %u, lane %u: P%d is %d", row->instruction, round, l, 4 + i, found.p[i]);
    if (has_word && (is_nothing ? is_number(found.value, row->form) : found.value != wanted.value))
        fail_msg("%s: round %u, lane %u: 0x%llx, not 0x%llx", row->instruction, round, l,
                 (unsigned long long)found.value, (unsigned long long)wanted.value);
}

/* The lanes that know the instruction's results: all of them, or fail. */
static uint32_t known_of(const struct row *row, const struct machine_warp *warp)
{
    uint32_t known = MACHINE_ALL;
    if (strstr(row->instruction, "R20"))
        known &= warp->registers[20].known;
    if (row->form == LONG || row->form == DOUBLE)
        known &= warp->registers[21].known;
    if (strstr(row->instruction, "P4"))
        known &= warp->predicates[4].known;
    return strstr(row->instruction, "P5") ? known & warp->predicates[5].known : known;
}

static void expect_results(const struct row *rows, size_t count, bool is_real)
{
    static struct machine_warp warp;
    for (size_t i = 0; i < count; i++) {
        struct machine_code code = read_code("", rows[i].instruction);
        for (unsigned round = 0; round < ROUNDS; round++) {
            run(&warp, &code, round, is_real, all_known, false);
            assert_int_equal(known_of(&rows[i], &warp), MACHINE_ALL);
            for (unsigned l = 0; l < MACHINE_LANES; l++) {
                const struct operands lane = lane_of(round, l, is_real);
                compare(&rows[i], round, l, &lane, result_of(&warp, l, rows[i].form));
            }
        }
        free(code.instructions);
    }
}

static void lanes_compute_as_ptx_says(void **state)
{
    (void)state;
    expect_results(integers, COUNT_OF(integers), false);
    expect_results(reals, COUNT_OF(reals), true);
    reals_used = division_edges;
    expect_results(divisions, COUNT_OF(divisions), true);
    reals_used = real_edges;
}

/* Lanes whose guard is false keep what they have. */
static void others_keep_their_words(void **state)
{
    (void)state;
    static struct machine_warp warp;
    for (size_t i = 0; i < COUNT_OF(integers); i++) {
        struct machine_code code = read_code("@P3 ", integers[i].instruction);
        run(&warp, &code, 3, false, all_known, false);
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            const struct operands lane = lane_of(3, l, false);
            const struct result found = result_of(&warp, l, integers[i].form);
            if (lane.r)
                compare(&integers[i], 3, l, &lane, found);
            else if ((uint32_t)found.value != lane.d || found.p[0] || found.p[1])
                fail_msg("%s: lane %u is written", integers[i].instruction, l);
        }
        free(code.instructions);
    }
}

static void expect_soundness(const struct row *row, bool is_real)
{
    static struct machine_warp warp, other;
    struct machine_code code = read_code("", row->instruction);
    uint32_t all = MACHINE_ALL, any = 0;
    for (int i = 0; i < 8; i++)
        if (reads(row->instruction, names[i])) {
            all &= some_known[i];
            any |= some_known[i];
        }
    for (unsigned round = 0; round < ROUNDS; round++) {
        run(&warp, &code, round, is_real, some_known, false);
        run(&other, &code, round, is_real, some_known, true);
        const uint32_t known = known_of(row, &warp);
        if (known != known_of(row, &other) || (all & ~known) || (known & ~any) ||
            (!row->is_known_by_parts && known != all))
            fail_msg("%s: round %u: lanes 0x%x know it; 0x%x know all, 0x%x some of its operands", row->instruction,
                     round, (unsigned)known, (unsigned)all, (unsigned)any);
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            const struct result a = result_of(&warp, l, row->form), b = result_of(&other, l, row->form);
            if (known >> l & 1 && is_number(a.value, row->form) &&
                (a.value != b.value || a.p[0] != b.p[0] || a.p[1] != b.p[1]))
                fail_msg("%s: round %u: lane %u does not know it", row->instruction, round, l);
        }
    }
    free(code.instructions);
}

static void unknown_words_change_no_known_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(integers); i++)
        expect_soundness(&integers[i], false);
    for (size_t i = 0; i < COUNT_OF(reals); i++)
        expect_soundness(&reals[i], true);
    expect_soundness(&divisions[0], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_compute_as_ptx_says),
        cmocka_unit_test(others_keep_their_words),
        cmocka_unit_test(unknown_words_change_no_known_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
