/* Every strategy of moving bytes moves every byte, and no other: odd sizes, odd places, canaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "backends/cpu/strategy.h"
#include "base/size.h"
#include "base/threads.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "between.h"

#define ROOM ((size_t)420000)
#define CANARY 0xEE

static unsigned char *arrays[6]; /* of ROOM bytes each: two to read, four to write */

static int make_arrays(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT_OF(arrays); a++) {
        arrays[a] = aligned_alloc(4096, (ROOM + 4095) / 4096 * 4096);
        assert_non_null(arrays[a]);
        for (size_t i = 0; i < ROOM; i++)
            arrays[a][i] = (unsigned char)((i + 77 * a) * 2654435761u >> 13);
    }
    return 0;
}

static int free_arrays(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT_OF(arrays); a++)
        free(arrays[a]);
    return 0;
}

/* Walks `bytes` bytes from those places on, and looks at every byte of the targets and around them. */
static void expect_walk(const struct cpu_strategy *strategy, int reads, int writes, size_t source_at, size_t target_at,
                        size_t bytes)
{
    const void *sources[2] = {arrays[0] + source_at, arrays[1] + source_at + 3};
    void *targets[4] = {0};
    for (int w = 0; w < writes; w++) {
        targets[w] = arrays[2 + w] + target_at;
        memset((char *)targets[w] - 64, CANARY, bytes + 128);
    }
    cpu_walk(strategy, sources, reads, targets, writes, bytes);
    for (int w = 0; w < writes; w++) {
        const unsigned char *target = targets[w];
        size_t wrong = 0;
        for (size_t i = 0; i < bytes; i++) {
            unsigned char expected = reads > 0 ? ((const unsigned char *)sources[0])[i] : 0;
            expected ^= reads > 1 ? ((const unsigned char *)sources[1])[i] : 0;
            wrong += target[i] != expected;
        }
        for (size_t i = 1; i <= 64; i++)
            wrong += (*(target - i) != CANARY) + (target[bytes + i - 1] != CANARY);
        if (wrong) {
            char name[96];
            print_error("%s: %zu bytes wrong of %zu, %d read, %d written\n",
                        cpu_strategy_name(strategy, reads, writes, name, sizeof name), wrong, bytes, reads, writes);
        }
        assert_int_equal(wrong, 0);
    }
}

static void expect_all(int reads, int writes, size_t listed_for, size_t first_size)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 255, 257, 1021, 4096, 16411, 66000};
    static const size_t places[][2] = {{4096, 4096}, {4097, 4096}, {4096, 4101}, {4127, 4223}};
    struct cpu_strategy strategies[CPU_STRATEGIES_MAX];
    size_t count = cpu_strategies(reads, writes, listed_for, strategies);
    assert_between(count, 1, CPU_STRATEGIES_MAX);
    for (size_t s = 0; s < count; s++)
        for (size_t i = first_size; i < COUNT_OF(sizes); i++)
            for (size_t p = 0; p < (first_size ? 1 : COUNT_OF(places)); p++)
                expect_walk(&strategies[s], reads, writes, places[p][0], places[p][1], sizes[i]);
    expect_walk(&strategies[count - 1], reads, writes, 4096, 4096, ROOM - 8192 - 4099);
}

static void expect_everything(size_t first_size)
{
    static const int shapes[][2] = {{1, 1}, {1, 0}, {2, 0}, {2, 1}, {1, 4}, {2, 4}, {0, 1}, {0, 2}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t large = 0; large < 2; large++)
            expect_all(shapes[i][0], shapes[i][1], large ? (size_t)1 << 20 : 4096, first_size);
}

static void every_strategy_moves_every_byte(void **state)
{
    (void)state;
    const int before = omp_get_max_threads();
    threads_set(1);
    expect_everything(0);
    threads_set(3);
    expect_everything(10); /* the largest: threads take turns on few cores */
    threads_set(before);
}

/* Lowered instruction sets have lists of their own, without the wider ones. */
static void no_strategy_is_of_an_instruction_set_that_is_absent(void **state)
{
    (void)state;
    struct cpu_strategy strategies[CPU_STRATEGIES_MAX];
    assert_int_equal(setenv("USKOR_ISA", "base", 1), 0);
    cpu_isa_forget();
    size_t count = cpu_strategies(1, 1, 1 << 20, strategies);
    assert_int_equal(unsetenv("USKOR_ISA"), 0);
    cpu_isa_forget();
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(strategies[i].isa, CPU_ISA_BASE);
}

static bool has(const struct cpu_strategy *list, size_t count, enum cpu_mover mover, int streams)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].mover == mover && list[i].streams == streams)
            return true;
    return false;
}

/* Of each narrower instruction set one stream and four, through the caches and past them. */
static void narrower_vectors_have_few_strategies(void **state)
{
    (void)state;
    struct cpu_strategy list[CPU_STRATEGIES_MAX];
    const size_t count = cpu_strategies(1, 1, (size_t)256 << 20, list);
    for (enum cpu_isa isa = CPU_ISA_BASE; isa < cpu_isa() && cpu_isa() != CPU_ISA_NEON; isa++) {
        unsigned met = 0;
        for (size_t i = 0; i < count; i++)
            if (list[i].isa == isa && (list[i].streams == 1 || list[i].streams == 4) &&
                (list[i].mover == CPU_MOVER_ORDINARY || list[i].mover == CPU_MOVER_STREAMING))
                met |= 1u << ((list[i].streams == 4) + 2 * (list[i].mover == CPU_MOVER_STREAMING));
        assert_int_equal(met, 15);
    }
}

static void a_copy_has_the_strategies_that_machines_differ_by(void **state)
{
    (void)state;
    static const int streams[] = {1, 2, 4, 8};
    struct cpu_strategy list[CPU_STRATEGIES_MAX];
    size_t count = cpu_strategies(1, 1, (size_t)256 << 20, list);
    assert_true(has(list, count, CPU_MOVER_LIBRARY, 1));
    assert_true(has(list, count, CPU_MOVER_STRING, 1) == cpu_has_string_move());
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        assert_true(has(list, count, CPU_MOVER_ORDINARY, streams[i]));
        assert_true(has(list, count, CPU_MOVER_STREAMING, streams[i]));
    }
}

static void names_tell_strategies_apart(void **state)
{
    (void)state;
    struct cpu_strategy list[CPU_STRATEGIES_MAX];
    char names[CPU_STRATEGIES_MAX][96];
    size_t count = cpu_strategies(1, 1, (size_t)256 << 20, list);
    for (size_t i = 0; i < count; i++) {
        cpu_strategy_name(&list[i], 1, 1, names[i], sizeof names[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(names[i], names[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy_moves_every_byte),
        cmocka_unit_test(no_strategy_is_of_an_instruction_set_that_is_absent),
        cmocka_unit_test(narrower_vectors_have_few_strategies),
        cmocka_unit_test(a_copy_has_the_strategies_that_machines_differ_by),
        cmocka_unit_test(names_tell_strategies_apart),
    };
    return cmocka_run_group_tests(tests, make_arrays, free_arrays);
}
