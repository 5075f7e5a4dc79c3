/* Exchanges between devices: the matrices, the best of each pattern, and what could not be measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "report/terminal/report.h"
#include "store/measurement.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct measurement *add(struct measurement_list *list, const char *problem, const char *rung,
                               enum measured_kind kind, double nanoseconds, double bytes)
{
    struct measurement *one = measurement_list_add(list);
    assert_non_null(one);
    strcpy(one->kernel, "peers");
    snprintf(one->problem, sizeof one->problem, "%s", problem);
    snprintf(one->rung, sizeof one->rung, "%s", rung);
    strcpy(one->device, "cuda:0");
    strcpy(one->device_name, "A GPU");
    strcpy(one->rate_unit, "GB/s");
    one->kind = kind;
    one->run = 1;
    one->batch = 1;
    one->bytes = bytes;
    one->work = bytes;
    for (uint32_t round = 0; round < 3; round++)
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], nanoseconds, round));
    return one;
}

static struct measurement_list made(void)
{
    struct measurement_list list = {0};
    /* 1000 bytes in 2.5, 10 and 2 ns: 400, 100 and 500 GB/s. */
    add(&list, "peers:one-way,from=cuda:0,to=cuda:1", "link", MEASURED_PROBE, 2, 1000);
    add(&list, "peers:one-way,from=cuda:0,to=cuda:1", "through-host", MEASURED_DEVICE, 10, 1000);
    add(&list, "peers:one-way,from=cuda:1,to=cuda:0", "through-host", MEASURED_DEVICE, 20, 1000);
    add(&list, "peers:one-way,from=cuda:0,to=cuda:1", "copy-engine", MEASURED_DEVICE, 2.5, 1000);
    struct measurement *bad =
        add(&list, "peers:one-way,from=cuda:1,to=cuda:0", "copy-engine", MEASURED_DEVICE, 1, 1000);
    bad->verdict = VERDICT_FAIL;
    strcpy(bad->reason, "byte 7 is wrong");
    bad = add(&list, "peers:one-way,from=cuda:1,to=cuda:0", "nccl", MEASURED_VENDOR, 1, 1000);
    bad->verdict = VERDICT_SKIP;
    strcpy(bad->reason, "no NCCL");
    bad = add(&list, "peers:one-way,from=cuda:0,to=cuda:1", "nccl", MEASURED_VENDOR, 1, 1000);
    bad->verdict = VERDICT_SKIP;
    strcpy(bad->reason, "no NCCL");
    /* Both ways is measured once for a pair. */
    add(&list, "peers:both,from=cuda:0,to=cuda:1", "copy-engine", MEASURED_DEVICE, 4, 2000);
    add(&list, "peers:latency,from=cuda:0,to=cuda:1", "copy-engine", MEASURED_DEVICE, 8930, 16);
    add(&list, "peers:latency,from=cuda:1,to=cuda:0", "copy-engine", MEASURED_DEVICE, 89300, 16);
    add(&list, "peers:all,devices=2", "copy-engine", MEASURED_DEVICE, 4, 1000);
    return list;
}

static char *shown(const struct measurement_list *list, enum reader_language language, struct style style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    language_choose(language);
    report_peers(stream, list, style);
    language_choose(LANGUAGE_ENGLISH);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expect_line(const char *text, const char *line)
{
    const char *at = strstr(text, line);
    if (!at || at[strlen(line)] != '\n' || (at != text && at[-1] != '\n'))
        fail_msg("no line '%s' in:\n%s", line, text);
}

static void matrices_have_a_row_for_each_sender(void **state)
{
    (void)state;
    struct measurement_list list = made();
    char *text = shown(&list, LANGUAGE_ENGLISH, (struct style){.width = 120});
    expect_line(text, "cuda:0 … cuda:1 — A GPU");
    expect_line(text, "  GB/s               from    cuda:0    cuda:1");
    expect_line(text, "  through-host     cuda:0                100▓");
    expect_line(text, "                   cuda:1     50.0█          ");
    expect_line(text, "  copy-engine      cuda:0                400·");
    expect_line(text, "                   cuda:1      FAIL          ");
    expect_line(text, "  copy-engine      cuda:0                500·"); /* both ways: one figure, either direction */
    expect_line(text, "                   cuda:1      500·          ");
    expect_line(text, "  copy-engine      cuda:0            8.93 µs·");
    expect_line(text, "                   cuda:1  89.3 µs█          ");
    free(text);
    measurement_list_free(&list);
}

static void the_best_has_its_share_of_the_link(void **state)
{
    (void)state;
    struct measurement_list list = made();
    char *text = shown(&list, LANGUAGE_ENGLISH, (struct style){.width = 120});
    expect_line(text, "  copy-engine        250");
    expect_line(text, "  one way            400  copy-engine     80.0 % of link (500)");
    expect_line(text, "  both ways          500  copy-engine   ");
    expect_line(text, "  FAIL (copy-engine): byte 7 is wrong");
    expect_line(text, "  SKIP (nccl): no NCCL");
    assert_null(strstr(strstr(text, "no NCCL") + 1, "no NCCL")); /* once */
    free(text);
    text = shown(&list, LANGUAGE_RUSSIAN, (struct style){.width = 120});
    assert_non_null(strstr(text, "50,0"));
    assert_null(strstr(text, "one way"));
    free(text);
    text = shown(&list, LANGUAGE_ENGLISH, (struct style){.width = 120, .colour = true});
    assert_non_null(strstr(text, "\033[48;5;22m\033[97m      400 \033[0m"));
    free(text);
    measurement_list_free(&list);
}

static void nothing_of_other_kernels_is_shown(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    strcpy(add(&list, "dot:n=10", "serial", MEASURED_HOST, 1, 1)->kernel, "dot");
    char *text = shown(&list, LANGUAGE_ENGLISH, (struct style){.width = 120});
    assert_string_equal(text, "");
    free(text);
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_have_a_row_for_each_sender),
        cmocka_unit_test(the_best_has_its_share_of_the_link),
        cmocka_unit_test(nothing_of_other_kernels_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
