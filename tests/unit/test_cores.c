/* The placement of the cores: the record made of looks, the figures that belong together, and the words of tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "lab/bench/core_latency.h"
#include "report/model/view.h"
#include "report/terminal/history.h"
#include "report/terminal/report.h"
#include "store/ceiling.h"
#include "store/cores.h"

#include "table_text.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define ONE_DIE 25.0
#define TWO_DIES 160.0
#define NO_ROUND UINT32_MAX

/* A measurement of three rounds from `round` on, with the cores so far apart. */
static struct measurement *add(struct measurement_list *list, const char *rung, enum measured_kind kind, double time,
                               uint32_t round, double distance)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    strcpy(measurement->kernel, "transpose");
    strcpy(measurement->problem, "transpose:rows=64,cols=64,f32");
    strcpy(measurement->device, "cpu");
    strcpy(measurement->device_name, "A CPU");
    strcpy(measurement->rate_unit, "GB/s");
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    measurement->device_is_cpu = true;
    measurement->threads = 2;
    measurement->kind = kind;
    measurement->run = 1;
    measurement->work = measurement->bytes = 1000;
    measurement->core_latency = measurement->core_latency_low = measurement->core_latency_high = distance;
    for (uint32_t i = 0; i < 3; i++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], time, round == NO_ROUND ? round : round + i));
    return measurement;
}

/* What is noted of a measurement of rounds 0 to 9 where these were the looks, one in each round. */
static struct measurement noted(const double *looks, size_t count)
{
    struct samples seen = {0};
    struct measurement measurement = {.threads = 2};
    for (uint32_t i = 0; i < count; i++)
        assert_true(samples_add(&seen, looks[i], i));
    assert_true(samples_add(&measurement.phases[PHASE_COMPUTE], 1, 9));
    cores_note(&seen, &measurement);
    free(measurement.phases[PHASE_COMPUTE].items);
    free(seen.items);
    return measurement;
}

static void looks_become_a_median_and_a_range(void **state)
{
    static const double steady[] = {25, 26, 24, 25, 27, 25}, disturbed[] = {25, 26, 900, 25, 24, 25},
                        moving[] = {25, 26, 25, 160, 162, 25}, few[] = {25, 160, 26};
    (void)state;
    struct measurement m = noted(steady, COUNT_OF(steady));
    assert_true(m.core_latency == 25 && m.core_latency_low == 25 && m.core_latency_high == 26);
    assert_false(cores_moved(&m));
    m = noted(disturbed, COUNT_OF(disturbed)); /* one wild look is none */
    assert_true(m.core_latency == 25 && m.core_latency_high == 26);
    assert_false(cores_moved(&m));
    m = noted(moving, COUNT_OF(moving));
    assert_true(m.core_latency_low == 25 && m.core_latency_high == 160);
    assert_true(cores_moved(&m));
    m = noted(few, COUNT_OF(few));
    assert_true(m.core_latency == 26);
    assert_false(cores_moved(&m));
    m = noted(steady, 0); /* one thread */
    assert_true(m.core_latency == 0 && m.core_latency_low == 0 && m.core_latency_high == 0);
    assert_false(cores_moved(&m));
}

/* A rung that is done after ten rounds does not care where the cores went later. */
static void only_the_rounds_of_a_measurement_count(void **state)
{
    double looks[20];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(looks); i++)
        looks[i] = i < 10 ? ONE_DIE : TWO_DIES;
    struct measurement m = noted(looks, COUNT_OF(looks));
    assert_true(m.core_latency == ONE_DIE && m.core_latency_high == ONE_DIE);
}

static void a_look_is_taken_once_in_a_while(void **state)
{
    struct core_latencies distances = {0};
    (void)state;
    core_latencies_look(&distances, 0);
    size_t seen = distances.looks.count; /* none where there is one thread */
    assert_true(seen <= 1 && distances.looked_at > 0);
    core_latencies_look(&distances, 1);
    assert_int_equal(distances.looks.count, seen);
    core_latencies_free(&distances);
    assert_null(distances.looks.items);
}

static void what_belongs_together(void **state)
{
    struct measurement_list list = {0};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        add(&list, "rung", MEASURED_HOST, 10, i < 2 ? 0 : 100 * (uint32_t)i, i % 2 ? TWO_DIES : ONE_DIE);
    struct measurement *m = list.items;
    assert_true(cores_alike(&m[0], &m[1]));  /* in the same rounds */
    assert_false(cores_alike(&m[0], &m[3])); /* in others, elsewhere */
    assert_true(cores_alike(&m[0], &m[2]));
    m[1].run = 2; /* rounds of different runs are not the same */
    assert_false(cores_alike(&m[0], &m[1]));
    m[2].core_latency_high = TWO_DIES; /* … nor is what moved */
    assert_false(cores_alike(&m[0], &m[2]));
    m[3].threads = 3; /* of more threads it says nothing */
    assert_true(cores_alike(&m[0], &m[3]));
    m[3].threads = 2;
    m[3].core_latency = 0; /* not known: as before there were distances */
    assert_true(cores_alike(&m[0], &m[3]));
    assert_false(cores_elsewhere(0, 25) || cores_elsewhere(25, 45) || !cores_elsewhere(55, 25));
    measurement_list_free(&list);
}

/* A ceiling that was kept has no rounds: it holds only where the cores are as far apart, and stayed there. */
static void a_kept_ceiling_is_of_one_place(void **state)
{
    struct measurement_list list = {0};
    (void)state;
    add(&list, "copy", MEASURED_PROBE, 8, NO_ROUND, ONE_DIE);
    add(&list, "near", MEASURED_HOST, 10, 0, 1.3 * ONE_DIE);
    add(&list, "far", MEASURED_HOST, 10, 0, TWO_DIES);
    add(&list, "moving", MEASURED_HOST, 10, 0, ONE_DIE)->core_latency_high = TWO_DIES;
    assert_ptr_equal(measurement_ceiling(&list, &list.items[1]), &list.items[0]);
    assert_null(measurement_ceiling(&list, &list.items[2]));
    assert_null(measurement_ceiling(&list, &list.items[3]));
    struct view view;
    struct error error;
    assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
    for (size_t i = 0; i < view.entry_count; i++)
        if (strcmp(view.entries[i].measurement->rung, "copy") != 0)
            assert_int_equal(view.entries[i].of_ceiling > 0, strcmp(view.entries[i].measurement->rung, "near") == 0);
    view_free(&view);
    measurement_list_free(&list);
}

/* Ceilings are kept for each place. */
static void ceilings_of_both_places(void **state)
{
    struct measurement_list list = {0};
    (void)state;
    static const double distances[] = {0, ONE_DIE, TWO_DIES};
    for (size_t i = 0; i < COUNT_OF(distances); i++) {
        struct measurement *ceiling = add(&list, "dram-copy", MEASURED_PROBE, 10, 0, distances[i]);
        strcpy(ceiling->kernel, CEILING_KERNEL);
        ceiling->made_at = (int64_t)i;
    }
#define FOUND(distance) ceiling_find_with_cores(&list, "cpu", "A CPU", "", 2, CEILING_DRAM_COPY, distance)
    assert_ptr_equal(ceiling_find(&list, "cpu", "A CPU", "", 2, CEILING_DRAM_COPY), &list.items[2]); /* the newest */
    assert_ptr_equal(FOUND(30), &list.items[1]);
    assert_ptr_equal(FOUND(150), &list.items[2]);
    assert_null(FOUND(60));
    assert_null(FOUND(0)); /* the present placement is unknown */
    list.items[1].core_latency_high = TWO_DIES;
    assert_null(FOUND(30)); /* they moved while it was measured */
    measurement_list_free(&list);
}

static void expect_told(unsigned threads, double low, double high, const char *english, const char *russian)
{
    struct measurement_list list = {0};
    struct measurement *made = add(&list, "serial", MEASURED_HOST, 10, 0, low);
    made->core_latency_high = high;
    made->threads = threads;
    char *text = table_text(&list, LANGUAGE_ENGLISH, 200);
    assert_true(english ? strstr(text, english) != NULL : strstr(text, "latency") == NULL);
    free(text);
    text = table_text(&list, LANGUAGE_RUSSIAN, 200);
    assert_true(russian ? strstr(text, russian) != NULL : strstr(text, "между ядрами первых") == NULL);
    free(text);
    measurement_list_free(&list);
}

static void tables_tell_the_place(void **state)
{
    (void)state;
    expect_told(2, 25, 25, "threads 0 and 1: 25.0 ns, as within one die", "25,0 нс, как на одном кристалле");
    expect_told(2, 150, 160, "150 … 160 ns, as between dies", "150 … 160 нс, как между разными");
    expect_told(2, 55, 60, "55.0 … 60.0 ns\n", "55,0 … 60,0 нс\n");
    expect_told(2, 25, 160, "25.0 … 160 ns; the threads moved", "25,0 … 160 нс; потоки перемещались");
    expect_told(8, 25, 160, "25.0 … 160 ns\n", "25,0 … 160 нс\n");
    expect_told(2, 0, 0, NULL, NULL);
}

static void history_tells_each_run(void **state)
{
    struct measurement_list list = {0};
    struct store_run runs[2] = {{.id = 2}, {.id = 1}};
    const struct store_run_list all = {.items = runs, .count = COUNT_OF(runs)};
    char *text = NULL;
    size_t size = 0;
    (void)state;
    add(&list, "simd", MEASURED_HOST, 10, 0, ONE_DIE);
    add(&list, "simd", MEASURED_HOST, 10, 0, TWO_DIES)->run = 2;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    report_history(stream, &list, &all, (struct style){.width = 100});
    assert_int_equal(fclose(stream), 0);
    const char *line = strstr(text, "cores apart");
    assert_non_null(line);
    assert_true(strstr(line, "25.0 ns") && strstr(line, "160 ns") > strstr(line, "25.0 ns"));
    free(text);
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_become_a_median_and_a_range),
        cmocka_unit_test(only_the_rounds_of_a_measurement_count),
        cmocka_unit_test(a_look_is_taken_once_in_a_while),
        cmocka_unit_test(what_belongs_together),
        cmocka_unit_test(a_kept_ceiling_is_of_one_place),
        cmocka_unit_test(ceilings_of_both_places),
        cmocka_unit_test(tables_tell_the_place),
        cmocka_unit_test(history_tells_each_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
