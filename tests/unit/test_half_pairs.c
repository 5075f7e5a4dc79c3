/* Pairs of bfloat16 along the depth: where they lie, and which elements are too small for them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "base/half.h"
#include "kernels/matmul/half_pairs.h"

#define M 3
#define N 2
#define K 5 /* odd: the last pair's second element is zero */
#define DEEP 3
#define PAD 1

/* Element [i][l] of op(A), or of op(B) turned, is a number of its own. */
static uint16_t number_of(size_t line, size_t depth)
{
    return bf16_from_double((double)(line * 16 + depth + 1));
}

static void store(uint16_t *to, size_t stride, size_t line, size_t depth, bool along)
{
    to[along ? line * stride + depth : depth * stride + line] = number_of(line, depth);
}

static void pairs_lie_as_op_sees_them(void **state)
{
    (void)state;
    for (int turns = 0; turns < 4; turns++) {
        const bool transa = turns & 1, transb = turns & 2;
        uint16_t a[64] = {0}, b[64] = {0};
        uint32_t memory[64];
        struct product p = {.a = a, .b = b, .m = M, .n = N, .k = K, .batch = 1, .transa = transa, .transb = transb};
        struct product pairs;
        p.alpha = 2, p.beta = 3, p.type = p.result = ELEMENT_BF16;
        p.lda = (transa ? M : K) + PAD, p.ldb = (transb ? K : N) + PAD, p.ldc = N;
        for (size_t depth = 0; depth < K; depth++) {
            for (size_t row = 0; row < M; row++)
                store(a, p.lda, row, depth, !transa);
            for (size_t col = 0; col < N; col++)
                store(b, p.ldb, col, depth, transb);
        }
        memset(memory, 0xff, sizeof memory);
        assert_true(half_to_pairs(&p, memory, &pairs));
        assert_int_equal(pairs.k, DEEP);
        for (size_t deep = 0; deep < DEEP; deep++) {
            const uint32_t *left = pairs.a, *right = pairs.b;
            for (size_t row = 0; row < M; row++) {
                const uint32_t pair = left[transa ? deep * pairs.lda + row : row * pairs.lda + deep];
                assert_int_equal(pair & 0xffff, number_of(row, 2 * deep));
                assert_int_equal(pair >> 16, 2 * deep + 1 < K ? number_of(row, 2 * deep + 1) : 0);
            }
            for (size_t col = 0; col < N; col++) {
                const uint32_t pair = right[transb ? col * pairs.ldb + deep : deep * pairs.ldb + col];
                assert_int_equal(pair & 0xffff, number_of(col, 2 * deep));
                assert_int_equal(pair >> 16, 2 * deep + 1 < K ? number_of(col, 2 * deep + 1) : 0);
            }
        }
        assert_ptr_equal(pairs.c, memory + DEEP * (M + N));
        assert_int_equal(memory[DEEP * (M + N)], 0xffffffff); /* nothing was written behind them */
        assert_true(pairs.alpha == 1 && pairs.beta == 0 && pairs.ldc == N);
    }
}

/* A product of one element each. */
static bool fits(double left, double right)
{
    const uint16_t a = bf16_from_double(left), b = bf16_from_double(right);
    uint32_t memory[3];
    struct product pairs;
    const struct product p = {.a = &a,
                              .b = &b,
                              .m = 1,
                              .n = 1,
                              .k = 1,
                              .lda = 1,
                              .ldb = 1,
                              .ldc = 1,
                              .batch = 1,
                              .alpha = 1,
                              .type = ELEMENT_BF16,
                              .result = ELEMENT_BF16};
    return half_to_pairs(&p, memory, &pairs);
}

static void the_instruction_sees_no_subnormal_number(void **state)
{
    (void)state;
    assert_true(fits(1, -1));
    assert_true(fits(0, 0));
    assert_true(fits(0x1p-126, 0x1p100));
    assert_false(fits(0x1p-127, 0x1p100)); /* subnormal itself */
    assert_false(fits(1, -0x1p-133));
    assert_true(fits(0x1p-56, -0x1p-56)); /* 14 binary places below 2^-112: 2^-126 */
    assert_false(fits(0x1p-56, 0x1p-57));
    assert_true(fits(0, 0x1p-100)); /* no product but zero */
    assert_true(fits((double)NAN, (double)INFINITY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_lie_as_op_sees_them),
        cmocka_unit_test(the_instruction_sees_no_subnormal_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
