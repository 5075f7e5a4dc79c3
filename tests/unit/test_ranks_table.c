/* Methods over ranks, as a table and for programs: 8 MB in a millisecond are 8 GB/s; figures are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/statistics.h"
#include "cli/commands/ranks_table.h"
#include "distributed/ranks/mpi_library.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* Without an MPI. */
static void version(char *text, size_t size)
{
    snprintf(text, size, "An MPI 1.0");
}

static struct links links;
static struct device device = {.id = "cpu"};

/* 1 µs for an empty message, and 2 GB/s for the longest, of all operations; no message travels meanwhile. */
static void make_links(int ranks)
{
    links = (struct links){.ranks = ranks, .on_host = 2, .progress = 0.25};
    for (int kind = 0; kind < OPERATION_KINDS; kind++)
        for (size_t i = 0; i < LINK_SIZES; i++)
            links.ns[kind][i] = i == 0 ? 1000 : (double)link_sizes[i] / 2;
}

/* Half of the samples are so much shorter, half longer. */
static struct ranks_row spread_row(const struct ranks_report *report, int count, double nanoseconds, double spread)
{
    struct ranks_row row = {.method = &method_transpose_exchange,
                            .problem = report->problem,
                            .count = count,
                            .alone = 1e6,
                            .links = &links};
    double samples[12];
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        row.result.samples[i] = samples[i] = nanoseconds * (i % 2 ? 1 + spread : 1 - spread);
    if (nanoseconds > 0)
        assert_true(statistics_summarise(samples, COUNT_OF(samples), &row.result.time));
    return row;
}

static struct ranks_row row_of(const struct ranks_report *report, int count, double nanoseconds)
{
    return spread_row(report, count, nanoseconds, 0.01);
}

static void begin(struct ranks_report *report, bool weak)
{
    struct problem problem;
    struct error error = {""};
    if (problem_parse("transpose:rows=1000,cols=1000,f32", &problem, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    make_links(2);
    *report = (struct ranks_report){.world = 2, .threads = 1, .weak = weak, .links = &links, .device = &device};
    ranks_report_begin(report, &problem);
}

/* The table, with single blanks. */
static char *printed(const struct ranks_report *report)
{
    char *text = NULL;
    size_t bytes = 0, kept = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    ranks_report_print(report, stream);
    assert_int_equal(fclose(stream), 0);
    for (size_t i = 0; i < bytes; i++) {
        const bool is_blank = text[i] == ' ' || text[i] == '\n';
        if (!is_blank || (kept > 0 && text[kept - 1] != ' '))
            text[kept++] = is_blank ? ' ' : text[i];
    }
    text[kept] = '\0';
    return text;
}

static void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

static void expect_absent(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("'%s' is in: %s", words, text);
}

static void test_rows(void **state)
{
    (void)state;
    struct ranks_report report;
    begin(&report, false);
    struct ranks_row alone = row_of(&report, 1, 1e6), two = row_of(&report, 2, 8e5), wrong = row_of(&report, 3, 5e5),
                     none = row_of(&report, 4, 0), noisy = spread_row(&report, 5, 1e6, 0.6);
    two.result.communication = 0.25;
    two.predicted = 6e5;
    wrong.result.verdict = STATUS_FAILED;
    snprintf(wrong.result.reason, sizeof wrong.result.reason, "element 7 is wrong");
    none.result.verdict = STATUS_UNAVAILABLE;
    snprintf(none.result.reason, sizeof none.result.reason, "too few rows");
    assert_true(ranks_report_add(&report, &alone) && ranks_report_add(&report, &two));
    assert_true(ranks_report_add(&report, &wrong) && ranks_report_add(&report, &none));
    assert_true(ranks_report_add(&report, &noisy));
    expect_in(ranks_verdict(&alone), "PASS");
    expect_in(ranks_verdict(&wrong), "FAIL");
    expect_in(ranks_verdict(&none), "SKIP");
    assert_true(ranks_rate(&two, 8e5) == 10);
    assert_true(ranks_rate(&two, 0) == 0);
    char *text = printed(&report);
    expect_in(text, "exchange 1 1.00 ms ± 1.0% 8.00 1.00× — — — PASS");
    expect_in(text, "exchange 2 800 µs ± 1.0% 10.0 1.25× 25% 600 µs 0.75× PASS");
    expect_in(text, "exchange 3 500 µs ± 1.0% 16.0 2.00× — — — FAIL element 7 is wrong");
    expect_in(text, "exchange 4 SKIP too few rows");
    expect_in(text, "exchange 5 —, too noisy — — — — — PASS");
    expect_in(text, "the same bits on every number of ranks");
    expect_in(text,
              "to the next rank 1.00 µs, 2.00 GB/s; half of the ranks away 1.00 µs, 2.00 GB/s; all with all 1.00 µs");
    expect_in(text, "cpu, An MPI 1.0, 2 ranks, 1 threads each");
    expect_in(text, "at most 2 on a host");
    expect_in(text, "25 % of a message travels while ranks compute");
    expect_absent(text, "NCCL:");
    expect_absent(text, "predicted only");
    free(text);
    ranks_report_end(&report);
    assert_null(report.rows);
}

/* Of more ranks than there are, by fours, up to 4096; not where the work is each rank's own, nor by one rank's links.
 */
static void test_predictions(void **state)
{
    (void)state;
    struct ranks_report report;
    static const struct {
        bool weak;
        int ranks, world;
        double parts;
        const char *first, *absent;
    } rows[] = {
        {false, 2, 2, 1e6, "exchange 4 ", "exchange 2 — "}, {false, 2, 4, 1e6, "exchange 16 ", "exchange 4 "},
        {false, 2, 2, 0, NULL, "predicted only"},           {false, 1, 2, 1e6, NULL, "predicted only"},
        {true, 2, 2, 1e6, NULL, "predicted only"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin(&report, rows[i].weak);
        make_links(rows[i].ranks);
        report.world = rows[i].world;
        struct ranks_row last = row_of(&report, 2, 8e5);
        last.parts = rows[i].parts;
        last.parts_count = 2;
        assert_true(ranks_report_add(&report, &last));
        char *text = printed(&report);
        if (rows[i].first)
            expect_in(text, rows[i].first);
        if (rows[i].first)
            expect_in(text, "predicted only");
        expect_absent(text, rows[i].absent);
        expect_absent(text, "exchange 16384");
        free(text);
        ranks_report_end(&report);
    }
}

/* With as much work for each rank, two take as long as one where they are twice as fast. */
static void test_weak(void **state)
{
    (void)state;
    struct ranks_report report;
    begin(&report, true);
    struct ranks_row two = row_of(&report, 2, 1e6);
    assert_true(ranks_report_add(&report, &two));
    char *text = printed(&report);
    expect_in(text, ", for each rank");
    expect_in(text, "exchange 2 1.00 ms ± 1.0% 8.00 2.00×");
    expect_absent(text, "same bits");
    free(text);
    ranks_report_end(&report);
}

/* Digests of right results alone are compared, of two at least. */
static void test_bits(void **state)
{
    (void)state;
    static const struct {
        enum status verdicts[3];
        unsigned char digests[3];
        bool compared, differ;
    } rows[] = {
        {{STATUS_OK, STATUS_OK, STATUS_OK}, {1, 1, 1}, true, false},
        {{STATUS_OK, STATUS_OK, STATUS_OK}, {1, 1, 2}, true, true},
        {{STATUS_OK, STATUS_FAILED, STATUS_OK}, {1, 2, 1}, true, false},
        {{STATUS_OK, STATUS_FAILED, STATUS_UNAVAILABLE}, {1, 2, 3}, false, false},
        {{STATUS_FAILED, STATUS_OK, STATUS_OK}, {1, 2, 3}, true, true},
        {{STATUS_FAILED, STATUS_FAILED, STATUS_FAILED}, {1, 1, 1}, false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int weak = 0; weak < 2; weak++) {
            struct ranks_report report;
            bool differ;
            begin(&report, weak);
            for (int r = 0; r < 3; r++) {
                struct ranks_row row = row_of(&report, r + 1, 1e6);
                row.result.verdict = rows[i].verdicts[r];
                row.result.digest[SHA256_BYTES - 1] = rows[i].digests[r];
                assert_true(ranks_report_add(&report, &row));
            }
            assert_int_equal(ranks_same_bits(&report, &differ), rows[i].compared && !weak);
            assert_int_equal(differ, rows[i].differ && !weak);
            ranks_report_end(&report);
        }
}

static void expect_number(const json_t *object, const char *name, double value)
{
    const json_t *found = json_object_get(object, name);
    if (!json_is_number(found) || json_number_value(found) != value)
        fail_msg("%s is not %g", name, value);
}

static void test_json(void **state)
{
    (void)state;
    struct ranks_report report;
    begin(&report, false);
    struct ranks_row two = row_of(&report, 2, 8e5), none = row_of(&report, 4, 0);
    two.result.communication = 0.25;
    two.result.sent = 4e6;
    two.result.parts = 3e5;
    two.result.digest[0] = 1;
    none.result.verdict = STATUS_UNAVAILABLE;
    assert_true(ranks_report_add(&report, &two) && ranks_report_add(&report, &none));
    json_t *problem = ranks_report_json(&report);
    assert_non_null(problem);
    assert_string_equal(json_string_value(json_object_get(problem, "problem")), "transpose:rows=1000,cols=1000,f32");
    assert_string_equal(json_string_value(json_object_get(problem, "rate_unit")), "GB/s");
    assert_true(json_is_null(json_object_get(problem, "same_bits")));
    const json_t *rows = json_object_get(problem, "rows"), *first = json_array_get(rows, 0),
                 *second = json_array_get(rows, 1);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(json_string_value(json_object_get(first, "method")), "exchange");
    expect_in(json_string_value(json_object_get(first, "verdict")), "PASS");
    expect_number(first, "ranks", 2);
    expect_number(first, "median_ns", 8e5);
    expect_number(first, "rate", 10);
    expect_number(first, "mpi_share", 0.25);
    expect_number(first, "bytes_sent", 4e6);
    expect_number(first, "parts_ns", 3e5);
    assert_true(json_is_null(json_object_get(first, "predicted_ns")));
    assert_string_equal(json_string_value(json_object_get(first, "digest")), "0000000000000001");
    assert_int_equal(json_array_size(json_object_get(first, "samples_ns")), 12);
    expect_in(json_string_value(json_object_get(second, "verdict")), "SKIP");
    assert_true(json_is_null(json_object_get(second, "median_ns")));
    assert_true(json_is_null(json_object_get(second, "digest")));
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    json_t *problems = json_pack("[o]", problem);
    assert_true(ranks_document_write(stream, &report, problems));
    assert_int_equal(fclose(stream), 0);
    json_decref(problems);
    json_t *document = json_loads(text, 0, NULL);
    assert_non_null(document);
    expect_number(document, "ranks", 2);
    expect_number(json_object_get(document, "links_ns"), "ranks_on_a_host", 2);
    assert_int_equal(json_array_size(json_object_get(json_object_get(document, "links_ns"), "near")), LINK_SIZES);
    assert_true(json_is_null(json_object_get(document, "nccl_links_ns")));
    json_decref(document);
    free(text);
    ranks_report_end(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows), cmocka_unit_test(test_predictions), cmocka_unit_test(test_weak),
        cmocka_unit_test(test_bits), cmocka_unit_test(test_json),
    };
    mpi.version = version;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
