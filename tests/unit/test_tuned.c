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

#define CPU "\"kind\": \"cpu\", \"device\": \"mine\", \"version\": \"fast\", \"threads\": 3"
#define START "{\"problem\": \"dot:n=1000,f32\", "

static const struct device cpu = {
    .backend = &backend_cpu,
    .id = "cpu",
    .properties = {.is_cpu = true, .has_double = true, .name = "mine", .version = "fast"}};

static enum status read_line(const char *line, struct tuned_entry *entry, struct error *error)
{
    return tuned_read_line(line, strlen(line), "file", entry, error);
}

static void a_line_is_read_and_written(void **state)
{
    (void)state;
    struct tuned_entry entry, again;
    struct error error = {""};
    assert_int_equal(read_line(START CPU ", \"ns\": {\"serial\": 480, \"simd\": 95.5, \"gone\": 1}}", &entry, &error),
                     STATUS_OK);
    assert_int_equal(entry.count, 2);
    assert_int_equal(entry.threads, 3);
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

static const char *first_of(const char *text, int threads, double *nanoseconds)
{
    struct problem problem;
    const struct rung *const *rungs;
    struct prediction predictions[64];
    size_t count;
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    assert_int_equal(kernel_rungs(problem.kernel, &rungs, &count, NULL), STATUS_OK);
    assert_true(predict(&problem, &cpu, threads, rungs, count, predictions) > 0);
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
    assert_non_null(strstr(tuned_complaint(), ":6: not JSON"));
}

int main(void)
{
    static const char lines[] = START CPU ", \"ns\": {\"serial\": 10}}\n" /* replaced by the file below it */
                                          "{\"problem\": \"dot:n=100,f32\", \"kind\": \"cpu\", \"device\": \"mine\", "
                                          "\"version\": \"fast\", \"threads\": 1, "
                                          "\"ns\": {\"serial\": 50, \"simd\": 90, \"parallel-simd\": 900}}\n"
                                          "{\"problem\": \"dot:n=100000,f32\", \"kind\": \"cpu\", \"device\": "
                                          "\"mine\", \"version\": \"fast\", \"threads\": 1, "
                                          "\"ns\": {\"serial\": 50000, \"simd\": 9000, \"parallel-simd\": 9900}}\n"
                                          "{\"problem\": \"dot:n=100000,f32\", \"kind\": \"cpu\", \"device\": "
                                          "\"mine\", \"version\": \"fast\", \"threads\": 3, "
                                          "\"ns\": {\"serial\": 50000, \"simd\": 9000, \"parallel-simd\": 3900}}\n"
                                          "{\"problem\": \"sort:n=10,f32\", broken but of another kernel}\n"
                                          "{\"problem\": \"dot:n=10,f32\", broken}\n";
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
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(name);
    return failures;
}
