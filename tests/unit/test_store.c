/* What goes into the store comes out as it was, the newest of each is found, and ceilings stay with what they ceiling.
 */
#include "store/ceiling.h"
#include "store_fixture.h"

#include <math.h>

#include "store/database.h"

static void everything_comes_back(void **state)
{
    (void)state;
    struct store *store = open_store(in_folder("whole.sqlite"));
    struct measurement made = sampled("simd", MEASURED_VENDOR, 1700000000);
    strcpy(made.idea, "an idea with 'quotes' and ünïcode");
    strcpy(made.parameters, "TILE=32");
    strcpy(made.reason, "wrong at 3, 4");
    made.verdict = VERDICT_FAIL;
    made.worst_error = INFINITY;
    made.cold = made.device_is_cpu = true;
    made.threads = 2;
    made.throttled = 3;
    made.clock_mhz = 1980;
    made.joules = 0.25;
    made.cycles = 5e8;
    made.instructions = 1e9;
    samples_add(&made.phases[PHASE_END_TO_END], 1e9 / 3, 7);
    int64_t id = 0, run = begin(store, "a label");
    GOOD(store_add(store, run, &made, &id, &error));
    store_close(store);

    store = open_store(in_folder("whole.sqlite"));
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    assert_int_equal(list.count, 1);
    struct measurement *read = &list.items[0];
    assert_true(read->id == id && read->run == run);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        assert_int_equal(read->phases[phase].count, made.phases[phase].count);
        for (size_t i = 0; i < made.phases[phase].count; i++) {
            assert_true(read->phases[phase].items[i].nanoseconds == made.phases[phase].items[i].nanoseconds);
            assert_int_equal(read->phases[phase].items[i].round, made.phases[phase].items[i].round);
        }
    }
    /* All else, byte by byte. */
    struct measurement copy = *read;
    memcpy(copy.phases, made.phases, sizeof copy.phases);
    assert_int_equal(copy.number, 1);
    copy.id = copy.run = copy.number = 0;
    assert_memory_equal(&copy, &made, sizeof copy);
    forget(&made);
    measurement_list_free(&list);
    assert_true(list.count == 0 && !list.items);
    store_close(store);
}

static void not_a_number_comes_back(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    struct measurement made = sampled("naive", MEASURED_HOST, 5);
    made.worst_error = NAN;
    GOOD(store_add(store, begin(store, NULL), &made, NULL, &error));
    struct measurement_list list = chosen(store, (struct store_filter){0});
    assert_true(isnan(list.items[0].worst_error));
    forget(&made);
    measurement_list_free(&list);
    store_close(store);
}

static void newest_with_its_ceiling(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t first = begin(store, NULL), second = begin(store, NULL);
    int64_t copy = add(store, first, "copy", MEASURED_PROBE, 100);
    int64_t naive = add(store, first, "naive", MEASURED_HOST, 100);
    add(store, first, "simd", MEASURED_HOST, 100);
    add(store, second, "copy", MEASURED_PROBE, 200);
    int64_t simd = add(store, second, "simd", MEASURED_HOST, 200);
    add(store, second, "naive", MEASURED_HOST, 50); /* older, though it was kept later */

    struct measurement_list list = chosen(store, (struct store_filter){0});
    assert_int_equal(list.count, 4);
    assert_true(list.items[0].id == copy && list.items[1].id == naive && list.items[3].id == simd);
    assert_ptr_equal(measurement_ceiling(&list, &list.items[1]), &list.items[0]);
    assert_ptr_equal(measurement_ceiling(&list, &list.items[3]), &list.items[2]);
    measurement_list_free(&list);
    list = chosen(store, (struct store_filter){.all = true});
    assert_int_equal(list.count, 6);
    measurement_list_free(&list);
    store_close(store);
}

static void parameters_and_threads_are_apart(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t run = begin(store, NULL);
    struct measurement made = sampled("naive", MEASURED_HOST, 5);
    static const char *const parameters[] = {"BX=1", "BX=2", "BX=1"};
    for (size_t i = 0; i < 3; i++) {
        strcpy(made.parameters, parameters[i]);
        GOOD(store_add(store, run, &made, NULL, &error));
    }
    made.threads = 2;
    GOOD(store_add(store, run, &made, NULL, &error));
    struct measurement_list list = chosen(store, (struct store_filter){0});
    assert_int_equal(list.count, 3);
    forget(&made);
    measurement_list_free(&list);
    store_close(store);
}

static void filters(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t machine = 0, plain = begin(store, NULL), labelled = begin(store, "reproduce:sort");
    add(store, plain, "copy", MEASURED_PROBE, 100);
    add(store, plain, "naive", MEASURED_HOST, 100);
    add(store, labelled, "simd", MEASURED_HOST, 200);
    GOOD(store_this_machine(store, &machine, &error));
    const struct {
        struct store_filter filter;
        size_t count;
    } cases[] = {
        {{.all = true}, 3},
        {{.all = true, .runs = &labelled, .run_count = 1}, 1},
        {{.all = true, .runs = &labelled, .run_count = 0}, 0},
        {{.all = true, .label = "reproduce:sort"}, 1},
        {{.all = true, .label = "reproduce:*"}, 1},
        {{.all = true, .label = "repro"}, 0},
        {{.all = true, .label = "*"}, 3},
        {{.all = true, .rung = "naive"}, 2},
        {{.rung = "naive"}, 2},
        {{.all = true, .rung = "simd"}, 1}, /* the ceiling is of another run */
        {{.all = true, .rung = "parallel"}, 0},
        {{.all = true, .since = 101}, 1},
        {{.all = true, .kernel = "sort"}, 0},
        {{.all = true, .problem = "transpose:rows=4,cols=5,f32", .device = "cpu", .machine = machine}, 3},
        {{.all = true, .machine = machine + 1}, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct measurement_list list = chosen(store, cases[i].filter);
        if (list.count != cases[i].count)
            FAIL_WITH("case %zu: %zu, not %zu\n", i, list.count, cases[i].count);
        measurement_list_free(&list);
    }
    store_close(store);
}

static void runs_newest_first(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t first = begin(store, NULL), second = begin(store, "b\033[31m");
    begin(store, "empty");
    add(store, first, "copy", MEASURED_PROBE, 1);
    add(store, first, "naive", MEASURED_HOST, 1);
    struct measurement wrong = sampled("simd", MEASURED_HOST, 1);
    wrong.verdict = VERDICT_ERROR;
    GOOD(store_add(store, second, &wrong, NULL, &error));
    forget(&wrong);
    struct store_run_list runs;
    GOOD(store_runs(store, NULL, &runs, &error));
    assert_int_equal(runs.count, 2);
    assert_true(runs.items[0].id == second && runs.items[1].id == first);
    assert_true(runs.items[0].wrong == 1 && runs.items[1].wrong == 0 && runs.items[1].measurements == 1);
    assert_string_equal(runs.items[0].label, "b\\x1b[31m");
    assert_int_equal(strlen(runs.items[0].key), 32);
    assert_string_not_equal(runs.items[0].key, runs.items[1].key);
    store_run_list_free(&runs);
    GOOD(store_runs(store, &(struct store_filter){.most = 1}, &runs, &error));
    assert_int_equal(runs.count, 1);
    store_run_list_free(&runs);
    store_close(store);
}

/* The ladder's order is kept, whichever rung is finished first. */
static void places_in_a_run(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t run = begin(store, NULL);
    static const int64_t places[] = {3, 1, 0, 1};
    struct measurement made = sampled("naive", MEASURED_HOST, 5);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        made.number = places[i];
        made.threads = (unsigned)i;
        GOOD(store_add(store, run, &made, NULL, &error));
    }
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    static const unsigned expected[] = {1, 0, 2, 3};
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_int_equal(list.items[i].threads, expected[i]);
    forget(&made);
    measurement_list_free(&list);
    store_close(store);
}

static void replaced(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t run = begin(store, NULL), id = add(store, run, "naive", MEASURED_HOST, 5);
    struct measurement newer = sampled("naive", MEASURED_HOST, 5);
    samples_add(&newer.phases[PHASE_COMPUTE], 9, 3);
    strcpy(newer.warnings, "unsteady");
    GOOD(store_replace(store, id, &newer, &error));
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].phases[PHASE_COMPUTE].count, 4);
    assert_string_equal(list.items[0].warnings, "unsteady");
    struct error error;
    assert_int_equal(store_replace(store, id + 1, &newer, &error), STATUS_INVALID);
    assert_int_equal(store_add(store, run + 1, &newer, NULL, &error), STATUS_INVALID);
    forget(&newer);
    measurement_list_free(&list);
    store_close(store);
}

static void attachments(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t id = add(store, begin(store, NULL), "naive", MEASURED_HOST, 5);
    char *text = NULL;
    GOOD(store_put_attachment(store, id, "timeline", "[1]", &error));
    GOOD(store_put_attachment(store, id, "timeline", "[2]", &error));
    GOOD(store_attachment(store, id, "timeline", &text, &error));
    assert_string_equal(text, "[2]");
    free(text);
    GOOD(store_attachment(store, id, "other", &text, &error));
    assert_null(text);
    struct error error;
    assert_int_equal(store_put_attachment(store, id + 1, "timeline", "[]", &error), STATUS_INVALID);
    store_close(store);
}

static void ceilings(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    struct ceiling ceiling = {.device = "cpu",
                              .device_name = "A processor",
                              .threads = 1,
                              .what = "dram-read",
                              .rate = 40,
                              .unit = "GB/s",
                              .made_at = 100};
    GOOD(store_put_ceiling(store, &ceiling, &error));
    ceiling.rate = 71;
    ceiling.made_at = 200;
    GOOD(store_put_ceiling(store, &ceiling, &error));
    ceiling.threads = 2;
    GOOD(store_put_ceiling(store, &ceiling, &error));
    struct ceiling_list list;
    GOOD(store_ceilings(store, 0, NULL, &list, &error));
    assert_int_equal(list.count, 2);
    assert_true(list.items[0].rate == 71 && list.items[0].threads == 1 && list.items[1].threads == 2);
    assert_string_equal(list.items[0].unit, "GB/s");
    ceiling_list_free(&list);
    GOOD(store_ceilings(store, 0, "cuda:0", &list, &error));
    assert_int_equal(list.count, 0);
    struct error error;
    ceiling.rate = NAN;
    assert_int_equal(store_put_ceiling(store, &ceiling, &error), STATUS_INVALID);
    store_close(store);
}

/* Older programs stored ceilings that other programs disturbed: they are not used, and the one before them is. */
static void spoilt_ceilings(void **state)
{
    static const struct {
        int64_t made_at;
        const char *warnings;
        double later; /* nanoseconds of the last sample beyond the others' */
    } rows[] = {{100, "", 1}, {200, "noisy: other programs used 1.9 CPUs", 30}, {300, "", 400}};
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    const int64_t run = begin(store, "");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct measurement measurement = sampled("dram-read", MEASURED_PROBE, rows[i].made_at);
        struct ceiling ceiling;
        int64_t id;
        strcpy(measurement.kernel, CEILING_KERNEL);
        strcpy(measurement.rate_unit, "GB/s");
        strcpy(measurement.warnings, rows[i].warnings);
        measurement.phases[PHASE_COMPUTE].items[2].nanoseconds += rows[i].later;
        GOOD(store_add(store, run, &measurement, &id, &error));
        measurement.phases[PHASE_COMPUTE].items[2].nanoseconds = 101.5;
        assert_true(ceiling_of(&measurement, &ceiling));
        ceiling.measurement = i % 2 ? id : 0; /* 0: as imported */
        GOOD(store_put_ceiling(store, &ceiling, &error));
        forget(&measurement);
    }
    struct ceiling_list list;
    GOOD(store_ceilings(store, 0, "cpu", &list, &error));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].made_at, 100);
    ceiling_list_free(&list);
    store_close(store);
}

static void machines(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t id = 0;
    struct machine here, kept;
    machine_here(&here);
    GOOD(store_this_machine(store, &id, &error));
    struct device_fact facts[] = {{"units", "132"}, {"memory_bytes", "150000000000"}};
    struct machine_device device = {.id = "cuda:0", .name = "A GPU", .driver = "1", .facts = facts, .fact_count = 2};
    GOOD(store_put_device(store, id, &device, &error));
    strcpy(facts[0].value, "144");
    GOOD(store_put_device(store, id, &device, &error));
    strcpy(device.driver, "2");
    device.fact_count = 0;
    GOOD(store_put_device(store, id, &device, &error));
    GOOD(store_machine(store, id, &kept, &error));
    assert_string_equal(kept.fingerprint, here.fingerprint);
    assert_string_equal(kept.cpu, here.cpu);
    assert_string_equal(kept.kernel, here.kernel);
    assert_true(kept.cores == here.cores && kept.cores > 0 && kept.memory_bytes == here.memory_bytes);
    assert_int_equal(kept.device_count, 2);
    assert_int_equal(kept.devices[0].fact_count, 2);
    assert_string_equal(kept.devices[0].facts[1].value, "144");
    assert_string_equal(kept.devices[1].driver, "2");
    char name[256];
    assert_int_equal(gethostname(name, sizeof name), 0);
    assert_string_not_equal(kept.os, name);
    machine_free(&kept);
    struct error error;
    assert_int_equal(store_machine(store, id + 1, &kept, &error), STATUS_INVALID);
    store_close(store);
}

/* Called after every thousand of SQLite's instructions: work, whatever else the machine does. */
static int count_work(void *context)
{
    ++*(size_t *)context;
    return 0;
}

/* Twelve thousand measurements of three hundred things: the newest of each are found at once. */
static void many(void **state)
{
    (void)state;
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t run = begin(store, NULL);
    struct measurement made = sampled("naive", MEASURED_HOST, 0);
    for (uint32_t i = 0; i < 30; i++)
        samples_add(&made.phases[PHASE_COMPUTE], i, i);
    for (int i = 0; i < 12000; i++) {
        snprintf(made.problem, sizeof made.problem, "transpose:rows=%d,cols=5,f32", i % 30);
        snprintf(made.rung, sizeof made.rung, "rung-%d", i % 300 / 30);
        made.made_at = i;
        GOOD(store_add(store, run, &made, NULL, &error));
    }
    size_t thousands = 0;
    sqlite3_progress_handler(store->database, 1000, count_work, &thousands);
    struct measurement_list list = chosen(store, (struct store_filter){.kernel = "transpose"});
    sqlite3_progress_handler(store->database, 0, NULL, NULL);
    print_message("the newest of 12000: %zu thousand instructions\n", thousands);
    assert_int_equal(list.count, 300);
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.items[i].made_at >= 11700);
    assert_true(thousands > 0 && thousands < 12 * 300); /* each row would be held against each: 144,000 */
    forget(&made);
    measurement_list_free(&list);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(not_a_number_comes_back),
        cmocka_unit_test(newest_with_its_ceiling),
        cmocka_unit_test(parameters_and_threads_are_apart),
        cmocka_unit_test(filters),
        cmocka_unit_test(runs_newest_first),
        cmocka_unit_test(places_in_a_run),
        cmocka_unit_test(replaced),
        cmocka_unit_test(attachments),
        cmocka_unit_test(ceilings),
        cmocka_unit_test(spoilt_ceilings),
        cmocka_unit_test(machines),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
