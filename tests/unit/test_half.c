/* Numbers of 16 bits: every one of them, and roundings to them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/element.h"
#include "base/half.h"
#include "base/random.h"

#include <cmocka.h>

struct format {
    int fraction, least, beyond; /* bits; exponents of the smallest normal number and beyond the largest */
    enum element_type type;
};
static const struct format formats[] = {{10, -14, 16, ELEMENT_F16}, {7, -126, 128, ELEMENT_BF16}};

/* From the definition. */
static double value_of(const struct format *format, unsigned bits)
{
    const int exponent = (int)(bits >> format->fraction & (0x7fffu >> format->fraction));
    const unsigned fraction = bits & ((1u << format->fraction) - 1);
    double value = ldexp(fraction, format->least - format->fraction);
    if (exponent == (int)(0x7fffu >> format->fraction))
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent > 0)
        value = ldexp((double)(fraction | 1u << format->fraction), exponent - 1 + format->least - format->fraction);
    return bits >> 15 ? -value : value;
}

static void every_number(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++)
        for (unsigned bits = 0; bits < 0x10000; bits++) {
            const uint16_t number = (uint16_t)bits;
            const double right = value_of(&formats[f], bits), value = element_number(formats[f].type, &number, 0);
            uint16_t back;
            element_put(formats[f].type, &back, 0, value);
            if (isnan(right) ? !isnan(value) : value != right || signbit(value) != signbit(right))
                fail_msg("%s %04x: %a, not %a", element_info(formats[f].type)->name, bits, value, right);
            if (isnan(right) ? !isnan(value_of(&formats[f], back)) : back != number)
                fail_msg("%s %04x comes back as %04x", element_info(formats[f].type)->name, bits, back);
        }
}

/* The two neighbours of a number, as bits: it lies between them, and the nearer one is right. */
static void check_rounding(const struct format *format, double value)
{
    uint16_t bits;
    element_put(format->type, &bits, 0, value);
    const double magnitude = fabs(value), most = ldexp(2 - ldexp(1, -format->fraction), format->beyond - 1);
    const double half = ldexp(0.5, format->beyond - 1 - format->fraction);
    assert_int_equal(bits >> 15, signbit(value) != 0);
    bits &= 0x7fff;
    if (magnitude >= most + half) {
        assert_true(isinf(value_of(format, bits)));
        return;
    }
    const double got = value_of(format, bits), error = fabs(got - magnitude);
    const double below = bits > 0 ? magnitude - value_of(format, bits - 1u) : INFINITY;
    const double above = got < most ? value_of(format, bits + 1u) - magnitude : INFINITY;
    if (error > fabs(below) || error > fabs(above))
        fail_msg("%s: %a is rounded to %a", element_info(format->type)->name, magnitude, got);
    if (error == fabs(below) || error == fabs(above))
        assert_int_equal(bits & 1, 0);
}

static void roundings(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        const struct format *format = &formats[f];
        for (uint64_t i = 0; i < 200000; i++) {
            const uint64_t word = random_word(7, i);
            const int span = format->beyond - format->least + format->fraction + 6;
            const int exponent = format->least - format->fraction - 4 + (int)(word % (uint64_t)span);
            const double value = ldexp(1 + (double)(word >> 20) * 0x1p-44, exponent) * (word >> 8 & 1 ? -1 : 1);
            check_rounding(format, value);
        }
        for (unsigned bits = 0; bits < 0x7c00; bits += 37) { /* ties */
            const double low = value_of(format, bits), high = value_of(format, bits + 1);
            if (!isfinite(high))
                break;
            check_rounding(format, (low + high) / 2);
            check_rounding(format, nextafter((low + high) / 2, 0));
            check_rounding(format, nextafter((low + high) / 2, (double)INFINITY));
        }
        check_rounding(format, 0);
        check_rounding(format, -0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number), cmocka_unit_test(roundings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
