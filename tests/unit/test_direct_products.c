/* Small products without panels, of every instruction set that is here: all narrow shapes and forms, in arrays with
 * gaps of signalling NaN, which must neither be used nor raise a flag. Numbers are small integers: results are exact.
 */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "backends/cpu/cpu.h"
#include "kernels/matmul/packed.h"

#define GAP 3 /* elements behind each line */

/* A matrix that ends where its page does. The page behind it cannot be accessed: elements that are left out may not
 * be touched there, not even by instructions that need them for nothing. */
struct stored {
    void *data;
    size_t lines, length, step;
};

static void put(struct stored *s, bool is_double, size_t at, int value, bool is_gap)
{
    if (is_double)
        ((double *)s->data)[at] = is_gap ? __builtin_nans("") : (double)value;
    else
        ((float *)s->data)[at] = is_gap ? __builtin_nansf("") : (float)value;
}

static double get(const struct stored *s, bool is_double, size_t at)
{
    return is_double ? ((const double *)s->data)[at] : (double)((const float *)s->data)[at];
}

#define ROOM ((size_t)1 << 18) /* bytes of a matrix, at most */

/* Behind this address no memory is accessible, and there are `bytes` before it: of four matrices in turn. */
static char *end_of_pages(size_t bytes)
{
    static char *ends[4];
    static unsigned turn;
    char **end = &ends[turn++ % 4];
    assert_true(bytes <= ROOM);
    if (*end == NULL) {
        char *pages = mmap(NULL, 2 * ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(pages != MAP_FAILED && mprotect(pages, ROOM, PROT_READ | PROT_WRITE) == 0);
        *end = pages + ROOM;
    }
    return *end;
}

static struct stored store(bool is_double, size_t lines, size_t length, int seed)
{
    struct stored s = {NULL, lines, length, length + GAP};
    const size_t count = lines == 0 ? 0 : (lines - 1) * s.step + length;
    const size_t bytes = count * (is_double ? sizeof(double) : sizeof(float));
    s.data = end_of_pages(bytes) - bytes;
    for (size_t i = 0; i < count; i++)
        put(&s, is_double, i, (int)((i * 7 + (size_t)seed) % 9) - 4, i % s.step >= length);
    return s;
}

struct shape {
    size_t m, n, k;
    bool transa, transb;
    double alpha, beta;
};

static double sum_at(const struct shape *p, const struct packed_product *q, bool is_double, size_t i, size_t j)
{
    const struct stored a = {.data = (void *)(uintptr_t)q->a.data}, b = {.data = (void *)(uintptr_t)q->b.data};
    double sum = 0;
    for (size_t l = 0; l < p->k; l++)
        sum +=
            get(&a, is_double, i * q->a.down + l * q->a.across) * get(&b, is_double, l * q->b.down + j * q->b.across);
    return sum;
}

static void one_product(const struct packed_level *level, bool is_double, const struct shape *p)
{
    struct stored a = store(is_double, p->transa ? p->k : p->m, p->transa ? p->m : p->k, 1);
    struct stored b = store(is_double, p->transb ? p->n : p->k, p->transb ? p->k : p->n, 3);
    struct stored c = store(is_double, p->m, p->n, 5), before = store(is_double, p->m, p->n, 5);
    for (size_t i = 0; p->beta == 0 && i < p->m; i++) /* C is not read */
        for (size_t j = 0; j < p->n; j++)
            put(&c, is_double, i * c.step + j, 0, true);
    const struct packed_product product = {
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .a = {a.data, p->transa ? 1 : a.step, p->transa ? a.step : 1},
        .b = {b.data, p->transb ? 1 : b.step, p->transb ? b.step : 1},
        .alpha = p->alpha,
        .beta = p->beta,
        .c = c.data,
        .ldc = c.step,
    };
    struct packed_product changed = product;
    feclearexcept(FE_ALL_EXCEPT);
    level->direct(&changed);
    const int flags = fetestexcept(FE_ALL_EXCEPT);
    bool right = flags == 0;
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < c.step && i * c.step + j < (p->m - 1) * c.step + p->n; j++) {
            const double found = get(&c, is_double, i * c.step + j), old = get(&before, is_double, i * c.step + j);
            right = right && (j >= p->n ? found != found
                                        : found == p->alpha * sum_at(p, &product, is_double, i, j) +
                                                       (p->beta == 0 ? 0 : p->beta * old));
        }
    if (!right)
        FAIL_WITH("%s: %zux%zux%zu %c%c alpha %g beta %g, flags %d\n", is_double ? "f64" : "f32", p->m, p->n, p->k,
                  p->transa ? 't' : 'n', p->transb ? 't' : 'n', p->alpha, p->beta, flags);
}

static void all_forms(const struct packed_level *level, bool is_double, size_t m, size_t n, size_t k)
{
    static const double factors[][2] = {{1, 0}, {1, 1}, {-2, 0}, {0.5, -1}};
    for (int form = 0; form < 16; form++)
        one_product(level, is_double,
                    &(const struct shape){m, n, k, form & 1, form & 2, factors[form / 4][0], factors[form / 4][1]});
}

static void every_narrow_shape_is_right(void **state)
{
    (void)state;
    static const char *const sets[] = {"base", "avx2", "avx512", "neon"}; /* an absent one is the best there is */
    static const size_t sides[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17, 24, 34, 57},
                        depths[] = {1, 2, 3, 4, 5, 8, 11, 17, 33};
    for (size_t set = 0; set < sizeof sets / sizeof *sets; set++) {
        setenv("USKOR_ISA", sets[set], 1);
        cpu_isa_forget();
        for (int type = 0; type < 2; type++)
            for (size_t m = 0; m < sizeof sides / sizeof *sides; m++)
                for (size_t n = 0; n < sizeof sides / sizeof *sides; n++)
                    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++)
                        all_forms(packed_level(type == 1), type == 1, sides[m], sides[n], depths[k]);
    }
    unsetenv("USKOR_ISA");
    cpu_isa_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_narrow_shape_is_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
