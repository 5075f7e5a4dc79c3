/* Tables of measurements that nobody made, as a whole: their figures are worked out by hand, beside each row. */
#include <fcntl.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/language.h"
#include "kernels/kernel.h"
#include "report/model/heading.h"
#include "report/terminal/comparison.h"
#include "report/terminal/report.h"
#include "report/terminal/text_grid.h"
#include "store/comparison.h"
#include "table_text.h"
#include "tables.h"

#define PROBLEM "transpose:rows=1000,cols=1000,f32"

/* 8 MB: in 10 us 800 GB/s, in 20 us 400, in 40 us 200; the copy's 5 us are 1600. */
static struct measurement_list ladder(void)
{
    struct measurement_list list = {0};
    add(&list, PROBLEM, "copy", MEASURED_PROBE, 5000);
    add(&list, PROBLEM, "naive", MEASURED_DEVICE, 40000);
    add(&list, PROBLEM, "slow", MEASURED_DEVICE, 12e6); /* 0.0417 % */
    struct measurement *tiled = add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 20000);
    strcpy(tiled->parameters, "TILE=32");
    strcpy(tiled->detail, "in two halves");
    add(&list, PROBLEM, "cublas", MEASURED_VENDOR, 10000);
    judged(add(&list, PROBLEM, "wrong", MEASURED_DEVICE, 0), VERDICT_FAIL, "element 7 is wrong");
    judged(add(&list, PROBLEM, "absent", MEASURED_DEVICE, 0), VERDICT_SKIP, "needs doubles");
    judged(add(&list, PROBLEM, "broken", MEASURED_DEVICE, 0), VERDICT_ERROR, "the launch failed");
    return list;
}

static void a_ladder(void **state)
{
    (void)state;
    struct measurement_list list = ladder();
    SHOWS("ladder", report_tables(stream, &list, usual));
    SHOWS("ladder-80", report_tables(stream, &list, narrow));
    SHOWS("checks", report_checks(stream, &list, usual));
    SHOWS("summary", report_summary(stream, &list, usual));
    WRITES("ladder.csv", report_csv(stream, &list));
    measurement_list_free(&list);
}

/* A dash stands where a deviation would; what follows it is in its column. */
static void a_single_run_has_no_deviation(void **state)
{
    (void)state;
    struct measurement_list list = ladder();
    list.items[1].phases[PHASE_COMPUTE].count = 1;
    char *text = table_text(&list, LANGUAGE_ENGLISH, 100);
    assert_non_null(strstr(text, "\n  naive         40.0 µs ±   —       200   12.5% █░░░░░░░░░     1.00×  PASS\n"));
    assert_non_null(strstr(text, "\n  slow          12.0 ms ± 0.0%    0.667 0.0417% ░░░░░░░░░░  0.00333×  PASS\n"));
    free(text);
    measurement_list_free(&list);
}

/* What several rungs are warned of is told once, after their names. */
static void each_warning_once(void **state)
{
    (void)state;
    struct measurement_list list = ladder();
    static const char *const rungs[] = {"naive", "tiled", "cublas"};
    for (size_t i = 0; i < list.count; i++)
        for (size_t r = 0; r < sizeof rungs / sizeof rungs[0]; r++)
            if (strcmp(list.items[i].rung, rungs[r]) == 0)
                strcpy(list.items[i].warnings, r < 2 ? "unsteady: quartiles far apart" : "its clock changed");
    SHOWS("warnings", report_tables(stream, &list, usual));
    measurement_list_free(&list);
}

/* The lab's: every kernel on a processor and on the OpenCL that it plays, whose problems are smaller. A library that
 * was timed on another size than the ladder's is nothing to compare with. */
static struct measurement_list every_kernel(void)
{
    static const struct {
        const char *kernel, *problems[2], *own, *library;
    } rows[] = {
        {"transpose", {"transpose:rows=2560,cols=2560", "transpose:rows=1024,cols=1024"}, "simd", "openblas"},
        {"sort", {"sort:n=524288", "sort:n=65536"}, "radix-local", "vqsort"},
        {"dot", {"dot:n=8388608", "dot:n=1048576"}, "compensated", "openblas"},
        {"matmul", {"matmul:m=512,n=512,k=512", "matmul:m=240,n=240,k=240"}, "packed", "clblast"},
        {"resize", {"resize:width=1024,height=1024", "resize:width=512,height=512"}, "plain", "opencv"},
        {"wave", {"wave:nx=128,ny=128,nz=128,steps=4", "wave:nx=64,ny=64,nz=64,steps=2"}, "temporal", NULL},
        {"pipeline", {"pipeline:n=32768", "pipeline:n=4096"}, "cpu", NULL},
    };
    struct measurement_list list = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int device = 0; device < 2; device++) {
            char text[PROBLEM_TEXT_MAX];
            struct problem problem;
            assert_int_equal(problem_parse(rows[i].problems[device], &problem, NULL), STATUS_OK);
            problem_text(&problem, text);
            const size_t before = list.count;
            add(&list, text, "copy", MEASURED_PROBE, 5000);
            add(&list, text, rows[i].own, device ? MEASURED_DEVICE : MEASURED_HOST, 18200);
            if (rows[i].library)
                add(&list, text, rows[i].library, MEASURED_VENDOR, device ? 36400 : 10000);
            for (size_t m = before; m < list.count; m++) {
                strcpy(list.items[m].device, device ? "opencl:0" : "cpu");
                list.items[m].device_is_cpu = true;
            }
        }
    struct measurement *elsewhere = add(&list, "wave:nx=9,ny=9,nz=9,steps=4,f32", "fftw", MEASURED_VENDOR, 1000);
    strcpy(elsewhere->device, "cpu");
    elsewhere->bytes = 1000;
    elsewhere->device_is_cpu = true;
    return list;
}

static const char *title_of(const char *text, char *title, size_t size)
{
    struct problem problem;
    char heading[PROBLEM_TEXT_MAX];
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    snprintf(title, size, "%s", problem_heading(&problem, heading));
    return title;
}

static void the_labs_closing_table(void **state)
{
    (void)state;
    headings_from(title_of);
    struct measurement_list list = every_kernel();
    SHOWS("summary-lab", report_summary(stream, &list, (struct style){.width = 140}));
    SHOWS("summary-lab-80", report_summary(stream, &list, narrow));
    language_choose(LANGUAGE_RUSSIAN);
    SHOWS("summary-lab-80-ru", report_summary(stream, &list, narrow));
    language_choose(LANGUAGE_ENGLISH);
    headings_from(NULL);
    measurement_list_free(&list);
}

static void a_comparison(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *m[7];
    for (int i = 0; i < 6; i++)
        add(&list, PROBLEM,
            i == 3   ? "a-name-of-eighteen"
            : i == 5 ? "tiled"
            : i == 4 ? "tiled"
                     : "naive",
            MEASURED_DEVICE, 1000);
    add(&list, "dot:n=5,f32", "tree", MEASURED_DEVICE, 1000)->cold = true;
    for (int i = 0; i < 7; i++)
        m[i] = &list.items[i];
    strcpy(m[1]->device_name, "Another GPU");
    strcpy(m[4]->parameters, "TILE=16");
    strcpy(m[5]->parameters, "TILE=32");
    strcpy(m[6]->parameters, "WIDTH=4"); /* not shown: no other pair of its scene is of this rung */
    struct compared items[] = {
        {.a = m[0],
         .b = m[1],
         .outcome = OUTCOME_FASTER,
         .time_a = 2000,
         .time_b = 1000,
         .ratio = 0.5,
         .low = 0.49,
         .high = 0.511,
         .units_a = 9,
         .units_b = 9,
         .machine_low = 1,
         .machine_high = 1},
        {.a = m[3],
         .b = m[3],
         .outcome = OUTCOME_SLOWER,
         .time_a = 1000,
         .time_b = 20000,
         .ratio = 20,
         .low = 10.9,
         .high = INFINITY,
         .units_a = 9,
         .units_b = 9,
         .machine_low = 1,
         .machine_high = 1},
        {.a = m[0],
         .b = m[0],
         .outcome = OUTCOME_UNCLEAR,
         .why = "too few rounds",
         .time_a = 1000,
         .time_b = 1012,
         .ratio = 1.012,
         .low = 0.99,
         .high = 1.03,
         .units_a = 9,
         .units_b = 9,
         .machine_low = 0.97,
         .machine_high = 1.02,
         .cores_a = 50,
         .cores_b = 300},
        {.a = m[4],
         .b = m[5],
         .outcome = OUTCOME_BROKEN,
         .why = "element 7 is wrong",
         .machine_low = 1,
         .machine_high = 1},
        {.a = m[0], .b = NULL, .outcome = OUTCOME_WITHOUT, .why = "only in A", .machine_low = 1, .machine_high = 1},
        {.a = NULL,
         .b = m[6],
         .outcome = OUTCOME_MENDED,
         .is_void = true,
         .units_a = 3,
         .why = "noise",
         .machine_low = 1,
         .machine_high = 1.1,
         .cores_a = 50,
         .cores_b = 300},
    };
    const struct run_comparison comparison = {.items = items, .count = sizeof items / sizeof items[0]};
    const struct comparison_options options = comparison_defaults();
    SHOWS("comparison", report_comparison(stream, &comparison, &options, usual));
    SHOWS("comparison-80", report_comparison(stream, &comparison, &options, narrow));
    const struct style coloured = {.colour = true, .width = 100};
    SHOWS("comparison-coloured", report_comparison(stream, &comparison, &options, coloured));
    WRITES("comparison.csv", report_comparison_csv(stream, &comparison));
    WRITES("comparison.json", report_comparison_json(stream, &comparison, &options));
    measurement_list_free(&list);
}

static void a_heat_map(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    static const char *const axes[] = {"TILE", "ROWS"};
    for (int tile = 8; tile <= 32; tile *= 2)
        for (int rows = 1; rows <= 2; rows++) {
            struct measurement *one = add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 1000.0 * tile * rows);
            snprintf(one->parameters, sizeof one->parameters, "TILE=%d ROWS=%d", tile, rows);
            if (tile == 32 && rows == 2)
                judged(one, VERDICT_FAIL, "element 7 is wrong");
        }
    SHOWS("heat-map", report_heat_map(stream, &list, "cuda:0", axes, 2, usual));
    SHOWS("heat-map-1", report_heat_map(stream, &list, "cuda:0", axes, 1, usual));
    measurement_list_free(&list);
}

/* ---- how wide, and whether in colour ---- */

static void expect_width(FILE *stream, const char *columns, int width, bool folds)
{
    if (columns)
        setenv("COLUMNS", columns, 1);
    else
        unsetenv("COLUMNS");
    const struct style style = style_for(stream);
    if (style.width != width || style.folds != folds)
        fail_msg("COLUMNS=%s: %d columns, not %d", columns ? columns : "(unset)", style.width, width);
}

/* 100 columns where nobody says how many there are; at least 60. */
static void the_width_is_that_of_columns(void **state)
{
    (void)state;
    static const struct {
        const char *columns;
        int width;
        bool folds;
    } rows[] = {{NULL, 100, false}, {"80", 80, true},    {"60", 60, true},       {"59", 60, true},
                {"1", 60, true},    {"0", 100, false},   {"-5", 100, false},     {"abc", 100, false},
                {"", 100, false},   {"80x", 100, false}, {"10000", 10000, true}, {"10001", 100, false}};
    FILE *file = tmpfile();
    assert_non_null(file);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_width(file, rows[i].columns, rows[i].width, rows[i].folds);
    assert_false(style_for(file).colour);
    assert_true(style_choose_colour("always"));
    assert_false(style_choose_colour("sometimes"));
    assert_true(style_for(file).colour);
    assert_true(style_choose_colour("auto"));
    unsetenv("COLUMNS");
    fclose(file);
}

/* A terminal of 90 columns. */
static void a_terminal_says_its_own(void **state)
{
    (void)state;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    FILE *terminal = fopen(ptsname(master), "r+");
    if (!terminal)
        skip();
    assert_int_equal(ioctl(master, TIOCSWINSZ, &(struct winsize){.ws_row = 30, .ws_col = 90}), 0);
    expect_width(terminal, NULL, 90, true);
    expect_width(terminal, "70", 70, true);
    expect_width(terminal, "abc", 90, true);
    expect_width(terminal, "0", 90, true);
    unsetenv("COLUMNS");
    static const char *const none[] = {NULL, "", "1"};
    for (size_t i = 0; i < 3; i++) {
        if (none[i])
            setenv("NO_COLOR", none[i], 1);
        else
            unsetenv("NO_COLOR");
        assert_int_equal(style_for(terminal).colour, i < 2);
    }
    assert_true(style_choose_colour("never"));
    unsetenv("NO_COLOR");
    assert_false(style_for(terminal).colour);
    assert_true(style_choose_colour("auto"));
    fclose(terminal);
    close(master);
}

/* The text between the commas number `field - 1` and `field` of the second line. */
static const char *csv_field_of(const struct measurement_list *list, int field, char found[64])
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_true(report_csv(stream, list));
    fclose(stream);
    const char *at = strstr(strchr(text, '\n'), "f32\","); /* the problem, in quotes, has commas */
    assert_non_null(at);
    for (int i = 0; i < field; i++)
        at = strchr(at, ',') + 1;
    snprintf(found, 64, "%.*s", (int)strcspn(at, ",\n"), at);
    free(text);
    return found;
}

/* In us: 10 and 14 deviate by the root of 8 from their mean; 10, 14 and 15 by that of (9 + 1 + 4) / 2. */
static void a_single_sample_has_no_deviation(void **state)
{
    (void)state;
    static const double samples[] = {10000, 14000, 15000};
    char found[64];
    struct measurement_list list = {0};
    struct measurement *one = add(&list, PROBLEM, "naive", MEASURED_DEVICE, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], samples[i], i));
        assert_string_equal(csv_field_of(&list, 9, found), i == 0 ? "1" : i == 1 ? "2" : "3");
        assert_string_equal(csv_field_of(&list, 11, found), i == 0 ? "10000" : i == 1 ? "12000" : "14000");
        assert_string_equal(csv_field_of(&list, 14, found), "10000");
        assert_string_equal(csv_field_of(&list, 15, found), i == 0 ? "10000" : i == 1 ? "12000" : "13000");
        assert_string_equal(csv_field_of(&list, 16, found), i == 0 ? "" : i == 1 ? "2828.42712" : "2645.75131");
    }
    measurement_list_free(&list);
}

/* Three columns of 4, 6 and 5 letters, two blanks before each but the first: 19 columns hold them, 18 do not. */
static void blocks_of_columns(void **state)
{
    (void)state;
    struct text_grid grid;
    assert_true(text_grid_make(&grid, 1, 3));
    strcpy(text_grid_cell(&grid, 0, 0), "name");
    strcpy(text_grid_cell(&grid, 0, 1), "second");
    strcpy(text_grid_cell(&grid, 0, 2), "third");
    assert_int_equal(text_grid_width(&grid), 19);
    for (int width = 18; width <= 19; width++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        text_grid_print(stream, &grid, 1, 0, 0, (struct style){.width = width});
        fclose(stream);
        assert_int_equal(strstr(text, "second  third") != NULL, width == 19);
        assert_int_equal(strstr(text, "name   third") || strstr(text, "name  third"), width == 18);
        free(text);
    }
    text_grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ladder),
        cmocka_unit_test(a_single_run_has_no_deviation),
        cmocka_unit_test(each_warning_once),
        cmocka_unit_test(the_labs_closing_table),
        cmocka_unit_test(a_comparison),
        cmocka_unit_test(a_heat_map),
        cmocka_unit_test(blocks_of_columns),
        cmocka_unit_test(a_single_sample_has_no_deviation),
        cmocka_unit_test(the_width_is_that_of_columns),
        cmocka_unit_test(a_terminal_says_its_own),
    };
    setenv("TZ", "UTC", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
