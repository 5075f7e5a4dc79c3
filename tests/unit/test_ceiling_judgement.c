/* Who is too fast is accused, but not where other programs leave nothing of the processors. The load and the second
 * look are given here; no clock takes part. */
#include "cheats.h"

#include "lab/bench/describe.h"
#include "lab/ceilings/ceiling_confirm.h"
#include "lab/ceilings/ceiling_judgement.h"
#include "lab/ceilings/too_fast.h"

static double load; /* the cores that others use between any two moments */
static bool is_confirmed, is_certain, is_file;

/* In place of lab/bench/background_load.c. */
struct processor_times processor_times_now(void)
{
    return (struct processor_times){0};
}

double background_load_between(const struct processor_times *from, const struct processor_times *to)
{
    (void)from, (void)to;
    return load;
}

/* In place of lab/ceilings/ceiling_confirm.c. */
bool ceiling_confirm(struct bench *bench, struct runner *runner, struct runner *probe, double passes,
                     struct beaten_ceiling *found)
{
    (void)bench, (void)runner, (void)probe, (void)passes;
    *found = (struct beaten_ceiling){.share = 3, .is_certain = is_certain};
    return is_confirmed;
}

enum status ceiling_follow_cores(struct bench *bench, struct runner *runner, struct error *error)
{
    (void)bench, (void)runner, (void)error;
    return STATUS_OK;
}

#define UNITS 8

/* The measurement of a rung that takes `time` ns, a third of its probe's, after the judgement. The caller frees the
 * list. */
static struct measurement_list judged(bool on_cpu, double time, double others, bool second_look, bool certainly)
{
    struct rung rungs[] = {host_rung("suspect", right), host_rung("probe", right)};
    struct problem problem;
    struct device *device;
    struct error error = {""};
    struct runner runners[2];
    struct measurement_list list = {0};
    struct bench_options options = bench_defaults();
    struct bench bench = {
        .problem = &problem, .options = &options, .list = &list, .runners = runners, .runner_count = 2};
    memset(runners, 0, sizeof runners);
    rungs[0].varies = is_file;
    assert_int_equal(problem_parse(SMALL, &problem, &error), STATUS_OK);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    device->properties.is_cpu = on_cpu;
    device->properties.units = UNITS;
    for (size_t i = 0; i < 2; i++) {
        struct candidate *candidate = &runners[i].candidate;
        assert_int_equal(candidate_make(device, &rungs[i], &problem, NULL, candidate, &error), STATUS_OK);
        struct measurement *measurement = measurement_list_add(&list);
        describe_measurement(measurement, &problem, candidate, i == 1);
        measurement->verdict = VERDICT_PASS;
        for (uint32_t round = 0; round < 20; round++)
            assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], i == 1 ? 3 * time : time, round));
        runners[i].prepared.is_prepared = true;
        runners[i].prepared.run.device = device;
        runners[i].is_probe = i == 1;
        runners[i].measurement = i;
    }
    load = others;
    is_confirmed = second_look;
    is_certain = certainly;
    ceiling_judge(&bench, &runners[0]);
    device_close(device);
    return list;
}

static void the_load_decides_whether_it_is_judged(void **state)
{
    (void)state;
    static const struct {
        double others; /* of UNITS cores */
        bool is_confirmed, is_certain;
        enum verdict verdict;
        const char *word;
        bool is_file;
    } table[] = {
        {0, true, true, VERDICT_ERROR, "300 % of the ceiling: faster", false},
        {0.15, true, true, VERDICT_ERROR, "300 % of the ceiling: faster", false},
        {0.25, true, true, VERDICT_SKIP, "disturbed: it seems to reach 300 % of the ceiling; other programs", false},
        {8, true, true, VERDICT_SKIP, "other programs used 8.0 of 8 CPUs", false},
        {0, true, false, VERDICT_SKIP, "disturbed: it seems to reach 300 % of the ceiling; other programs", false},
        {8, false, true, VERDICT_PASS, "", false},
        {0, false, true, VERDICT_PASS, "", false},
        {0, false, true, VERDICT_ERROR, "disturbed: it seems to reach 300 % of the ceiling", true},
        {0, true, true, VERDICT_ERROR, "300 % of the ceiling: faster", true},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        is_file = table[i].is_file;
        struct measurement_list list = judged(true, 1e6, table[i].others, table[i].is_confirmed, table[i].is_certain);
        expect_reason(&list.items[0], table[i].verdict, table[i].word);
        expect_reason(&list.items[1], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
    is_file = false;
}

/* Others' time on the CPU does not slow a GPU's probe. But its launch takes time, and says nothing of a few bytes. */
static void a_tiny_problem_of_a_gpu_is_not_judged(void **state)
{
    (void)state;
    static const struct {
        double bytes_per_ns;
        enum verdict verdict;
        const char *word;
    } table[] = {
        {11, VERDICT_ERROR, "300 % of the ceiling"},
        {9, VERDICT_PASS, ""},
    };
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse(SMALL, &problem, &error), STATUS_OK);
    const struct cost cost = problem.kernel->cost(&problem);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const double time = (cost.bytes_read + cost.bytes_written) / table[i].bytes_per_ns;
        assert_true(2 * time > TOO_FAST_CALL_NS);
        struct measurement_list list = judged(false, time, UNITS, true, true);
        expect_reason(&list.items[0], table[i].verdict, table[i].word);
        measurement_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_load_decides_whether_it_is_judged),
                                       cmocka_unit_test(a_tiny_problem_of_a_gpu_is_not_judged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
