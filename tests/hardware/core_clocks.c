/* Clocks of a round of loops whose data are in the first cache, on this processor: what unit/test_cache_trace expects
 * of the model's cores. Ratios to dependent integer additions of the same moment, one a clock; the least of many short
 * trials.
 *
 *     cc -O2 -o core_clocks tests/hardware/core_clocks.c && ./core_clocks */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 4000, TRIALS = 3000 };

static _Alignas(64) char memory[4096];
static unsigned char ways[ROUNDS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* A loop of ROUNDS rounds; `at` is the memory, `way` the branch's outcomes. */
#define LOOP(name, ...)                                                           \
    static void name(void)                                                        \
    {                                                                             \
        char *at = memory;                                                        \
        const unsigned char *way = ways;                                          \
        long left = ROUNDS;                                                       \
        __asm__ volatile(".p2align 6\n1:\n" __VA_ARGS__ "dec %[left]\njnz 1b\n"   \
                         : [left] "+r"(left), [at] "+r"(at), [way] "+r"(way)      \
                         :                                                        \
                         : "rax", "rcx", "xmm0", "xmm1", "xmm2", "cc", "memory"); \
    }

LOOP(additions, "add $1, %%rax\nadd $1, %%rax\nadd $1, %%rax\nadd $1, %%rax\n")
LOOP(counter, "movss 64(%[at],%%rcx,4), %%xmm0\naddss %%xmm1, %%xmm0\nmovss %%xmm0, 64(%[at],%%rcx,4)\n")
LOOP(halves, "movups %%xmm0, 64(%[at])\nmovups %%xmm0, 80(%[at])\nvmovups 64(%[at]), %%ymm0\n")
LOOP(sum, "movss 64(%[at]), %%xmm0\nmulss 128(%[at]), %%xmm0\naddss %%xmm0, %%xmm1\n")
LOOP(fused, "vfmadd231ps 64(%[at]), %%ymm1, %%ymm2\n")
LOOP(aligned, "vmovups %%ymm0, 64(%[at])\n")
LOOP(within, "vmovups %%ymm0, 72(%[at])\n")
LOOP(permuted, "vpermd %%ymm0, %%ymm1, %%ymm0\n")
LOOP(choice, "cmpb $0, (%[way])\nlea 1(%[way]), %[way]\njne 2f\n2:\n")

static const struct {
    const char *what;
    void (*run)(void);
    int random; /* of the branch; else every third is taken */
} loops[] = {
    {"a float in memory, load, add, store", counter, 0},
    {"a load of two stores", halves, 0},
    {"a sum of products", sum, 0},
    {"a fused sum", fused, 0},
    {"aligned stores of 32 bytes", aligned, 0},
    {"stores across 32 bytes", within, 0},
    {"dependent permutations of eight words", permuted, 0},
    {"a branch taken every third time", choice, 0},
    {"a branch taken by chance", choice, 1},
};

int main(void)
{
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        double least = INFINITY, clock = INFINITY;
        for (int trial = 0; trial < TRIALS; trial++) {
            for (int k = 0; k < ROUNDS; k++)
                ways[k] = loops[i].random ? rand() >> 7 & 1 : k % 3 == 0;
            double begun = now();
            additions();
            const double between = now();
            loops[i].run();
            least = fmin(least, now() - between);
            clock = fmin(clock, between - begun);
        }
        printf("%-40s %6.2f\n", loops[i].what, 4 * least / clock);
    }
    return 0;
}
