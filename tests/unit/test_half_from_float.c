/* Floats rounded to 16 bits without branches: as doubles are, for numbers of every exponent, ties, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/half.h"

static void compare(uint32_t bits)
{
    const float value = half_from_bits(bits);
    assert_int_equal(bf16_from_float(value), bf16_from_double((double)value));
    assert_int_equal(f16_from_float(value), f16_from_double((double)value));
}

static void both_ways_agree(void **state)
{
    (void)state;
    for (uint32_t high = 0; high < 1u << 16; high++) {
        static const uint32_t lows[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x2000, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff};
        for (size_t i = 0; i < sizeof lows / sizeof lows[0]; i++)
            compare(high << 16 | lows[i]);
    }
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 9973)
        compare((uint32_t)bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
