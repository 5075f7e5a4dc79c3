/* Wrong transposes: each is refused, and a right one passes, on every type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/kernel.h"
#include "parsed.h"

#include <cmocka.h> /* last: it has a macro called fail */

struct trial {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    unsigned char *in, *out;
    size_t rows, cols, bytes;
};

/* Each spoils a right answer. */
static void nothing(struct trial *t)
{
    (void)t;
}

/* Calls `change` for each 32-bit float of the output. */
static void each_float(struct trial *t, uint32_t (*change)(uint32_t))
{
    for (size_t i = 0; i < t->arrays[1].bytes / 4; i++) {
        uint32_t bits;
        memcpy(&bits, t->out + 4 * i, 4);
        bits = change(bits);
        memcpy(t->out + 4 * i, &bits, 4);
    }
}

static uint32_t flushed(uint32_t bits)
{
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static uint32_t quieted(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits;
}

static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7fc00000 ? 0x7fc00000 : bits;
}

static uint32_t unsigned_zero(uint32_t bits)
{
    return bits == 0x80000000 ? 0 : bits;
}

static void flushes_subnormals(struct trial *t)
{
    each_float(t, flushed);
}

static void quiets_nans(struct trial *t)
{
    each_float(t, quieted);
}

static void loses_payloads(struct trial *t)
{
    each_float(t, canonical);
}

static void adds_zero(struct trial *t)
{
    each_float(t, unsigned_zero);
}

static void quiets_doubles(struct trial *t)
{
    for (size_t i = 0; i < t->arrays[1].bytes / 8; i++) {
        uint64_t bits;
        memcpy(&bits, t->out + 8 * i, 8);
        if ((bits & INT64_MAX) > 0x7ff0000000000000)
            bits |= UINT64_C(1) << 51;
        memcpy(t->out + 8 * i, &bits, 8);
    }
}

static void square_only(struct trial *t)
{
    size_t side = t->rows < t->cols ? t->rows : t->cols;
    for (size_t col = 0; col < t->cols; col++)
        for (size_t row = 0; row < t->rows; row++)
            if (row >= side || col >= side)
                memset(t->out + (col * t->rows + row) * t->bytes, 0xff, t->bytes);
}

static void tail_column_missing(struct trial *t)
{
    memset(t->out + (t->cols - 1) * t->rows * t->bytes, 0xff, t->rows * t->bytes);
}

static void tail_row_from_before(struct trial *t)
{
    for (size_t col = 0; col < t->cols; col++)
        memmove(t->out + ((col + 1) * t->rows - 1) * t->bytes, t->out + ((col + 1) * t->rows - 2) * t->bytes, t->bytes);
}

/* Two NaNs, which compare as unlike as all NaNs do. */
static void two_nans_swapped(struct trial *t)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < t->arrays[1].bytes / 4; i++) {
        uint32_t bits;
        memcpy(&bits, t->out + 4 * i, 4);
        if ((bits & 0x7fffffff) <= 0x7f800000)
            continue;
        if (first == SIZE_MAX) {
            first = i;
            continue;
        }
        memcpy(t->out + 4 * i, t->out + 4 * first, 4);
        memcpy(t->out + 4 * first, &bits, 4);
        return;
    }
    fail_msg("no NaNs");
}

static void not_transposed(struct trial *t)
{
    memcpy(t->out, t->in, t->arrays[1].bytes);
}

static void last_byte_wrong(struct trial *t)
{
    t->out[t->arrays[1].bytes - 1] ^= 0x80;
}

static struct check_result judged(const char *text, void (*spoil)(struct trial *))
{
    struct trial t = {.problem = parsed(text)};
    struct check_result result = {.bound = 0};
    struct error error;
    int count;
    assert_int_equal(kernel_describe(&t.problem, t.arrays, &count, &error), STATUS_OK);
    t.rows = t.arrays[0].rows, t.cols = t.arrays[0].cols, t.bytes = element_info(t.problem.type)->bytes;
    t.in = malloc(t.arrays[0].bytes + 1), t.out = malloc(t.arrays[1].bytes + 1);
    assert_true(t.in && t.out);
    t.problem.kernel->fill(&t.problem, t.arrays, (struct host_arrays){{t.in}});
    for (size_t row = 0; row < t.rows; row++)
        for (size_t col = 0; col < t.cols; col++)
            memcpy(t.out + (col * t.rows + row) * t.bytes, t.in + (row * t.cols + col) * t.bytes, t.bytes);
    spoil(&t);
    t.problem.kernel->check(&t.problem, t.arrays, (struct host_arrays){{t.in}}, (struct host_arrays){{NULL, t.out}},
                            &result);
    free(t.in);
    free(t.out);
    return result;
}

static void right_ones_pass(void **state)
{
    (void)state;
    const struct kernel *kernel = kernel_by_name("transpose", NULL);
    char text[96];
    for (size_t i = 0; i < 2 * kernel->type_count; i++) {
        snprintf(text, sizeof text, "transpose:rows=70,cols=131,%s,%s", i % 2 ? "input=bits" : "input=numbers",
                 element_info(kernel->types[i / 2])->name);
        struct check_result result = judged(text, nothing);
        if (!result.passed)
            fail_msg("%s: %s", text, result.reason);
    }
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        void (*spoil)(struct trial *);
        const char *reason;
    } cases[] = {
        {"flushes", "transpose:rows=34,cols=30,input=bits,f32", flushes_subnormals, "elements are wrong"},
        {"flushes", "transpose:rows=34,cols=30,input=bits,u32", flushes_subnormals, "elements are wrong"},
        {"flushes", "transpose:rows=34,cols=30,input=bits,i32", flushes_subnormals, "elements are wrong"},
        {"flushes", "transpose:rows=34,cols=30,input=bits,c64", flushes_subnormals, "elements are wrong"},
        {"quiets", "transpose:rows=34,cols=30,input=bits,f32", quiets_nans, "elements are wrong"},
        {"quiets", "transpose:rows=34,cols=30,input=bits,u32", quiets_nans, "elements are wrong"},
        {"quiets", "transpose:rows=34,cols=30,input=bits,f64", quiets_doubles, "elements are wrong"},
        {"quiets", "transpose:rows=34,cols=30,input=bits,i64", quiets_doubles, "elements are wrong"},
        {"quiets", "transpose:rows=34,cols=30,input=bits,c128", quiets_doubles, "elements are wrong"},
        {"loses payloads", "transpose:rows=34,cols=30,input=bits,f32", loses_payloads, "elements are wrong"},
        {"adds zero", "transpose:rows=34,cols=30,input=bits,f32", adds_zero, "elements are wrong"},
        {"square only", "transpose:rows=34,cols=30,u8", square_only,
         "of 1020 elements are wrong, the first at [0][30]"},
        {"square only", "transpose:rows=1,cols=70002,u16", square_only,
         "of 70002 elements are wrong, the first at [1][0]"},
        {"tail column", "transpose:rows=66,cols=130,f32", tail_column_missing, "66 of 8580 elements are wrong"},
        {"tail row", "transpose:rows=66,cols=130,f32", tail_row_from_before, "130 of 8580 elements are wrong"},
        {"swaps NaNs", "transpose:rows=34,cols=30,input=bits,f32", two_nans_swapped, "2 of 1020 elements are wrong"},
        {"copies", "transpose:rows=34,cols=30,f64", not_transposed, "elements are wrong"},
        {"one bit", "transpose:rows=5,cols=70001,c128", last_byte_wrong, "1 of 350005 elements are wrong"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct check_result result = judged(cases[i].text, cases[i].spoil);
        if (result.passed || !strstr(result.reason, cases[i].reason) || result.where[0] == '\0')
            fail_msg("%s on %s: %s, \"%s\"", cases[i].name, cases[i].text, result.passed ? "passed" : "refused",
                     result.reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
