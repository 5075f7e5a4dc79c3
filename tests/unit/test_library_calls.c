/* The library in a stranger's program: wrong calls, plans, busy contexts, forks, threads, OpenMP, allocations. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uskor.h"

#include <cmocka.h>

/* ---- allocations are counted ----------------------------------------------------------------------------------------
 */

static atomic_ullong allocations;

#ifndef USKOR_SANITIZED
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
void *malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, bytes);
}
#endif

/* ---- what calls compute ---------------------------------------------------------------------------------------------
 */

#define SIDE_MOST 700

/* One of each operation, on `n` by `m`: NULL, or what is wrong. */
static const char *compute(struct uskor *uskor, unsigned n, unsigned m, uint32_t *source, uint32_t *target)
{
    for (unsigned i = 0; i < n * m; i++)
        source[i] = i * 2654435761u;
    if (uskor_transpose(uskor, target, source, n, m, sizeof *source) != USKOR_OK)
        return "transpose fails";
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            if (target[j * n + i] != source[i * m + j])
                return "wrong transpose";
    if (uskor_sort(uskor, target, (size_t)n * m, USKOR_UINT32, 0) != USKOR_OK)
        return "sort fails";
    for (unsigned i = 1; i < n * m; i++)
        if (target[i - 1] > target[i])
            return "wrong sort";
    for (unsigned i = 0; i < n * m; i++)
        source[i] = 0x01020304u;
    if (uskor_resize(uskor, target, 2 * m, 2 * n, source, m, n) != USKOR_OK)
        return "resize fails";
    for (unsigned i = 0; i < 4 * n * m; i++)
        if (target[i] != 0x01020304u)
            return "wrong resize";
    return NULL;
}

/* The arrays are not of malloc's memory, which is counted. */
static const char *use(struct uskor *uskor, unsigned n, unsigned m)
{
    const size_t bytes = sizeof(uint32_t) * 5 * SIDE_MOST * SIDE_MOST;
    uint32_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return "no memory";
    const char *wrong = compute(uskor, n, m, memory, memory + SIDE_MOST * SIDE_MOST);
    munmap(memory, bytes);
    return wrong;
}

static const char *use_alone(unsigned n, unsigned m)
{
    struct uskor *uskor;
    if (uskor_open(&uskor, "cpu") != USKOR_OK)
        return "cannot open";
    const char *wrong = use(uskor, n, m);
    uskor_close(uskor);
    return wrong;
}

#define ASSERT_RIGHT(call)           \
    do {                             \
        const char *wrong_ = (call); \
        if (wrong_)                  \
            fail_msg("%s", wrong_);  \
    } while (0)

/* ---- wrong calls ----------------------------------------------------------------------------------------------------
 */

static void assert_refused(enum uskor_status status, const struct uskor *context, const char *word)
{
    assert_int_equal(status, USKOR_INVALID);
    if (!strstr(uskor_message(context), word))
        fail_msg("\"%s\" does not say \"%s\"", uskor_message(context), word);
}

static void null_contexts_are_refused(void **state)
{
    (void)state;
    struct uskor_plan *plan = (struct uskor_plan *)&state;
    uint32_t a[4] = {0}, b[4];
    assert_refused(uskor_open(NULL, NULL), NULL, "NULL");
    assert_refused(uskor_transpose(NULL, b, a, 2, 2, 4), NULL, "context is NULL");
    assert_refused(uskor_resize(NULL, b, 2, 2, a, 2, 2), NULL, "context is NULL");
    assert_refused(uskor_sort(NULL, a, 4, USKOR_UINT32, 0), NULL, "context is NULL");
    assert_refused(uskor_plan_transpose(NULL, &plan, 2, 2, 4), NULL, "context is NULL");
    assert_refused(uskor_plan_resize(NULL, &plan, 2, 2, 2, 2), NULL, "context is NULL");
    assert_refused(uskor_plan_sort(NULL, &plan, 4, USKOR_UINT32, 0), NULL, "context is NULL");
    assert_refused(uskor_run(NULL, b, a, NULL), NULL, "NULL");
    assert_int_equal(uskor_plan_free(NULL), USKOR_OK);
    assert_string_equal(uskor_device(NULL), "");
    assert_string_equal(uskor_rung(NULL), "");
    uskor_close(NULL);
}

static void wrong_sizes_and_arrays_are_refused(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan = NULL;
    uint32_t memory[16] = {0};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_refused(uskor_resize(uskor, memory, 0, 1, memory + 8, 1, 1), uskor, "target's width of 0");
    assert_refused(uskor_resize(uskor, memory, 1, SIZE_MAX, memory + 8, 1, 1), uskor, "target's height");
    assert_refused(uskor_resize(uskor, memory, 1, 1, memory + 8, 0, 1), uskor, "width of 0");
    assert_refused(uskor_resize(uskor, memory, 1, 1, memory + 8, 1, ((size_t)1 << 24) + 1), uskor, "height");
    assert_refused(uskor_resize(uskor, NULL, 1, 1, memory, 1, 1), uskor, "target is NULL");
    assert_refused(uskor_resize(uskor, memory, 1, 1, NULL, 1, 1), uskor, "source is NULL");
    assert_refused(uskor_resize(uskor, memory, 2, 2, memory + 3, 1, 1), uskor, "overlap");
    assert_refused(uskor_plan_transpose(uskor, NULL, 2, 2, 4), uskor, "place for the plan is NULL");
    assert_refused(uskor_plan_transpose(uskor, &plan, 2, 2, 0), uskor, "elements of 0 bytes");
    assert_null(plan);
    assert_refused(uskor_plan_resize(uskor, &plan, 2, 2, 0, 2), uskor, "width of 0");
    assert_refused(uskor_plan_sort(uskor, &plan, SIZE_MAX, USKOR_INT32, 0), uskor, "fit in no memory");
    assert_refused(uskor_plan_sort(uskor, &plan, 1, (enum uskor_number) - 1, 0), uskor, "no such type");
    assert_int_equal(uskor_plan_transpose(uskor, &plan, 2, 2, 4), USKOR_OK);
    assert_refused(uskor_run(plan, NULL, memory, NULL), uskor, "target is NULL");
    assert_refused(uskor_run(plan, memory, NULL, NULL), uskor, "source is NULL");
    assert_refused(uskor_run(plan, memory, memory + 3, NULL), uskor, "overlap");
    assert_int_equal(uskor_plan_free(plan), USKOR_OK);
    uskor_close(uskor);
}

static void versions_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", USKOR_VERSION_MAJOR, USKOR_VERSION_MINOR, USKOR_VERSION_PATCH);
    assert_string_equal(uskor_version(), text);
    assert_int_equal(uskor_version_number(), USKOR_VERSION_NUMBER);
}

/* ---- plans ----------------------------------------------------------------------------------------------------------
 */

static void plans_compute_what_calls_do(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *turn, *none, *sort, *resize;
    uint32_t a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {0}, large[24];
    float numbers[3] = {3, 1, 2};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_plan_transpose(uskor, &turn, 2, 3, 4), USKOR_OK);
    assert_int_equal(uskor_plan_transpose(uskor, &none, 0, SIZE_MAX, 4), USKOR_OK);
    assert_int_equal(uskor_plan_sort(uskor, &sort, 3, USKOR_FLOAT32, 0), USKOR_OK);
    assert_int_equal(uskor_plan_resize(uskor, &resize, 6, 4, 3, 2), USKOR_OK);
    for (int round = 0; round < 3; round++) {
        memset(b, 0, sizeof b);
        assert_int_equal(uskor_run(turn, b, a, NULL), USKOR_OK);
        assert_memory_equal(b, ((uint32_t[]){1, 4, 2, 5, 3, 6}), sizeof b);
        assert_int_equal(uskor_run(none, NULL, NULL, NULL), USKOR_OK);
        numbers[0] = 3, numbers[1] = 1, numbers[2] = 2;
        assert_int_equal(uskor_run(sort, numbers, NULL, NULL), USKOR_OK);
        assert_true(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
        assert_int_equal(uskor_run(resize, large, a, NULL), USKOR_OK);
        assert_int_equal(large[0], 1);
        assert_int_equal(large[23], 6);
    }
    assert_int_equal(uskor_plan_free(turn), USKOR_OK);
    assert_int_equal(uskor_plan_free(none), USKOR_OK);
    assert_int_equal(uskor_plan_free(sort), USKOR_OK);
    assert_int_equal(uskor_plan_free(resize), USKOR_OK);
    uskor_close(uskor);
}

/* More problems than a context keeps, in orders in which the oldest plan goes. */
static void forgotten_plans_are_made_again(void **state)
{
    (void)state;
    struct uskor *uskor;
    uint32_t source[200], target[200];
    for (unsigned i = 0; i < 200; i++)
        source[i] = i;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (int round = 0; round < 3; round++)
        for (unsigned n = 1; n <= 100; n++) {
            assert_int_equal(uskor_transpose(uskor, target, source, 2, n, 4), USKOR_OK);
            for (unsigned j = 0; j < n; j++)
                assert_true(target[2 * j] == j && target[2 * j + 1] == n + j);
            assert_int_equal(uskor_transpose(uskor, target, source, 3, 5, 4), USKOR_OK); /* stays */
        }
    uskor_close(uskor);
}

static void repeated_calls_allocate_nothing(void **state)
{
    (void)state;
#ifdef USKOR_SANITIZED
    skip();
#endif
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    static const unsigned sides[] = {4, 64, 300, 700};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
            const unsigned long long before = atomic_load(&allocations);
            ASSERT_RIGHT(use(uskor, sides[i], sides[i]));
            if (round == 1)
                assert_int_equal(atomic_load(&allocations) - before, 0);
            else
                assert_true(atomic_load(&allocations) > before); /* the counter counts */
        }
    uskor_close(uskor);
}

/* The functions that have most arguments, once each. */
static void call_widely(struct uskor *uskor, uint32_t *a, uint32_t *b)
{
    float *x = (float *)(void *)a, *y = (float *)(void *)b;
    assert_int_equal(uskor_transpose_strided(uskor, b, 72, 7300, a, 101, 7100, 70, 100, 4, 3), USKOR_OK);
    assert_int_equal(uskor_transpose_in_place(uskor, a, 100, 7000, 70, 100, 4, 1), USKOR_OK);
    assert_int_equal(uskor_transpose_in_place(uskor, a, 100, 10000, 100, 100, 3, 2), USKOR_OK);
    memset(a, 0, 30000 * sizeof *a);
    assert_int_equal(uskor_resize_picture(uskor, y, 60, 50, 181, x, 40, 70, 122, 3, USKOR_FLOAT32), USKOR_OK);
    assert_int_equal(uskor_resize_picture(uskor, y, 60, 50, 61, x, 40, 70, 40, 1, USKOR_UINT8), USKOR_OK);
    assert_int_equal(uskor_sort_lines(uskor, a, 300, 5, 20, USKOR_UINT32, USKOR_DESCENDING), USKOR_OK);
    assert_int_equal(uskor_argsort_lines(uskor, b, a, 300, 100, 1, USKOR_FLOAT32, 4, USKOR_NANS_FIRST), USKOR_OK);
    assert_int_equal(uskor_partition(uskor, a, 30000, 900, USKOR_INT32, 0), USKOR_OK);
    assert_int_equal(uskor_gemm_strided(uskor, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, 40, 50, 60, 1, x, 60, 2400, x, 50, 0,
                                        0, y, 52, 2080, 3, USKOR_HIGH_ACCURACY),
                     USKOR_OK);
}

static void wide_calls_allocate_nothing(void **state)
{
    (void)state;
#ifdef USKOR_SANITIZED
    skip();
#endif
    struct uskor *uskor;
    uint32_t *a = calloc(30000, sizeof *a), *b = calloc(30000, sizeof *b);
    assert_true(a && b);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    call_widely(uskor, a, b);
    const unsigned long long before = atomic_load(&allocations);
    call_widely(uskor, a, b);
    assert_int_equal(atomic_load(&allocations) - before, 0);
    uskor_close(uskor);
    free(a);
    free(b);
}

/* ---- threads --------------------------------------------------------------------------------------------------------
 */

static void *use_often(void *number)
{
    for (unsigned i = 0; i < 12; i++) {
        const char *wrong = use_alone(1 + (unsigned)(uintptr_t)number * 7 + i * 20, 300 - i * 23);
        if (wrong)
            return (void *)(uintptr_t)wrong;
    }
    return NULL;
}

static void sixteen_threads_have_contexts_of_their_own(void **state)
{
    (void)state;
    pthread_t threads[16];
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_often, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < 16; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        if (wrong)
            fail_msg("%s", (const char *)wrong);
    }
}

struct shared {
    struct uskor *uskor;
    atomic_int served, busy, wrong;
};

static void *use_shared(void *context)
{
    struct shared *shared = context;
    uint32_t source[50 * 60], target[60 * 50];
    for (unsigned i = 0; i < 50 * 60; i++)
        source[i] = i;
    for (int round = 0; round < 3000; round++) {
        const enum uskor_status status = uskor_transpose(shared->uskor, target, source, 50, 60, 4);
        if (status == USKOR_BUSY)
            atomic_fetch_add(strstr(uskor_message(NULL), "another thread") ? &shared->busy : &shared->wrong, 1);
        else if (status == USKOR_OK && target[1] == 60 && target[60 * 50 - 1] == 50 * 60 - 1)
            atomic_fetch_add(&shared->served, 1);
        else
            atomic_fetch_add(&shared->wrong, 1);
    }
    return NULL;
}

/* Each call is served or refused, whatever the others do. */
static void a_context_serves_one_thread_at_a_time(void **state)
{
    (void)state;
    struct shared shared = {.served = 0};
    pthread_t threads[8];
    assert_int_equal(uskor_open(&shared.uskor, NULL), USKOR_OK);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_shared, &shared), 0);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(shared.wrong, 0);
    assert_int_equal(shared.served + shared.busy, 8 * 3000);
    assert_true(shared.served > 0);
    uskor_close(shared.uskor);
}

static void calls_work_inside_openmp(void **state)
{
    (void)state;
    const char *wrong[4] = {NULL};
    omp_set_dynamic(0);
    uskor_set_threads(3);
    for (unsigned round = 0; round < 3; round++) {
#pragma omp parallel num_threads(4)
        wrong[omp_get_thread_num()] = use_alone(300 + (unsigned)omp_get_thread_num(), 400);
        for (int i = 0; i < 4; i++)
            if (wrong[i])
                fail_msg("%s", wrong[i]);
        ASSERT_RIGHT(use_alone(500, 600)); /* between two regions */
    }
    uskor_set_threads(0);
}

static void the_number_of_threads_is_the_callers(void **state)
{
    (void)state;
    uskor_set_threads(5);
    const unsigned most = uskor_threads(); /* 5, or the control group's quota */
    assert_true(most >= 1 && most <= 5);
    for (unsigned threads = 1; threads <= most; threads++) {
        uskor_set_threads(threads);
        assert_int_equal(uskor_threads(), threads);
        ASSERT_RIGHT(use_alone(600, 500));
    }
    uskor_set_threads(0);
    assert_true(uskor_threads() >= 1);
}

/* ---- forks ----------------------------------------------------------------------------------------------------------
 */

static void children_use_contexts_old_and_new(void **state)
{
    (void)state;
#if defined __SANITIZE_THREAD__
    skip(); /* its runtime starts no thread in the child of a program with threads */
#endif
    struct uskor *uskor;
    uskor_set_threads(3);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    ASSERT_RIGHT(use(uskor, 500, 600));
    for (int round = 0; round < 4; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(100);
            const char *wrong = use(uskor, 500, 600);
            wrong = wrong ? wrong : use_alone(400, 300);
            const pid_t grandchild = wrong ? -1 : fork();
            if (grandchild == 0)
                _exit(use(uskor, 600, 500) != NULL);
            int ended = 1;
            _exit(wrong || waitpid(grandchild, &ended, 0) != grandchild || ended != 0);
        }
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_int_equal(ended, 0);
        ASSERT_RIGHT(use(uskor, 500, 600));
    }
    uskor_close(uskor);
    uskor_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_contexts_are_refused),
        cmocka_unit_test(wrong_sizes_and_arrays_are_refused),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(plans_compute_what_calls_do),
        cmocka_unit_test(forgotten_plans_are_made_again),
        cmocka_unit_test(repeated_calls_allocate_nothing),
        cmocka_unit_test(wide_calls_allocate_nothing),
        cmocka_unit_test(sixteen_threads_have_contexts_of_their_own),
        cmocka_unit_test(a_context_serves_one_thread_at_a_time),
        cmocka_unit_test(calls_work_inside_openmp),
        cmocka_unit_test(the_number_of_threads_is_the_callers),
        cmocka_unit_test(children_use_contexts_old_and_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
