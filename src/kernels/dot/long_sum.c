#include "kernels/dot/long_sum.h"

#include <string.h>

#define UNIT 2176                 /* digits begin at 2^-UNIT */
#define ADDITIONS_MOST (1u << 29) /* of chunks below 2^32 to a digit of 63 bits and a sign */

__extension__ typedef unsigned __int128 wide;

/* |value| = mantissa * 2^exponent. */
static uint64_t parts_of(double value, int *exponent, bool *is_negative)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7ff);
    *is_negative = bits >> 63;
    *exponent = (biased ? biased : 1) - 1075;
    return (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(biased != 0) << 52;
}

/* Afterwards digits below the last are 0 … 2^32 - 1; the last one has the sign. */
static void hand_on(struct long_sum *sum)
{
    int64_t carry = 0;
    for (int i = 0; i < LONG_SUM_DIGITS - 1; i++) {
        const int64_t digit = sum->digits[i] + carry;
        sum->digits[i] = digit & 0xffffffff;
        carry = digit >> 32;
    }
    sum->digits[LONG_SUM_DIGITS - 1] += carry;
    sum->additions = 0;
}

/* ± mantissa * 2^exponent, of at most 106 bits. */
static void add(struct long_sum *sum, wide mantissa, int exponent, bool is_negative)
{
    const unsigned at = (unsigned)(exponent + UNIT), shift = at % 32;
    int64_t *digit = &sum->digits[at / 32];
    if (++sum->additions == ADDITIONS_MOST)
        hand_on(sum);
    uint64_t chunk = (uint64_t)((uint32_t)mantissa) << shift;
    mantissa >>= 32;
    for (;;) {
        const int64_t part = (int64_t)(uint32_t)chunk;
        *digit++ += is_negative ? -part : part;
        chunk >>= 32;
        if (mantissa == 0 && chunk == 0)
            return;
        chunk += (uint64_t)((uint32_t)mantissa) << shift;
        mantissa >>= 32;
    }
}

void long_sum_add(struct long_sum *sum, double value)
{
    int exponent;
    bool is_negative;
    const uint64_t mantissa = parts_of(value, &exponent, &is_negative);
    add(sum, mantissa, exponent, is_negative);
}

void long_sum_add_product(struct long_sum *sum, double a, double b)
{
    int exponent_a, exponent_b;
    bool negative_a, negative_b;
    const wide mantissa_a = parts_of(a, &exponent_a, &negative_a), mantissa_b = parts_of(b, &exponent_b, &negative_b);
    add(sum, mantissa_a * mantissa_b, exponent_a + exponent_b, negative_a != negative_b);
}

void long_sum_merge(struct long_sum *sum, const struct long_sum *other)
{
    struct long_sum added = *other;
    hand_on(sum);
    hand_on(&added);
    for (int i = 0; i < LONG_SUM_DIGITS; i++)
        sum->digits[i] += added.digits[i];
    sum->additions = 1;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bits `from` … `from` + 63 of a sum of at least 0; below the first there are zeros. */
static uint64_t bits_at(const struct long_sum *sum, int from)
{
    uint64_t bits = 0;
    for (int i = 0; i < 3; i++) {
        const int digit = (from >> 5) + i, shift = 32 * i - (from & 31);
        const uint64_t chunk = digit >= 0 && digit < LONG_SUM_DIGITS ? (uint64_t)sum->digits[digit] : 0;
        bits |= shift >= 0 ? (shift < 64 ? chunk << shift : 0) : chunk >> -shift;
    }
    return bits;
}

static bool has_bits_below(const struct long_sum *sum, int end)
{
    for (int i = 0; i < LONG_SUM_DIGITS && 32 * i < end; i++) {
        const uint64_t digit = (uint64_t)sum->digits[i];
        if (32 * (i + 1) <= end ? digit != 0 : (digit & ((UINT64_C(1) << (end - 32 * i)) - 1)) != 0)
            return true;
    }
    return false;
}

/* The place of the highest bit; -1 for 0. */
static int highest_bit(const struct long_sum *sum)
{
    for (int i = LONG_SUM_DIGITS - 1; i >= 0; i--)
        if (sum->digits[i])
            return 32 * i + 63 - __builtin_clzll((uint64_t)sum->digits[i]);
    return -1;
}

/* A subnormal's lowest bit is 2^-1074, as that of the least normal number. Rounding up may reach the next power of two,
 * and infinity: the bits of a double count on by themselves. */
static double round_magnitude(const struct long_sum *sum)
{
    const int top = highest_bit(sum), least = UNIT - 1074;
    const int lowest = top - 52 > least ? top - 52 : least;
    if (top < 0)
        return 0;
    if (top - UNIT > 1023)
        return double_of_bits(UINT64_C(0x7ff) << 52);
    const uint64_t mantissa = bits_at(sum, lowest), next = bits_at(sum, lowest - 1) & 1;
    const uint64_t up = next && (mantissa & 1 || has_bits_below(sum, lowest - 1));
    /* The biased exponent less 1: a normal number's mantissa has the bit that adds it. */
    return double_of_bits(((uint64_t)(lowest - least) << 52) + mantissa + up);
}

double long_sum_value(const struct long_sum *sum)
{
    struct long_sum whole = *sum;
    hand_on(&whole);
    const bool is_negative = whole.digits[LONG_SUM_DIGITS - 1] < 0;
    if (is_negative)
        for (int i = 0; i < LONG_SUM_DIGITS; i++)
            whole.digits[i] = -whole.digits[i];
    hand_on(&whole);
    const double magnitude = round_magnitude(&whole);
    return is_negative ? -magnitude : magnitude;
}
