/* A rung that is timed once more beside its ceiling's probe is looked at there, too. */
#include "cheats.h"

#include "lab/bench/describe.h"
#include "lab/ceilings/ceiling_confirm.h"

static bool is_confirmed; /* the turns beside the probe have begun */

static enum status right_until_confirmed(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    if (!is_confirmed)
        return right(run, error);
    transpose_rows(&m, 0, m.rows / 2);
    return STATUS_OK;
}

static enum status gives_up(struct run *run, struct error *error)
{
    return is_confirmed ? fail(error, STATUS_SYSTEM, "it gives up") : right(run, error);
}

/* The measurement of a rung that was right until then. The caller frees the list. */
static struct measurement_list confirm(enqueue_function *enqueue, bool cold)
{
    struct rung rungs[] = {host_rung("suspect", enqueue), host_rung("probe", right)};
    struct problem problem;
    struct device *device;
    struct error error = {""};
    struct runner runners[2];
    struct workspace workspace;
    struct measurement_list list = {0};
    struct bench_options options = bench_defaults();
    options.cold = cold;
    struct bench bench = {
        .problem = &problem, .options = &options, .list = &list, .runners = runners, .runner_count = 2};
    is_confirmed = false;
    memset(runners, 0, sizeof runners);
    if (problem_parse(SMALL, &problem, &error) != STATUS_OK || device_open("cpu", &device, &error) != STATUS_OK ||
        dataset_create(&problem, &bench.data, &error) != STATUS_OK ||
        workspace_create(&bench.data, device, &workspace, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    for (size_t i = 0; i < 2; i++) {
        struct candidate candidate;
        assert_int_equal(candidate_make(device, &rungs[i], &problem, NULL, &candidate, &error), STATUS_OK);
        describe_measurement(measurement_list_add(&list), &problem, &candidate, i == 1);
        assert_int_equal(runner_prepare(&runners[i], &workspace, &candidate, &error), STATUS_OK);
        runners[i].is_probe = i == 1;
        runners[i].measurement = i;
        runners[i].workspace = &workspace;
    }
    runner_finish(&runners[1]); /* as a kept ceiling's */
    assert_int_equal(runner_warm_up(&runners[0], cold, &error), STATUS_OK);
    is_confirmed = true;
    struct beaten_ceiling found = {0};
    const bool beaten = ceiling_confirm(&bench, &runners[0], &runners[1], 1, &found);
    assert_true(found.share >= 0 && found.share < 1e4); /* two times of about as much work, whichever is shorter */
    if (beaten)
        expect_reason(&list.items[0], VERDICT_PASS, "");
    for (size_t i = 0; i < 2; i++)
        runner_finish(&runners[i]);
    workspace_destroy(&workspace);
    dataset_destroy(&bench.data);
    device_close(device);
    return list;
}

static void expect(enqueue_function *enqueue, enum verdict verdict, const char *word)
{
    for (int cold = 0; cold < 2; cold++) {
        struct measurement_list list = confirm(enqueue, cold != 0);
        expect_reason(&list.items[0], verdict, word);
        expect_reason(&list.items[1], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
}

static void who_is_right_stays_right(void **state)
{
    (void)state;
    expect(right, VERDICT_PASS, "");
}

static void who_does_half_of_its_work_there_is_found(void **state)
{
    (void)state;
    expect(right_until_confirmed, VERDICT_FAIL, "in a timed run: ");
}

static void who_fails_there_is_told(void **state)
{
    (void)state;
    expect(gives_up, VERDICT_ERROR, "it gives up");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_right_stays_right),
        cmocka_unit_test(who_does_half_of_its_work_there_is_found),
        cmocka_unit_test(who_fails_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
