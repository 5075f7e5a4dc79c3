/* The transposes of each instruction set, called straight: matrices that begin anywhere in a line, parts of them, and
 * nothing written beside the output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/random.h"
#include "base/size.h"
#include "kernels/transpose/simd.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define FENCE 128
#define POISON 0xA5

struct sides {
    size_t rows, cols;
};

/* Thinner than a block, one band, a few bands with something left over, whole blocks; several strips. */
static const struct sides shapes[] = {
    {1, 1},     {7, 300},    {300, 7},   {65, 66}, {129, 70}, {257, 131}, {256, 256},
    {512, 192}, {700, 1090}, {97, 5000}, {3, 700}, {700, 3},  {4, 301},   {301, 4},
};

static const size_t sizes[] = {1, 2, 4, 8, 16};

typedef void transposer(const struct transposition *t, struct part part);

/* An array with a fence on either side, `offset` bytes after the beginning of a line. */
static unsigned char *make(size_t bytes, size_t offset, unsigned char **memory)
{
    *memory = aligned_alloc(64, (bytes + 2 * FENCE + 64 + 63) / 64 * 64);
    assert_non_null(*memory);
    memset(*memory, POISON, bytes + 2 * FENCE + 64);
    return *memory + FENCE + offset;
}

/* Sizes that the compiler knows. */
static void copy_element(unsigned char *to, const unsigned char *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        *to = *from;
        return;
    case 2:
        memcpy(to, from, 2);
        return;
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    }
    memcpy(to, from, bytes);
}

static void transpose_part(const struct transposition *t, struct part part, unsigned char *out)
{
    for (size_t row = part.row; row < part.rows_end; row++)
        for (size_t col = part.col; col < part.cols_end; col++)
            copy_element(out + col * t->out_pitch + row * t->bytes, t->in + row * t->in_pitch + col * t->bytes,
                         t->bytes);
}

/* What lies in the parts is transposed, and everything else is as it was, the fences too. */
static void check_output(const struct transposition *t, const struct part *parts, size_t count, size_t bytes,
                         size_t offset)
{
    unsigned char *memory, *expected = make(bytes, offset, &memory);
    const unsigned char *got = t->out;
    for (size_t i = 0; i < count; i++)
        transpose_part(t, parts[i], expected);
    if (memcmp(got - FENCE, expected - FENCE, bytes + 2 * FENCE) != 0) {
        ptrdiff_t at = -FENCE;
        while (got[at] == expected[at])
            at++;
        fail_msg("%zu x %zu of %zu bytes: wrong at byte %td of rows of %zu", t->rows, t->cols, t->bytes, at,
                 t->out_pitch);
    }
    free(memory);
}

/* The same ones for every matrix. */
static const unsigned char *numbers(size_t bytes)
{
    static unsigned char *all;
    static size_t made;
    if (bytes > made) {
        struct random random;
        random_seed(&random, 42);
        all = realloc(all, bytes);
        assert_non_null(all);
        random_bytes(&random, all, bytes);
        made = bytes;
    }
    return all;
}

/* With gaps of `gap` elements behind the rows of the input, and of as many and one behind those of the output. */
static void check_one(transposer *transpose, struct sides shape, size_t bytes, size_t in_offset, size_t out_offset,
                      bool in_parts, size_t gap)
{
    struct transposition t = {.rows = shape.rows,
                              .cols = shape.cols,
                              .bytes = bytes,
                              .in_pitch = (shape.cols + gap) * bytes,
                              .out_pitch = (shape.rows + gap + (gap > 0)) * bytes};
    const size_t in_bytes = shape.rows * t.in_pitch, all = shape.cols * t.out_pitch;
    unsigned char *in_memory, *out_memory, *in = make(in_bytes, in_offset, &in_memory);
    memcpy(in, numbers(in_bytes), in_bytes);
    t.in = in;
    t.out = make(all, out_offset, &out_memory);
    const size_t middle_row = shape.rows / 3, middle_col = shape.cols / 2;
    const struct part parts[] = {{0, shape.rows, 0, shape.cols},
                                 {0, middle_row, 0, middle_col},
                                 {0, middle_row, middle_col, shape.cols},
                                 {middle_row, shape.rows, 0, middle_col}};
    for (size_t i = in_parts; i < (in_parts ? COUNT_OF(parts) : 1); i++)
        if (parts[i].row < parts[i].rows_end && parts[i].col < parts[i].cols_end)
            transpose(&t, parts[i]);
    check_output(&t, parts + in_parts, in_parts ? COUNT_OF(parts) - 1 : 1, all, out_offset);
    free(in_memory);
    free(out_memory);
}

static void check_all(transposer *transpose)
{
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t j = 0; j < COUNT_OF(sizes); j++) {
            check_one(transpose, shapes[i], sizes[j], 0, 0, false, 0);
            check_one(transpose, shapes[i], sizes[j], sizes[j] % 64, 0, false, 0);
            check_one(transpose, shapes[i], sizes[j], 0, 3 * sizes[j] % 64, true, 0);
            check_one(transpose, shapes[i], sizes[j], 1, 33, false, 0);
            check_one(transpose, shapes[i], sizes[j], 0, 0, false, 1);
            check_one(transpose, shapes[i], sizes[j], sizes[j] % 64, 3 * sizes[j] % 64, true, 64 / sizes[j]);
        }
}

static void check_level(enum cpu_isa isa, const struct simd_level *level)
{
    if (isa != CPU_ISA_BASE && cpu_isa() < isa)
        skip();
    check_all(level->keep);
    check_all(level->stream);
}

static void test_base(void **state)
{
    (void)state;
    check_level(CPU_ISA_BASE, &transpose_simd_base);
}

#ifdef __x86_64__
static void test_avx2(void **state)
{
    (void)state;
    check_level(CPU_ISA_AVX2, &transpose_simd_avx2);
}

static void test_avx512(void **state)
{
    (void)state;
    check_level(CPU_ISA_AVX512, &transpose_simd_avx512);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base),
#ifdef __x86_64__
        cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_avx512),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
