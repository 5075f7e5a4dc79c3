#include "blas/choice.h"

#include <pthread.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/machine.h"
#include "base/pool.h"
#include "blas/beneath.h"
#include "blas/contexts.h"
#include "blas/small.h"
#include "blas/verbose.h"
#include "choice/tuned.h"
#include "kernels/matmul/packed.h"

_Atomic uint64_t blas_limits[REAL_COUNT][ROUTINE_COUNT];
atomic_uint blas_small;
_Atomic uint8_t blas_ways[REAL_COUNT][BLAS_TURNS * BLAS_CLASSES * BLAS_CLASSES * BLAS_CLASSES];
_Atomic uint16_t blas_gemv_most[REAL_COUNT][2][16];
void (*blas_direct[REAL_COUNT][2])(struct packed_product *);
#define CLASSES_TIMES(unit)                                                                      \
    {                                                                                            \
        [0] = 7 * (unit), [1] = 0, [2] = (unit), [3 ... 4] = 2 * (unit), [5 ... 8] = 3 * (unit), \
        [9 ... 16] = 4 * (unit), [17 ... 32] = 5 * (unit), [33 ... BLAS_SMALL] = 6 * (unit),     \
        [BLAS_SMALL + 1 ... BLAS_CLASSED - 1] = 7 * (unit),                                      \
    }
const uint32_t blas_class[3][BLAS_CLASSED] = {CLASSES_TIMES(BLAS_CLASSES * BLAS_CLASSES), CLASSES_TIMES(BLAS_CLASSES),
                                              CLASSES_TIMES(1)};

/* ---- sizes in classes ---------------------------------------------------------------------------------------------
 */

/* A side's class is the exponent of the next power of two, at most 15. Bit k of faster[…][m][n] is of one class. Dots
 * and copies have only UPDATE_WRITES. */
#define CLASSES 16
#define SMALL_CLASS 6 /* sides to 64: what runs here without measurements */
enum operation { PRODUCT, DOT, TRANSPOSE, OPERATION_COUNT };
static uint16_t faster[OPERATION_COUNT][UPDATE_COUNT][REAL_COUNT][BLAS_FORMS][CLASSES][CLASSES];

static int class_of(int64_t side)
{
    const int bits = side <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)side - 1);
    return bits < CLASSES ? bits : CLASSES - 1;
}

static enum operation operation_of(enum blas_routine routine)
{
    return routine == ROUTINE_DOT                                       ? DOT
           : routine == ROUTINE_OMATCOPY || routine == ROUTINE_IMATCOPY ? TRANSPOSE
                                                                        : PRODUCT;
}

/* ---- measurements -------------------------------------------------------------------------------------------------
 */

/* Ours runs where its time is below this share of the other's: a smaller gain may be noise. */
#define OURS_BELOW 0.95

/* A class of sides, and what was measured there. */
struct measured {
    const char *kernel;
    enum operation operation;
    const char *sides[3]; /* fields */
};

static const struct measured measured[] = {
    {"matmul", PRODUCT, {"m", "n", "k"}},
    {"dot", DOT, {NULL, NULL, "n"}},
    {"transpose", TRANSPOSE, {"rows", "cols", NULL}},
};

static bool is_of_this_machine(const struct tuned_entry *entry, const struct device_properties *machine)
{
    return strcmp(entry->device, machine->name) == 0 && strcmp(entry->version, machine->version) == 0 &&
           entry->threads == (int)pool_threads();
}

/* The time of our fastest rung; 0: not measured. */
static double our_time(const struct tuned_entry *entry)
{
    double ours = 0;
    for (size_t i = 0; i < entry->count; i++) /* of the library's own ladder, which has no others' */
        if (ours == 0 || entry->times[i].nanoseconds < ours)
            ours = entry->times[i].nanoseconds;
    return ours;
}

static int64_t side_of(const struct problem *problem, const char *field)
{
    return field ? problem_size(problem, field) : 1;
}

static void note_class(enum operation operation, enum blas_update update, enum blas_real real, int form, int m, int n,
                       int k, bool is_faster)
{
    uint16_t *place = &faster[operation][update][real][form][m][n];
    const uint16_t bit = (uint16_t)(1u << k);
    *place = is_faster ? *place | bit : *place & (uint16_t)~bit;
}

static void note(const struct measured *what, const struct tuned_entry *entry)
{
    const double ours = our_time(entry), other = entry->openblas;
    if (ours == 0 || other == 0 || (entry->problem.type != ELEMENT_F32 && entry->problem.type != ELEMENT_F64))
        return;
    const enum blas_real real = entry->problem.type == ELEMENT_F64 ? REAL_DOUBLE : REAL_FLOAT;
    const int m = class_of(side_of(&entry->problem, what->sides[0]));
    const int n = class_of(side_of(&entry->problem, what->sides[1]));
    const int k = class_of(side_of(&entry->problem, what->sides[2]));
    const int form = what->operation != PRODUCT
                         ? 0
                         : (int)(2 * problem_size(&entry->problem, "transa") + problem_size(&entry->problem, "transb"));
    note_class(what->operation, UPDATE_WRITES, real, form, m, n, k, ours < OURS_BELOW * other);
    if (m > SMALL_CLASS || n > SMALL_CLASS || k > SMALL_CLASS) /* small ones take longer to add than to write */
        note_class(what->operation, UPDATE_ADDS, real, form, m, n, k, ours < OURS_BELOW * other);
}

static void read_measurements(void)
{
    struct device_properties machine = {0};
    machine_describe_bare(&machine); /* an opened device measures the caches, which takes 50 ms */
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const struct kernel *kernel = kernel_by_name(measured[i].kernel, NULL);
        const struct tuned_entries entries = tuned_entries(kernel, TUNED_CPU);
        for (size_t j = 0; j < entries.count; j++)
            if (is_of_this_machine(&entries.items[j], &machine))
                note(&measured[i], &entries.items[j]);
    }
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* The longest side of any class in which ours is faster; 0: none is. */
static uint64_t longest(enum operation operation, enum blas_real real)
{
    int most = -1;
    for (int form = 0; form < BLAS_FORMS; form++)
        for (int m = 0; m < CLASSES; m++)
            for (int n = 0; n < CLASSES; n++)
                for (int k = 0; k < CLASSES; k++)
                    if ((faster[operation][UPDATE_WRITES][real][form][m][n] |
                         faster[operation][UPDATE_ADDS][real][form][m][n]) >>
                            k &
                        1) {
                        const int here = m > n ? (m > k ? m : k) : n > k ? n : k;
                        most = here > most ? here : most;
                    }
    return most < 0 ? 0 : most == CLASSES - 1 ? UINT64_MAX : (uint64_t)1 << most;
}

static void set_limits(void)
{
    for (int real = 0; real < REAL_COUNT; real++)
        for (int routine = 0; routine < ROUTINE_COUNT; routine++) {
            const enum operation operation = operation_of((enum blas_routine)routine);
            const bool all = blas_is_verbose() || (operation == PRODUCT && blas_device_name());
            uint64_t limit = all ? UINT64_MAX : longest(operation, (enum blas_real)real);
            if (!all && (routine == ROUTINE_GEMV || routine == ROUTINE_IMATCOPY || routine == ROUTINE_SYRK))
                limit = routine == ROUTINE_SYRK ? BLAS_SYRK_SIDE : 0; /* whatever was measured of products and copies */
            atomic_store(&blas_limits[real][routine], limit);
        }
}

/* Whether both this code and the one beneath use AVX-512. */
static bool is_over_avx512(void)
{
    return cpu_isa() == CPU_ISA_AVX512 && blas_has_avx512();
}

/* Over OpenBLAS's kernels for AVX-512: bit 8n + k of each class of m is of products that take less time here, by maker
 * of the processor, type, update and form. A class and a little of its neighbours decide together, against the time of
 * a call passed on. Others: below 300 ns a call below 0.97 of OpenBLAS's rate counts as much as one of 2.7 times its
 * time. Of 26,000 products on a Zen 4 over OpenBLAS 0.3.21; from 55 ns on ours must have been 1.1 times as fast
 * there, or faster on a Zen 5, too (results/epyc-zen4-2-cores/blas.txt). Intel's: of 181,000 on a quiet
 * Emerald Rapids; ours is to have fewer calls surely below 0.97 than passing on, or one more for a gain of exp(7)
 * over all of a class; squares run here wherever they did on a Xeon before. (results/h200/blas.txt). */
enum maker { OTHERS, INTEL, MAKER_COUNT };
static const uint64_t faster_than_avx512[MAKER_COUNT][REAL_COUNT][UPDATE_COUNT][BLAS_FORMS][SMALL_CLASS + 1] =
    {
        [OTHERS] =
            {
                {
                    {
                        {0x7D7F7F7F7F7F7F, 0x7F7F7F7F7F7F61, 0x7F7F7F7F7F7F71, 0x7F7F7F7F7F3F71, 0x707F40787C3C31,
                         0x60780070303031, 0x70300070303031},
                        {0x3F3F3F7F7F3F3F, 0x3F3F3F3F7F3F3F, 0x3F3F3F3F7F3F3F, 0x3F3F3F3F3F3F3F, 0x7F7F3F3F3F3F3F,
                         0x7F7F3F3F3F3F3F, 0x7F7F3F3F1F3F3F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F3F, 0x7F7F7F7F7F7F3F, 0x7F7F7F7F7F0F3F,
                         0x7F7F7F7F7F077F, 0x7F7F257F0F017F},
                        {0x7D7F7F7F7F7F7F, 0x797B7F7F7F7F3F, 0x717D7F7F7F1F3F, 0x6B7F7F7F7F373F, 0x0107574763037F,
                         0x43077F0343037F, 0x0103670703036F},
                    },
                    {
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F6D, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x707F7F7F7F3F3F,
                         0x707F7F7F3F3F3F, 0x307F7F7F3F3F3F},
                        {0x3F3F3F3F7F3F3F, 0x3F3F3F3F7F3F3F, 0x3F3F3F3F3F7F3F, 0x3F3F3F3F3F3F3F, 0x7F7F3F3F3F3F3F,
                         0x7F7F7F3F3F3F3F, 0x7F7F7F3F3F1F3F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F3F1F7F,
                         0x7F7F7F7F7F1F7F, 0x7F7F7F7F3F077F},
                        {0x7D797F7F7F7F7F, 0x79797F7F7F3F7F, 0x797D797F7F1F3F, 0x7D7F7B7F7F1F3F, 0x191D014767073F,
                         0x7979014167077F, 0x7959010303037F},
                    },
                },
                {
                    {
                        {0x003F7F7F7F7F7F, 0x207F7F7F7F7F61, 0x7B7F7F7F7F7F71, 0x7C7F7F7F7F7F31, 0x60717F6A7C3C19,
                         0x60707D007C1011, 0x00105800781011},
                        {0x3B3F3F7F7F3F3F, 0x1B3F3F3F3F3F3F, 0x3F3F3F3F3F7F3F, 0x3F3F3F3F3F3F3F, 0x3F3F3F3F3F3F3F,
                         0x7F7F7F3F3F3F3F, 0x7F7F7F3F3F3F3F},
                        {0x447F7F7F7F7F7F, 0x007F7F7F7F7F3F, 0x7F7F7F7F7F7F3F, 0x797F7F7F7F3F37, 0x677F7F7B7F7F7F,
                         0x60005F027F0747, 0x040007043F0007},
                        {0x7979797D7F737F, 0x6161617F63011F, 0x4141416743011F, 0x01010141410103, 0x4141417361015F,
                         0x0101016101014F, 0x01010141000003},
                    },
                    {
                        {0x207F7F7F7F7F7F, 0x067F7F7F7F7F61, 0x7F7F7F7F7F7F7F, 0x747F7F7F7F7F3F, 0x607A7F7F7F3F1F,
                         0x40107F7F7F3F1F, 0x00007F7F7F1F1F},
                        {0x393F3F3F7F3F3F, 0x333F3F3F3F3F3F, 0x3B3F3F3F3F3F3F, 0x3F3F3F3F3F3F3F, 0x7F3F3F3F3F3F3F,
                         0x7F7F7F3F3F3F3F, 0x7F7F7F7F3F3F3F},
                        {0x7F7F7F7F7F7F7F, 0x6D7F7F7F7F7F3F, 0x797F7F7F7F7F3F, 0x707F7F7F7F7F3F, 0x6E7F7F7F7F7F7F,
                         0x685F7F7F7F0F7F, 0x00173F3F7F0F2F},
                        {0x7D797D7F7F7F7F, 0x6161737F7F033F, 0x6161616377010F, 0x01010301010127, 0x4141630101017F,
                         0x0101010101014F, 0x01010101010107},
                    },
                },
            },
        [INTEL] =
            {
                {
                    {
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F3F3F7F,
                         0x3B7F7F3F1F1F7F, 0x587F603E18187F},
                        {0x7F7F7F7F7F7F7F, 0x3F3F3F3F7F3F7F, 0x1F1F1F3F3F3F7F, 0x3F3F3F1F3F3F7F, 0x7F3F3F1F1F3F7F,
                         0x7F7F3F1F1F1F7F, 0x7F7F3F1F1F1F7F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F3F7F, 0x037F7F7F0F0F7F,
                         0x002F030F07077F, 0x4004000703017F},
                        {0x7F7F7F7F7F7F7F, 0x01417F1F1F0F7F, 0x01017F1F1F077F, 0x01077F0F17037F, 0x01035F0703037F,
                         0x4163470303017F, 0x4101030301017F},
                    },
                    {
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F3F7F7F, 0x7F7F7F7F3F3F7F, 0x777F7F7F3F3F7F,
                         0x207F7F3F1F3F7F, 0x703F7F3F1F3F7F},
                        {0x7F7F7F7F7F7F7F, 0x1F3F3F3F3F7F7F, 0x1F1F1F3F3F3F7F, 0x3F3F3F1F2F2F7F, 0x7F7F3F0F0F077F,
                         0x7F7F3F1F07077F, 0x7F7F7F1F07077F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x4F7F7F7F3F1F7F, 0x017F7F1F0F077F,
                         0x00277F0707017F, 0x40000F0303007F},
                        {0x7F7F7F7F7F7F7F, 0x01097B1F1F0F7F, 0x0109010F0F0F7F, 0x0101010F07037F, 0x0101010103037F,
                         0x4121010103037F, 0x4101010101017F},
                    },
                },
                {
                    {
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x1F7F7F7F7F7F7F, 0x6F7F7F7F7F7F7F, 0x407F7F7F7F3F7F,
                         0x003F7F7F1F1F7F, 0x40007F4210007F},
                        {0x7F7F7F7F7F7F7F, 0x3D3F3F3F3F3F7F, 0x0F0F1F3F3F3F7F, 0x3F3F3F3F3F3F7F, 0x3F3F3F3F3F3F7F,
                         0x7F7F3F3F1F3F7F, 0x7F7F3F3F1F1F7F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x1F7F7F7F7F7F7F, 0x475F7F7F7F7F7F, 0x00073F3F3F0F7F,
                         0x002107030F077F, 0x4000010003036F},
                        {0x7F7F7F7F7F7F7F, 0x0101057F7F037F, 0x0101073F7F037F, 0x01010F7F43037F, 0x0141737F43017F,
                         0x0121014701017F, 0x4101010101010F},
                    },
                    {
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x0F7F7F7F7F7F7F, 0x677F7F7F7F7F7F, 0x005F7F7F7F3F7F,
                         0x00207F7F3F1F7F, 0x40007F7F1F1F7F},
                        {0x7F7F7F7F7F7F7F, 0x191F3F3F3F7F7F, 0x010F1F1F3F3F7F, 0x393F3F3F1F3F7F, 0x3D3F3F3F1F1F7F,
                         0x7F7F3F3F1F3F7F, 0x7F7F7F3F1F1F7F},
                        {0x7F7F7F7F7F7F7F, 0x7F7F7F7F7F7F7F, 0x0F7F7F7F7F7F7F, 0x031F7F7F7F7F7F, 0x00077F7F3F1F7F,
                         0x0020031F0F077F, 0x0000000203037F},
                        {0x7F7F7F7F7F7F7F, 0x01011F7F7F1F7F, 0x01011F7F7F077F, 0x0101070101017F, 0x0101010101017F,
                         0x0101010101017F, 0x0101010101014F},
                    },
                },
            },
};

/* Products that are passed on with AVX2: classes of m, n and k from the first to the second. `writes`: C is written;
 * else it is added to. `turned`: only where B is transposed. */
struct slower {
    enum blas_real real;
    bool writes, turned;
    int m[2], n[2], k[2];
};

/* OpenBLAS 0.3.21 was as fast or faster in the mean of these, of 28,000 products on a Zen 3
 * (results/epyc-zen3-2-cores/blas-small.txt): B is packed for little work, or C is larger than the factors. */
static const struct slower slower_with_avx2[] = {
    {REAL_FLOAT, true, true, {0, 1}, {6, 6}, {1, 1}},    {REAL_DOUBLE, true, true, {1, 1}, {6, 6}, {1, 3}},
    {REAL_FLOAT, false, true, {0, 6}, {6, 6}, {1, 1}},   {REAL_FLOAT, false, true, {0, 1}, {6, 6}, {2, 3}},
    {REAL_DOUBLE, false, true, {1, 6}, {6, 6}, {1, 3}},  {REAL_DOUBLE, false, true, {1, 4}, {6, 6}, {4, 4}},
    {REAL_DOUBLE, false, true, {1, 3}, {5, 5}, {1, 3}},  {REAL_FLOAT, false, false, {6, 6}, {6, 6}, {0, 0}},
    {REAL_DOUBLE, false, false, {5, 6}, {6, 6}, {0, 0}}, {REAL_DOUBLE, false, false, {6, 6}, {0, 0}, {0, 0}},
    {REAL_FLOAT, false, false, {6, 6}, {1, 2}, {3, 3}},
};

static bool is_within(const int range[2], int value)
{
    return range[0] <= value && value <= range[1];
}

static bool is_assumed_with_avx2(enum blas_update update, int real, int form, int m, int n, int k)
{
    for (size_t i = 0; i < sizeof slower_with_avx2 / sizeof *slower_with_avx2; i++) {
        const struct slower *slower = &slower_with_avx2[i];
        if ((int)slower->real == real && slower->writes == (update == UPDATE_WRITES) && (!slower->turned || form & 1) &&
            is_within(slower->m, m) && is_within(slower->n, n) && is_within(slower->k, k))
            return false;
    }
    return true;
}

static bool is_assumed(enum blas_update update, int real, int form, int m, int n, int k)
{
    return is_over_avx512()
               ? faster_than_avx512[cpu_is_intel() ? INTEL : OTHERS][real][update][form][m] >> (8 * n + k) & 1
           : cpu_isa() == CPU_ISA_AVX2 ? is_assumed_with_avx2(update, real, form, m, n, k)
                                       : true;
}

static void assume(enum blas_update update, int real, int form)
{
    for (int m = 0; m <= SMALL_CLASS; m++)
        for (int n = 0; n <= SMALL_CLASS; n++)
            for (int k = 0; k <= SMALL_CLASS; k++)
                if (is_assumed(update, real, form, m, n, k))
                    faster[PRODUCT][update][real][form][m][n] |= (uint16_t)(1u << k);
}

static void set_way(int real, int turns, int m, int n, int k, bool ours, enum blas_way other)
{
    atomic_store(&blas_ways[real][((turns * BLAS_CLASSES + m) * BLAS_CLASSES + n) * BLAS_CLASSES + k],
                 ours ? turns : (int)other);
}

/* Ours where it is so for both updates; of squares, where C is written. By columns, the product by rows has the factors
 * in the other order. */
static void begin_small(int real, int form)
{
    for (int m = 0; m < BLAS_CLASSES; m++)
        for (int n = 0; n < BLAS_CLASSES; n++)
            for (int k = 0; k < BLAS_CLASSES; k++) {
                const bool is_small = m <= SMALL_CLASS && n <= SMALL_CLASS && k <= SMALL_CLASS;
                const bool writes = faster[PRODUCT][UPDATE_WRITES][real][form][m][n] >> k & 1;
                const bool adds = faster[PRODUCT][UPDATE_ADDS][real][form][m][n] >> k & 1;
                const bool ours = is_small && writes && (adds || (m == n && n == k));
                const enum blas_way other = is_small ? WAY_BENEATH : WAY_BEYOND;
                set_way(real, form, m, n, k, ours, other);
                set_way(real, 4 | (form & 1) << 1 | form >> 1, n, m, k, ours, other);
            }
}

/* For both updates of both types in all forms. */
static void assume_all(void)
{
    for (int update = 0; update < UPDATE_COUNT; update++)
        for (int real = 0; real < REAL_COUNT; real++)
            for (int form = 0; form < BLAS_FORMS; form++)
                assume((enum blas_update)update, real, form);
}

/* Of short lines OpenBLAS is soon faster. Of floats it has kernels for up to 8 elements with AVX-512, which are so on
 * Intel's processors. */
static void begin_gemv(void)
{
    static const uint16_t most[9] = {
        BLAS_SHORT_GEMV, BLAS_SHORT_GEMV, 40, 40, BLAS_SHORT_GEMV, BLAS_SHORT_GEMV, BLAS_SHORT_GEMV,
        BLAS_SHORT_GEMV, BLAS_SHORT_GEMV};
    static const uint16_t most_over_avx512[9] = {BLAS_SHORT_GEMV, BLAS_SHORT_GEMV, 12, 27, 32, 100, 100, 200, 200};
    for (int real = 0; real < REAL_COUNT; real++)
        for (int length = 0; length < 16; length++) {
            const bool has_kernels = real == REAL_FLOAT && is_over_avx512() && cpu_is_intel();
            blas_gemv_most[real][0][length] = BLAS_SHORT_GEMV;
            blas_gemv_most[real][1][length] = length > 8    ? BLAS_SHORT_GEMV
                                              : has_kernels ? most_over_avx512[length]
                                                            : most[length];
        }
}

static void begin(void)
{
    assume_all();
    read_measurements();
    for (int real = 0; real < REAL_COUNT; real++)
        for (int form = 0; form < BLAS_FORMS; form++)
            begin_small(real, form);
    const bool has_short = blas_begin_short();
    for (int real = 0; real < REAL_COUNT; real++)
        blas_direct[real][0] = blas_direct[real][1] = packed_level(real == REAL_DOUBLE)->direct;
    if (has_short) {
        blas_direct[REAL_FLOAT][1] = blas_vector_float;
        blas_direct[REAL_DOUBLE][1] = blas_vector_double;
    }
    set_limits();
    begin_gemv();
    const unsigned of_isa = has_short ? BLAS_SHORT : 0;
    atomic_store(&blas_small, blas_is_verbose() ? of_isa : BLAS_READY | of_isa);
}

void blas_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

bool blas_is_ours(enum blas_real real, enum blas_routine routine, int form, int64_t m, int64_t n, int64_t k,
                  double beta)
{
    return faster[operation_of(routine)][blas_update_of(beta)][real][form][class_of(m)][class_of(n)] >> class_of(k) & 1;
}
