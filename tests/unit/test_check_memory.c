/* A check that finds no memory says that it is unfinished; it blames no answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"

static atomic_long allocations, failing;

#ifndef USKOR_SANITIZED
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);

void *malloc(size_t bytes)
{
    return atomic_fetch_add(&allocations, 1) + 1 == failing ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return atomic_fetch_add(&allocations, 1) + 1 == failing ? NULL : __libc_calloc(count, bytes);
}
#endif

struct trial {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays input, output; /* zeros: nearly always a wrong answer */
};

/* The check's result when its allocation `number` fails; 0: none. */
static struct check_result check(const struct trial *trial, long number)
{
    struct check_result result = {.bound = 1};
    allocations = 0;
    failing = number;
    trial->problem.kernel->check(&trial->problem, trial->arrays, trial->input, trial->output, &result);
    failing = 0;
    return result;
}

static void try_problem(const char *text)
{
    struct trial trial;
    struct error error;
    int count;
    assert_int_equal(problem_parse(text, &trial.problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&trial.problem, trial.arrays, &count, &error), STATUS_OK);
    for (int a = 0; a < count; a++) {
        trial.input.data[a] = calloc(1, trial.arrays[a].bytes + 1);
        trial.output.data[a] = calloc(1, trial.arrays[a].bytes + 1);
    }
    trial.problem.kernel->fill(&trial.problem, trial.arrays, trial.input);
    const struct check_result usual = check(&trial, 0);
    const long made = allocations;
    for (long number = 1; number <= made; number++) {
        const struct check_result result = check(&trial, number);
        const bool is_usual =
            result.passed == usual.passed && strncmp(usual.reason, result.reason, strlen(result.reason)) == 0;
        if (!result.unfinished && !is_usual) { /* it may say less */
            print_error("%s, allocation %ld: '%s', not '%s'\n", text, number, result.reason, usual.reason);
            assert_true(result.unfinished);
        }
        if (result.unfinished)
            assert_int_equal(check_outcome(&result, &error), STATUS_SYSTEM);
    }
    for (int a = 0; a < count; a++) {
        free(trial.input.data[a]);
        free(trial.output.data[a]);
    }
}

static void checks_without_memory_are_unfinished(void **state)
{
    (void)state;
    for (size_t k = 0; kernels[k]; k++)
        for (size_t c = 0; c < kernels[k]->edge_cases_tiny; c++)
            try_problem(kernels[k]->edge_cases[c]);
    try_problem("sort:n=50,unique=yes");
    try_problem("sort:n=50,values=u32");
    try_problem("sort:n=50,values=index32");
    try_problem("sort:n=50,values=index32,top=7");
    try_problem("sort:n=50,batch=3");
}

static void outcomes(void **state)
{
    const struct check_result right = {.passed = true}, wrong = {.reason = "[3] is 1"};
    struct check_result unfinished = right;
    struct error error;
    (void)state;
    check_unfinished(&unfinished);
    assert_int_equal(check_outcome(&right, &error), STATUS_OK);
    assert_int_equal(check_outcome(&wrong, &error), STATUS_FAILED);
    assert_string_equal(error.text, "[3] is 1");
    assert_int_equal(check_outcome(&unfinished, &error), STATUS_SYSTEM);
    assert_string_equal(error.text, "no memory for the check");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_without_memory_are_unfinished),
        cmocka_unit_test(outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
