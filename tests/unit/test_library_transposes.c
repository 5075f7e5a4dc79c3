/* uskor_transpose_strided and uskor_transpose_in_place, as their users call them: only uskor.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GAP_BYTE 0xA5

struct call {
    size_t rows, columns, bytes, batch, pitch, step, target_pitch, target_step;
};

static size_t span(size_t batch, size_t step, size_t rows, size_t pitch, size_t columns)
{
    return (batch - 1) * step + (rows - 1) * pitch + columns;
}

static unsigned char *make(size_t bytes)
{
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    return data;
}

static void fill(unsigned char *data, size_t bytes)
{
    uint32_t word = 7;
    for (size_t i = 0; i < bytes; i++) {
        word = word * 1664525 + 1013904223;
        data[i] = (unsigned char)(word >> 13);
    }
}

/* Every element of the target, and every byte that belongs to none. */
static void assert_transposed(const struct call *c, const unsigned char *source, const unsigned char *target,
                              size_t size)
{
    unsigned char *expected = make(size);
    memset(expected, GAP_BYTE, size);
    for (size_t b = 0; b < c->batch; b++)
        for (size_t i = 0; i < c->rows; i++)
            for (size_t j = 0; j < c->columns; j++)
                memcpy(expected + (b * c->target_step + j * c->target_pitch + i) * c->bytes,
                       source + (b * c->step + i * c->pitch + j) * c->bytes, c->bytes);
    if (memcmp(expected, target, size) != 0)
        fail_msg("%zu x %zu of %zu bytes, a batch of %zu: wrong", c->rows, c->columns, c->bytes, c->batch);
    free(expected);
}

static void transposes(struct uskor *uskor, const struct call *c)
{
    const size_t source_bytes = span(c->batch, c->step, c->rows, c->pitch, c->columns) * c->bytes;
    const size_t target_bytes = span(c->batch, c->target_step, c->columns, c->target_pitch, c->rows) * c->bytes;
    unsigned char *source = make(source_bytes), *target = make(target_bytes);
    struct uskor_plan *plan;
    fill(source, source_bytes);
    memset(target, GAP_BYTE, target_bytes);
    if (uskor_transpose_strided(uskor, target, c->target_pitch, c->target_step, source, c->pitch, c->step, c->rows,
                                c->columns, c->bytes, c->batch) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    assert_transposed(c, source, target, target_bytes);
    memset(target, GAP_BYTE, target_bytes);
    assert_int_equal(uskor_plan_transpose_strided(uskor, &plan, c->target_pitch, c->target_step, c->pitch, c->step,
                                                  c->rows, c->columns, c->bytes, c->batch),
                     USKOR_OK);
    assert_int_equal(uskor_run(plan, target, source, NULL), USKOR_OK);
    assert_transposed(c, source, target, target_bytes);
    uskor_plan_free(plan);
    free(source);
    free(target);
}

static void gaps_batches_and_element_sizes(void **state)
{
    (void)state;
    static const struct call calls[] = {
        {3, 5, 4, 1, 5, 0, 3, 0},
        {3, 5, 4, 1, 9, 0, 4, 0},
        {67, 130, 1, 1, 131, 0, 70, 0},
        {4, 4, 4, 1000, 4, 16, 4, 16},
        {5, 3, 8, 7, 4, 21, 6, 19},
        {300, 400, 4, 3, 401, 130000, 303, 121300},
        {5, 3, 4, 4, 12, 3, 20, 5},
        {6, 7, 2, 3, 7, 0, 6, 50},
        {3, 1000, 1, 5, 1000, 3000, 3, 3000},
        {1000, 3, 4, 2, 3, 3000, 1000, 3000},
        {640, 700, 8, 1, 711, 0, 640, 0},
        {2, 2, 65536, 2, 2, 4, 3, 6},
    };
    static const size_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 33, 48};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t i = 0; i < COUNT(calls); i++)
        transposes(uskor, &calls[i]);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t gap = 0; gap < 3; gap++) {
            const struct call c = {
                37, 75, sizes[i], 3, 75 + gap, 37 * (75 + gap) + gap, 37 + 2 * gap, 75 * (37 + 2 * gap)};
            transposes(uskor, &c);
        }
    uskor_close(uskor);
}

static void in_place(struct uskor *uskor, size_t rows, size_t columns, size_t bytes, size_t gap, size_t batch)
{
    const size_t pitch = columns + gap, step = rows * pitch + gap, all = batch * step * bytes;
    struct call c = {rows, columns, bytes, batch, pitch, step, rows == columns ? pitch : rows, step};
    unsigned char *source = make(all), *data = make(all), *expected = make(all);
    struct uskor_plan *plan;
    fill(source, all);
    memcpy(data, source, all);
    memcpy(expected, source, all);
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                memcpy(expected + (b * step + j * c.target_pitch + i) * bytes,
                       source + (b * step + i * pitch + j) * bytes, bytes);
    if (uskor_transpose_in_place(uskor, data, pitch, step, rows, columns, bytes, batch) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    if (memcmp(data, expected, all) != 0)
        fail_msg("%zu x %zu of %zu bytes in place, a batch of %zu: wrong", rows, columns, bytes, batch);
    memcpy(data, source, all);
    assert_int_equal(uskor_plan_transpose_in_place(uskor, &plan, pitch, step, rows, columns, bytes, batch), USKOR_OK);
    assert_int_equal(uskor_run(plan, data, NULL, NULL), USKOR_OK);
    assert_memory_equal(data, expected, all);
    uskor_plan_free(plan);
    free(source);
    free(data);
    free(expected);
}

static void every_shape_in_place(void **state)
{
    (void)state;
    static const size_t sides[][2] = {{1, 1},   {1, 9},     {9, 1},   {2, 3},   {12, 8},
                                      {35, 77}, {128, 128}, {65, 65}, {130, 70}};
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 100};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t i = 0; i < COUNT(sides); i++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (size_t batch = 1; batch < 6; batch += 2)
                for (size_t gap = 0; gap < (sides[i][0] == sides[i][1] ? 3u : 1u); gap++)
                    in_place(uskor, sides[i][0], sides[i][1], sizes[s], gap, batch);
    for (size_t rows = 1; rows < 30; rows++)
        for (size_t columns = 1; columns < 30; columns++)
            in_place(uskor, rows, columns, 4, 0, 1);
    in_place(uskor, 700, 800, 4, 0, 1);
    in_place(uskor, 701, 800, 8, 0, 2);
    in_place(uskor, 900, 900, 4, 1, 2);
    uskor_close(uskor);
}

#define REFUSED(word, call)                                                     \
    do {                                                                        \
        assert_int_equal(call, USKOR_INVALID);                                  \
        if (!strstr(uskor_message(uskor), word))                                \
            fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word); \
    } while (0)

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan = NULL;
    uint32_t m[64] = {0}, *n = m + 32;
    const size_t large = (size_t)1 << 40;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    REFUSED("elements of 0 bytes", uskor_transpose_strided(uskor, m, 2, 4, n, 2, 4, 2, 2, 0, 1));
    REFUSED("elements of 65537 bytes", uskor_transpose_strided(uskor, m, 2, 4, n, 2, 4, 2, 2, 65537, 1));
    REFUSED("a pitch of 2 for rows of 3 elements of the source",
            uskor_transpose_strided(uskor, m, 2, 6, n, 2, 6, 2, 3, 4, 1));
    REFUSED("a pitch of 1 for rows of 2 elements of the target",
            uskor_transpose_strided(uskor, m, 1, 6, n, 3, 6, 2, 3, 4, 1));
    REFUSED("a pitch of", uskor_transpose_strided(uskor, m, SIZE_MAX, 6, n, 3, 6, 2, 3, 4, 1));
    REFUSED("a pitch of", uskor_transpose_strided(uskor, m, 2, 6, n, SIZE_MAX, 6, 2, 3, 4, 1));
    REFUSED("with a step of 5 the matrices of the target overlap",
            uskor_transpose_strided(uskor, m, 2, 5, n, 3, 6, 2, 3, 4, 2));
    REFUSED("overlap", uskor_transpose_strided(uskor, m, 5, 2, n, 3, 6, 2, 3, 4, 3));
    REFUSED("fit in no memory", uskor_transpose_strided(uskor, m, large, 6, n, large, 6, large, large, 4, 1));
    REFUSED("fit in no memory", uskor_transpose_strided(uskor, m, 2, SIZE_MAX / 2, n, 3, 6, 2, 3, 4, 9));
    REFUSED("a batch of", uskor_transpose_strided(uskor, m, 2, 6, n, 3, 6, 2, 3, 4, SIZE_MAX));
    REFUSED("the target is NULL", uskor_transpose_strided(uskor, NULL, 2, 6, n, 3, 6, 2, 3, 4, 1));
    REFUSED("the source is NULL", uskor_transpose_strided(uskor, m, 2, 6, NULL, 3, 6, 2, 3, 4, 1));
    REFUSED("overlap", uskor_transpose_strided(uskor, m, 2, 30, m + 33, 3, 6, 2, 3, 4, 2));
    REFUSED("not square has no gaps", uskor_transpose_in_place(uskor, m, 4, 12, 2, 3, 4, 1));
    REFUSED("at least a matrix", uskor_transpose_in_place(uskor, m, 9, 2, 2, 2, 4, 2));
    REFUSED("overlap", uskor_transpose_in_place(uskor, m, 3, 5, 2, 3, 4, 2));
    REFUSED("the target is NULL", uskor_transpose_in_place(uskor, NULL, 3, 6, 2, 3, 4, 1));
    REFUSED("a pitch of 2", uskor_transpose_in_place(uskor, m, 2, 6, 2, 3, 4, 1));
    REFUSED("elements of 0", uskor_plan_transpose_strided(uskor, &plan, 2, 4, 2, 4, 2, 2, 0, 1));
    REFUSED("plan is NULL", uskor_plan_transpose_in_place(uskor, NULL, 2, 4, 2, 2, 4, 1));
    assert_null(plan);
    assert_int_equal(uskor_transpose_strided(NULL, m, 2, 6, n, 3, 6, 2, 3, 4, 1), USKOR_INVALID);
    assert_int_equal(uskor_transpose_in_place(NULL, m, 2, 6, 2, 3, 4, 1), USKOR_INVALID);
    assert_int_equal(uskor_transpose_strided(uskor, NULL, 5, 6, NULL, 3, 6, 0, 3, 4, 1), USKOR_OK);
    assert_int_equal(uskor_transpose_strided(uskor, NULL, 5, 6, NULL, 3, 6, 2, 3, 4, 0), USKOR_OK);
    assert_int_equal(uskor_transpose_in_place(uskor, NULL, 3, 0, 0, 3, 4, 1), USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_batches_and_element_sizes),
        cmocka_unit_test(every_shape_in_place),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
