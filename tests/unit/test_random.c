/* The Mersenne Twister against its published outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"

#include <cmocka.h>

static void first_outputs(void **state)
{
    (void)state;
    static const struct {
        uint32_t seed, outputs[3];
    } cases[] = {
        {5489, {3499211612u, 581869302u, 3890346734u}},
        {1, {1791095845u, 4282876139u, 3093770124u}},
        {0, {2357136044u, 2546248239u, 3071714933u}},
        {4294967295u, {419326371u, 479346978u, 3918654476u}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct random random;
        random_seed(&random, cases[i].seed);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(random_u32(&random), cases[i].outputs[k]);
    }
}

/* The C++ standard fixes the 10000th output of the default seed. */
static void output_10000(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 5489);
    for (int i = 1; i < 10000; i++)
        random_u32(&random);
    assert_int_equal(random_u32(&random), 4123659995u);
}

static void doubles_with_53_bits(void **state)
{
    (void)state;
    static const double outputs[] = {0.417022004702574, 0.7203244934421581, 0.00011437481734488664,
                                     0.30233257263183977};
    struct random random;
    random_seed(&random, 1);
    for (size_t i = 0; i < COUNT_OF(outputs); i++)
        assert_true(random_double(&random) == outputs[i]);
}

static void floats_stay_below_one(void **state)
{
    (void)state;
    struct random words, floats;
    random_seed(&words, 7);
    random_seed(&floats, 7);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        float value = random_float(&floats);
        assert_true(value >= 0 && value < 1);
        assert_true(value == (float)(random_u32(&words) >> 8) / 16777216.0f);
        sum += (double)value;
    }
    assert_true(sum > 49500 && sum < 50500);
}

/* The same bytes whatever the length asked for, the low byte of each output first, and not one byte more. */
static void bytes_of_any_length(void **state)
{
    (void)state;
    for (size_t length = 0; length <= 13; length++) {
        unsigned char data[16];
        memset(data, 0xee, sizeof data);
        struct random random;
        random_seed(&random, 5489);
        random_bytes(&random, data, length);
        struct random again;
        random_seed(&again, 5489);
        uint32_t word = 0;
        for (size_t i = 0; i < length; i++) {
            word = i % 4 == 0 ? random_u32(&again) : word >> 8;
            assert_int_equal(data[i], word & 0xff);
        }
        for (size_t i = length; i < sizeof data; i++)
            assert_int_equal(data[i], 0xee);
        assert_int_equal(random_u32(&random), random_u32(&again));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_outputs),        cmocka_unit_test(output_10000),
        cmocka_unit_test(doubles_with_53_bits), cmocka_unit_test(floats_stay_below_one),
        cmocka_unit_test(bytes_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
