/* Random calls of every name from many threads, over OpenBLAS where it is here: for the thread and the address
 * sanitizer. USKOR_STRESS_SECONDS (10) and USKOR_STRESS_SEED. Now and then a thread forks, and the child calls, too. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "blas_calls.h"

#define THREADS 8

static void *functions[BLAS_SLOTS];
static atomic_long calls, wrong;
static time_t end;

static long setting(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value ? atol(value) : otherwise;
}

static bool call_some(uint32_t *word, int count)
{
    bool right = true;
    for (int i = 0; i < count; i++) {
        const size_t slot = random_word(word) % BLAS_SLOTS;
        const uint32_t side = random_word(word) % 16 == 0 ? 150 : 24;
        const struct blas_problem p = random_problem(slot, side, word);
        if (blas_routine(slot) == ROUTINE_IMATCOPY && blas_family(slot) == FAMILY_PLAIN)
            continue; /* OpenBLAS 0.3.21's own writes behind larger arrays */
        const bool this_one = call_is_right(functions[slot], &p);
        if (!this_one)
            printf("wrong: %s m=%d n=%d k=%d\n", blas_names[slot], (int)p.m, (int)p.n, (int)p.k);
        right = right && this_one;
        atomic_fetch_add(&calls, 1);
    }
    return right;
}

/* With a thread sanitizer a child of many threads is its own affair. */
#if defined(__SANITIZE_THREAD__)
static const bool forks = false;
#else
static const bool forks = true;
#endif

static bool fork_and_call(uint32_t *word)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(120);
        _exit(call_some(word, 20) ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void *run(void *number)
{
    uint32_t word = (uint32_t)(uintptr_t)number * 7919 + (uint32_t)setting("USKOR_STRESS_SEED", 1);
    for (int round = 0; time(NULL) < end; round++) {
        if (!call_some(&word, 100))
            atomic_fetch_add(&wrong, 1);
        if (forks && round % 50 == 49 && !fork_and_call(&word))
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void threads_and_children_get_right_results(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    end = time(NULL) + setting("USKOR_STRESS_SECONDS", 10);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)(i + 1)), 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%ld calls\n", atomic_load(&calls));
    assert_int_equal(atomic_load(&wrong), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_and_children_get_right_results)};
    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* its threads and a fork beside its calls wait for each other for ever */
    void *blas = dlopen(USKOR_BLAS, RTLD_NOW | RTLD_LOCAL);
    if (!getenv("USKOR_STRESS_ALONE"))
        dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    for (size_t slot = 0; blas && slot < BLAS_SLOTS; slot++)
        functions[slot] = dlsym(blas, blas_names[slot]);
    if (!blas)
        printf("%s\n", dlerror());
    return blas ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
