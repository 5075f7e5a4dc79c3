/* Races: which accesses of which items meet, in local memory and, where asked for, in global memory; barriers, and
 * warps that synchronize, put them in order. Values that
 * clash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/memory/clashes.h"
#include "explain/memory/lane.h"
#include "explain/memory/races.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define LOCAL 4096
#define LOAD(n) ((n) << EVENT_FLAG_BITS | EVENT_LOAD)
#define STORE(n) ((n) << EVENT_FLAG_BITS | EVENT_STORE)
#define ATOMIC(n) ((n) << EVENT_FLAG_BITS | EVENT_ATOMIC)

/* One lane of a warp, or (-1) all 32, at addresses a step apart. */
struct step {
    char what; /* 'a': an access, 'b': a barrier, 'm': a warp meets, 'g': another group */
    unsigned code, warp;
    int lane;
    uint64_t at, apart;
};

static struct race found[RACES_MAX];

static size_t race_of(const struct step *steps, size_t count, bool is_global)
{
    struct races *races = races_create();
    size_t races_count;
    assert_non_null(races);
    assert_true(!is_global || races_watch_global(races));
    assert_true(races_begin_group(races, NULL, LOCAL));
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        struct warp_access access = {
            .kind = step->code & EVENT_KIND, .bytes = 4, .mask = step->lane < 0 ? UINT32_MAX : 1u << step->lane};
        for (unsigned l = 0; l < WARP_LANES; l++)
            access.at[l] = step->at + l * step->apart;
        if (step->what == 'b')
            races_barrier(races);
        else if (step->what == 'm')
            races_meeting(races, step->warp);
        else if (step->what == 'g')
            assert_true(races_begin_group(races, NULL, 2 * LOCAL));
        else if (is_global)
            races_add_global(races, step->code, step->warp, &access);
        else
            races_add(races, step->code, step->warp, &access);
    }
    const struct race *all = races_found(races, &races_count);
    memcpy(found, all, races_count * sizeof *all);
    races_free(races);
    return races_count;
}

#define S0(warp, lane)                   \
    {                                    \
        'a', STORE(1), warp, lane, 64, 0 \
    }
#define S1(warp, lane)                   \
    {                                    \
        'a', STORE(2), warp, lane, 64, 0 \
    }
#define L0(warp, lane)                  \
    {                                   \
        'a', LOAD(3), warp, lane, 64, 0 \
    }
#define L1(warp, lane)                  \
    {                                   \
        'a', LOAD(4), warp, lane, 64, 0 \
    }
#define A0(warp, lane)                    \
    {                                     \
        'a', ATOMIC(5), warp, lane, 64, 0 \
    }
#define A1(warp, lane)                    \
    {                                     \
        'a', ATOMIC(6), warp, lane, 64, 0 \
    }
#define BARRIER            \
    {                      \
        'b', 0, 0, 0, 0, 0 \
    }
#define MEET(warp)            \
    {                         \
        'm', 0, warp, 0, 0, 0 \
    }
#define GROUP              \
    {                      \
        'g', 0, 0, 0, 0, 0 \
    }

static void test_local(void **state)
{
    (void)state;
    static const struct {
        struct step steps[5];
        size_t count, races;
    } rows[] = {
        {{S0(0, 0), S1(1, 0)}, 2, 1},
        {{S0(0, 0), S1(0, 0)}, 2, 0},          /* the same item */
        {{S0(0, 0), S1(0, 1)}, 2, 1},          /* the same warp, which has not met */
        {{S0(0, 0), MEET(0), S1(0, 1)}, 3, 0}, /* it has */
        {{S0(0, 0), MEET(1), S1(0, 1)}, 3, 1}, /* another has */
        {{S0(0, 0), MEET(0), S1(1, 0)}, 3, 1}, /* another warp's item waits for nobody */
        {{S0(0, 0), BARRIER, S1(1, 0)}, 3, 0},
        {{S0(0, 0), GROUP, S1(1, 0)}, 3, 0},
        {{S0(0, 0), L0(1, 0)}, 2, 1},
        {{L0(0, 0), L1(1, 0)}, 2, 0}, /* both read */
        {{L0(0, 0), S0(1, 0)}, 2, 1},
        {{L0(0, 0), L1(1, 0), S0(1, 0)}, 3, 1},          /* several have read, the writer is one of them */
        {{L0(0, 0), L1(0, 1), MEET(0), S0(0, 0)}, 4, 0}, /* several of the warp, which has met */
        {{L0(0, 0), MEET(0), L1(0, 1), S0(0, 1)}, 4, 0}, /* who read before is in order */
        {{L0(0, 0), MEET(0), L1(0, 1), S0(0, 2)}, 4, 1},
        {{A0(0, 0), A1(1, 0)}, 2, 0}, /* both atomic */
        {{A0(0, 0), S0(1, 0)}, 2, 1},
        {{S0(0, 0), A0(1, 0)}, 2, 1},
        {{A0(0, 0), L0(1, 0)}, 2, 1},
        {{{'a', STORE(1), 0, -1, 0, 4}, {'a', LOAD(3), 0, -1, 0, 4}}, 2, 0},  /* each its own */
        {{{'a', STORE(1), 0, -1, 0, 0}}, 1, 1},                               /* 32 items store one word */
        {{{'a', STORE(1), 0, 0, 64, 0}, {'a', STORE(2), 1, 0, 67, 0}}, 2, 1}, /* a byte of four */
        {{{'a', STORE(1), 0, 0, 64, 0}, {'a', STORE(2), 1, 0, 68, 0}}, 2, 0},
        {{{'a', STORE(1), 0, 0, LOCAL - 2, 0}, {'a', STORE(2), 1, 0, LOCAL, 0}}, 2, 0}, /* beyond the memory */
        {{{'a', STORE(1), 0, 0, LOCAL - 1, 0}, {'a', STORE(2), 1, 0, LOCAL - 4, 0}}, 2, 1},
        {{{'a', STORE(1), 31, 0, 64, 0}, {'a', STORE(2), 0, 0, 64, 0}}, 2, 1},
        {{{'a', STORE(1), 32, 0, 64, 0}, {'a', STORE(2), 0, 0, 64, 0}}, 2, 0}, /* beyond a group's warps */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (race_of(rows[i].steps, rows[i].count, false) != rows[i].races)
            fail_msg("row %zu: not %zu races", i, rows[i].races);
}

/* The accesses and the place of one, and each pair once, in whatever order. */
static void test_what_is_said(void **state)
{
    (void)state;
    static const struct step steps[] = {S0(0, 0), S1(1, 0), S0(0, 1), BARRIER, S1(1, 0), S0(0, 0)};
    assert_int_equal(race_of(steps, COUNT_OF(steps), false), 1);
    assert_int_equal(found[0].codes[0], STORE(1));
    assert_int_equal(found[0].codes[1], STORE(2));
    assert_int_equal(found[0].at, 64);
    assert_false(found[0].is_global);
    struct step many[4 * RACES_MAX];
    for (unsigned i = 0; i < COUNT_OF(many); i++)
        many[i] = (struct step){'a', STORE(i), i % 2, 0, 64, 0};
    assert_int_equal(race_of(many, COUNT_OF(many), false), RACES_MAX);
}

/* Two items that both read and write an element lose one's update; a store that does not depend on it is none. */
static void test_global(void **state)
{
    (void)state;
    static const struct {
        struct step steps[6];
        size_t count, races;
    } rows[] = {
        {{L0(0, 0), S0(0, 0), L0(1, 0), S1(1, 0)}, 4, 1},
        {{L0(0, 0), S0(0, 0), S1(1, 0)}, 3, 0}, /* the second did not read */
        {{S0(0, 0), L0(1, 0), S1(1, 0)}, 3, 1},
        {{L0(0, 0), L0(1, 0), S0(0, 0), S1(1, 0)}, 4, 1}, /* both have read before */
        {{L0(0, 0), S0(0, 0), BARRIER, L0(1, 0), S1(1, 0)}, 5, 0},
        {{L0(0, 0), S0(0, 0), L0(0, 0), S1(0, 0)}, 4, 0},          /* the same item */
        {{L0(0, 0), S0(0, 0), L0(0, 1), S1(0, 1)}, 4, 1},          /* of one warp */
        {{L0(0, 0), S0(0, 0), MEET(0), L0(0, 1), S1(0, 1)}, 5, 0}, /* … that has met between them */
        {{L0(0, 0), S0(0, 0), MEET(1), L0(1, 0), S1(1, 0)}, 5, 1}, /* of another warp nobody knows when it ran */
        {{L0(0, 0), A0(0, 0), L0(1, 0), A1(1, 0)}, 4, 0},
        {{L0(0, 0), S0(0, 0), {'a', LOAD(3), 32, 0, 64, 0}, {'a', STORE(2), 32, 0, 64, 0}}, 4, 0},
        {{{'a', LOAD(3), 0, 0, 64, 0}, S0(0, 0), {'a', LOAD(3), 1, 0, 68, 0}, S1(1, 0)}, 4, 0}, /* another element */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (race_of(rows[i].steps, rows[i].count, true) != rows[i].races)
            fail_msg("row %zu: not %zu races", i, rows[i].races);
    race_of(rows[0].steps, rows[0].count, true);
    assert_true(found[0].is_global && found[0].at == 64);
    assert_int_equal(found[0].codes[0], STORE(1));
    assert_int_equal(found[0].codes[1], STORE(2));
}

/* The table grows with the elements; those before the last barrier are left behind, the others still known. */
static void test_many_elements(void **state)
{
    (void)state;
    struct races *races = races_create();
    size_t count;
    assert_true(races && races_watch_global(races) && races_begin_group(races, NULL, 0));
    for (int interval = 0; interval < 2; interval++) {
        for (unsigned turn = 0; turn < 2; turn++)
            for (unsigned kind = 0; kind < 2; kind++)
                for (uint64_t n = 0; n < 300; n++) {
                    struct warp_access access = {
                        .kind = kind ? EVENT_STORE : EVENT_LOAD, .bytes = 4, .mask = UINT32_MAX};
                    for (unsigned l = 0; l < WARP_LANES; l++)
                        access.at[l] = 4 * (WARP_LANES * n + l) + (turn && n != 7 ? 4 * 32 * 300 : 0);
                    races_add_global(races, kind ? STORE(turn) : LOAD(3), turn, &access);
                }
        const struct race *all = races_found(races, &count);
        assert_int_equal(count, 1); /* elements of n = 7 alone are both warps'; the pair is known then */
        assert_int_equal(all[0].at, 4 * WARP_LANES * 7);
        races_barrier(races);
    }
    races_free(races);
    races_free(NULL);
}

/* Of the values that writers in no order gave an element another one than the last stays: that of a writer's last
 * write. */
static void test_clashes(void **state)
{
    (void)state;
    static const struct {
        struct {
            size_t writer;
            unsigned char value;
            bool is_ordered;
        } writes[4];
        size_t count;
        unsigned char stays;
    } rows[] = {
        {{{1, 5, false}}, 1, 5},
        {{{1, 5, false}, {1, 6, false}}, 2, 6}, /* its own, in order */
        {{{1, 5, false}, {2, 5, false}}, 2, 5},
        {{{1, 5, false}, {2, 6, false}}, 2, 5},
        {{{1, 5, false}, {2, 6, false}, {3, 5, false}}, 3, 6}, /* the middle one is another */
        {{{1, 7, false}, {2, 5, false}, {1, 5, false}}, 3, 5}, /* its earlier value is gone in any order */
        {{{1, 5, true}, {2, 6, true}}, 2, 6},                  /* atomic operations may order them */
        {{{1, 5, true}, {2, 6, false}}, 2, 5},
    };
    struct clashes clashes = {.writes = NULL};
    for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            unsigned char memory[64] = {0};
            for (size_t w = 0; w < rows[i].count; w++) {
                clashes.is_ordered = rows[i].writes[w].is_ordered;
                assert_true(clashes_add(&clashes, (uintptr_t)memory + 16, bytes) &&
                            clashes_add(&clashes, (uintptr_t)memory + 40, 1));
                memset(memory + 16, rows[i].writes[w].value, bytes);
                memory[40] = (unsigned char)w;
                clashes_settle(&clashes, rows[i].writes[w].writer);
            }
            clashes_swap(&clashes);
            for (unsigned byte = 0; byte < 17; byte++)
                if (memory[16 + byte] != (byte < bytes ? rows[i].stays : 0))
                    fail_msg("row %zu, byte %u of %u: %d", i, byte, bytes, memory[16 + byte]);
        }
    clashes_free(&clashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),         cmocka_unit_test(test_what_is_said), cmocka_unit_test(test_global),
        cmocka_unit_test(test_many_elements), cmocka_unit_test(test_clashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
