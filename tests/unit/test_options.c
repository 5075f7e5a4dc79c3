/* A command's options: what they set, their help, moments, and how long what was asked for will take. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "cli/options/help.h"
#include "cli/options/isolation.h"
#include "cli/options/options.h"
#include "cli/options/recording.h"
#include "cli/options/store_options.h"
#include "cli/options/time_needed.h"
#include "lab/ceilings/probes.h"

#include <cmocka.h>
#undef fail

struct shared {
    bool loud;
    const char *name;
};

struct arguments {
    bool all;
    const char *text, *first;
    uint32_t narrow;
    int64_t wide;
    double real;
    enum form form;
    int read;
    struct shared shared;
};

static void read_word(void *at, const char *argument, const struct options_state *state)
{
    assert_string_equal(state->name, "uskor test");
    *(int *)at = argument ? (int)strlen(argument) : -1;
}

static const struct option of_shared[] = {
    {"loud", 'l', NULL, "Say more", SETS_FLAG(struct shared, loud)},
    {"name", 0, "NAME", NULL, SETS_TEXT(struct shared, name)},
    {0},
};

static const struct option of_command[] = {
    {.doc = "What runs:"},
    {"all", 'a', NULL, "Everything", SETS_FLAG(struct arguments, all)},
    {"text", 't', "TEXT", "A text that is so long that its line has to be folded once or more often than that",
     SETS_TEXT(struct arguments, text)},
    {"narrow", 'n', "N", "A number", SETS_WHOLE(struct arguments, narrow, 1, 100)},
    {"wide-and-long-to-name", 0, "NUMBER", "Another number", SETS_WHOLE(struct arguments, wide, -5, 5000000000)},
    {"real", 'r', "X", "A real one", SETS_NUMBER(struct arguments, real, -1, 1)},
    {"json", 0, NULL, "As JSON", SETS_FORM(struct arguments, form, FORM_JSON)},
    {"read", 0, "WORD", "Read by a function", READ_INTO(struct arguments, read, read_word), .is_optional = true},
    {"seven", 0, NULL, "Seven", SETS_VALUE(struct arguments, narrow, 7)},
    {0},
};

static const struct usage shared_usage = {.options = of_shared};
static const struct usage usage = {.options = of_command,
                                   .args_doc = "[FIRST]",
                                   .doc = "Does a thing.\n\nFor example:\n\n  uskor test first\n\nMore words of it.",
                                   .shared = &shared_usage,
                                   .shared_at = offsetof(struct arguments, shared),
                                   TAKES_ONE(struct arguments, first, "one at a time")};

#define PARSE(...)                                           \
    struct arguments arguments = {0};                        \
    const char *words[] = {"uskor test", __VA_ARGS__, NULL}; \
    options_parse(&usage, (int)COUNT_OF(words) - 1, (char **)words, &arguments)

static void what_options_set(void **state)
{
    (void)state;
    {
        PARSE("--all", "--text=a b", "--narrow", "100", "--wide-and-long-to-name", "5000000000", "--real=-0.5",
              "--json", "--read=abc", "--loud", "--name", "x", "first");
        assert_true(arguments.all && arguments.shared.loud);
        assert_string_equal(arguments.text, "a b");
        assert_int_equal(arguments.narrow, 100);
        assert_int_equal(arguments.wide, 5000000000);
        assert_true(arguments.real == -0.5);
        assert_int_equal(arguments.form, FORM_JSON);
        assert_int_equal(arguments.read, 3);
        assert_string_equal(arguments.shared.name, "x");
        assert_string_equal(arguments.first, "first");
    }
    {
        PARSE("-alt", "words", "-n1", "-r1", "--wide=-5", "--seven", "--read", "--", "--first");
        assert_true(arguments.all && arguments.shared.loud);
        assert_string_equal(arguments.text, "words");
        assert_int_equal(arguments.narrow, 7); /* the later one counts */
        assert_int_equal(arguments.wide, -5);
        assert_true(arguments.real == 1);
        assert_int_equal(arguments.read, -1);
        assert_string_equal(arguments.first, "--first");
    }
    {
        PARSE("-", "-t-");
        assert_string_equal(arguments.first, "-");
        assert_string_equal(arguments.text, "-");
        assert_false(arguments.all || arguments.shared.loud);
        assert_int_equal(arguments.form, FORM_TABLE);
    }
}

static void which_options_are_beyond(void **state)
{
    (void)state;
    static const char *const known[] = {"all", "name", NULL};
    const char *words[] = {"uskor test", "--all", "--name=x", "first", "--real", "0.5", NULL};
    assert_string_equal(options_beyond(&usage, 6, (char **)words, known), "real");
    assert_null(options_beyond(&usage, 4, (char **)words, known));
    assert_null(options_beyond(&usage, 1, (char **)words, known));
}

static void help(void **state)
{
    (void)state;
    static const char wanted[] = "Usage: uskor test [OPTION…] [FIRST]\n\nDoes a thing.\n\nWhat runs:\n"
                                 "  -a, --all                 Everything\n"
                                 "  -t, --text=TEXT           A text that is so long that its\n"
                                 "                            line has to be folded once or more\n"
                                 "                            often than that\n"
                                 "  -n, --narrow=N            A number\n"
                                 "      --wide-and-long-to-name=NUMBER\n"
                                 "                            Another number\n"
                                 "  -r, --real=X              A real one\n"
                                 "      --json                As JSON\n"
                                 "      --read[=WORD]         Read by a function\n"
                                 "      --seven               Seven\n\n"
                                 "  -l, --loud                Say more\n\n"
                                 "  -h, --help                Show this\n"
                                 "      --lang=en|ru          English or Russian (default: the\n"
                                 "                            locale's)\n"
                                 "      --color=auto|always|never\n"
                                 "                            Colours (default: auto, on a\n"
                                 "                            terminal unless NO_COLOR is set)\n\n"
                                 "For example:\n\n  uskor test first\n\nMore words of it.\n";
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    help_print(stream, &usage, "uskor test", 62);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, wanted);
    free(text);
}

/* Moments of UTC, as `date -u +%s` has them, and times before now. */
static void moments(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t since;
    } rows[] = {{"2023-11-14", 1699920000},
                {"2023-11-14 22:13", 1699999980},
                {"2023-11-14T22:13", 1699999980},
                {"2024-02-29", 1709164800}},
      ages[] = {{"1h", 3600}, {"12h", 43200}, {"7d", 604800}, {"4w", 2419200}};
    const struct options_state of = {.name = "uskor test", .usage = &usage};
    int64_t since;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        option_moment(&since, rows[i].text, &of);
        assert_int_equal(since, rows[i].since);
    }
    for (size_t i = 0; i < COUNT_OF(ages); i++) {
        const int64_t before = (int64_t)time(NULL);
        option_moment(&since, ages[i].text, &of);
        assert_true(since >= before - ages[i].since && since <= (int64_t)time(NULL) - ages[i].since);
    }
}

static void kernel_or_problem(void **state)
{
    (void)state;
    struct store_options stored = {0};
    store_options_choose(&stored, "transpose");
    assert_string_equal(stored.filter.kernel, "transpose");
    assert_null(stored.filter.problem);
    stored = (struct store_options){0};
    store_options_choose(&stored, "transpose:rows=1k,cols=10");
    assert_string_equal(stored.filter.problem, "transpose:rows=1024,cols=10,f32");
    assert_null(stored.filter.kernel);
    store_options_choose(&stored, "bandwidth:to-device");
    assert_string_equal(stored.filter.problem, "bandwidth:to-device");
}

static bool is_near(double value, double wanted)
{
    return fabs(value - wanted) < 1e-9;
}

static const struct backend cpu_backend = {.name = "cpu", .kind = BACKEND_CPU},
                            opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
static struct device cpu = {.backend = &cpu_backend, .id = "cpu", .properties = {.is_cpu = true}},
                     played = {.backend = &opencl, .id = "opencl:0", .properties = {.is_cpu = true}},
                     gpu = {.backend = &opencl, .id = "opencl:1"};

static struct problem problem_of(const char *text)
{
    struct problem problem;
    struct error error = {""};
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    return problem;
}

/* A transpose of 1000 moves 8 MB: 0.8 ms on a CPU, 16 us on a GPU; with 2 ms a run 2.8 and 2.016. A sort of 1024 floats
 * moves 8 KiB and compares 1024 * 10 times: 417792 units of work. */
static void time_of_checks(void **state)
{
    (void)state;
    const struct problem transpose = problem_of("transpose:rows=1000,cols=1000"), sort = problem_of("sort:n=1024");
    assert_true(is_near(time_needed_to_check(&transpose, &cpu, 3, 2), 6 * 0.0028));
    assert_true(is_near(time_needed_to_check(&transpose, &played, 3, 2), 6 * 0.0528));
    assert_true(is_near(time_needed_to_check(&transpose, &gpu, 3, 2), 6 * 0.052016));
    assert_true(is_near(time_needed_to_check(&sort, &cpu, 1, 1), 0.002 + 0.1e-9 * 417792));
}

/* serial: 0.1 s to prepare, 5 runs of 4 ms, 8 MB at 10 ns; blocked: 5 runs of 0.8 ms. */
static void time_of_benches(void **state)
{
    (void)state;
    const struct problem problem = problem_of("transpose:rows=1000,cols=1000");
    struct error error = {""};
    struct candidate candidates[] = {
        {.device = &cpu, .rung = rung_by_name(problem.kernel, "serial", &error)},
        {.device = &cpu, .rung = rung_by_name(problem.kernel, "blocked", &error)},
    };
    struct bench_options options = {.seconds = 1, .end_to_end = true};
    assert_true(is_near(time_needed(&problem, candidates, 1, &options), 0.1 + 0.02 + 0.08 + 1));
    assert_true(is_near(time_needed(&problem, candidates, 2, &options), 1.2 + 0.1 + 0.004 + 0.08 + 1));
    options.seconds = 0.001; /* four times that, and a run */
    assert_true(is_near(time_needed(&problem, candidates, 1, &options), 0.1 + 0.02 + 0.08 + 0.008));
    options.seconds = 0.0045; /* five runs are 20 ms */
    assert_true(is_near(time_needed(&problem, candidates, 1, &options), 0.1 + 0.02 + 0.08 + 0.02));
    /* Each ceiling of a device takes 0.1 s to prepare, and is timed as long as a rung; a further rung adds none. */
    const struct rung *probes[PROBES_MAX];
    const double probes_count = (double)ceiling_probes(&problem, &cpu, candidates, 2, probes);
    assert_true(probes_count >= 1);
    for (size_t count = 1; count <= 2; count++) {
        options = (struct bench_options){.seconds = 1, .end_to_end = true};
        const double rungs = time_needed(&problem, candidates, count, &options);
        options.probe_ceilings = true;
        assert_true(is_near(time_needed(&problem, candidates, count, &options), rungs + probes_count * (0.1 + 1)));
        options.repeat = 3;
        assert_true(is_near(time_needed(&problem, candidates, count, &options), rungs));
    }
}

/* --limit: seconds, or minutes with an "m"; from a tenth of a second to a day. */
static void limits_of_time(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } rows[] = {
        {"5", 5},
        {"5s", 5},
        {"2m", 120},
        {"0.1", 0.1},
        {"1440m", 86400},
        {"86400", 86400},
        {"86400.5", 0},
        {"0.09", 0},
        {"", 0},
        {"m", 0},
        {"s", 0},
        {"5h", 0},
        {"5ms", 0},
        {"-5", 0},
        {"1441m", 0},
        {"nan", 0},
        {"inf", 0},
        {" ", 0},
        {"0000000000000000000000000000007", 7},
        {"00000000000000000000000000000007", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double seconds = -1;
        print_message("\"%s\"\n", rows[i].text);
        assert_int_equal(isolation_read_limit(rows[i].text, &seconds), rows[i].seconds > 0);
        if (rows[i].seconds > 0)
            assert_true(seconds == rows[i].seconds);
    }
}

/* A run's name has no letters that choose runs or folders, and is neither a number nor "last". */
static void labels(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "before 2", "2a", "-1", "lasting", "Д"}, *const bad[] = {
                                                                                         "",     "7",    "0123456789",
                                                                                         "last", "a/b",  "~a",
                                                                                         "a*",   "a\tb", "a\x7f",
                                                                                         "\x1f"};
    char longest[129];
    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_true(label_is_good(good[i]));
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(label_is_good(bad[i]));
    memset(longest, 'a', sizeof longest);
    longest[127] = '\0';
    assert_true(label_is_good(longest));
    longest[127] = 'a', longest[128] = '\0';
    assert_false(label_is_good(longest));
}

int main(void)
{
    setenv("TZ", "UTC", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_options_set),
        cmocka_unit_test(which_options_are_beyond),
        cmocka_unit_test(help),
        cmocka_unit_test(moments),
        cmocka_unit_test(limits_of_time),
        cmocka_unit_test(labels),
        cmocka_unit_test(kernel_or_problem),
        cmocka_unit_test(time_of_checks),
        cmocka_unit_test(time_of_benches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
