/* Problems' texts: read, written, unrolled, refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "fake_kernel.h"
#include "parsed.h"

#include <cmocka.h>

static const struct kernel kernel_other = {.name = "other", .title = "is another one", MIX_MEMBERS};
const struct kernel *const kernels[] = {&kernel_mix, &kernel_other, NULL};

/* ---- right texts ---------------------------------------------------------------------------------------------- */

static void canonical_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {"mix", "mix:rows=64,cols=48,alpha=1,mode=plain,f32"},
        {"mix:f64", "mix:rows=64,cols=48,alpha=1,mode=plain,f64"},
        {"mix:cols=2^10,rows=4k,u8", "mix:rows=4096,cols=1024,alpha=1,mode=plain,u8"},
        {"mix:mode=transposed,alpha=-2.50e-3", "mix:rows=64,cols=48,alpha=-0.0025,mode=transposed,f32"},
        {"mix:alpha=0.1", "mix:rows=64,cols=48,alpha=0.1,mode=plain,f32"},
        {"mix:seed=1", "mix:rows=64,cols=48,alpha=1,mode=plain,f32"},
        {"mix:seed=4294967295,f32,rows=0", "mix:rows=0,cols=48,alpha=1,mode=plain,f32,seed=4294967295"},
        {"other:seed=0", "other:rows=64,cols=48,alpha=1,mode=plain,f32,seed=0"},
        {"mix:4k", "mix:rows=4096,cols=4096,alpha=1,mode=plain,f32"},
        {"mix:2^10x3", "mix:rows=1024,cols=3,alpha=1,mode=plain,f32"},
        {"mix:u8,7x5,mode=transposed", "mix:rows=7,cols=5,alpha=1,mode=transposed,u8"},
        {"mix:rows=5..5", "mix:rows=5,cols=48,alpha=1,mode=plain,f32"},
    };
    char text[PROBLEM_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct problem problem = parsed(cases[i].text);
        assert_ptr_equal(problem_text(&problem, text), text);
        assert_string_equal(text, cases[i].canonical);
        struct problem again = parsed(text);
        char text_again[PROBLEM_TEXT_MAX];
        assert_string_equal(problem_text(&again, text_again), text);
    }
}

/* Problems are equal where their canonical texts are. */
static void equality(void **state)
{
    (void)state;
    static const char *const texts[] = {"mix",     "mix:rows=65", "mix:cols=49", "mix:alpha=0.1", "mix:mode=transposed",
                                        "mix:f64", "mix:seed=2",  "other",       "mix:alpha=1",   "mix:64x48"};
    char left[PROBLEM_TEXT_MAX], right[PROBLEM_TEXT_MAX];
    size_t pairs = 0;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t k = 0; k < COUNT_OF(texts); k++) {
            const struct problem a = parsed(texts[i]), b = parsed(texts[k]);
            const bool is_equal = strcmp(problem_text(&a, left), problem_text(&b, right)) == 0;
            assert_int_equal(problem_equals(&a, &b), is_equal);
            pairs += is_equal;
        }
    assert_int_equal(pairs, COUNT_OF(texts) + 6); /* the first and the last two are one */
}

/* A heading names the shape, what is not default, and the type. */
static void headings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *heading;
    } cases[] = {
        {"mix", "mix 64 × 48, f32"},
        {"mix:rows=7,alpha=2,u8", "mix 7 × 48, alpha=2, u8"},
        {"mix:mode=transposed,seed=7", "mix 64 × 48, mode=transposed, f32, seed=7"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char heading[PROBLEM_TEXT_MAX];
        struct problem problem = parsed(cases[i].text);
        assert_string_equal(problem_heading(&problem, heading), cases[i].heading);
    }
}

/* The text determines the problem completely. */
static void round_trips(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 5);
    for (int i = 0; i < 5000; i++) {
        struct problem problem = problem_default(&kernel_mix);
        problem.values[0].size = random_u32(&random) >> random_u32(&random) % 32;
        problem.values[1].size = 1 + (random_u32(&random) >> random_u32(&random) % 32) % 100000;
        problem.values[2].real = ldexp(random_double(&random) - 0.5, (int)(random_u32(&random) % 200) - 100);
        problem.values[3].size = random_u32(&random) % 3;
        problem.type = mix_types[random_u32(&random) % 3];
        problem.seed = random_u32(&random);
        char text[PROBLEM_TEXT_MAX];
        struct problem again = parsed(problem_text(&problem, text));
        assert_ptr_equal(again.kernel, problem.kernel);
        for (size_t k = 0; k < COUNT_OF(mix_fields); k++)
            assert_memory_equal(&again.values[k], &problem.values[k], sizeof problem.values[k]);
        assert_int_equal(again.type, problem.type);
        assert_int_equal(again.seed, problem.seed);
    }
}

static void looking_up(void **state)
{
    (void)state;
    struct problem problem = parsed("mix:rows=3,alpha=0.5,mode=mirrored");
    assert_int_equal(problem_size(&problem, "rows"), 3);
    assert_int_equal(problem_size(&problem, "mode"), 1);
    assert_true(problem_real(&problem, "alpha") == 0.5);
}

/* ---- wrong texts ---------------------------------------------------------------------------------------------- */

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "\"\" names no kernel"},
        {":", "names no kernel"},
        {"mic", "there is no kernel 'mic'; did you mean 'mix'?"},
        {"zzz", "there is no kernel 'zzz'; there are mix, other"},
        {"mix:", "a part of \"mix:\" is empty"},
        {"mix:f32,", "is empty"},
        {"mix:,f32", "is empty"},
        {"mix:rows", "'rows' needs a value"},
        {"mix:row=1", "mix has no 'row'; did you mean 'rows'?"},
        {"mix:sede=1", "did you mean 'seed'?"},
        {"mix:depth=1", "mix has no 'depth'; it has rows, cols, alpha, mode, seed"},
        {"mix:=1", "mix has no ''"},
        {"mix:rows=", "rows= is not a size"},
        {"mix:rows=x", "rows=x is not a size; use 1000, 4k, 1e6, 2^20"},
        {"mix:rows=1.5", "is not a size"},
        {"mix:rows= 1", "is not a size"},
        {"mix: rows=1", "did you mean 'rows'?"},
        {"mix:rows=1=2", "is not a size"},
        {"mix:rows=-1", "rows=-1 is outside 0 … 9223372036854775807"},
        {"mix:cols=0", "cols=0 is outside 1 …"},
        {"mix:rows=9223372036854775808", "is not a size"},
        {"mix:rows=1,rows=1", "rows is given twice"},
        {"mix:alpha=x", "alpha=x is not a finite decimal number"},
        {"mix:alpha=nan", "not a finite decimal"},
        {"mix:alpha=1e999", "not a finite decimal"},
        {"mix:alpha=", "not a finite decimal"},
        {"mix:mode=mirored", "mode=mirored is not one of plain, mirrored, transposed; did you mean 'mirrored'?"},
        {"mix:mode=q", "mode=q is not one of plain, mirrored, transposed"},
        {"mix:seed=-1", "seed=-1 is not an integer from 0 to 4294967295"},
        {"mix:seed=2^32", "seed=2^32"},
        {"mix:seed=1,seed=1", "seed is given twice"},
        {"mix:f16", "mix does not work on f16; it works on f32, f64, u8"},
        {"mix:float", "'float' is not an element type; it works on f32, f64, u8"},
        {"mix:7x5x3", "'7x5x3' is not a shape; rowsxcols is"},
        {"mix:7x", "cols= is not a size"},
        {"mix:7,rows=3", "rows is given twice"},
        {"mix:1..8x2", "a range needs the name of its size: rows=1..8x2"},
        {"mix:f32,f32", "the element type is given twice"},
        {"mix:f32,f64", "the element type is given twice"},
        {"mix:rows=1:f32", "is not a size"},
        {"mix:rows=1..8", "a range is several problems"},
        {"mix:rows=2^62", "array 'a' of 4611686018427387904 × 48 elements of 4 bytes is more than an address space"},
        {"mix:rows=2^40,cols=2^40", "is more than an address space holds"},
        {"mix:rows=0,cols=2^62", "array 'b'"},
        {"mix:rows=2^60,cols=1", "array 'out'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct problem problem, untouched;
        memset(&problem, 0xab, sizeof problem);
        memcpy(&untouched, &problem, sizeof problem);
        struct error error = {{0}};
        assert_int_equal(problem_parse(cases[i].text, &problem, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].text, error.text, cases[i].says);
        assert_memory_equal(&problem, &untouched, sizeof problem);
        assert_int_equal(problem_parse(cases[i].text, &problem, NULL), STATUS_INVALID);
    }
}

static void overlong(void **state)
{
    (void)state;
    static char text[100001];
    memset(text, 'm', sizeof text - 1);
    struct problem problem;
    struct error error = {{0}};
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_INVALID);
    memcpy(text, "mix:rows=", 9);
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "too long"));
    memset(text + 9, '1', sizeof text - 10);
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_INVALID);
    memset(text + 4, ',', sizeof text - 5);
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_INVALID);
}

/* ---- ranges --------------------------------------------------------------------------------------------------- */

/* `expected`: rows/cols of each problem, in order, "1/48 2/48". */
static void expect_range(const char *text, const char *expected)
{
    struct problem *problems;
    size_t count;
    struct error error = {{0}};
    if (problem_parse_range(text, &problems, &count, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.text);
    char found[1000] = "";
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%lld/%lld", i ? " " : "",
                 (long long)problem_size(&problems[i], "rows"), (long long)problem_size(&problems[i], "cols"));
    }
    assert_string_equal(found, expected);
    free(problems);
}

static void ranges(void **state)
{
    (void)state;
    expect_range("mix", "64/48");
    expect_range("mix:rows=3", "3/48");
    expect_range("mix:rows=3..3", "3/48");
    expect_range("mix:rows=0..0", "0/48");
    expect_range("mix:rows=1..8", "1/48 2/48 4/48 8/48");
    expect_range("mix:rows=1..9", "1/48 2/48 4/48 8/48");
    expect_range("mix:rows=1k..64kx4", "1024/48 4096/48 16384/48 65536/48");
    expect_range("mix:rows=1..100x10", "1/48 10/48 100/48");
    expect_range("mix:rows=0..10+5", "0/48 5/48 10/48");
    expect_range("mix:rows=7..20+6", "7/48 13/48 19/48");
    expect_range("mix:rows=1..2,cols=3..4+1", "1/3 1/4 2/3 2/4");
    expect_range("mix:cols=3..4+1,rows=1..2", "1/3 1/4 2/3 2/4");
    expect_range("mix:rows=2^30..2^31,cols=1", "1073741824/1 2147483648/1");
}

static void wrong_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"mix:rows=8..1", "ends below its start"},
        {"mix:rows=0..8", "never ends"},
        {"mix:rows=1..8x1", "never ends"},
        {"mix:rows=1..8x0", "never ends"},
        {"mix:rows=1..8x-2", "never ends"},
        {"mix:rows=1..8+0", "never ends"},
        {"mix:rows=1..8+-1", "never ends"},
        {"mix:rows=1..", "is not a size"},
        {"mix:rows=..8", "is not a size"},
        {"mix:rows=1..2..3", "is not a size"},
        {"mix:rows=1..8y2", "is not a size"},
        {"mix:rows=1..8x", "is not a size"},
        {"mix:rows=1...8", "is not a size"},
        {"mix:cols=0..8", "cols=0 is outside"},
        {"mix:rows=1..9223372036854775807+1,cols=1", "is more than 10000 problems"},
        {"mix:rows=1..1000+1,cols=1..1000+1", "is more than 10000 problems"},
        {"mix:rows=1..2^62", "is more than an address space holds"},
        {"mix:alpha=1..2", "not a finite decimal"},
        {"mix:seed=1..2", "not an integer"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct problem *problems = (void *)1;
        size_t count = 77;
        struct error error = {{0}};
        assert_int_equal(problem_parse_range(cases[i].text, &problems, &count, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].text, error.text, cases[i].says);
        assert_null(problems);
        assert_int_equal(count, 0);
    }
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

static void described(void **state)
{
    (void)state;
    struct problem problem = parsed("mix:rows=5,cols=7,f64");
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    assert_int_equal(kernel_describe(&problem, arrays, &count, NULL), STATUS_OK);
    assert_int_equal(count, 3);
    assert_int_equal(arrays[0].bytes, 5 * 7 * 8);
    assert_int_equal(arrays[1].bytes, 7 * 4);
    assert_int_equal(arrays[2].bytes, 5 * 8);
}

/* Each array fits alone, and together they do not. */
static void sum_of_arrays(void **state)
{
    (void)state;
    struct problem problem = problem_default(&kernel_mix);
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct error error = {{0}};
    int count;
    problem.type = ELEMENT_U8;
    problem.values[0].size = 1;
    problem.values[1].size = INT64_C(1) << 60; /* 2^60 + 2^62 + 1: fits */
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    problem.values[1].size = (INT64_C(1) << 60) + (INT64_C(1) << 59) + (INT64_C(1) << 58); /* 1.75 and 7 times 2^60 */
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "array 'b'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_texts), cmocka_unit_test(headings),     cmocka_unit_test(round_trips),
        cmocka_unit_test(looking_up),      cmocka_unit_test(refused),      cmocka_unit_test(overlong),
        cmocka_unit_test(ranges),          cmocka_unit_test(wrong_ranges), cmocka_unit_test(described),
        cmocka_unit_test(sum_of_arrays),   cmocka_unit_test(equality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
