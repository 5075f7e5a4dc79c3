/* Which samples of a rung and of its ceiling are beyond doubt, and which are noise. No clock: the samples are made
 * here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/size.h"
#include "lab/ceilings/strategy_search.h"
#include "lab/ceilings/too_fast.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define ROUNDS 25

/* A machine: how long a run of so many ns takes there in that round. */
typedef double machine(struct random *random, double nanoseconds, uint32_t round);

static double unit(struct random *random)
{
    return (double)(random_u32(random) >> 8) / (double)(1 << 24);
}

/* Two per cent either way. */
static double calm(struct random *random, double nanoseconds, uint32_t round)
{
    (void)round;
    return nanoseconds * (0.98 + 0.04 * unit(random));
}

/* Another program takes the cores away in some runs, for a hundred times as long. */
static double shared(struct random *random, double nanoseconds, uint32_t round)
{
    return calm(random, nanoseconds, round) * (unit(random) < 0.45 ? 1 + 200 * unit(random) : 1);
}

/* Twice as fast in some rounds, as cores move from die to die. */
static double moving(struct random *random, double nanoseconds, uint32_t round)
{
    return calm(random, nanoseconds, round) * (round / 4 % 2 ? 2 : 1);
}

/* Twice as fast now and then, in the midst of a round. */
static double flickering(struct random *random, double nanoseconds, uint32_t round)
{
    return calm(random, nanoseconds, round) * (unit(random) < 0.5 ? 2 : 1);
}

/* Every run is disturbed, by up to ten times. */
static double crowded(struct random *random, double nanoseconds, uint32_t round)
{
    return calm(random, nanoseconds, round) * (1 + 9 * unit(random));
}

static double steady(struct random *random, double nanoseconds, uint32_t round)
{
    (void)random, (void)round;
    return nanoseconds;
}

static machine *const machines[] = {calm, shared, moving, flickering, crowded};

static struct samples samples_of(machine *on, double nanoseconds, uint32_t rounds, uint32_t seed)
{
    struct samples samples = {0};
    struct random random;
    random_seed(&random, seed);
    for (uint32_t round = 0; round < rounds; round++)
        assert_true(samples_add(&samples, on(&random, nanoseconds, round), round));
    return samples;
}

static bool is_too_fast(machine *on, double rung, double ceiling, uint32_t rounds, double passes, uint32_t seed)
{
    struct samples a = samples_of(on, rung, rounds, 2 * seed), b = samples_of(on, ceiling, rounds, 2 * seed + 1);
    bool verdict = too_fast(&a, &b, passes);
    if (verdict) /* what is beyond doubt was worth a look */
        assert_true(maybe_too_fast(&a, &b, passes));
    free(a.items);
    free(b.items);
    return verdict;
}

/* What 512 KiB, 1 MiB and 1 GiB take: nothing depends on the size. */
static const double sizes[] = {12000, 2e4, 4e7};

static void twice_as_fast_is_an_error_at_any_size(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (uint32_t seed = 1; seed <= 50; seed++) {
            assert_true(is_too_fast(calm, sizes[s] / 2, sizes[s], ROUNDS, 1, seed));
            assert_true(is_too_fast(calm, sizes[s] / 1.25, sizes[s], ROUNDS, 1, seed));
            assert_true(is_too_fast(calm, 1, sizes[s], ROUNDS, 1, seed)); /* does nothing */
        }
}

static void an_honest_rung_is_none_on_any_machine(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT_OF(machines); m++)
        for (uint32_t seed = 1; seed <= 400; seed++) {
            assert_false(is_too_fast(machines[m], 1000, 1000, ROUNDS, 1, seed));
            assert_false(is_too_fast(machines[m], 1000 / 1.05, 1000, ROUNDS, 1, seed)); /* a ceiling a bit low */
        }
    /* In each round a call's 500 ns are allowed beside ten per cent: 2000 * 1.1 + 500. */
    assert_false(is_too_fast(steady, 2000, 2690, ROUNDS, 1, 1));
    assert_true(is_too_fast(steady, 2000, 2710, ROUNDS, 1, 1));
}

/* A probe of all threads on a machine that others use, and a rung of one thread: the probe's best run tells. */
static void a_disturbed_probe_accuses_nobody(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct samples rung = samples_of(calm, 1000, ROUNDS, seed), ceiling = samples_of(shared, 900, ROUNDS, seed + 1);
        assert_false(too_fast(&rung, &ceiling, 1));
        free(rung.items);
        free(ceiling.items);
    }
}

static void what_is_beyond_doubt_is_seen_through_noise(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        assert_true(is_too_fast(moving, 300, 1000, ROUNDS, 1, seed));
        assert_true(is_too_fast(crowded, 20, 1000, ROUNDS, 1, seed));
    }
}

static void few_rounds_accuse_nobody(void **state)
{
    (void)state;
    assert_false(is_too_fast(calm, 10, 1000, TOO_FAST_ROUNDS - 1, 1, 3));
    assert_false(is_too_fast(calm, 10, 1000, 0, 1, 3));
    /* Different rounds, as of a kept ceiling: none in common. */
    struct samples rung = samples_of(calm, 10, ROUNDS, 5), ceiling = samples_of(calm, 1000, ROUNDS, 6);
    for (size_t i = 0; i < ceiling.count; i++)
        ceiling.items[i].round = UINT32_MAX;
    assert_false(too_fast(&rung, &ceiling, 1));
    assert_true(maybe_too_fast(&rung, &ceiling, 1)); /* but it is timed again */
    free(rung.items);
    free(ceiling.items);
}

static void passes_done_in_one_are_allowed(void **state)
{
    (void)state;
    assert_false(is_too_fast(calm, 26000, 100000, ROUNDS, 4, 7));
    assert_true(is_too_fast(calm, 12500, 100000, ROUNDS, 4, 7));
    assert_true(is_too_fast(calm, 26000, 100000, ROUNDS, 1, 7));
}

/* Strategies with a clock of their own: half of their runs are disturbed. */
struct strategies {
    struct random random;
    double times[40];
    size_t runs;
};

static double run_strategy(void *context, size_t strategy, int whole)
{
    struct strategies *strategies = context;
    (void)whole;
    strategies->runs++;
    double factor = unit(&strategies->random) < 0.5 ? 1 : 1 + 3 * unit(&strategies->random);
    return strategies->times[strategy] * factor;
}

static void the_search_finds_the_fastest(void **state)
{
    (void)state;
    size_t right = 0;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct strategies strategies = {0};
        random_seed(&strategies.random, seed);
        for (size_t i = 0; i < COUNT_OF(strategies.times); i++)
            strategies.times[i] = i == seed % 40 ? 500 : 1000 + 10 * (double)i;
        struct strategy_trial trial = {COUNT_OF(strategies.times), run_strategy, &strategies, 1e9};
        right += strategy_search(&trial) == seed % 40;
        assert_true(strategies.runs < 40 * 2 + 4 * 12 + 1);
    }
    assert_true(right > 85); /* a strategy may be disturbed in both of its first runs */
}

static void a_strategy_that_cannot_run_is_not_chosen(void **state)
{
    (void)state;
    struct strategies strategies = {.times = {-1, -1, 70, 50}};
    random_seed(&strategies.random, 1);
    struct strategy_trial trial = {2, run_strategy, &strategies, 0};
    assert_int_equal(strategy_search(&trial), 0); /* none can */
    trial.count = 3;
    assert_int_equal(strategy_search(&trial), 2);
}

/* The probe's own call takes longer than a whole tiny problem. */
static void a_problem_of_a_few_bytes_is_no_error(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        assert_false(is_too_fast(calm, 20, 400, ROUNDS, 1, seed));
        assert_false(is_too_fast(calm, 100, 210, ROUNDS, 1, seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_as_fast_is_an_error_at_any_size),
        cmocka_unit_test(an_honest_rung_is_none_on_any_machine),
        cmocka_unit_test(a_disturbed_probe_accuses_nobody),
        cmocka_unit_test(what_is_beyond_doubt_is_seen_through_noise),
        cmocka_unit_test(a_problem_of_a_few_bytes_is_no_error),
        cmocka_unit_test(few_rounds_accuse_nobody),
        cmocka_unit_test(passes_done_in_one_are_allowed),
        cmocka_unit_test(the_search_finds_the_fastest),
        cmocka_unit_test(a_strategy_that_cannot_run_is_not_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
