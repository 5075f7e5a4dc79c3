/* What is called faster and slower, and what is not: measurements made on purpose. */
#include "store_fixture.h"

#include <math.h>

#include "base/random.h"
#include "store/comparison.h"

static struct random random_numbers;

/* A rung's measurement: `rounds` rounds of 3 samples about `time`, each round off by up to `noise` of it. */
static struct measurement *make(struct measurement_list *list, const char *rung, enum measured_kind kind, double time,
                                double noise, uint32_t rounds)
{
    struct measurement *made = measurement_list_add(list);
    assert_non_null(made);
    made->kind = kind;
    strcpy(made->problem, "transpose:rows=4,cols=5,f32");
    strcpy(made->device, "cpu");
    made->threads = 2;
    snprintf(made->rung, sizeof made->rung, "%s", rung);
    for (uint32_t round = 0; round < rounds; round++) {
        double shift = 1 + noise * (2 * random_double(&random_numbers) - 1);
        for (int i = 0; i < 3; i++)
            assert_true(samples_add(&made->phases[PHASE_COMPUTE], time * shift + i, round));
    }
    return made;
}

struct sides {
    struct measurement_list a, b;
};

static struct run_comparison compare_by(const struct sides *sides, struct comparison_options options)
{
    struct run_comparison comparison;
    GOOD(comparison_make(&sides->a, &sides->b, &options, &comparison, &error));
    return comparison;
}

static struct run_comparison compare(const struct sides *sides)
{
    return compare_by(sides, comparison_defaults());
}

static void forget_sides(struct sides *sides, struct run_comparison *comparison)
{
    comparison_free(comparison);
    measurement_list_free(&sides->a);
    measurement_list_free(&sides->b);
}

static void expect(const struct compared *pair, enum outcome outcome, const char *why)
{
    if (pair->outcome != outcome || !strstr(pair->why, why))
        FAIL_WITH("%s: %s (%s), not %s (%s); p %g, %g in %g … %g, machine %g … %g\n",
                  (pair->a ? pair->a : pair->b)->rung, outcome_name(pair->outcome), pair->why, outcome_name(outcome),
                  why, pair->p, pair->ratio, pair->low, pair->high, pair->machine_low, pair->machine_high);
}

static void verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *rung;
        double a, b, noise;
        uint32_t rounds;
        enum outcome outcome;
        const char *why;
    } cases[] = {
        {"same", 1e6, 1e6, 0.02, 12, OUTCOME_UNCLEAR, "within the noise"},
        {"faster", 1e6, 0.8e6, 0.02, 12, OUTCOME_FASTER, ""},
        {"slower", 1e6, 1.2e6, 0.02, 12, OUTCOME_SLOWER, ""},
        {"slower, many rounds", 1e6, 1.2e6, 0.02, 400, OUTCOME_SLOWER, ""},
        {"few", 1e6, 2e6, 0.02, 3, OUTCOME_UNCLEAR, "too few rounds: 3 and 3, for 7 pairs"},
        {"little", 1e6, 1.003e6, 0.0001, 20, OUTCOME_UNCLEAR, "less than 1 %"},
        {"noisy", 1e6, 1.02e6, 0.3, 12, OUTCOME_UNCLEAR, "within the noise"},
    };
    struct sides sides = {0};
    random_seed(&random_numbers, 5);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        make(&sides.a, cases[i].rung, MEASURED_HOST, cases[i].a, cases[i].noise, cases[i].rounds);
        make(&sides.b, cases[i].rung, MEASURED_HOST, cases[i].b, cases[i].noise, cases[i].rounds);
    }
    struct run_comparison comparison = compare(&sides);
    assert_int_equal(comparison.count, COUNT_OF(cases));
    assert_int_equal(comparison.tests, COUNT_OF(cases));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(&comparison.items[i], cases[i].outcome, cases[i].why);
    const struct compared *slower = &comparison.items[2];
    assert_true(fabs(slower->ratio - 1.2) < 0.03 && slower->low < slower->ratio && slower->high > slower->ratio);
    assert_int_equal(slower->units_a, 12);
    assert_int_equal(comparison.items[3].units_a, 25);
    forget_sides(&sides, &comparison);
}

/* A rung that became slower with the machine is not called slower; one that became much slower is. */
static void the_machine_moved(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 6);
    make(&sides.a, "copy", MEASURED_PROBE, 1e6, 0.01, 12);
    make(&sides.b, "copy", MEASURED_PROBE, 1.5e6, 0.01, 12);
    static const double times[] = {1.5e6, 0.9e6, 2.5e6};
    static const char *const rungs[] = {"with it", "faster", "slower still"};
    for (size_t i = 0; i < 3; i++) {
        make(&sides.a, rungs[i], MEASURED_HOST, 1e6, 0.01, 12);
        make(&sides.b, rungs[i], MEASURED_HOST, times[i], 0.01, 12);
    }
    struct run_comparison comparison = compare(&sides);
    assert_int_equal(comparison.count, 3);
    expect(&comparison.items[0], OUTCOME_UNCLEAR, "the machine itself moved as much");
    expect(&comparison.items[1], OUTCOME_FASTER, "");
    expect(&comparison.items[2], OUTCOME_SLOWER, "");
    assert_true(fabs(comparison.items[2].machine_high - 1.5) < 0.05);
    assert_true(comparison.items[2].machine_low == 1);
    forget_sides(&sides, &comparison);
}

static void without_times(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 7);
    make(&sides.a, "gone", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.a, "breaks", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.a, "skipped", MEASURED_HOST, 1e6, 0.01, 0)->verdict = VERDICT_SKIP;
    make(&sides.a, "mended", MEASURED_HOST, 1e6, 0.01, 0)->verdict = VERDICT_ERROR;
    make(&sides.b, "mended", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.b, "skipped", MEASURED_HOST, 1e6, 0.01, 0)->verdict = VERDICT_SKIP;
    make(&sides.b, "breaks", MEASURED_HOST, 1e6, 0.01, 0)->verdict = VERDICT_FAIL;
    make(&sides.b, "new", MEASURED_HOST, 1e6, 0.01, 12);
    struct run_comparison comparison = compare(&sides);
    assert_int_equal(comparison.count, 5);
    assert_int_equal(comparison.tests, 0);
    expect(&comparison.items[0], OUTCOME_WITHOUT, "only in A");
    expect(&comparison.items[1], OUTCOME_BROKEN, "");
    expect(&comparison.items[2], OUTCOME_WITHOUT, "SKIP in A, SKIP in B");
    expect(&comparison.items[3], OUTCOME_MENDED, "");
    expect(&comparison.items[4], OUTCOME_WITHOUT, "only in B");
    forget_sides(&sides, &comparison);
}

/* Two that are right and have no times of what is compared: that is the reason, and not their verdicts. */
static void untimed(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 9);
    make(&sides.a, "kernel times", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.b, "kernel times", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.a, "none in B", MEASURED_HOST, 1e6, 0.01, 12);
    make(&sides.b, "none in B", MEASURED_HOST, 1e6, 0.01, 0);
    struct comparison_options whole = comparison_defaults();
    whole.phase = PHASE_END_TO_END;
    struct run_comparison comparison = compare_by(&sides, whole);
    expect(&comparison.items[0], OUTCOME_WITHOUT, "no end-to-end times in A and B");
    comparison_free(&comparison);
    comparison = compare(&sides);
    expect(&comparison.items[1], OUTCOME_WITHOUT, "no times in B");
    forget_sides(&sides, &comparison);
}

/* Other defaults are still the same rung; the points of two sweeps are paired point by point. */
static void parameters(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 8);
    strcpy(make(&sides.a, "tiled", MEASURED_DEVICE, 1e6, 0.01, 12)->parameters, "TILE=16");
    strcpy(make(&sides.b, "tiled", MEASURED_DEVICE, 1e6, 0.01, 12)->parameters, "TILE=32");
    static const char *const points[] = {"BX=1", "BX=2", "BX=4"};
    for (size_t i = 0; i < 2; i++) {
        strcpy(make(&sides.a, "naive", MEASURED_DEVICE, 1e6, 0.01, 12)->parameters, points[i]);
        strcpy(make(&sides.b, "naive", MEASURED_DEVICE, 1e6, 0.01, 12)->parameters, points[i + 1]);
    }
    struct run_comparison comparison = compare(&sides);
    assert_int_equal(comparison.count, 4);
    assert_int_equal(comparison.tests, 2);
    assert_string_equal(comparison.items[0].b->parameters, "TILE=32");
    expect(&comparison.items[1], OUTCOME_WITHOUT, "only in A");
    expect(&comparison.items[2], OUTCOME_UNCLEAR, "");
    expect(&comparison.items[3], OUTCOME_WITHOUT, "only in B");
    forget_sides(&sides, &comparison);
}

/* Each run is off by more than its rounds are: rounds would see a difference, runs do not. */
static void runs_as_values(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 9);
    static const double runs_a[] = {1.00e6, 1.04e6, 0.98e6, 1.03e6, 1.01e6, 0.99e6, 1.02e6, 0.97e6};
    static const double runs_b[] = {1.02e6, 0.99e6, 1.04e6, 1.00e6, 1.03e6, 0.98e6, 0.97e6, 1.01e6};
    for (size_t i = 0; i < COUNT_OF(runs_a); i++) {
        make(&sides.a, "steady", MEASURED_HOST, runs_a[i], 0.001, 40);
        make(&sides.b, "steady", MEASURED_HOST, runs_b[i], 0.001, 40);
        make(&sides.a, "slower", MEASURED_HOST, runs_a[i], 0.001, 40);
        make(&sides.b, "slower", MEASURED_HOST, 1.2 * runs_b[i], 0.001, 40);
    }
    struct run_comparison comparison = compare(&sides);
    assert_int_equal(comparison.count, 2);
    assert_true(comparison.items[0].units_are_runs);
    assert_int_equal(comparison.items[0].units_a, COUNT_OF(runs_a));
    expect(&comparison.items[0], OUTCOME_UNCLEAR, "within the noise");
    expect(&comparison.items[1], OUTCOME_SLOWER, "");
    forget_sides(&sides, &comparison);
}

/* What is faster in another place of the cores, or was measured while they moved, is not called so; unless it was asked
 * for. */
static void cores_elsewhere_or_moving(void **state)
{
    (void)state;
    static const struct {
        const char *rung;
        double a, a_high, b, b_high;
        enum outcome outcome;
        const char *why;
    } cases[] = {
        {"alike", 25, 26, 30, 31, OUTCOME_FASTER, ""},
        {"elsewhere", 25, 26, 160, 170, OUTCOME_UNCLEAR, "the cores were elsewhere: 25 ns apart in A, 160 in B"},
        {"moving", 25, 26, 25, 160, OUTCOME_UNCLEAR, "the cores moved in B: 25 to 160 ns apart"},
        {"not known", 0, 0, 160, 170, OUTCOME_FASTER, ""},
        {"of many threads", 25, 160, 160, 170, OUTCOME_FASTER, ""},
    };
    struct sides sides = {0};
    random_seed(&random_numbers, 11);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct measurement *a = make(&sides.a, cases[i].rung, MEASURED_HOST, 1e6, 0.01, 12);
        struct measurement *b = make(&sides.b, cases[i].rung, MEASURED_HOST, 0.8e6, 0.01, 12);
        a->core_latency = a->core_latency_low = cases[i].a;
        a->core_latency_high = cases[i].a_high;
        b->core_latency = b->core_latency_low = cases[i].b;
        b->core_latency_high = cases[i].b_high;
    }
    sides.a.items[sides.a.count - 1].threads = sides.b.items[sides.b.count - 1].threads = 8;
    struct run_comparison comparison = compare(&sides);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(&comparison.items[i], cases[i].outcome, cases[i].why);
    comparison_free(&comparison);
    struct comparison_options options = comparison_defaults();
    options.any_cores = true;
    comparison = compare_by(&sides, options);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(&comparison.items[i], OUTCOME_FASTER, "");
    forget_sides(&sides, &comparison);
}

/* Eight runs on each side: some moved, which is among what differs from run to run; the medians say where they were. */
static void cores_of_many_runs(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 12);
    for (size_t i = 0; i < 8; i++) {
        make(&sides.a, "some moved", MEASURED_HOST, 1e6, 0.01, 12)->core_latency = i < 6 ? 25 : 160;
        make(&sides.b, "some moved", MEASURED_HOST, 0.8e6, 0.01, 12)->core_latency = i < 5 ? 26 : 160;
        sides.b.items[sides.b.count - 1].core_latency_low = 25;
        sides.b.items[sides.b.count - 1].core_latency_high = 160;
        make(&sides.a, "elsewhere", MEASURED_HOST, 1e6, 0.01, 12)->core_latency = i < 6 ? 25 : 160;
        make(&sides.b, "elsewhere", MEASURED_HOST, 0.8e6, 0.01, 12)->core_latency = i < 2 ? 26 : 160;
    }
    struct run_comparison comparison = compare(&sides);
    expect(&comparison.items[0], OUTCOME_FASTER, "");
    expect(&comparison.items[1], OUTCOME_UNCLEAR, "the cores were elsewhere: 25 ns apart in A, 160 in B");
    forget_sides(&sides, &comparison);
}

/* Has samples of one phase alone. */
static void only_phase(struct measurement *measurement, enum phase phase)
{
    measurement->phases[phase] = measurement->phases[PHASE_COMPUTE];
    measurement->phases[PHASE_COMPUTE] = (struct samples){0};
}

/* Transfers alone are compared by what they took; not with something else, and not where whole times were asked for. */
static void phases_that_there_are(void **state)
{
    (void)state;
    struct sides sides = {0};
    random_seed(&random_numbers, 13);
    static const enum phase phases[][2] = {
        {PHASE_UPLOAD, PHASE_UPLOAD}, {PHASE_DOWNLOAD, PHASE_DOWNLOAD}, {PHASE_UPLOAD, PHASE_DOWNLOAD}};
    static const char *const rungs[] = {"up", "down", "one each"};
    for (size_t i = 0; i < COUNT_OF(rungs); i++) {
        only_phase(make(&sides.a, rungs[i], MEASURED_DEVICE, 1e6, 0.01, 12), phases[i][0]);
        only_phase(make(&sides.b, rungs[i], MEASURED_DEVICE, 1.2e6, 0.01, 12), phases[i][1]);
    }
    struct run_comparison comparison = compare(&sides);
    expect(&comparison.items[0], OUTCOME_SLOWER, "");
    expect(&comparison.items[1], OUTCOME_SLOWER, "");
    expect(&comparison.items[2], OUTCOME_WITHOUT, "");
    assert_int_equal(comparison.items[0].phase, PHASE_UPLOAD);
    assert_int_equal(comparison.items[1].phase, PHASE_DOWNLOAD);
    comparison_free(&comparison);
    struct comparison_options options = comparison_defaults();
    options.phase = PHASE_END_TO_END;
    comparison = compare_by(&sides, options);
    for (size_t i = 0; i < COUNT_OF(rungs); i++)
        expect(&comparison.items[i], OUTCOME_WITHOUT, "");
    forget_sides(&sides, &comparison);
}

/* Two hundred rungs that did not change: none may be called, in any of fifty comparisons but one. */
static void false_alarms(void **state)
{
    (void)state;
    int alarmed = 0;
    random_seed(&random_numbers, 10);
    for (int trial = 0; trial < 50; trial++) {
        struct sides sides = {0};
        for (int i = 0; i < 20; i++) {
            char rung[16];
            snprintf(rung, sizeof rung, "rung-%d", i);
            make(&sides.a, rung, MEASURED_HOST, 1e6, 0.2, 10);
            make(&sides.b, rung, MEASURED_HOST, 1e6, 0.2, 10);
        }
        struct run_comparison comparison = compare(&sides);
        bool alarm = false;
        for (size_t i = 0; i < comparison.count; i++)
            alarm = alarm || comparison.items[i].outcome != OUTCOME_UNCLEAR;
        alarmed += alarm;
        forget_sides(&sides, &comparison);
    }
    assert_true(alarmed <= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),           cmocka_unit_test(the_machine_moved),
        cmocka_unit_test(without_times),      cmocka_unit_test(untimed),
        cmocka_unit_test(parameters),         cmocka_unit_test(runs_as_values),
        cmocka_unit_test(false_alarms),       cmocka_unit_test(cores_elsewhere_or_moving),
        cmocka_unit_test(cores_of_many_runs), cmocka_unit_test(phases_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
