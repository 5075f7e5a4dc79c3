/* uskor_resize_picture, as its users call it: every type, number of channels and pitch; only uskor.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GAP_BYTE 0xA5

struct picture {
    enum uskor_number type;
    size_t width, height, pitch, channels, bytes;
    unsigned char *data;
};

static struct picture picture(enum uskor_number type, size_t width, size_t height, size_t gap, size_t channels)
{
    struct picture p = {type, width, height, width * channels + gap, channels, 1, NULL};
    p.bytes = type == USKOR_FLOAT32 ? 4 : type == USKOR_UINT16 ? 2 : 1;
    p.data = malloc(p.pitch * height * p.bytes);
    assert_non_null(p.data);
    memset(p.data, GAP_BYTE, p.pitch * height * p.bytes);
    return p;
}

static double number_at(const struct picture *p, size_t row, size_t index)
{
    const unsigned char *at = p->data + (row * p->pitch + index) * p->bytes;
    uint16_t u16;
    float f32;
    memcpy(&u16, at, p->bytes > 1 ? 2 : 1);
    memcpy(&f32, at, p->bytes > 2 ? 4 : 1);
    return p->type == USKOR_FLOAT32 ? (double)f32 : p->type == USKOR_UINT16 ? (double)u16 : (double)*at;
}

static void put(const struct picture *p, size_t row, size_t index, uint32_t word)
{
    unsigned char *at = p->data + (row * p->pitch + index) * p->bytes;
    const float f32 = (float)(int32_t)word / 1024;
    const uint16_t u16 = (uint16_t)(word >> 7);
    if (p->type == USKOR_FLOAT32)
        memcpy(at, &f32, 4);
    else if (p->type == USKOR_UINT16)
        memcpy(at, &u16, 2);
    else
        *at = (unsigned char)(word >> 9);
}

/* Weights by integers; the sum in long double. */
static double exact_at(const struct picture *s, const struct picture *t, size_t row, size_t col, size_t channel)
{
    long x = (long)((2 * col + 1) * s->width) - (long)t->width, y = (long)((2 * row + 1) * s->height) - (long)t->height;
    const long whole_x = 2 * (long)t->width, whole_y = 2 * (long)t->height;
    long double sum = 0;
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    for (long dy = 0; dy < 2; dy++)
        for (long dx = 0; dx < 2; dx++) {
            size_t at_x = (size_t)(x / whole_x + dx), at_y = (size_t)(y / whole_y + dy);
            const long weight_x = dx ? x % whole_x : whole_x - x % whole_x;
            const long weight_y = dy ? y % whole_y : whole_y - y % whole_y;
            at_x = at_x < s->width ? at_x : s->width - 1;
            at_y = at_y < s->height ? at_y : s->height - 1;
            sum += (long double)(weight_x * weight_y) * number_at(s, at_y, at_x * s->channels + channel);
        }
    return (double)(sum / (long double)(whole_x * whole_y));
}

static void assert_resized(const struct picture *s, const struct picture *t)
{
    for (size_t row = 0; row < t->height; row++) {
        for (size_t i = 0; i < t->width * t->channels; i++) {
            const double exact = exact_at(s, t, row, i / t->channels, i % t->channels), got = number_at(t, row, i);
            const double allowed = t->type == USKOR_FLOAT32  ? fabs(exact) * 0x1p-24 + 0x1p-20
                                   : t->type == USKOR_UINT16 ? 0.5 + 0x1p-30
                                                             : 0.54;
            if (!(fabs(got - exact) <= allowed))
                fail_msg("%zu x %zu to %zu x %zu, %zu channels of %zu bytes: [%zu][%zu] is %.9g, not %.9g", s->width,
                         s->height, t->width, t->height, t->channels, t->bytes, row, i, got, exact);
        }
        const unsigned char *gap = t->data + (row * t->pitch + t->width * t->channels) * t->bytes;
        for (size_t i = 0; i < (t->pitch - t->width * t->channels) * t->bytes; i++)
            assert_int_equal(gap[i], GAP_BYTE);
    }
}

static void resizes(struct uskor *uskor, const size_t sizes[4], enum uskor_number type, size_t channels, size_t gap)
{
    struct picture s = picture(type, sizes[0], sizes[1], gap, channels);
    struct picture t = picture(type, sizes[2], sizes[3], 2 * gap, channels);
    struct uskor_plan *plan;
    uint32_t word = 1;
    for (size_t row = 0; row < s.height; row++)
        for (size_t i = 0; i < s.width * channels; i++)
            put(&s, row, i, word = word * 1664525 + 1013904223);
    if (uskor_resize_picture(uskor, t.data, t.width, t.height, t.pitch, s.data, s.width, s.height, s.pitch, channels,
                             type) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    assert_resized(&s, &t);
    memset(t.data, GAP_BYTE, t.pitch * t.height * t.bytes);
    assert_int_equal(
        uskor_plan_resize_picture(uskor, &plan, t.width, t.height, t.pitch, s.width, s.height, s.pitch, channels, type),
        USKOR_OK);
    assert_int_equal(uskor_run(plan, t.data, s.data, NULL), USKOR_OK);
    assert_resized(&s, &t);
    uskor_plan_free(plan);
    free(s.data);
    free(t.data);
}

static const enum uskor_number types[] = {USKOR_UINT8, USKOR_UINT16, USKOR_FLOAT32};

static void every_type_channels_and_pitch(void **state)
{
    (void)state;
    static const size_t sizes[][4] = {{1, 1, 5, 7},     {5, 7, 1, 1},       {33, 5, 66, 10},
                                      {64, 32, 64, 32}, {31, 99, 7, 33},    {40, 41, 80, 39},
                                      {300, 2, 77, 33}, {100, 31, 151, 47}, {257, 9, 514, 18}};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t type = 0; type < COUNT(types); type++)
            for (size_t channels = 1; channels <= 4; channels++)
                for (size_t gap = 0; gap < 9; gap += gap < 2 ? 1 : 6)
                    resizes(uskor, sizes[s], types[type], channels, gap);
    uskor_close(uskor);
}

/* Of a picture that stays as large every pixel has the weight 1: what is beside it does not count. */
static void what_is_not_finite_stays_where_it_is(void **state)
{
    (void)state;
    struct uskor *uskor;
    const float source[6] = {1, NAN, 2, INFINITY, 3, -INFINITY};
    float target[6], wide[12];
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_resize_picture(uskor, target, 6, 1, 6, source, 6, 1, 6, 1, USKOR_FLOAT32), USKOR_OK);
    assert_memory_equal(target, source, sizeof target);
    assert_int_equal(uskor_resize_picture(uskor, wide, 12, 1, 12, source, 6, 1, 6, 1, USKOR_FLOAT32), USKOR_OK);
    assert_true(wide[0] == 1 && isnan(wide[1]) && isnan(wide[3]) && isnan(wide[4]) && wide[6] == INFINITY &&
                wide[7] == INFINITY && wide[8] == INFINITY && wide[9] == -INFINITY && wide[11] == -INFINITY);
    uskor_close(uskor);
}

#define REFUSED(word, ...)                                                         \
    do {                                                                           \
        assert_int_equal(uskor_resize_picture(uskor, __VA_ARGS__), USKOR_INVALID); \
        if (!strstr(uskor_message(uskor), word))                                   \
            fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word);    \
    } while (0)

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan;
    float m[64] = {0};
    char *bytes = (char *)m;
    const enum uskor_number f32 = USKOR_FLOAT32, u16 = USKOR_UINT16;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    REFUSED("pixels of 0 channels", m, 2, 2, 2, m + 32, 1, 1, 1, 0, f32);
    REFUSED("pixels of 5 channels", m, 1, 1, 5, m + 32, 1, 1, 5, 5, f32);
    REFUSED("no such type", m, 2, 2, 2, m + 32, 1, 1, 1, 1, USKOR_FLOAT64);
    REFUSED("no such type", m, 2, 2, 2, m + 32, 1, 1, 1, 1, (enum uskor_number)77);
    REFUSED("a pitch of 5 for rows of 6 elements of the target", m, 2, 2, 5, m + 32, 1, 1, 3, 3, f32);
    REFUSED("a pitch of 2 for rows of 3 elements of the source", m, 2, 2, 6, m + 32, 1, 1, 2, 3, f32);
    REFUSED("a pitch of", m, 2, 2, SIZE_MAX, m + 32, 1, 1, 3, 3, f32);
    REFUSED("the target is NULL", NULL, 2, 2, 2, m, 1, 1, 1, 1, f32);
    REFUSED("the source is NULL", m, 2, 2, 2, NULL, 1, 1, 1, 1, f32);
    REFUSED("the target is not at a multiple", bytes + 2, 2, 2, 2, m + 32, 1, 1, 1, 1, f32);
    REFUSED("the source is not at a multiple", m, 2, 2, 2, bytes + 129, 1, 1, 1, 1, u16);
    REFUSED("overlap", m, 2, 2, 8, m + 9, 1, 1, 1, 1, f32);
    REFUSED("target's height of 0", m, 2, 0, 2, m + 32, 1, 1, 1, 1, f32);
    assert_int_equal(uskor_resize_picture(uskor, m, 2, 2, 8, m + 10, 1, 1, 1, 1, f32), USKOR_OK);
    assert_int_equal(uskor_plan_resize_picture(uskor, &plan, 2, 2, 2, 1, 1, 1, 1, USKOR_INT8), USKOR_INVALID);
    assert_null(plan);
    assert_int_equal(uskor_plan_resize_picture(NULL, &plan, 2, 2, 2, 1, 1, 1, 1, f32), USKOR_INVALID);
    assert_int_equal(uskor_resize_picture(NULL, m, 2, 2, 8, m + 10, 1, 1, 1, 1, f32), USKOR_INVALID);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_channels_and_pitch),
        cmocka_unit_test(what_is_not_finite_stays_where_it_is),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
