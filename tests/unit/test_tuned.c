/* Tuned files: what a line must be, which file's line counts, and what the nearest problems say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/all.h"
#include "base/size.h"
#include "choice/choose_rung.h"
#include "choice/code_hash.h"
#include "choice/transfers.h"
#include "choice/tunables.h"

#define CPU "\"kind\": \"cpu\", \"device\": \"mine\", \"version\": \"fast\", \"threads\": 3"
#define START "{\"problem\": \"dot:n=1000,f32\", "

static const struct device cpu = {
    .backend = &backend_cpu,
    .id = "cpu",
    .properties = {.is_cpu = true, .has_double = true, .cores = 8, .name = "mine", .version = "fast"}};

static enum status read_line(const char *line, struct tuned_entry *entry, struct error *error)
{
    return tuned_read_line(line, strlen(line), "file", entry, error);
}

static void a_line_is_read_and_written(void **state)
{
    (void)state;
    struct tuned_entry entry, again;
    struct error error = {""};
    assert_int_equal(read_line(START CPU ", \"ns\": {\"serial\": 480, \"openblas\": 70}}", &entry, &error), STATUS_OK);
    assert_true(entry.openblas == 70);
    assert_int_equal(
        read_line(START CPU ", \"cores\": 8, \"ns\": {\"serial\": 480, \"simd\": 95.5, \"gone\": 1}}", &entry, &error),
        STATUS_OK);
    assert_int_equal(entry.count, 2);
    assert_int_equal(entry.threads, 3);
    assert_int_equal(entry.cores, 8);
    assert_string_equal(entry.times[1].rung, "simd");
    assert_true(entry.times[1].nanoseconds == 95.5);
    char *line = tuned_line(&entry);
    assert_non_null(line);
    assert_int_equal(read_line(line, &again, &error), STATUS_OK);
    assert_memory_equal(&again, &entry, sizeof entry);
    free(line);
}

static void a_wrong_line_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"", "not JSON"},
        {"{", "not JSON"},
        {"[]", "not a JSON object"},
        {"{}", "\"problem\" is missing"},
        {"{\"problem\": 3}", "\"problem\" is missing"},
        {"{\"problem\": \"dot:n=-1\"}", "outside"},
        {START "\"kind\": \"gpu\"}", "'gpu' is not a kind"},
        {START "\"kind\": \"cpu\", \"device\": \"\"}", "\"device\" is missing"},
        {START "\"kind\": \"cpu\", \"device\": \"a\", \"version\": \"b\", \"threads\": -1}", "\"threads\" is not"},
        {START CPU ", \"cores\": 0.5}", "\"cores\" is not"},
        {START CPU "}", "\"ns\" is not an object"},
        {START CPU ", \"ns\": {}}", "no rung of this ladder"},
        {START CPU ", \"ns\": {\"gone\": 3}}", "no rung of this ladder"},
        {START CPU ", \"ns\": {\"simd\": 0}}", "not a number above 0"},
        {START CPU ", \"ns\": {\"simd\": \"3\"}}", "not a number above 0"},
        {START CPU ", \"ns\": {\"simd\": 3, \"simd\": 4}}", "not JSON"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tuned_entry entry;
        struct error error = {""};
        assert_int_equal(read_line(cases[i].line, &entry, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].reason))
            FAIL_WITH("%s: %s\n", cases[i].line, error.text);
    }
}

#define COPIES                                                                                       \
    "{\"transfers\": \"pageable\", \"kind\": \"cuda\", \"device\": \"mine\", \"version\": \"9.0\", " \
    "\"opening_ns\": 500, \"to_device_ns\": {\"100\": 10, \"1100\": 1010}, \"from_device_ns\": {\"400\": 40}"

static enum status read_copies(const char *line, struct transfers *transfers, struct error *error)
{
    return transfers_read_line(line, strlen(line), "file", transfers, error);
}

/* dot of 150 floats: 600 bytes twice to the device, 8 and 4 bytes back. */
static void copies_are_read_written_and_reckoned(void **state)
{
    (void)state;
    struct transfers copies, again;
    struct error error = {""};
    struct problem problem;
    assert_int_equal(read_copies(COPIES ", \"driver\": \"one\"}", &copies, &error), STATUS_OK);
    assert_string_equal(copies.of.driver, "one");
    assert_true(copies.opening == 500);
    char *line = transfers_line(&copies);
    assert_non_null(line);
    assert_int_equal(read_copies(line, &again, &error), STATUS_OK);
    assert_memory_equal(&again, &copies, sizeof copies);
    free(line);
    assert_int_equal(problem_parse("dot:n=150,f32", &problem, NULL), STATUS_OK);
    assert_true(transfers_time(&copies, &problem) == 510 + 510 + 40 + 40); /* between sizes, and below the smallest */
    assert_int_equal(problem_parse("dot:n=1100,f32", &problem, NULL), STATUS_OK);
    assert_true(transfers_time(&copies, &problem) == 4040 + 4040 + 40 + 40); /* beyond the largest, at its rate */
}

static void wrong_copies_are_refused(void **state)
{
    (void)state;
#define WHOSE "{\"kind\": \"cuda\", \"device\": \"mine\", \"version\": \"9.0\""
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"{", "not JSON"},
        {"{\"kind\": \"gpu\"}", "'gpu' is not a kind"},
        {WHOSE "}", "\"opening_ns\" is not a number"},
        {WHOSE ", \"opening_ns\": -1}", "\"opening_ns\" is not a number"},
        {WHOSE ", \"opening_ns\": 1}", "\"to_device_ns\" is not an object"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {}}", "\"to_device_ns\" has no sizes"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {\"8\": 0}}", "not numbers above 0"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {\"x\": 1}}", "at 'x'"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {\"9\": 1, \"8\": 1}}", "ascending bytes, at '8'"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,"
               "\"8\":1,\"9\":1}}",
         "more than 8 sizes"},
        {WHOSE ", \"opening_ns\": 1, \"to_device_ns\": {\"8\": 1}}", "\"from_device_ns\" is not an object"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct transfers transfers;
        struct error error = {""};
        assert_int_equal(read_copies(cases[i].line, &transfers, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].reason))
            FAIL_WITH("%s: %s\n", cases[i].line, error.text);
    }
}

static const struct rung *rung_of(const char *problem, const char *name)
{
    struct problem parsed;
    assert_int_equal(problem_parse(problem, &parsed, NULL), STATUS_OK);
    const struct rung *rung = rung_by_name(parsed.kernel, name, NULL);
    assert_non_null(rung);
    return rung;
}

/* Of code that has changed since: the time is left out, and the line where no other is left. */
static void stale_times_are_left_out(void **state)
{
    (void)state;
    struct tuned_entry entry, again;
    struct error error = {""};
    char line[512];
    const struct kernel *dot = kernel_by_name("dot", NULL);
    const uint32_t present = code_hash(dot, rung_of("dot:n=1000", "simd"));
    assert_int_not_equal(present, 0);
    assert_int_not_equal(present, code_hash(dot, rung_of("dot:n=1000", "exact")));
    snprintf(line, sizeof line,
             START CPU
             ", \"ns\": {\"serial\": 480, \"simd\": 95}, \"code\": {\"serial\": \"%08x\", \"simd\": \"%08x\"}}",
             1u, present);
    assert_int_equal(read_line(line, &entry, &error), STATUS_OK);
    assert_int_equal(entry.count, 1);
    assert_true(entry.is_cut);
    assert_string_equal(entry.times[0].rung, "simd");
    assert_string_equal(error.text, "rung 'serial' has changed since it was measured");
    entry.is_cut = false;
    char *written = tuned_line(&entry);
    assert_int_equal(read_line(written, &again, &error), STATUS_OK);
    assert_memory_equal(&again, &entry, sizeof entry);
    assert_string_equal(error.text, "");
    free(written);
    assert_int_equal(read_line(START CPU ", \"ns\": {\"simd\": 95}, \"code\": {\"simd\": \"1\"}}", &entry, &error),
                     STATUS_UNAVAILABLE);
}

static void another_driver_s_lines_are_known(void **state)
{
    (void)state;
    struct device gpu = {.backend = &backend_cuda, .id = "cuda:0"};
    struct tuned_entry entry, again;
    struct error error = {""};
    snprintf(gpu.properties.name, sizeof gpu.properties.name, "mine");
    snprintf(gpu.properties.version, sizeof gpu.properties.version, "9.0");
    snprintf(gpu.properties.driver, sizeof gpu.properties.driver, "driver 1");
    assert_int_equal(problem_parse("dot:n=1000", &entry.problem, NULL), STATUS_OK);
    assert_int_equal(read_line(START "\"kind\": \"cuda\", \"device\": \"mine\", \"version\": \"9.0\", "
                                     "\"ns\": {\"tree\": 9}, \"tunables\": {\"tree\": \"GROUP=64\"}}",
                               &entry, &error),
                     STATUS_OK);
    assert_false(tuned_has_other_driver(&entry, &gpu)); /* it does not say */
    assert_string_equal(entry.times[0].tunables, "GROUP=64");
    tuned_describe(&gpu, 3, &entry);
    assert_int_equal(entry.threads, 0);
    char *line = tuned_line(&entry);
    assert_int_equal(read_line(line, &again, &error), STATUS_OK);
    free(line);
    assert_string_equal(again.driver, "driver 1");
    assert_string_equal(again.times[0].tunables, "GROUP=64");
    assert_false(tuned_has_other_driver(&again, &gpu));
    snprintf(gpu.properties.driver, sizeof gpu.properties.driver, "driver 2");
    assert_true(tuned_has_other_driver(&again, &gpu));
    snprintf(gpu.properties.name, sizeof gpu.properties.name, "another");
    assert_false(tuned_has_other_driver(&again, &gpu));
    assert_false(tuned_has_other_driver(&again, &cpu));
}

static void tunables_are_what_the_rung_offers(void **state)
{
    (void)state;
    const struct rung *naive = rung_of("transpose:64", "naive");
    struct parameters values = {{1, 1}}, before = values;
    static const char *const wrong[] = {"BX=7", "BX", "BX=8 BZ=1", "=3", "BX=8x", "BX=99999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_false(tunables_apply(wrong[i], naive, &values));
        assert_memory_equal(&values, &before, sizeof values);
    }
    assert_true(tunables_apply("", naive, &values));
    assert_true(tunables_apply("BY=4 BX=8", naive, &values));
    assert_int_equal(values.values[0], 8);
    assert_int_equal(values.values[1], 4);
}

static const char *first_of(const char *text, int threads, double *nanoseconds)
{
    struct problem problem;
    const struct rung *const *rungs;
    struct prediction predictions[64];
    size_t count;
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    assert_int_equal(kernel_rungs(problem.kernel, &rungs, &count, NULL), STATUS_OK);
    assert_true(predict(&problem, &cpu, threads, rungs, count, LINES_ALL, predictions) > 0);
    *nanoseconds = predictions[0].nanoseconds;
    return predictions[0].rung->name;
}

/* The file that main has written: for short vectors serial, for long ones simd, with three threads parallel-simd. */
static void the_nearest_problems_decide(void **state)
{
    (void)state;
    double time;
    assert_string_equal(first_of("dot:n=110,f32", 1, &time), "serial");
    assert_true(time > 49 && time < 61); /* 50 ns for 100 elements */
    assert_string_equal(first_of("dot:n=90000,f32", 1, &time), "simd");
    assert_string_equal(first_of("dot:n=90000,f32", 3, &time), "parallel-simd");
    assert_string_equal(first_of("dot:n=110,f64", 1, &time), "serial"); /* of another type, but of about this length */
    assert_string_equal(first_of("dot:n=150,f64", 1, &time), "serial"); /* a nearer line is of a machine of two cores */
    assert_non_null(strstr(tuned_complaint(), ":10: not JSON"));
}

static bool is_borne_out(const char *text, const char *faster, const char *slower)
{
    struct problem problem;
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    return predict_is_borne_out(&problem, &cpu, 5, rung_of(text, faster), rung_of(text, slower));
}

/* main's lines of five threads. Near are n=1000, 2000 and 3000. */
static void few_lines_do_not_bear_out(void **state)
{
    (void)state;
    assert_true(is_borne_out("dot:n=1500,f32", "simd", "serial")); /* 1.3 in three lines */
    assert_false(is_borne_out("dot:n=1500,f32", "serial", "simd"));
    assert_false(is_borne_out("dot:n=900000,f32", "simd", "serial"));      /* all of them are far */
    assert_false(is_borne_out("dot:n=1500,f32", "simd", "compensated"));   /* 1.12 */
    assert_true(is_borne_out("dot:n=1000,f32", "simd", "compensated"));    /* the very problem */
    assert_false(is_borne_out("dot:n=1000,f32", "simd", "parallel-simd")); /* 1.04 there */
    assert_true(is_borne_out("dot:n=3000,f32", "simd", "parallel"));       /* which is not in its line */
    assert_false(is_borne_out("dot:n=1500,f32", "simd", "parallel"));      /* 2.0 in two lines */
    assert_false(is_borne_out("dot:n=1500,f32", "simd", "exact"));         /* 3.0 in two lines, 0.9 in one */
}

static const char *chosen(const char *text)
{
    struct problem problem;
    struct rung_choice choice;
    struct error error;
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    assert_int_equal(choose_rung_for_any_threads(&problem, &cpu, &choice, &error), STATUS_OK);
    return choice.rung->name;
}

/* One line of a thread says that serial is faster for 100 elements; the shipped ones say simd. */
static void the_shipped_lines_hold_against_few(void **state)
{
    (void)state;
    assert_string_equal(chosen("dot:n=110,f32"), "simd");
    assert_string_equal(chosen("dot:n=100,f32"), "serial");
}

/* Powers of two of whose bytes rows are multiples: of 24 bytes 8, of 12 bytes 4, at most 32. */
static void rows_are_multiples(void **state)
{
    (void)state;
    static const struct {
        const char *problem;
        unsigned input, output;
    } rows[] = {{"transpose:rows=3,cols=6,f32", 3, 2},
                {"transpose:rows=64,cols=64,f32", 6, 6},
                {"transpose:rows=5,cols=7,u8", 0, 0},
                {"transpose:rows=1,cols=7,u8", TUNED_LINE, 0},
                {"transpose:rows=8,cols=16,u8", 4, 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct problem problem;
        assert_int_equal(problem_parse(rows[i].problem, &problem, NULL), STATUS_OK);
        assert_int_equal(tuned_alignment(&problem), rows[i].input | rows[i].output << TUNED_ALIGNMENT_BITS);
    }
}

/* What a rung's time grows with: whole blocks, and tiles of a lane where a side is shorter than a block; the busiest
 * thread's rows, and the start of threads. */
static void loads_are_of_the_busiest_thread(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *rung;
        int threads;
        double load;
    } loads[] = {{"transpose:rows=64,cols=64,f32", "simd", 2, 16384},
                 {"transpose:rows=20,cols=64,u16", "simd", 2, 24 * 64 * 2},
                 {"transpose:rows=7,cols=64,u16", "simd", 2, 12 * 7 * 64},
                 {"transpose:rows=9744,cols=56,u16", "simd", 2, 4896 * 64 * 2},
                 {"transpose:rows=64,cols=64,batch=8,f32", "simd", 2, 4 * 16384},
                 {"transpose:rows=64,cols=48,f32", "parallel", 2, 5000 + 6 * 256},
                 {"dot:n=600,f32", "simd", 2, 1000},
                 {"dot:n=100000,f32", "parallel-simd", 4, 500 + 25000 + 8000},
                 {"resize:width=10,height=20,out_width=20,out_height=10", "precise", 2, 160 + 10 * (9 + 9 + 70)}};
    for (size_t i = 0; i < COUNT_OF(loads); i++) {
        const struct rung *rung = rung_of(loads[i].problem, loads[i].rung);
        struct parameters none = {{0}};
        struct problem problem;
        assert_int_equal(problem_parse(loads[i].problem, &problem, NULL), STATUS_OK);
        const double load = rung->load(&problem, &none, loads[i].threads);
        if (load != loads[i].load)
            FAIL_WITH("%s: %g, not %g\n", loads[i].problem, load, loads[i].load);
    }
}

#define OF_FIVE(n, times)                                                                                 \
    "{\"problem\": \"dot:n=" n ",f32\", \"kind\": \"cpu\", \"device\": \"mine\", \"version\": \"fast\", " \
    "\"threads\": 5, \"ns\": {" times "}}\n"

int main(void)
{
    static const char lines[] = START CPU
        ", \"ns\": {\"serial\": 10}}\n" /* replaced by the file below it */
        "{\"problem\": \"dot:n=100,f32\", \"kind\": \"cpu\", \"device\": \"mine\", "
        "\"version\": \"fast\", \"threads\": 1, "
        "\"ns\": {\"serial\": 50, \"simd\": 90, \"parallel-simd\": 900}}\n"
        "{\"problem\": \"dot:n=100000,f32\", \"kind\": \"cpu\", \"device\": "
        "\"mine\", \"version\": \"fast\", \"threads\": 1, "
        "\"ns\": {\"serial\": 50000, \"simd\": 9000, \"parallel-simd\": 9900}}\n"
        "{\"problem\": \"dot:n=500,f64\", \"kind\": \"cpu\", \"device\": \"mine\", \"version\": \"fast\", "
        "\"threads\": 1, \"cores\": 2, \"ns\": {\"serial\": 110, \"simd\": 90}}\n"
        "{\"problem\": \"dot:n=100000,f32\", \"kind\": \"cpu\", \"device\": "
        "\"mine\", \"version\": \"fast\", \"threads\": 3, "
        "\"ns\": {\"serial\": 50000, \"simd\": 9000, \"parallel-simd\": 3900}}\n" OF_FIVE(
            "1000", "\"serial\": 130, \"simd\": 100, \"compensated\": 112, \"parallel-simd\": 104, \"parallel\": 200, "
                    "\"exact\": 90") OF_FIVE("2000", "\"serial\": 260, \"simd\": 200, \"compensated\": 224, "
                                                     "\"parallel-simd\": 400, \"parallel\": 400, \"exact\": 600")
            OF_FIVE("3000", "\"serial\": 390, \"simd\": 300, \"compensated\": 336, \"parallel-simd\": 600, \"exact\": "
                            "900") "{\"problem\": \"sort:n=10,f32\", broken but of another kernel}\n"
                                   "{broken, of no kernel}\n";
    char name[] = "/tmp/uskor-tuned-XXXXXX";
    const int file = mkstemp(name);
    if (file < 0 || write(file, lines, strlen(lines)) != (ssize_t)strlen(lines))
        return 77;
    close(file);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("USKOR_TUNED", name, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_read_and_written),
        cmocka_unit_test(a_wrong_line_is_refused),
        cmocka_unit_test(the_nearest_problems_decide),
        cmocka_unit_test(few_lines_do_not_bear_out),
        cmocka_unit_test(the_shipped_lines_hold_against_few),
        cmocka_unit_test(stale_times_are_left_out),
        cmocka_unit_test(another_driver_s_lines_are_known),
        cmocka_unit_test(tunables_are_what_the_rung_offers),
        cmocka_unit_test(copies_are_read_written_and_reckoned),
        cmocka_unit_test(wrong_copies_are_refused),
        cmocka_unit_test(rows_are_multiples),
        cmocka_unit_test(loads_are_of_the_busiest_thread),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(name);
    return failures;
}
