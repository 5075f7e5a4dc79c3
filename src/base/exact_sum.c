#include "base/exact_sum.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "base/float_parts.h"

#define LOWEST 2176              /* digits[0] counts units of 2^-LOWEST */
#define ADDITIONS_MAX (1u << 30) /* of less than 2^33 each to a digit of 64 bits */

__extension__ typedef unsigned __int128 wide;

static void carry(struct exact_sum *sum)
{
    uint64_t over = 0;
    for (int i = 0; i < EXACT_SUM_DIGITS; i++) {
        uint64_t digit = sum->digits[i] + over;
        sum->digits[i] = (uint32_t)digit;
        over = digit >> 32;
    }
    sum->additions = 0;
}

/* `value` is below 2^95. */
static inline void add_at(uint64_t *digits, wide value)
{
    digits[0] += (uint32_t)value;
    digits[1] += (uint32_t)(value >> 32);
    digits[2] += (uint64_t)(value >> 64);
}

/* Floats' mantissas are the upper bits of doubles', and their products fit 64 bits. */
void exact_sum_add_product(struct exact_sum *sum, double a, double b)
{
    int exponent_a, exponent_b;
    uint64_t mantissa_a = float_parts(a, &exponent_a), mantissa_b = float_parts(b, &exponent_b);
    unsigned position = (unsigned)(exponent_a + exponent_b + LOWEST);
    bool narrow = ((mantissa_a | mantissa_b) & ((UINT64_C(1) << 29) - 1)) == 0;
    wide product = narrow ? (wide)((mantissa_a >> 29) * (mantissa_b >> 29)) : (wide)mantissa_a * mantissa_b;
    position += narrow ? 58 : 0;
    uint64_t *digits = sum->digits + position / 32;
    add_at(digits, (wide)(uint64_t)product << position % 32);
    if (product >> 64)
        add_at(digits + 2, (product >> 64) << position % 32);
    if (++sum->additions == ADDITIONS_MAX)
        carry(sum);
}

void exact_sum_add(struct exact_sum *sum, struct exact_sum *other)
{
    carry(sum);
    carry(other);
    for (int i = 0; i < EXACT_SUM_DIGITS; i++)
        sum->digits[i] += other->digits[i];
    carry(sum);
}

static int top_digit(const struct exact_sum *sum)
{
    int top = EXACT_SUM_DIGITS - 1;
    while (top >= 0 && sum->digits[top] == 0)
        top--;
    return top;
}

int exact_sum_exponent(struct exact_sum *sum)
{
    carry(sum);
    int top = top_digit(sum);
    return top < 0 ? INT_MIN : 32 * top - LOWEST + 63 - __builtin_clzll(sum->digits[top]);
}

static bool is_less(const struct exact_sum *left, const struct exact_sum *right)
{
    for (int i = EXACT_SUM_DIGITS - 1; i >= 0; i--)
        if (left->digits[i] != right->digits[i])
            return left->digits[i] < right->digits[i];
    return false;
}

static struct exact_sum subtract(const struct exact_sum *large, const struct exact_sum *small)
{
    struct exact_sum result = {.additions = 0};
    uint64_t borrow = 0;
    for (int i = 0; i < EXACT_SUM_DIGITS; i++) {
        uint64_t digit = large->digits[i] - small->digits[i] - borrow;
        result.digits[i] = (uint32_t)digit;
        borrow = digit >> 63;
    }
    return result;
}

/* Three digits are 65 bits at least; one more that says whether there is anything below them makes the rounding right.
 */
static double rounded(const struct exact_sum *sum, int exponent)
{
    int top = top_digit(sum);
    if (top < 0)
        return 0;
    wide leading = 0;
    for (int i = top; i > top - 3; i--)
        leading = leading << 32 | (i >= 0 ? sum->digits[i] : 0);
    for (int i = top - 3; i >= 0; i--)
        if (sum->digits[i]) {
            leading |= 1;
            break;
        }
    return ldexp((double)leading, 32 * (top - 2) - LOWEST - exponent);
}

double exact_sum_difference(struct exact_sum *plus, struct exact_sum *minus, int exponent)
{
    carry(plus);
    carry(minus);
    bool negative = is_less(plus, minus);
    struct exact_sum difference = negative ? subtract(minus, plus) : subtract(plus, minus);
    double value = rounded(&difference, exponent);
    return negative ? -value : value;
}
