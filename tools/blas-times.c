/* Times of one BLAS beside others, interleaved in one process; tools/blas-times makes its tables.
 *   blas-times gemm NAME=FILE…         squares of every form by every library
 *   blas-times calls COUNT NAME=FILE…  random calls of every routine by the first two
 *   blas-times small COUNT NAME=FILE…  random products whose sides are at most 64, by the first two
 *   blas-times passed NAME=FILE…       calls that ours passes on
 *   blas-times bounds NAME=FILE…       squares of every form, beside functions that leave out part of the work
 * Random calls end with the 95 % interval of the first one's time over the second's, of a round. `here` is loaded apart
 * from the others: nothing is beneath it, so it computes every call. Each line is a call, then for each library the
 * median time in nanoseconds, and "-" where the library lacks the routine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blas-times-bounds.h"

#define LIBRARIES_MOST 12
#define ROUNDS 41
#define SAMPLE 20e3 /* nanoseconds */
#define SIDE_MOST 512
#define SMALL_MOST 64

static struct library {
    const char *name;
    void *handle;
    bool is_fortran; /* has no CBLAS */
} libraries[LIBRARIES_MOST];
static int library_count;
static double *a, *b, *c;

enum routine { GEMM, SYRK, GEMV, DOT, OMATCOPY, ROUTINE_COUNT };

struct call {
    enum routine routine;
    bool is_double, transa, transb, by_columns;
    int64_t m, n, k;
    double beta;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Integers are passed as 64 bits, whose low half serves a library of 32 bits. Of Fortran only products are called. */
static void *find(struct library *library, const struct call *call)
{
    static const char *const routines[] = {"gemm", "syrk", "gemv", "dot", "omatcopy"};
    static const char *const forms[] = {"cblas_%c%s", "scipy_cblas_%c%s64_", "scipy_cblas_%c%s", "dnnl_%c%s", "%c%s_"};
    const size_t count = sizeof forms / sizeof *forms - (call->routine != GEMM);
    void *found =
        library->handle ? NULL : bound_of(library->name, call->is_double, call->transa, call->transb, call->m);
    const bool is_onednn = strncmp(library->name, "onednn", 6) == 0;
    for (size_t i = 0; library->handle && !found && i < count; i++) {
        char name[64];
        if (is_onednn != (forms[i][0] == 'd'))
            continue;
        snprintf(name, sizeof name, forms[i], call->is_double ? 'd' : 's', routines[call->routine]);
        found = dlsym(library->handle, name);
        library->is_fortran = i + 1 == sizeof forms / sizeof *forms;
    }
    return found;
}

static volatile double kept;

#define DEFINE(REAL)                                                                                                   \
    static void call_##REAL(void *function, const struct call *p)                                                      \
    {                                                                                                                  \
        const int order = p->by_columns ? 102 : 101, ta = 111 + p->transa, tb = 111 + p->transb;                       \
        const int64_t lda = p->transa == p->by_columns ? p->k : p->m, ldb = p->transb == p->by_columns ? p->n : p->k;  \
        const int64_t ldc = p->by_columns ? p->m : p->n, line = p->by_columns ? p->m : p->n;                           \
        const REAL one = 1, beta = (REAL)p->beta;                                                                      \
        switch (p->routine) {                                                                                          \
        case GEMM:                                                                                                     \
            ((void (*)(int, int, int, int64_t, int64_t, int64_t, REAL, void *, int64_t, void *, int64_t, REAL, void *, \
                       int64_t))function)(order, ta, tb, p->m, p->n, p->k, one, a, lda, b, ldb, beta, c, ldc);         \
            return;                                                                                                    \
        case SYRK:                                                                                                     \
            ((void (*)(int, int, int, int64_t, int64_t, REAL, void *, int64_t, REAL, void *, int64_t))function)(       \
                order, 121, ta, p->m, p->k, one, a, lda, beta, c, p->m);                                               \
            return;                                                                                                    \
        case GEMV:                                                                                                     \
            ((void (*)(int, int, int64_t, int64_t, REAL, void *, int64_t, void *, int64_t, REAL, void *,               \
                       int64_t))function)(order, ta, p->m, p->n, one, a, line, b, 1, beta, c, 1);                      \
            return;                                                                                                    \
        case DOT:                                                                                                      \
            kept = ((REAL(*)(int64_t, void *, int64_t, void *, int64_t))function)(p->m * p->n, a, 1, b, 1);            \
            return;                                                                                                    \
        default:                                                                                                       \
            ((void (*)(int, int, int64_t, int64_t, REAL, void *, int64_t, void *, int64_t))function)(                  \
                order, ta, p->m, p->n, one, a, line, c, p->transa == p->by_columns ? p->n : p->m);                     \
        }                                                                                                              \
    }
DEFINE(float)
DEFINE(double)

/* oneDNN's arrays are by rows. */
static void call_onednn(void *function, const struct call *p)
{
    ((int (*)(char, char, int64_t, int64_t, int64_t, float, void *, int64_t, void *, int64_t, float, void *,
              int64_t))function)("NT"[p->transa], "NT"[p->transb], p -> m, p -> n, p -> k, 1, a,
                                 p -> transa ? p -> m : p -> k, b, p -> transb ? p -> k : p -> n, (float)p -> beta, c,
                                 p -> n);
}

/* By rows: the transpose of a product by columns, whose factors change places. */
static void call_fortran(void *function, const struct call *p)
{
    const int64_t lda = p->transa ? p->m : p->k, ldb = p->transb ? p->k : p->n;
    const double one = 1;
    const float short_one = 1, short_beta = (float)p->beta;
    typedef const int64_t *I;
    ((void (*)(const char *, const char *, I, I, I, const void *, void *, I, void *, I, const void *, void *, I, size_t,
               size_t))function)(&"NT"[p->transb], &"NT"[p->transa], &p -> n, &p -> m, &p -> k,
                                 p -> is_double ? (const void *)&one : &short_one, b, &ldb, a, &lda,
                                 p -> is_double ? (const void *)&p -> beta : &short_beta, c, &p -> n, 1, 1);
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static double time_of(struct library *library, void *function, const struct call *call, int64_t count)
{
    struct call plain = *call;
    if (strcmp(library->name, "plain") == 0) {
        plain.transa = plain.transb = false;
        call = &plain;
    }
    const double begun = now();
    if (strncmp(library->name, "onednn", 6) == 0)
        for (int64_t i = 0; i < count; i++)
            call_onednn(function, call);
    else if (library->is_fortran)
        for (int64_t i = 0; i < count; i++)
            call_fortran(function, call);
    else if (call->is_double)
        for (int64_t i = 0; i < count; i++)
            call_double(function, call);
    else
        for (int64_t i = 0; i < count; i++)
            call_float(function, call);
    return (now() - begun) / (double)count;
}

static int by_size(const void *x, const void *y)
{
    const double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static double times[LIBRARIES_MOST][ROUNDS];

/* Medians of rounds in which every library has its turn, in another order each time. */
static void time_call(const struct call *call, double medians[LIBRARIES_MOST])
{
    void *functions[LIBRARIES_MOST];
    int64_t counts[LIBRARIES_MOST];
    for (int i = 0; i < library_count; i++) {
        functions[i] = find(&libraries[i], call);
        if (!functions[i])
            continue;
        time_of(&libraries[i], functions[i], call, 4);
        const double once = time_of(&libraries[i], functions[i], call, 8);
        counts[i] = once < SAMPLE ? (int64_t)ceil(SAMPLE / once) : 1;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int turn = 0; turn < library_count; turn++) {
            const int i = (turn + round) % library_count;
            if (functions[i])
                times[i][round] = time_of(&libraries[i], functions[i], call, counts[i]);
        }
    for (int i = 0; i < library_count; i++) {
        double sorted[ROUNDS];
        memcpy(sorted, times[i], sizeof sorted);
        qsort(sorted, ROUNDS, sizeof *sorted, by_size);
        medians[i] = functions[i] ? sorted[ROUNDS / 2] : -1;
    }
}

/* Of 41 values the 14th and the 28th hold the median with a probability of 95 %. */
static void show_interval(void)
{
    double ratios[ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        ratios[round] = times[0][round] / times[1][round];
    qsort(ratios, ROUNDS, sizeof *ratios, by_size);
    printf(" %.4f %.4f", ratios[13], ratios[27]);
}

static void show(const struct call *p, int count)
{
    static const char *const routines[] = {"gemm", "syrk", "gemv", "dot", "omatcopy"};
    double medians[LIBRARIES_MOST];
    time_call(p, medians);
    printf("%c%s %s %c%c %d %d %d %g", p->is_double ? 'd' : 's', routines[p->routine],
           p->by_columns ? "columns" : "rows", "nt"[p->transa], "nt"[p->transb], (int)p -> m, (int)p -> n, (int)p -> k,
           p -> beta);
    for (int i = 0; i < count; i++)
        medians[i] < 0 ? printf(" -") : printf(" %.2f", medians[i]);
    if (count == 2 && medians[0] > 0 && medians[1] > 0)
        show_interval();
    printf("\n");
}

static void squares(void)
{
    static const int sides[] = {SIDES()};
    for (int form = 0; form < 8; form++)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
            show(&(const struct call){GEMM, form & 1, form & 2, form & 4, false, sides[i], sides[i], sides[i], 0},
                 library_count);
}

/* Beyond what runs here; a copy is turned. */
static void passed(void)
{
    for (int routine = 0; routine < ROUTINE_COUNT; routine++)
        for (int is_double = 0; is_double < 2; is_double++)
            show(&(const struct call){(enum routine)routine, is_double, routine == OMATCOPY, false, false, 200, 200,
                                      200, 0},
                 library_count);
}

static uint32_t word = 1;

static int64_t random_below(int64_t end)
{
    word = word * 1664525 + 1013904223;
    return (int64_t)(((uint64_t)word * (uint64_t)end) >> 32);
}

/* Sides are 1 to `most`, evenly in their logarithm. */
static int64_t random_side(int most)
{
    return (int64_t)exp(log(most + 1) * (double)random_below(1 << 20) / (1 << 20));
}

static void random_calls(int count, bool are_small)
{
    const int most = are_small ? SMALL_MOST : SIDE_MOST;
    const char *seed = getenv("SEED"), *form = getenv("FORM"); /* of all calls, as nt */
    word = seed ? (uint32_t)atol(seed) : word;
    for (int i = 0; i < count; i++) {
        static const enum routine often[] = {GEMM, GEMM, GEMM, GEMM, SYRK, GEMV, DOT, OMATCOPY};
        const struct call call = {often[are_small ? 0 : random_below(8)],
                                  random_below(2),
                                  random_below(2),
                                  random_below(2),
                                  random_below(2),
                                  random_side(most),
                                  random_side(most),
                                  random_side(most),
                                  (double)random_below(2)};
        if (!form || (call.transa == (form[0] == 't') && call.transb == (form[1] == 't')))
            show(&call, 2);
    }
}

/* OPENBLAS_CORETYPE is for `openblas`, which may be too old for the processor. */
static void load(const char *name, const char *file)
{
    struct library *library = &libraries[library_count++];
    const char *core = getenv("OPENBLAS_CORETYPE");
    char *kept = core ? strdup(core) : NULL;
    library->name = name;
    if (strcmp(file, "-") == 0)
        return;
    if (strcmp(name, "openblas") != 0)
        unsetenv("OPENBLAS_CORETYPE");
    library->handle =
        strcmp(name, "here") == 0 ? dlmopen(LM_ID_NEWLM, file, RTLD_NOW) : dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (kept)
        setenv("OPENBLAS_CORETYPE", kept, 1);
    free(kept);
    if (!library->handle) {
        fprintf(stderr, "blas-times: %s\n", dlerror());
        exit(2);
    }
}

int main(int count, char **words)
{
    const bool is_squares = count > 2 && strcmp(words[1], "gemm") == 0;
    const bool is_passed = count > 2 && strcmp(words[1], "passed") == 0;
    const bool is_bounds = count > 2 && strcmp(words[1], "bounds") == 0;
    const size_t elements = (size_t)SIDE_MOST * SIDE_MOST;
    a = aligned_alloc(64, elements * sizeof *a);
    b = aligned_alloc(64, elements * sizeof *b);
    c = aligned_alloc(64, elements * sizeof *c);
    if (!a || !b || !c || count < 3)
        return 2;
    memset(a, 0, elements * sizeof *a); /* zeros are as fast as other numbers, and never overflow */
    memset(b, 0, elements * sizeof *b);
    memset(c, 0, elements * sizeof *c);
    for (int i = is_squares || is_passed || is_bounds ? 2 : 3; i < count && library_count < LIBRARIES_MOST; i++) {
        char *file = strchr(words[i], '=');
        if (!file)
            return 2;
        *file++ = 0;
        load(words[i], file);
    }
    if (is_passed)
        passed();
    else if (is_squares || is_bounds)
        squares();
    else
        random_calls(atoi(words[2]), strcmp(words[1], "small") == 0);
    return 0;
}
