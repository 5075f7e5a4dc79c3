/* The resize: its problems' derived sizes, its convention, a check that finds planted errors, and what the compiler
 * makes of the rungs whose difference is one suffix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "base/size.h"
#include "kernels/resize/resize.h"
#include "kernels/rung_header.h"
#include "parsed.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "verdicts.h"

/* ---- problems ------------------------------------------------------------------------------------------------- */

static void sizes_not_given_are_doubled(void **state)
{
    (void)state;
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {"resize", "resize:width=4096,height=4096,out_width=8192,out_height=8192,u8"},
        {"resize:height=3,width=5", "resize:width=5,height=3,out_width=10,out_height=6,u8"},
        {"resize:out_width=7,height=3", "resize:width=4096,height=3,out_width=7,out_height=6,u8"},
    };
    char text[PROBLEM_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct problem problem = parsed(cases[i].text);
        assert_string_equal(problem_text(&problem, text), cases[i].canonical);
    }
}

static void sizes_follow_through_a_range(void **state)
{
    (void)state;
    struct problem *problems;
    size_t count;
    struct error error;
    assert_int_equal(problem_parse_range("resize:width=8..32x2,height=3..6+3", &problems, &count, &error), STATUS_OK);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(problem_size(&problems[i], "out_width"), 2 * problem_size(&problems[i], "width"));
        assert_int_equal(problem_size(&problems[i], "out_height"), 2 * problem_size(&problems[i], "height"));
    }
    free(problems);
}

static void sizes_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse("resize:width=16m,height=1", &problem, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "out_width is 2 * width = 33554432 when it is not given"));
    assert_int_equal(problem_parse("resize:width=0", &problem, &error), STATUS_INVALID);
}

/* ---- the convention ------------------------------------------------------------------------------------------- */

static void places_are_those_of_centres(void **state)
{
    (void)state;
    static const struct {
        int64_t index, size, out_size;
        struct place place;
    } cases[] = {
        /* Doubled: a quarter before, a quarter behind; the outermost are the edge itself. */
        {0, 3, 6, {0, 0, 0}},
        {1, 3, 6, {0, 1, 3}},
        {2, 3, 6, {0, 1, 9}},
        {3, 3, 6, {1, 2, 3}},
        {5, 3, 6, {2, 2, 0}},
        /* The same size: each pixel is itself. */
        {4, 9, 9, {4, 5, 0}},
        {8, 9, 9, {8, 8, 0}},
        /* Halved: between two. */
        {1, 6, 3, {2, 3, 3}},
        /* One pixel, and to one pixel. */
        {6, 1, 7, {0, 0, 0}},
        {0, 7, 1, {3, 4, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct place place = place_of(cases[i].index, cases[i].size, cases[i].out_size);
        assert_int_equal(place.low, cases[i].place.low);
        assert_int_equal(place.high, cases[i].place.high);
        assert_int_equal(place.weight, cases[i].place.weight);
    }
}

/* ---- the check ------------------------------------------------------------------------------------------------ */

#define WIDTH 5
#define HEIGHT 4
#define PROBLEM "resize:width=5,height=4"

struct pictures {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    uint8_t in[WIDTH * HEIGHT * CHANNELS];
    uint8_t out[4 * WIDTH * HEIGHT * CHANNELS];
};

/* The doubled picture, computed here in another way: sixteenths of the pixels to the sides. */
static uint8_t doubled(const uint8_t *in, int row, int col, int channel)
{
    int y = row / 2, x = col / 2, sum = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            int at_y = y + (dy == 0 ? 0 : row % 2 ? 1 : -1), at_x = x + (dx == 0 ? 0 : col % 2 ? 1 : -1);
            at_y = at_y < 0 ? 0 : at_y >= HEIGHT ? HEIGHT - 1 : at_y;
            at_x = at_x < 0 ? 0 : at_x >= WIDTH ? WIDTH - 1 : at_x;
            sum += (dy ? 1 : 3) * (dx ? 1 : 3) * in[(at_y * WIDTH + at_x) * CHANNELS + channel];
        }
    return (uint8_t)((sum + 8) / 16);
}

static struct pictures right_pictures(void)
{
    struct pictures pictures = {.problem = parsed(PROBLEM)};
    struct error error;
    int count;
    assert_int_equal(kernel_describe(&pictures.problem, pictures.arrays, &count, &error), STATUS_OK);
    pictures.problem.kernel->fill(&pictures.problem, pictures.arrays, (struct host_arrays){{pictures.in}});
    for (int i = 0; i < (int)sizeof pictures.out; i++)
        pictures.out[i] = doubled(pictures.in, i / (2 * WIDTH * CHANNELS), i / CHANNELS % (2 * WIDTH), i % CHANNELS);
    return pictures;
}

static struct check_result judged(struct pictures *pictures)
{
    struct check_result result = {.bound = 0};
    pictures->problem.kernel->check(&pictures->problem, pictures->arrays, (struct host_arrays){{pictures->in}},
                                    (struct host_arrays){{NULL, pictures->out}}, &result);
    return result;
}

static void exact_pictures_pass(void **state)
{
    (void)state;
    struct pictures pictures = right_pictures();
    struct check_result result = judged(&pictures);
    expect_right(result);
    assert_true(result.worst == 0);
}

/* Any one channel: a doubled picture is exact. */
static void errors_of_one_unit_are_found(void **state)
{
    (void)state;
    struct pictures pictures = right_pictures();
    for (size_t i = 0; i < sizeof pictures.out; i++) {
        uint8_t right = pictures.out[i];
        pictures.out[i] = (uint8_t)(right + (right < 128 ? 1 : -1));
        struct check_result result = judged(&pictures);
        expect_wrong(result);
        assert_true(result.worst == 1);
        assert_non_null(strstr(result.reason, "1 of 320 channels are not the "));
        pictures.out[i] = right;
    }
}

static void untouched_output_is_told(void **state)
{
    (void)state;
    struct pictures pictures = right_pictures();
    memset(pictures.out, 0xA5, sizeof pictures.out);
    struct check_result result = judged(&pictures);
    expect_wrong(result);
    assert_non_null(strstr(result.reason, "never written"));
    assert_string_equal(result.where, "[0][0] red");
}

static void shifted_pictures_are_found(void **state)
{
    (void)state;
    struct pictures pictures = right_pictures();
    memmove(pictures.out, pictures.out + CHANNELS, sizeof pictures.out - CHANNELS);
    expect_wrong(judged(&pictures));
    pictures = right_pictures();
    memmove(pictures.out, pictures.out + 1, sizeof pictures.out - 1);
    expect_wrong(judged(&pictures));
    pictures = right_pictures();
    memmove(pictures.out + sizeof pictures.out / 8, pictures.out, sizeof pictures.out * 7 / 8);
    expect_wrong(judged(&pictures));
}

/* ---- the machine code ----------------------------------------------------------------------------------------- */

/* The PTX that NVRTC makes of a rung; the caller frees it. Skips the test where there is no NVRTC. */
static char *ptx_of(const char *name)
{
    struct error error = {{0}};
    if (cuda_nvrtc_available(&error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    const struct kernel *kernel = kernel_by_name("resize", &error);
    const struct rung *rung = rung_by_name(kernel, name, &error);
    assert_non_null(rung);
    struct problem problem = problem_default(kernel);
    struct parameters parameters;
    assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
    char **defines;
    size_t count, bytes;
    void *image;
    assert_int_equal(device_rung_defines(rung, &problem, &parameters, &defines, &count, &error), STATUS_OK);
    struct program_source source = {
        .name = rung->source->path,
        .text = rung->source->text,
        .language = rung->source->language,
        .defines = (const char *const *)defines,
        .define_count = count,
    };
    if (cuda_compile(&source, "compute_75", &image, &bytes, &error) != STATUS_OK)
        fail_msg("%s: %s", name, error.text);
    device_rung_defines_free(defines, count);
    char *text = malloc(bytes + 1);
    assert_non_null(text);
    memcpy(text, image, bytes);
    text[bytes] = '\0';
    free(image);
    return text;
}

/* The number of occurrences of `word` in the text. */
static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static void constants_decide_on_double_arithmetic(void **state)
{
    (void)state;
    char *plain = ptx_of("plain"), *fp32 = ptx_of("fp32"), *vector = ptx_of("vector");
    assert_true(count_of(plain, ".f64") > 10);
    assert_int_equal(count_of(fp32, ".f64"), 0);
    assert_int_equal(count_of(vector, ".f64"), 0);
    assert_true(count_of(fp32, ".f32") > 10);
    free(plain);
    free(fp32);
    free(vector);
}

static void vectors_replace_bytes(void **state)
{
    (void)state;
    char *fp32 = ptx_of("fp32"), *vector = ptx_of("vector");
    assert_int_equal(count_of(fp32, "ld.global.nc.u8") + count_of(fp32, "ld.global.u8"), 16);
    assert_int_equal(count_of(fp32, "st.global.u8"), 4);
    assert_int_equal(count_of(vector, "ld.global.v4.u8") + count_of(vector, "ld.global.nc.v4.u8"), 4);
    assert_int_equal(count_of(vector, "st.global.v4.u8"), 1);
    free(fp32);
    free(vector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_not_given_are_doubled),
        cmocka_unit_test(sizes_follow_through_a_range),
        cmocka_unit_test(sizes_beyond_the_limit_are_refused),
        cmocka_unit_test(places_are_those_of_centres),
        cmocka_unit_test(exact_pictures_pass),
        cmocka_unit_test(errors_of_one_unit_are_found),
        cmocka_unit_test(untouched_output_is_told),
        cmocka_unit_test(shifted_pictures_are_found),
        cmocka_unit_test(constants_decide_on_double_arithmetic),
        cmocka_unit_test(vectors_replace_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
