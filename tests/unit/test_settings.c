/* Coverage of `uskor check` and `try`: every value of a tunable, and every number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "backends/backend.h"
#include "kernels/kernel.h"
#include "lab/verification/check.h"
#include "lab/verification/check_companions.h"
#include "lab/verification/check_samples.h"
#include "lab/verification/check_turns.h"

/* A device compiles as few settings of the tunables as give each of them each of its values, and all pairs of the ends
 * of two. */
static void settings_have_every_value(void **state)
{
    (void)state;
    struct rung rung = {.name = "tunable", .kind = RUNG_HOST, .backends = BACKEND_CPU, .tunable_count = 2};
    const struct tunable tunables[] = {{.name = "BX", .initial = "8", .values = {8, 16, 32}, .value_count = 3},
                                       {.name = "BY", .initial = "8", .values = {1, 2, 4, 8, 16}, .value_count = 5}};
    memcpy(rung.tunables, tunables, sizeof tunables);
    struct problem problem;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(problem_parse("transpose:8", &problem, &error), STATUS_OK);
    assert_int_equal(check_setting_count(&rung), 4 + 5);
    for (uint32_t seed = 1; seed < 20; seed++) {
        int64_t met[2] = {0, 0};
        size_t corners = 0;
        for (size_t which = 0; which < 9; which++) {
            struct overrides drawn;
            assert_true(check_setting(&rung, &problem, cpu, NULL, seed, which, &drawn));
            assert_int_equal(drawn.count, 2);
            met[0] |= drawn.items[0].value;
            met[1] |= drawn.items[1].value;
            corners += which < 4 && (drawn.items[0].value == 8 || drawn.items[0].value == 32) &&
                       (drawn.items[1].value == 1 || drawn.items[1].value == 16);
            if (which == 3)
                assert_int_equal(drawn.items[0].value * drawn.items[1].value, 32 * 16);
        }
        assert_int_equal(met[0], 8 + 16 + 32);
        assert_int_equal(met[1], 1 + 2 + 4 + 8 + 16);
        assert_int_equal(corners, 4);
    }
    device_close(cpu);
}

/* The combinations of a type and an order on which a rung is checked, as bits; a check of those that it refuses is no
 * turn. */
static unsigned turns_of(size_t number, struct device *device)
{
    static const char *const types[] = {"f32", "i32", "u32", "f64", "i64", "u64"};
    const struct rung rung = {.name = "turns", .kind = RUNG_HOST, .backends = BACKEND_CPU, .takes = "order"};
    unsigned turns = 0;
    for (unsigned i = 0; i < 12; i++) {
        struct problem problem;
        char text[64];
        snprintf(text, sizeof text, "sort:n=8,%s,order=%s", types[i / 2], i % 2 ? "descending" : "ascending");
        assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
        turns |= (unsigned)check_has_turn(&rung, number, &problem, device) << i;
    }
    return turns;
}

/* Each rung meets one type of a size, the first one with every choice; each type meets some rung, with every choice. */
static void rungs_take_turns(void **state)
{
    (void)state;
    struct device *cpu;
    struct problem refused;
    const struct rung plain = {.name = "plain", .kind = RUNG_HOST, .backends = BACKEND_CPU};
    unsigned all = 0;
    assert_int_equal(device_open("cpu", &cpu, NULL), STATUS_OK);
    for (size_t number = 0; number < 6; number++) {
        const unsigned turns = turns_of(number, cpu), of_4_bytes = turns & 63, of_8_bytes = turns >> 6;
        assert_int_equal(__builtin_popcount(of_4_bytes), number % 3 == 0 ? 2 : 1);
        assert_int_equal(__builtin_popcount(of_8_bytes), 1);
        all |= turns;
    }
    assert_int_equal(all, (1 << 12) - 1);
    assert_int_equal(problem_parse("sort:n=8,u8", &refused, NULL), STATUS_OK);
    for (size_t number = 0; number < 3; number++)
        assert_true(check_has_turn(&plain, number, &refused, cpu)); /* to be told */
    device_close(cpu);
}

/* Every count is met; where several are tried, one, two and five by every problem. */
static void numbers_of_threads(void **state)
{
    (void)state;
    unsigned met[2] = {0, 0};
    for (size_t index = 0; index < 16; index++)
        for (size_t t = 0; t < CHECK_THREAD_COUNTS; t++)
            for (int several = 0; several < 2; several++) {
                met[several] |= check_threads_meet(index, t, several) ? 1U << check_thread_counts[t] : 0;
                assert_true(!several || t > 2 || check_threads_meet(index, t, several));
            }
    assert_int_equal(met[0], 0x1fe); /* 1 to 8 */
    assert_int_equal(met[1], 0x1fe);
}

/* A wrong rung of a device, planted at each value of a tunable: it is wrong at one remainder of k modulo 4. What is
 * compiled for one problem meets companions enough that it is refused. */
static void a_value_meets_remainders(void **state)
{
    (void)state;
    static const struct backend other = {.kind = BACKEND_OPENCL};
    const struct device device = {.backend = &other};
    struct problem *problems;
    struct error error = {""};
    size_t count = 0, most = 0;
    const struct kernel *kernel = kernel_by_name("matmul", NULL);
    assert_int_equal(check_problems(kernel, CHECK_ALL, &device, 1, &problems, &count, &error), STATUS_OK);
    for (size_t from = 0; from < count; from += count / 6) { /* six of 24 combinations have the value */
        bool met[4] = {false};
        size_t companions = 0;
        for (size_t sample = 0; sample < 6; sample++) {
            const size_t first = (from + sample * 97) % count;
            size_t own = 0;
            for (size_t i = 0; i < count; i++)
                if (i == first || check_is_companion(problems, count, first, i)) {
                    own += i != first;
                    met[problems[i].values[2].size % 4] = true;
                    assert_true(problems[i].type == problems[first].type);
                }
            assert_true(own <= CHECK_COMPANIONS);
            companions += own;
        }
        for (size_t remainder = 0; remainder < 4; remainder++)
            assert_true(met[remainder]);
        most = companions > most ? companions : most;
    }
    assert_true(most >= 5 * CHECK_COMPANIONS);
    free(problems);
}

static size_t pictures(const struct problem *problems, size_t count, int64_t height, int64_t out_height)
{
    size_t met = 0;
    for (size_t i = 0; i < count; i++)
        met += problems[i].values[1].size * out_height == problems[i].values[3].size * height;
    return met;
}

/* A wrong rung of a device at one ratio, and one at one short side, meet their problem. */
static void devices_have_ratios_and_short_sides(void **state)
{
    (void)state;
    static const struct backend other = {.kind = BACKEND_OPENCL};
    const struct device device = {.backend = &other};
    struct problem *problems;
    struct error error = {""};
    size_t count = 0;
    assert_int_equal(check_problems(kernel_by_name("resize", NULL), CHECK_ALL, &device, 1, &problems, &count, &error),
                     STATUS_OK);
    for (int64_t from = 1; from <= 8; from++)
        for (int64_t to = 1; to <= 8; to++)
            assert_true(pictures(problems, count, from, to) > 0);
    free(problems);
    assert_int_equal(check_problems(kernel_by_name("wave", NULL), CHECK_ALL, &device, 1, &problems, &count, &error),
                     STATUS_OK);
    bool met[3][9] = {{false}};
    for (size_t i = 0; i < count; i++)
        for (size_t side = 0; side < 3; side++)
            met[side][problems[i].values[side].size < 9 ? problems[i].values[side].size : 0] = true;
    for (size_t side = 0; side < 3; side++)
        for (size_t length = 1; length < 9; length++)
            assert_true(met[side][length]);
    free(problems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_have_every_value),
        cmocka_unit_test(rungs_take_turns),
        cmocka_unit_test(numbers_of_threads),
        cmocka_unit_test(a_value_meets_remainders),
        cmocka_unit_test(devices_have_ratios_and_short_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
