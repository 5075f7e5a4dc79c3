/* uskor_resize, as its users call it: only uskor.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FENCE 128

/* The exact result of one channel, rounded, from weights that are fractions. */
static int exact_at(const unsigned char *source, size_t width, size_t height, size_t out_width, size_t out_height,
                    size_t row, size_t col, size_t channel)
{
    long x = (long)((2 * col + 1) * width) - (long)out_width, y = (long)((2 * row + 1) * height) - (long)out_height;
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    const long whole_x = 2 * (long)out_width, whole_y = 2 * (long)out_height;
    long sum = 0;
    for (long dy = 0; dy < 2; dy++)
        for (long dx = 0; dx < 2; dx++) {
            size_t at_x = (size_t)(x / whole_x + dx), at_y = (size_t)(y / whole_y + dy);
            at_x = at_x < width ? at_x : width - 1;
            at_y = at_y < height ? at_y : height - 1;
            long weight_x = dx ? x % whole_x : whole_x - x % whole_x;
            long weight_y = dy ? y % whole_y : whole_y - y % whole_y;
            sum += weight_x * weight_y * source[(at_y * width + at_x) * 4 + channel];
        }
    return (int)((sum + whole_x * whole_y / 2) / (whole_x * whole_y));
}

/* Arrays begin `shift` bytes off; every byte in and around the result is looked at. */
static void resizes(struct uskor *uskor, const size_t sizes[4], size_t shift)
{
    const size_t width = sizes[0], height = sizes[1], out_width = sizes[2], out_height = sizes[3];
    const size_t bytes = width * height * 4, out_bytes = out_width * out_height * 4;
    unsigned char *source = malloc(bytes + shift), *target = malloc(out_bytes + shift + FENCE);
    assert_true(source && target);
    for (size_t i = 0; i < bytes; i++)
        source[shift + i] = (unsigned char)(i * 2654435761u >> 11 ^ i);
    memset(target, 0xa5, out_bytes + shift + FENCE);
    if (uskor_resize(uskor, target + shift, out_width, out_height, source + shift, width, height) != USKOR_OK)
        fail_msg("%zu x %zu to %zu x %zu: %s", width, height, out_width, out_height, uskor_message(uskor));
    const int allowed = out_width == 2 * width && out_height == 2 * height ? 0 : 1;
    for (size_t i = 0; i < out_bytes; i++) {
        size_t row = i / 4 / out_width, col = i / 4 % out_width;
        int exact = exact_at(source + shift, width, height, out_width, out_height, row, col, i % 4);
        if (abs(target[shift + i] - exact) > allowed)
            fail_msg("%s: %zu x %zu to %zu x %zu, shift %zu: [%zu][%zu] is %d, not %d", uskor_rung(uskor), width,
                     height, out_width, out_height, shift, row, col, target[shift + i], exact);
    }
    for (size_t i = 0; i < shift; i++)
        assert_int_equal(target[i], 0xa5);
    for (size_t i = 0; i < FENCE; i++)
        assert_int_equal(target[shift + out_bytes + i], 0xa5);
    free(source);
    free(target);
}

static const size_t sizes[][4] = {
    {1, 1, 1, 1},      {1, 1, 5, 7},     {5, 7, 1, 1},     {1, 9, 2, 18},    {9, 1, 18, 2},      {8, 3, 16, 6},
    {33, 5, 66, 10},   {64, 4, 128, 8},  {65, 4, 130, 8},  {17, 17, 17, 17}, {100, 31, 151, 47}, {31, 100, 7, 33},
    {257, 9, 514, 18}, {40, 40, 80, 39}, {40, 40, 39, 80}, {2, 300, 33, 77}, {300, 2, 77, 33},
};

static void resizes_every_size(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t shift = 0; shift <= 64; shift += shift < 9 ? 1 : 11)
            resizes(uskor, sizes[s], shift);
    assert_string_not_equal(uskor_rung(uskor), "");
    uskor_close(uskor);
}

static void resizes_on_devices(void **state)
{
    (void)state;
    static const char *const devices[] = {"opencl:0", "cuda:0"};
    for (size_t d = 0; d < COUNT(devices); d++) {
        struct uskor *uskor;
        if (uskor_open(&uskor, devices[d]) != USKOR_OK)
            continue;
        for (size_t s = 4; s < COUNT(sizes); s += 3)
            resizes(uskor, sizes[s], s % 3);
        uskor_close(uskor);
    }
}

static void refused(struct uskor *uskor, void *target, size_t out_width, size_t out_height, const void *source,
                    size_t width, size_t height, const char *word)
{
    assert_int_equal(uskor_resize(uskor, target, out_width, out_height, source, width, height), USKOR_INVALID);
    if (!strstr(uskor_message(uskor), word))
        fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    unsigned char memory[256] = {0};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    refused(uskor, memory, 0, 1, memory + 128, 1, 1, "target's width of 0");
    refused(uskor, memory, 1, 0, memory + 128, 1, 1, "target's height of 0");
    refused(uskor, memory, 1, 1, memory + 128, 0, 1, "a width of 0");
    refused(uskor, memory, 1, 1, memory + 128, 1, ((size_t)1 << 24) + 1, "a height of 16777217");
    refused(uskor, memory, SIZE_MAX, 1, memory + 128, 1, 1, "1 to 16777216");
    refused(uskor, NULL, 1, 1, memory, 1, 1, "target is NULL");
    refused(uskor, memory, 1, 1, NULL, 1, 1, "source is NULL");
    refused(uskor, memory, 2, 2, memory, 1, 1, "overlap");
    refused(uskor, memory, 2, 2, memory + 15, 1, 1, "overlap");
    refused(uskor, memory + 15, 1, 1, memory, 2, 2, "overlap");
    assert_int_equal(uskor_resize(uskor, memory, 2, 2, memory + 16, 1, 1), USKOR_OK);
    assert_string_equal(uskor_message(uskor), "");
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resizes_every_size),
        cmocka_unit_test(resizes_on_devices),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
