/* Each kind of a publication's claims against measured times, at and beside its bounds. Three samples lie a tenth of a
 * per cent apart, so the doubt is the least, 1 %; two samples have a doubt of 10 %. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/size.h"
#include "publications/reproduction.h"

static int64_t sizes[] = {4, 8, 16};
static const char *choices[] = {"A=1", "A=2", "A=3"};
static const struct publication_run tree = {.id = "tree",
                                            .problem = "dot:n={},f32",
                                            .rung = "tree",
                                            .technologies = TECHNOLOGY_CUDA,
                                            .sizes = sizes,
                                            .size_count = COUNT_OF(sizes)};
static const struct publication_run serial = {.id = "serial",
                                              .problem = "dot:n={},f32",
                                              .rung = "serial",
                                              .technologies = TECHNOLOGY_CPU,
                                              .sizes = sizes,
                                              .size_count = COUNT_OF(sizes)};
static const struct publication publication = {.name = "p", .end_to_end = true};
static const struct publication kernel_times = {.name = "p"};
static struct measurement_list list;

static struct measurement *timed(const char *device, const char *rung, int64_t n, double ms, int samples)
{
    struct measurement *one = measurement_list_add(&list);
    assert_non_null(one);
    strcpy(one->kernel, "dot");
    snprintf(one->problem, sizeof one->problem, "dot:n=%lld,f32", (long long)n);
    strcpy(one->rung, rung);
    strcpy(one->device, device);
    snprintf(one->device_name, sizeof one->device_name, "a %s", device);
    one->kind = MEASURED_DEVICE;
    one->work = 1e6;
    for (int i = 0; i < samples; i++) {
        double ns = 1e6 * ms * (1 + 0.001 * (i - (samples - 1) / 2.0));
        assert_true(samples_add(&one->phases[PHASE_END_TO_END], ns, (uint32_t)i));
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], ns / 4, (uint32_t)i));
    }
    return one;
}

static struct claim_result judged(const struct publication *of, const struct claim *claim)
{
    const struct here here = {.list = &list};
    struct claim_result results[4];
    size_t made = claims_judge(of, &here, claim, results, COUNT_OF(results));
    assert_int_equal(made, 1);
    measurement_list_free(&list);
    list = (struct measurement_list){0};
    return results[0];
}

static void expect(struct claim_result result, enum judgement outcome, const char *figure, const char *why)
{
    assert_string_equal(result.figure, figure);
    assert_int_equal(result.outcome, outcome);
    assert_string_equal(result.why ? result.why : "", why);
}

#define NEAR "too near to tell apart from the spread of the samples"
#define UNMEASURED "not measured"

/* `of` takes 1 ms at each size, `over` as often as long as `ratios` says; 0: not measured. */
static struct claim_result beside(enum claim_kind kind, double least, double most, const double ratios[3], int samples)
{
    const struct claim claim = {
        .kind = kind, .of = {.run = &tree}, .over = {.run = &serial, .technology = TECHNOLOGY_CPU}, least, most};
    timed("cuda:0", "tree", 999, 1, 3); /* of another size */
    for (size_t i = 0; i < 3; i++)
        if (ratios[i] > 0) {
            timed("cuda:0", "tree", sizes[i], 1, samples);
            timed("cpu", "serial", sizes[i], ratios[i], samples);
        }
    return judged(&publication, &claim);
}

static void ratios(void **state)
{
    (void)state;
    static const struct {
        double least, most, ratios[3];
        int samples;
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {
        {1.5, 2.5, {1.517}, 3, JUDGED_HOLDS, "1.52×", ""}, /* 1.517 * 0.99 is 1.502 */
        {1.5, 2.5, {1.513}, 3, JUDGED_UNTOLD, "1.51×", NEAR},
        {1.5, 2.5, {1.487}, 3, JUDGED_UNTOLD, "1.49×", NEAR}, /* 1.487 * 1.01 is 1.502 */
        {1.5, 2.5, {1.484}, 3, JUDGED_FAILS, "1.48×", ""},
        {1.5, 2.5, {2.474}, 3, JUDGED_HOLDS, "2.47×", ""},
        {1.5, 2.5, {2.477}, 3, JUDGED_UNTOLD, "2.48×", NEAR},
        {1.5, 2.5, {2.524}, 3, JUDGED_UNTOLD, "2.52×", NEAR},
        {1.5, 2.5, {2.527}, 3, JUDGED_FAILS, "2.53×", ""},
        {1.5, 2.5, {1.6}, 2, JUDGED_UNTOLD, "1.60×", NEAR},
        {1.5, 2.5, {1.7}, 2, JUDGED_HOLDS, "1.70×", ""},
        {1.5, 2.5, {1.6, 2.2, 1.9}, 3, JUDGED_HOLDS, "1.60 … 2.20×", ""},
        {1.5, 2.5, {1.6, 3, 1.5}, 3, JUDGED_FAILS, "1.50 … 3.00×", ""},
        {1.5, 2.5, {1.5, 3, 1.6}, 3, JUDGED_FAILS, "1.50 … 3.00×", ""},
        {1.5, 2.5, {1.6, 1.5, 2}, 3, JUDGED_UNTOLD, "1.50 … 2.00×", NEAR},
        {0, INFINITY, {9.99}, 3, JUDGED_HOLDS, "9.99×", ""},
        {0, INFINITY, {9.996}, 3, JUDGED_HOLDS, "10.0×", ""},
        {0, INFINITY, {99.96}, 3, JUDGED_HOLDS, "100×", ""},
        {0, INFINITY, {5, 50}, 3, JUDGED_HOLDS, "5.00 … 50.0×", ""},
        {0, INFINITY, {50, 500}, 3, JUDGED_HOLDS, "50 … 500×", ""},
        {0, INFINITY, {0}, 3, JUDGED_UNTOLD, "", UNMEASURED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (rows[i].ratios[0] > 0)
            expect(beside(CLAIM_RATIO, rows[i].least, rows[i].most, rows[i].ratios, rows[i].samples), rows[i].outcome,
                   rows[i].figure, rows[i].why);
        else /* with no serial there is nothing to compare with */
            expect(beside(CLAIM_RATIO, rows[i].least, rows[i].most, rows[i].ratios, rows[i].samples), JUDGED_UNTOLD, "",
                   "what it is compared with was not measured on the same hardware");
    }
}

static void crossings(void **state)
{
    (void)state;
    static const struct {
        double ratios[3];
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {
        {{0.5, 2, 3}, JUDGED_HOLDS, "N ≥ 8", ""},    {{1, 2, 3}, JUDGED_HOLDS, "N ≥ 8", ""},
        {{2, 2, 2}, JUDGED_FAILS, "N ≥ 4", ""},      {{0.5, 0.5, 0.5}, JUDGED_FAILS, "N > 16", ""},
        {{0.5, 2, 0.5}, JUDGED_FAILS, "N > 16", ""}, {{2, 0.5, 2}, JUDGED_HOLDS, "N ≥ 16", ""},
        {{0, 0.5, 2}, JUDGED_HOLDS, "N ≥ 16", ""},   {{0.5, 0.8, 0}, JUDGED_UNTOLD, "N > 8", UNMEASURED},
        {{0, 0, 2}, JUDGED_UNTOLD, "", UNMEASURED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect(beside(CLAIM_CROSSING, 0, INFINITY, rows[i].ratios, 3), rows[i].outcome, rows[i].figure, rows[i].why);
}

/* The error of a ratio is 0.2 %. */
static void greatest(void **state)
{
    (void)state;
    static const struct {
        double ratios[3];
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {
        {{10, 20, 30}, JUDGED_HOLDS, "30.00 ± 0.06, N = 16", ""},
        {{30, 20, 10}, JUDGED_FAILS, "30.00 ± 0.06, N = 4", ""},
        {{10, 30, 29.9}, JUDGED_UNTOLD, "30.00 ± 0.06, N = 8", NEAR}, /* 29.96 is more than 29.94 */
        {{10, 30, 29.86}, JUDGED_FAILS, "30.00 ± 0.06, N = 8", ""},
        {{10, 20, 0}, JUDGED_UNTOLD, "20.00 ± 0.04, N = 8", "the largest size was not measured"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect(beside(CLAIM_GREATEST, 0, INFINITY, rows[i].ratios, 3), rows[i].outcome, rows[i].figure, rows[i].why);
}

/* The doubt of a fall is that of both its rates: 1.4 %. */
static void falls(void **state)
{
    (void)state;
    static const struct {
        double rates[3]; /* 0: not measured */
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {
        {{10, 8, 5}, JUDGED_HOLDS, "0.50×", ""},      {{8, 10, 5}, JUDGED_HOLDS, "0.50×", ""},
        {{10, 8, 8.86}, JUDGED_HOLDS, "0.89×", ""},   {{10, 8, 8.96}, JUDGED_UNTOLD, "0.90×", NEAR},
        {{10, 8, 9.1}, JUDGED_UNTOLD, "0.91×", NEAR}, {{10, 8, 9.2}, JUDGED_FAILS, "0.92×", ""},
        {{10, 8, 0}, JUDGED_UNTOLD, "", UNMEASURED},  {{0, 0, 8}, JUDGED_UNTOLD, "", UNMEASURED},
        {{10, 8, 1000}, JUDGED_FAILS, "100×", ""},
    };
    const struct claim claim = {.kind = CLAIM_FALL, .of = {.run = &tree}, .least = 0, .most = 0.9};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t s = 0; s < 3; s++)
            if (rows[i].rates[s] > 0)
                timed("cuda:0", "tree", sizes[s], 10 / rows[i].rates[s], 3);
        expect(judged(&publication, &claim), rows[i].outcome, rows[i].figure, rows[i].why);
    }
}

/* Times of the choices A=1, A=2 and A=3 at the largest size; a choice at another size counts nothing. */
static struct claim_result of_choices(enum claim_kind kind, const char *condition, const double times[3])
{
    struct publication_run run = tree;
    run.choices = choices;
    run.choice_count = COUNT_OF(choices);
    const struct claim claim = {.kind = kind, .of = {.run = &run}, .condition = condition, .least = 2, .most = 5};
    strcpy(timed("cuda:0", "tree", 8, 0.01, 3)->parameters, "A=3");
    for (size_t i = 0; i < 3; i++)
        if (times[i] > 0)
            strcpy(timed("cuda:0", "tree", 16, times[i], 3)->parameters, choices[i]);
    return judged(&publication, &claim);
}

static void spreads(void **state)
{
    (void)state;
    expect(of_choices(CLAIM_SPREAD, NULL, (double[]){2, 1, 4}), JUDGED_HOLDS, "4.00×", "");
    expect(of_choices(CLAIM_SPREAD, NULL, (double[]){4, 1, 2}), JUDGED_HOLDS, "4.00×", "");
    expect(of_choices(CLAIM_SPREAD, NULL, (double[]){1, 6, 0}), JUDGED_FAILS, "6.00×", "");
    expect(of_choices(CLAIM_SPREAD, NULL, (double[]){1, 2, 0}), JUDGED_UNTOLD, "2.00×", NEAR);
    expect(of_choices(CLAIM_SPREAD, NULL, (double[]){1, 0, 0}), JUDGED_UNTOLD, "", UNMEASURED);
}

static void best_choices(void **state)
{
    (void)state;
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){2, 1, 3}), JUDGED_HOLDS, "A=2", "");
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){2, 3, 1}), JUDGED_HOLDS, "A=3", "");
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){1, 2, 3}), JUDGED_FAILS, "A=1", "");
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){1, 1.005, 2}), JUDGED_UNTOLD, "A=1", NEAR);
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){1.005, 1, 2}), JUDGED_UNTOLD, "A=2", NEAR);
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){0, 1, 2}), JUDGED_UNTOLD, "", UNMEASURED);
    expect(of_choices(CLAIM_BEST, "A > 1", (double[]){1, 0, 0}), JUDGED_UNTOLD, "", UNMEASURED);
}

/* The probe takes 1 ms, the rung 1.25 ms: 80 %. */
static void ceilings(void **state)
{
    (void)state;
    static const struct {
        double rung;
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {{5, JUDGED_HOLDS, "80.0 %", ""}, {4, JUDGED_FAILS, "100.0 %", ""}, {0, JUDGED_UNTOLD, "", UNMEASURED}};
    const struct claim claim = {.kind = CLAIM_CEILING, .of = {.run = &tree}, .least = 0.7, .most = 0.9};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct measurement *probe = timed("cuda:0", "copy", 16, 4, 3);
        probe->kind = MEASURED_PROBE;
        if (rows[i].rung > 0)
            timed("cuda:0", "tree", 16, rows[i].rung, 3);
        else
            timed("cuda:0", "other", 16, 1, 3);
        expect(judged(&kernel_times, &claim), rows[i].outcome, rows[i].figure, rows[i].why);
    }
}

/* The share of a time that is moving data may be off by one in a hundred of itself. */
static void whole_times(void **state)
{
    (void)state;
    static const struct {
        double computes;
        enum judgement outcome;
        const char *figure, *why;
    } rows[] = {{0.5, JUDGED_HOLDS, "50 %", ""},      {0.41, JUDGED_HOLDS, "59 %", ""},
                {0.402, JUDGED_UNTOLD, "60 %", NEAR}, {0.39, JUDGED_FAILS, "61 %", ""},
                {0.59, JUDGED_HOLDS, "41 %", ""},     {0.597, JUDGED_UNTOLD, "40 %", NEAR},
                {0.61, JUDGED_FAILS, "39 %", ""},     {0, JUDGED_UNTOLD, "", UNMEASURED}};
    const struct claim claim = {.kind = CLAIM_WHOLE, .of = {.run = &tree}, .least = 0.4, .most = 0.6};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct measurement *one = timed("cuda:0", "tree", 16, 1, 3);
        if (rows[i].computes > 0)
            assert_true(samples_add(&one->phases[PHASE_LAUNCH], 1e6 * rows[i].computes, 0));
        expect(judged(&publication, &claim), rows[i].outcome, rows[i].figure, rows[i].why);
    }
}

static void reasons(void **state)
{
    (void)state;
    const struct claim claim = {
        .kind = CLAIM_RATIO, .of = {.run = &tree}, .over = {.run = &serial, .technology = TECHNOLOGY_CPU}, 1, 2};
    for (int both = 0; both < 2; both++) {
        struct measurement *of = timed("cuda:0", "tree", 16, 1, 3), *over = timed("cpu", "serial", 16, 1, 3);
        of = over - 1; /* the list may have moved */
        over->verdict = VERDICT_SKIP;
        strcpy(over->reason, "too long");
        of->verdict = both ? VERDICT_FAIL : VERDICT_PASS;
        strcpy(of->reason, both ? "differs" : "");
        const struct here here = {.list = &list};
        struct claim_result result;
        assert_int_equal(claims_judge(&publication, &here, &claim, &result, 1), 1);
        expect(result, JUDGED_UNTOLD, "", both ? "differs" : "too long");
        measurement_list_free(&list);
        list = (struct measurement_list){0};
    }
    static const struct {
        unsigned technologies;
        const char *no_cuda, *no_opencl, *why;
    } rows[] = {
        {TECHNOLOGY_CUDA, "no driver", NULL, "no driver"},
        {TECHNOLOGY_CUDA, NULL, "no loader", UNMEASURED},
        {TECHNOLOGY_OPENCL, "no driver", "no loader", "no loader"},
        {TECHNOLOGY_CUDA | TECHNOLOGY_OPENCL, "no driver", NULL, UNMEASURED},
        {TECHNOLOGY_CUDA | TECHNOLOGY_OPENCL, "no driver", "no loader", "no driver"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct publication_run run = tree;
        run.technologies = rows[i].technologies;
        const struct claim none = {.kind = CLAIM_FALL, .of = {.run = &run}};
        const struct here here = {.list = &list, .no_cuda = rows[i].no_cuda, .no_opencl = rows[i].no_opencl};
        struct claim_result result;
        assert_int_equal(claims_judge(&publication, &here, &none, &result, 1), 1);
        expect(result, JUDGED_UNTOLD, "", rows[i].why);
        assert_null(result.device);
    }
}

/* One result for each device of the claim's technology, and no more than there is room for. */
static void devices(void **state)
{
    (void)state;
    const struct claim claim = {.kind = CLAIM_FALL, .of = {.run = &tree, .technology = TECHNOLOGY_OPENCL}};
    const struct claim untold = {.kind = CLAIM_UNTOLD, .of = {.run = &tree}, .reason = {"nobody knows", NULL}};
    static const char *const ids[] = {"opencl:0", "cuda:0", "opencl:1", "cpu", "opencl:0"};
    struct claim_result results[4];
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        timed(ids[i], "tree", 16, 1, 3)->device_is_cpu = i == 2;
    const struct here here = {.list = &list};
    assert_int_equal(claims_judge(&publication, &here, &claim, results, 4), 2);
    assert_string_equal(results[0].device, "opencl:0");
    assert_string_equal(results[0].device_name, "a opencl:0");
    assert_false(results[0].is_cpu);
    assert_string_equal(results[1].device, "opencl:1");
    assert_true(results[1].is_cpu);
    assert_ptr_equal(results[1].claim, &claim);
    assert_int_equal(claims_judge(&publication, &here, &claim, results, 1), 1);
    assert_int_equal(claims_judge(&publication, &here, &claim, results, 0), 0);
    assert_int_equal(claims_judge(&publication, &here, &untold, results, 4), 1);
    expect(results[0], JUDGED_UNTOLD, "", "nobody knows");
    assert_string_equal(judgement_name(JUDGED_HOLDS), "holds");
    assert_string_equal(judgement_name(JUDGED_FAILS), "does not hold");
    assert_string_equal(judgement_name(JUDGED_UNTOLD), "cannot tell");
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios),   cmocka_unit_test(crossings),   cmocka_unit_test(greatest),
        cmocka_unit_test(falls),    cmocka_unit_test(spreads),     cmocka_unit_test(best_choices),
        cmocka_unit_test(ceilings), cmocka_unit_test(whole_times), cmocka_unit_test(reasons),
        cmocka_unit_test(devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
