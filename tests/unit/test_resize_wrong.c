/* Wrong resizes: each is refused for its reason, on pictures of its kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/size.h"
#include "kernels/resize/resize.h"
#include "parsed.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "verdicts.h"

extern const struct rung resize_precise;

struct implementation {
    const char *name;
    double bias;          /* added before the value is cut to an integer; the right one is 0.5 */
    double shift;         /* of the coordinates */
    int weight_bits;      /* 0: as many as a double has */
    bool swaps, wraps;    /* red and blue; what lies beyond an edge comes from the other one */
    bool gamma;           /* interpolates squares */
    bool nearest;         /* takes one pixel */
    bool alpha_is_opaque; /* whatever the source says */
    bool halves_to_even;
    int every_nth; /* the number of pixels with the fault; 0: all */
    bool cuts;     /* the values between the two passes to quarters, downwards, as fixed point does */
};

static double weight_of(const struct implementation *how, double share)
{
    double parts = ldexp(1, how->weight_bits);
    return how->weight_bits ? floor(share * parts + 0.5) / parts : share;
}

static double value_at(const struct resizing *p, const struct implementation *how, int64_t x, int64_t y, int c)
{
    if (how->wraps) {
        x = (x + p->width) % p->width;
        y = (y + p->height) % p->height;
    }
    x = x < 0 ? 0 : x >= p->width ? p->width - 1 : x;
    y = y < 0 ? 0 : y >= p->height ? p->height - 1 : y;
    double value = p->in[(y * p->width + x) * CHANNELS + c];
    return how->gamma ? value * value : value;
}

static uint8_t channel(const struct resizing *p, const struct implementation *how, int64_t col, int64_t row, int c)
{
    double x = ((double)col + 0.5) * (double)p->width / (double)p->out_width - 0.5 + how->shift;
    double y = ((double)row + 0.5) * (double)p->height / (double)p->out_height - 0.5 + how->shift;
    int from = how->swaps && c != 1 && c != 3 ? 2 - c : c;
    if (how->alpha_is_opaque && c == 3)
        return 255;
    if (how->nearest)
        return (uint8_t)value_at(p, how, llround(x), llround(y), from);
    double left = floor(x), top = floor(y), across = weight_of(how, x - left), down = weight_of(how, y - top);
    int64_t i = (int64_t)left, j = (int64_t)top;
    double upper = (1 - across) * value_at(p, how, i, j, from) + across * value_at(p, how, i + 1, j, from);
    double lower = (1 - across) * value_at(p, how, i, j + 1, from) + across * value_at(p, how, i + 1, j + 1, from);
    upper = how->cuts ? floor(4 * upper) / 4 : upper;
    lower = how->cuts ? floor(4 * lower) / 4 : lower;
    double value = (1 - down) * upper + down * lower;
    value = how->gamma ? sqrt(value) : value;
    value = how->halves_to_even ? nearbyint(value) : floor(value + how->bias + 1e-9);
    return (uint8_t)fmin(fmax(value, 0), 255);
}

static struct check_result judged(const struct implementation *how, const char *text, double bound)
{
    static const struct implementation right = {.bias = 0.5};
    struct problem problem = parsed(text);
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct check_result result = {.bound = bound};
    struct error error;
    int count;
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    uint8_t *in = malloc(arrays[0].bytes), *out = malloc(arrays[1].bytes);
    assert_true(in && out);
    problem.kernel->fill(&problem, arrays, (struct host_arrays){{in}});
    struct run run = {.problem = &problem, .buffers = (struct buffer[]){{.host = in}, {.host = out}}};
    struct resizing p = resizing_of(&run);
    int64_t pixel = 0;
    for (int64_t row = 0; row < p.out_height; row++)
        for (int64_t col = 0; col < p.out_width; col++, pixel++)
            for (int c = 0; c < CHANNELS; c++)
                out[pixel * CHANNELS + c] =
                    channel(&p, how->every_nth && pixel % how->every_nth ? &right : how, col, row, c);
    problem.kernel->check(&problem, arrays, (struct host_arrays){{in}}, (struct host_arrays){{NULL, out}}, &result);
    free(in);
    free(out);
    return result;
}

#define DOUBLED "resize:width=34,height=22"
#define FOURFOLD "resize:width=21,height=18,out_width=84,out_height=72"
#define HALVED "resize:width=62,height=46,out_width=31,out_height=23"
#define SAME "resize:width=33,height=31,out_width=33,out_height=31"
#define GROWN "resize:width=38,height=26,out_width=90,out_height=70"
#define SHRUNK "resize:width=90,height=70,out_width=38,out_height=26"

static const char *const inputs[] = {"random", "constant", "gradient", "checkerboard", "dots"};

static void right_ones_pass(void **state)
{
    (void)state;
    static const char *const sizes[] = {DOUBLED, FOURFOLD, HALVED, SAME, GROWN, SHRUNK};
    static const struct implementation right = {.bias = 0.5}, even = {.halves_to_even = true};
    char text[128];
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(inputs); i++) {
        snprintf(text, sizeof text, "%s,input=%s", sizes[i / COUNT_OF(inputs)], inputs[i % COUNT_OF(inputs)]);
        struct check_result result = judged(&right, text, 0);
        if (!result.passed)
            fail_msg("%s: %s", text, result.reason);
        result = judged(&even, text, 0.03); /* a rung that says so may round halves as it likes */
        if (!result.passed)
            fail_msg("%s, halves to even: %s", text, result.reason);
    }
}

/* Rounding errors of coordinates take every half of a picture to the same side, and pictures of few values have many.
 */
static void halves_do_not_count_where_floats_decide_them(void **state)
{
    (void)state;
    static const char *const sizes[] = {"resize:width=129,height=80,out_width=129,out_height=100",
                                        "resize:width=32,height=4,out_width=85,out_height=128"};
    static const struct implementation lower = {.bias = 0.5 - 0x1p-12}, wrong = {.bias = 0.5 + 0.3};
    char text[128];
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(inputs); i++) {
        snprintf(text, sizeof text, "%s,input=%s", sizes[i / COUNT_OF(inputs)], inputs[i % COUNT_OF(inputs)]);
        struct check_result result = judged(&lower, text, 0);
        if (!result.passed)
            fail_msg("%s: %s", text, result.reason);
        if (i % COUNT_OF(inputs) == 0)
            expect_wrong(judged(&wrong, text, 0));
    }
}

/* Fixed point that cuts errs by one amount on each value: in the mean by less than it states, where values are many; on
 * few, by as much as that. */
static void a_mean_over_few_values_is_not_judged_by_a_large_bound(void **state)
{
    (void)state;
    static const struct implementation cuts = {.bias = 0.46875, .cuts = true}, lower = {.bias = 0.02};
    enum { SEEDS = 60 };
    const double bound = 0.375;
    static const char *const sizes[] = {"width=7,height=32,out_width=162,out_height=5",
                                        "width=24,height=15,out_width=32,out_height=45",
                                        "width=9,height=64,out_width=40,out_height=50"};
    char text[128];
    for (size_t i = 0; i < SEEDS * COUNT_OF(sizes); i++) {
        snprintf(text, sizeof text, "resize:%s,input=structured,u8,seed=%zu", sizes[i / SEEDS], i % SEEDS + 1);
        struct check_result result = judged(&cuts, text, bound);
        if (!result.passed)
            fail_msg("%s: %s", text, result.reason);
    }
    expect_right(judged(&cuts, GROWN, bound));
    expect_wrong(judged(&lower, GROWN, bound));
}

#define EXACT "are not the exact result rounded"
#define FAR "are too far from the exact result"
#define FLAT "are not the value of all their pixels"

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct implementation how;
        const char *text;
        double bound;
        const char *reason;
    } cases[] = {
        {{.name = "+0.9", .bias = 1.4}, DOUBLED, 0, EXACT},
        {{.name = "+0.9", .bias = 1.4}, GROWN, 0, FAR},
        {{.name = "+0.9", .bias = 0.99}, GROWN, 1, ""},
        {{.name = "+0.9", .bias = 1.4}, GROWN ",input=constant", 0, FLAT},
        {{.name = "+0.5", .bias = 0.99}, DOUBLED, 0.8, "units in the mean"},
        {{.name = "+0.5", .bias = 0.99}, GROWN, 0.8, "units in the mean"},
        {{.name = "cut", .bias = 0}, DOUBLED, 0, EXACT},
        {{.name = "cut", .bias = 0}, SHRUNK, 0, FAR},
        {{.name = "a little more", .bias = 0.56}, GROWN, 0.1, "units in the mean"},
        {{.name = "a little less", .bias = 0.44}, SHRUNK, 0.1, "in the mean"},
        {{.name = "swapped", .bias = 0.5, .swaps = true}, SAME, 0, FLAT},
        {{.name = "swapped", .bias = 0.5, .swaps = true}, DOUBLED ",input=constant", 0, FLAT},
        {{.name = "swapped", .bias = 0.5, .swaps = true}, GROWN ",input=checkerboard", 0, "too far"},
        {{.name = "opaque", .bias = 0.5, .alpha_is_opaque = true}, GROWN ",input=constant", 0, FLAT},
        {{.name = "half a pixel off", .bias = 0.5, .shift = 0.5}, DOUBLED, 0, EXACT},
        {{.name = "half a pixel off", .bias = 0.5, .shift = 0.5}, SHRUNK ",input=gradient", 0, "channels"},
        {{.name = "1/64 of a pixel off", .bias = 0.5, .shift = 1.0 / 64}, GROWN, 0, FAR},
        {{.name = "wraps", .bias = 0.5, .wraps = true}, DOUBLED, 0, EXACT},
        {{.name = "wraps", .bias = 0.5, .wraps = true}, GROWN ",input=gradient", 0, FAR},
        {{.name = "gamma", .bias = 0.5, .gamma = true}, FOURFOLD ",input=checkerboard", 0, EXACT},
        {{.name = "gamma", .bias = 0.5, .gamma = true}, GROWN, 0, FAR},
        {{.name = "nearest", .bias = 0.5, .nearest = true}, HALVED, 0, EXACT},
        {{.name = "weights of 6 bits", .bias = 0.5, .weight_bits = 6}, GROWN, 0, FAR},
        {{.name = "weights of 8 bits", .bias = 0.5, .weight_bits = 8}, GROWN ",input=checkerboard", 0, FAR},
        {{.name = "weights of 2 bits", .bias = 0.5, .weight_bits = 2}, FOURFOLD, 0, EXACT},
        {{.name = "halves to even", .halves_to_even = true}, DOUBLED, 0, EXACT},
        {{.name = "a pixel in 97 cut", .bias = 0, .every_nth = 97}, GROWN, 0, FAR},
        {{.name = "a pixel in 97 cut", .bias = 0, .every_nth = 97}, DOUBLED, 0, EXACT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct check_result result = judged(&cases[i].how, cases[i].text, cases[i].bound);
        bool lawful = cases[i].reason[0] == '\0'; /* within what a rung may state */
        if (result.passed != lawful || !strstr(result.reason, cases[i].reason) || (!lawful && !result.where[0]))
            fail_msg("%s on %s: %s, \"%s\"", cases[i].how.name, cases[i].text, result.passed ? "passed" : "refused",
                     result.reason);
    }
}

/* A position that is wrong at one ratio only, in a path of its own for it: some edge case has the ratio. */
static void faults_at_one_ratio_are_refused(void **state)
{
    (void)state;
    static const int ratios[][2] = {{2, 1}, {3, 1}, {4, 1}, {5, 1}, {8, 1}, {3, 2}, {4, 3},
                                    {3, 4}, {2, 3}, {1, 2}, {1, 3}, {1, 4}, {1, 8}};
    static const struct implementation shifted = {.bias = 0.5, .shift = 1.0 / 64};
    for (size_t i = 0; i < COUNT_OF(ratios); i++) {
        bool is_refused = false;
        for (const char *const *text = kernel_by_name("resize", NULL)->edge_cases; *text && !is_refused; text++) {
            const struct problem problem = parsed(*text);
            const int64_t width = problem_size(&problem, "width"), height = problem_size(&problem, "height");
            if (width * height < 50000 && width * ratios[i][0] == problem_size(&problem, "out_width") * ratios[i][1] &&
                height * ratios[i][0] == problem_size(&problem, "out_height") * ratios[i][1])
                is_refused = !judged(&shifted, *text, 0.04).passed;
        }
        if (!is_refused)
            fail_msg("a fault at the ratio %d/%d passes", ratios[i][0], ratios[i][1]);
    }
}

/* A picture as the rung `precise` leaves it, then one byte changed at a time. */
static void gaps_and_numbers_are_judged(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "resize:width=5,height=4,channels=3,in_pad=2,out_pad=3,u16",
        "resize:width=5,height=4,out_width=7,out_height=9,channels=1,out_pad=1,f32",
        "resize:width=9,height=7,out_width=6,out_height=5,channels=2,out_pad=5",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct problem problem = parsed(texts[i]);
        struct array arrays[KERNEL_ARRAYS_MAX];
        struct error error;
        int count;
        assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
        const size_t bytes = arrays[1].bytes, row = bytes / arrays[1].rows;
        const size_t used = row - (size_t)problem.values[RESIZE_OUT_PAD].size * element_info(problem.type)->bytes;
        uint8_t *in = malloc(arrays[0].bytes), *before = malloc(bytes), *out = malloc(bytes);
        assert_true(in && before && out);
        const struct host_arrays input = {{in, before}}, output = {{in, out}};
        problem.kernel->fill(&problem, arrays, input);
        memcpy(out, before, bytes);
        struct buffer buffers[2] = {{.host = in}, {.host = out}},
                      scratch = {.bytes = 1 << 20, .host = calloc(1, 1 << 20)};
        struct run run = {.problem = &problem, .arrays = arrays, .buffers = buffers, .scratch = &scratch};
        assert_int_equal(resize_precise.enqueue(&run, &error), STATUS_OK);
        struct check_result result = {.bound = 0};
        problem.kernel->check(&problem, arrays, input, output, &result);
        expect_right(result);
        for (size_t at = 0; at < bytes; at++) {
            /* The upper byte of a number that is not the lowest one; any of a gap. */
            const bool is_gap = at % row >= used, is_high = (at % row + 1) % element_info(problem.type)->bytes == 0;
            if (!is_gap && !is_high)
                continue;
            out[at] ^= 0x11;
            result = (struct check_result){.bound = 0};
            problem.kernel->check(&problem, arrays, input, output, &result);
            expect_wrong(result);
            if (is_gap)
                assert_non_null(strstr(result.reason, "the padding behind row"));
            out[at] ^= 0x11;
        }
        free(in), free(before), free(out), free(scratch.host);
    }
}

/* Halves go up where nothing is lost, and no value is cut. */
static void numbers_of_16_bits_are_rounded(void **state)
{
    (void)state;
    struct problem problem = parsed("resize:width=2,height=1,out_width=4,out_height=1,channels=1,u16");
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct error error;
    int count;
    uint16_t in[2] = {40000, 40002}, out[4] = {40000, 40001, 40002, 40002};
    const struct host_arrays input = {{in}}, output = {{in, out}};
    struct check_result result = {.bound = 0};
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    problem.kernel->check(&problem, arrays, input, output, &result); /* 40000.5 and 40001.5 */
    expect_right(result);
    for (size_t i = 0; i < 4; i++)
        for (int by = -1; by <= 1; by += 2) {
            out[i] = (uint16_t)(out[i] + by);
            result = (struct check_result){.bound = 0};
            problem.kernel->check(&problem, arrays, input, output, &result);
            expect_wrong(result);
            out[i] = (uint16_t)(out[i] - by);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(halves_do_not_count_where_floats_decide_them),
        cmocka_unit_test(a_mean_over_few_values_is_not_judged_by_a_large_bound),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(faults_at_one_ratio_are_refused),
        cmocka_unit_test(gaps_and_numbers_are_judged),
        cmocka_unit_test(numbers_of_16_bits_are_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
