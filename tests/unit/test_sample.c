/* The groups of a launch that are traced: within it, each once, one of each stratum, spread evenly, with weights that
 * add up to all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "explain/memory/sample.h"

static const struct {
    size_t groups[3], wanted;
} rows[] = {
    {{1000, 1, 1}, 50}, {{7, 9, 1}, 9}, {{40, 30, 20}, 300}, {{2, 2, 2}, 3}, {{3, 1, 5}, 1}, {{1, 100, 1}, 3},
};

static size_t number_of(const size_t groups[3], const struct sampled_group *one)
{
    return one->group[0] + groups[0] * (one->group[1] + groups[1] * one->group[2]);
}

/* The first, the middle ones, the last. */
static int class_of(size_t at, size_t count)
{
    return at == 0 ? 0 : at + 1 < count ? 1 : 2;
}

static void each_stratum_has_its_groups(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (uint32_t seed = 1; seed <= 20; seed++) {
            const size_t *groups = rows[r].groups, total = groups[0] * groups[1] * groups[2];
            size_t count = 0, strata = 0, there = 0;
            bool met[27] = {false}, is_there[27] = {false};
            double weights = 0;
            struct sampled_group *list = sample_groups(groups, rows[r].wanted, seed, &count);
            bool *taken = calloc(total, sizeof *taken);
            assert_true(list && taken);
            for (size_t i = 0; i < count; i++) {
                int stratum = 0;
                for (int d = 2; d >= 0; d--) {
                    assert_true(list[i].group[d] < groups[d]);
                    stratum = 3 * stratum + class_of(list[i].group[d], groups[d]);
                }
                assert_false(taken[number_of(groups, &list[i])]);
                taken[number_of(groups, &list[i])] = true;
                strata += !met[stratum];
                met[stratum] = true;
                weights += list[i].weight;
            }
            for (size_t i = 0; i < total; i++) {
                const size_t at[3] = {i % groups[0], i / groups[0] % groups[1], i / groups[0] / groups[1]};
                const int stratum =
                    class_of(at[0], groups[0]) + 3 * class_of(at[1], groups[1]) + 9 * class_of(at[2], groups[2]);
                there += !is_there[stratum];
                is_there[stratum] = true;
            }
            assert_int_equal(strata, there);
            assert_true(fabs(weights - (double)total) < 1e-6);
            assert_true(count <= rows[r].wanted + 27);
            free(taken);
            free(list);
        }
}

/* Of 998 groups in the middle 49 are taken: one of each 49th part, which has 20 or 21. */
static void spread_evenly(void **state)
{
    (void)state;
    bool differs = false;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        size_t count = 0;
        struct sampled_group *list = sample_groups((size_t[]){1000, 1, 1}, 50, seed, &count);
        assert_int_equal(count, 1 + 49 + 1);
        assert_int_equal(list[0].group[0], 0);
        assert_int_equal(list[count - 1].group[0], 999);
        for (size_t i = 0; i < 49; i++) {
            const size_t from = 1 + 998 * i / 49, to = 1 + 998 * (i + 1) / 49, at = list[1 + i].group[0];
            assert_true(at >= from && at < to);
            differs = differs || at > from;
            assert_true(fabs(list[1 + i].weight - 998.0 / 49) < 1e-9);
        }
        free(list);
    }
    assert_true(differs);
}

/* As many as there are, or more: each in order. */
static void all_of_them(void **state)
{
    (void)state;
    for (size_t wanted = 24; wanted <= 25; wanted++) {
        size_t count = 0;
        struct sampled_group *list = sample_groups((size_t[]){2, 3, 4}, wanted, 7, &count);
        assert_int_equal(count, 24);
        for (size_t i = 0; i < count; i++)
            assert_true(number_of((size_t[]){2, 3, 4}, &list[i]) == i && list[i].weight == 1);
        free(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stratum_has_its_groups),
        cmocka_unit_test(spread_evenly),
        cmocka_unit_test(all_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
