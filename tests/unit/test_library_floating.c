/* The caller's floating-point environment: no call computes in it, and all leave it as they found it. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/kernel.h"
#include "uskor.h"

#include <cmocka.h>

#define THREADS 3

/* ---- kernels that look how they would compute, under the names that the library asks for ------------------------ */

static uint32_t seen[THREADS]; /* by piece; of SIMD arithmetic, as kernels use no x87 */
static int runs;
static volatile double zero, third;

static void look_here(void *context, size_t index, size_t thread)
{
    (void)context, (void)thread;
    seen[index] = floating_control_read().vector;
}

static enum status look(struct run *run, struct error *error)
{
    (void)run;
    (void)error;
    parallel_for(THREADS, THREADS, look_here, NULL);
    third = 1 / (zero + 3); /* inexact */
    third = zero / zero;    /* invalid */
    runs++;
    return STATUS_OK;
}

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    const bool in_place = problem->kernel->field_count == 1;
    for (int i = 0; i < 2; i++)
        arrays[i] = (struct array){.name = i ? "out" : "in",
                                   .direction = in_place ? ARRAY_INOUT
                                                : i      ? ARRAY_OUT
                                                         : ARRAY_IN,
                                   .type = problem->type,
                                   .rows = 1,
                                   .cols = 1};
    return in_place ? 1 : 2;
}

#define SIDE(label)                                                                   \
    {                                                                                 \
        .name = label, .kind = FIELD_SIZE, .initial = 1, .minimum = 1, .maximum = 100 \
    }
static const struct problem_field sort_fields[] = {SIDE("n")};
static const struct problem_field transpose_fields[] = {SIDE("rows"), SIDE("cols")};
static const struct problem_field resize_fields[] = {SIDE("width"), SIDE("height"), SIDE("out_width"),
                                                     SIDE("out_height")};
static const enum element_type types[] = {ELEMENT_F32, ELEMENT_U32, ELEMENT_U8};
static const struct rung looking = {
    .name = "looking", .idea = "a trial", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = look};
static const struct ladder_row ladder[] = {{&looking, NULL, ""}};

#define KERNEL(what)                                                                                             \
    {                                                                                                            \
        .name = #what, .title = "a trial", .fields = what##_fields, .field_count = COUNT_OF(what##_fields),      \
        .types = types, .type_count = COUNT_OF(types), .describe = describe, .ladder = ladder, .ladder_count = 1 \
    }
static const struct kernel kernel_sort = KERNEL(sort), kernel_transpose = KERNEL(transpose),
                           kernel_resize = KERNEL(resize);
const struct kernel *const kernels[] = {&kernel_sort, &kernel_transpose, &kernel_resize, NULL};

/* ---- the calls ----------------------------------------------------------------------------------------------------
 */

static void assert_default_was_seen(void)
{
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(seen[i], floating_control_default().vector);
    memset(seen, 0xff, sizeof seen);
}

static void call_all(void)
{
    uint32_t in = 1, out;
    struct uskor *uskor;
    runs = 0;
    assert_int_equal(uskor_open(&uskor, "cpu"), USKOR_OK);
    assert_int_equal(uskor_resize(uskor, &out, 1, 1, &in, 1, 1), USKOR_OK);
    assert_default_was_seen();
    assert_int_equal(uskor_transpose(uskor, &out, &in, 1, 1, sizeof in), USKOR_OK);
    assert_default_was_seen();
    assert_int_equal(uskor_sort(uskor, &in, 1, USKOR_FLOAT32, 0), USKOR_OK);
    assert_default_was_seen();
    uskor_close(uskor);
    assert_int_equal(runs, 3);
}

/* Results flushed to zero, operands taken for zero, rounded down. */
static struct floating_control strange(void)
{
    fesetround(FE_DOWNWARD);
    struct floating_control control = floating_control_read();
#if defined __x86_64__
    control.vector |= 0x8040;
#elif defined __aarch64__
    control.vector |= 1u << 24;
#endif
    floating_control_write(control);
    return floating_control_read();
}

static void calls_compute_in_the_default_environment(void **state)
{
    (void)state;
    const struct floating_control before = strange();
    call_all();
    const struct floating_control left = floating_control_read();
    fesetround(FE_TONEAREST);
    floating_control_write(floating_control_default());
    assert_memory_equal(&left, &before, sizeof left);
}

/* Calls leave the caller's exception flags as they were. */
static void exception_flags_are_the_callers(void **state)
{
    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    call_all();
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
    feraiseexcept(FE_OVERFLOW);
    const int before = fetestexcept(FE_ALL_EXCEPT);
    call_all();
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), before);
    feclearexcept(FE_ALL_EXCEPT);
}

/* A trap set by the caller is not triggered by the library's arithmetic. */
static void traps_are_off_meanwhile(void **state)
{
    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    const bool has_traps = feenableexcept(FE_INEXACT | FE_INVALID) != -1; /* some processors have none */
    const int before = fegetexcept();
    call_all();
    assert_int_equal(fegetexcept(), before);
    if (has_traps)
        fedisableexcept(FE_ALL_EXCEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_compute_in_the_default_environment),
        cmocka_unit_test(exception_flags_are_the_callers),
        cmocka_unit_test(traps_are_off_meanwhile),
    };
    pool_set_threads(THREADS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
