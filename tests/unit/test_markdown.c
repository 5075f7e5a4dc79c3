/* Tables for pages and for programs, as a whole: 8 MB in 10 us are 800 GB/s, in 20 us half of that. */
#include "report/terminal/architectures.h"
#include "tables.h"

#define PROBLEM "transpose:rows=1000,cols=1000,f32"

static char *written(bool (*write)(FILE *, const struct measurement_list *), const struct measurement_list *list)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_true(write(stream, list));
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void markdown(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, PROBLEM, "copy", MEASURED_PROBE, 10000);
    add(&list, PROBLEM, "naive", MEASURED_DEVICE, 40000);
    strcpy(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 20000)->parameters, "TILE=32 ROWS=8");
    judged(add(&list, PROBLEM, "wrong", MEASURED_DEVICE, 0), VERDICT_FAIL, "a|b\\c");
    char *text = written(report_markdown, &list);
    assert_string_equal(text, "### " PROBLEM " · cuda:0 — A GPU\n\n"
                              "| rung | median | rate | of the ceiling | speed-up | verdict | parameters |\n"
                              "|---|--:|--:|--:|--:|---|---|\n"
                              "| copy | 10.0\u00a0µs | 800\u00a0GB/s | 100\u00a0% | 4.00× | PASS |  |\n"
                              "| naive | 40.0\u00a0µs | 200\u00a0GB/s | 25.0\u00a0% | 1.00× | PASS |  |\n"
                              "| tiled | 20.0\u00a0µs | 400\u00a0GB/s | 50.0\u00a0% | 2.00× | PASS | TILE=32 ROWS=8 |\n"
                              "| wrong | — | — | — | — | FAIL: a\\|b\\\\c |  |\n\n");
    free(text);
    measurement_list_free(&list);
}

/* A row for each rung on each device: FAIL where one is wrong, PASS where one was right, and the first reason to skip.
 */
static void checks(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    judged(add(&list, PROBLEM, "naive", MEASURED_DEVICE, 0), VERDICT_PASS, "");
    judged(add(&list, "transpose:rows=3,cols=5,f32", "naive", MEASURED_DEVICE, 0), VERDICT_PASS, "");
    judged(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 0), VERDICT_PASS, "");
    judged(add(&list, "transpose:rows=3,cols=5,f32", "tiled", MEASURED_DEVICE, 0), VERDICT_FAIL, "byte 7");
    judged(add(&list, PROBLEM, "wide", MEASURED_DEVICE, 0), VERDICT_SKIP, "rows, of \"3\"");
    judged(add(&list, "transpose:rows=3,cols=5,f32", "wide", MEASURED_DEVICE, 0), VERDICT_SKIP, "another");
    judged(add(&list, "transpose:rows=5,cols=5,f32", "wide", MEASURED_DEVICE, 0), VERDICT_PASS, "");
    judged(add(&list, PROBLEM, "none", MEASURED_DEVICE, 0), VERDICT_SKIP, "no device");
    judged(add(&list, PROBLEM, "broken", MEASURED_DEVICE, 0), VERDICT_ERROR, "crashed");
    strcpy(judged(add(&list, PROBLEM, "naive", MEASURED_DEVICE, 0), VERDICT_PASS, "")->device, "opencl:0");
    static const char expected[] = "kernel,device,rung,verdict,right,wrong,skipped,reason\n"
                                   "transpose,cuda:0,naive,PASS,2,0,0,\n"
                                   "transpose,cuda:0,tiled,FAIL,1,1,0,\n"
                                   "transpose,cuda:0,wide,PASS,1,0,2,\"rows, of \"\"3\"\"\"\n"
                                   "transpose,cuda:0,none,SKIP,0,0,1,no device\n"
                                   "transpose,cuda:0,broken,FAIL,0,1,0,\n"
                                   "transpose,opencl:0,naive,PASS,1,0,0,\n";
    char *text = written(report_checks_csv, &list);
    assert_string_equal(text, expected);
    free(text);
    measurement_list_free(&list);
}

/* A stream that takes nothing is told. */
static void full_disks(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, PROBLEM, "naive", MEASURED_DEVICE, 40000);
    FULL(report_markdown(stream, &list));
    FULL(report_checks_csv(stream, &list));
    FULL(report_json(stream, &list));
    FULL(architectures_print(stream));
    FULL(architecture_print(stream, &capabilities[0]));
    FULL(architectures_json(stream, NULL));
    FULL(architectures_csv(stream, NULL));
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(markdown), cmocka_unit_test(checks),
                                       cmocka_unit_test(full_disks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
