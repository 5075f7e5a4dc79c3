/* Floats, as far as addresses and bounds depend on them: comparisons, conversions, reciprocals and constants of half
 * precision. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/arithmetic.h"

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

static float read_float(const struct machine_thread *thread, const struct operand *operand, bool *is_known)
{
    struct operand plain = *operand;
    plain.negated = plain.inverted = false;
    struct machine_word word = machine_read(thread, &plain);
    *is_known &= word.is_known;
    float value = operand->is_real ? (float)operand->real : as_float(word.value);
    if (operand->absolute)
        value = fabsf(value);
    return operand->negated ? -value : value;
}

static void compare_floats(struct machine_thread *thread, one in)
{
    bool is_known = true;
    float a = read_float(thread, &in->operands[2], &is_known), b = read_float(thread, &in->operands[3], &is_known);
    is_known &= !isnan(a) && !isnan(b);
    int order = a < b ? -1 : a > b;
    machine_finish_comparison(thread, in, known(machine_compare(in->comparison, order, 0), is_known));
}

/* ---- conversions, as in divisions of integers ---- */

static void to_float(struct machine_thread *thread, one in)
{
    uint64_t wide = 0;
    bool is_signed = !has(in, MODIFIER_U), is_known;
    const struct operand *from = &in->operands[1];
    if (has(in, MODIFIER_64)) {
        is_known = machine_read_wide(thread, from, is_signed, &wide);
    } else {
        struct machine_word word = machine_read(thread, from);
        is_known = word.is_known;
        wide = is_signed ? (uint64_t)(int64_t)(int32_t)word.value : word.value;
    }
    float value = is_signed ? (float)(int64_t)wide : (float)wide;
    bool is_below = is_signed ? (double)value < (double)(int64_t)wide : (double)value < (double)wide;
    if (has(in, MODIFIER_RP) && is_below)
        value = nextafterf(value, INFINITY);
    machine_write(thread, &in->operands[0], known(as_bits(value), is_known));
}

static void to_integer(struct machine_thread *thread, one in)
{
    bool is_known = true;
    double value = trunc((double)read_float(thread, &in->operands[1], &is_known));
    if (has(in, MODIFIER_64)) {
        uint64_t wide = value >= 18446744073709551616.0 ? UINT64_MAX
                        : value >= 0                    ? (uint64_t)value
                                                        : (uint64_t)(int64_t)value;
        machine_write_wide(thread, &in->operands[0], wide, is_known);
        return;
    }
    double most = has(in, MODIFIER_U) ? 4294967295.0 : 2147483647.0, least = has(in, MODIFIER_U) ? 0 : -2147483648.0;
    value = value > most ? most : value < least ? least : value;
    machine_write(thread, &in->operands[0],
                  known(has(in, MODIFIER_U) ? (uint32_t)value : (uint32_t)(int32_t)value, is_known));
}

static void special(struct machine_thread *thread, one in)
{
    bool is_known = has(in, MODIFIER_RCP);
    float value = read_float(thread, &in->operands[1], &is_known);
    machine_write(thread, &in->operands[0], known(as_bits(1 / value), is_known));
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

/* "HFMA2 R, -RZ, RZ, high, low" loads a constant into a register. Other half-precision products are unknown. */
static void halves(struct machine_thread *thread, one in)
{
    bool is_constant = in->operand_count == 5 && in->operands[1].kind == OPERAND_REGISTER &&
                       in->operands[1].number < 0 && in->operands[2].number < 0 && in->operands[3].is_real &&
                       in->operands[4].is_real;
    uint32_t word = is_constant ? half_bits(in->operands[3].real) << 16 | half_bits(in->operands[4].real) : 0;
    machine_write(thread, &in->operands[0], known(word, is_constant));
}

machine_action machine_float_action(const char *opcode)
{
    static const struct {
        const char *opcode;
        machine_action action;
    } rows[] = {
        {"FSETP", compare_floats}, {"I2F", to_float}, {"I2FP", to_float},
        {"F2I", to_integer},       {"MUFU", special}, {"HFMA2", halves},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(opcode, rows[i].opcode) == 0)
            return rows[i].action;
    return NULL;
}
