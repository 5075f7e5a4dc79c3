/* Who is too fast is accused, but not where other programs leave nothing of the processors. The load and the second
 * look are given here; no clock takes part. */
#include "cheats.h"

#include "lab/bench/describe.h"
#include "lab/ceilings/ceiling_confirm.h"
#include "lab/ceilings/ceiling_judgement.h"

static double load; /* the cores that others use between any two moments */
static bool is_confirmed;

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
bool ceiling_confirm(struct bench *bench, struct runner *runner, struct runner *probe, double passes, double *share)
{
    (void)bench, (void)runner, (void)probe, (void)passes;
    *share = 3;
    return is_confirmed;
}

enum status ceiling_follow_cores(struct bench *bench, struct runner *runner, struct error *error)
{
    (void)bench, (void)runner, (void)error;
    return STATUS_OK;
}

#define UNITS 8

/* The measurement of a rung that is thrice as fast as its probe, after the judgement. The caller frees the list. */
static struct measurement_list judged(bool on_cpu, double others, bool second_look)
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
            assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], i == 1 ? 3e6 : 1e6, round));
        runners[i].prepared.is_prepared = true;
        runners[i].prepared.run.device = device;
        runners[i].is_probe = i == 1;
        runners[i].measurement = i;
    }
    load = others;
    is_confirmed = second_look;
    ceiling_judge(&bench, &runners[0]);
    device_close(device);
    return list;
}

static void the_load_decides_whether_it_is_judged(void **state)
{
    (void)state;
    static const struct {
        bool on_cpu;
        double others; /* of UNITS cores; 0.85 of them are 6.8 */
        bool is_confirmed;
        enum verdict verdict;
        const char *word;
    } table[] = {
        {true, 0, true, VERDICT_ERROR, "300 % of the ceiling"},
        {true, 6.75, true, VERDICT_ERROR, "300 % of the ceiling"},
        {true, 6.9, true, VERDICT_SKIP,
         "not judged: it seems faster than the ceiling, but other programs used 6.9 of 8"},
        {true, 8, true, VERDICT_SKIP, "other programs used 8.0 of 8 CPUs"},
        {true, 8, false, VERDICT_PASS, ""},
        {true, 0, false, VERDICT_PASS, ""},
        {false, 8, true, VERDICT_ERROR, "300 % of the ceiling"}, /* others' CPU time does not slow a GPU's probe */
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct measurement_list list = judged(table[i].on_cpu, table[i].others, table[i].is_confirmed);
        expect_reason(&list.items[0], table[i].verdict, table[i].word);
        expect_reason(&list.items[1], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_load_decides_whether_it_is_judged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
