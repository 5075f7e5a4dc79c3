/* Simulated caches beside counts made by hand: walks by rows, by columns and by pages, tiles, stores of each kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "architectures/caches.h"
#include "explain/cache/geometry.h"
#include "explain/cache/simulator.h"

#include <cmocka.h>

#define LINE 64
#define SMALL 4096
#define LARGE ((size_t)2 << 20)
#define SITES 8

/* L1 of 8 KiB in 2 ways (64 sets), L2 of 32 KiB in 4, L3 of 128 KiB in 8 for two threads; 4 translations, then 16. */
static const struct cache_geometry small = {
    .name = "small",
    .line = LINE,
    .levels = {{8192, 2, 1, false}, {32768, 4, 1, false}, {131072, 8, 2, false}},
    .pages = {{4, 0, 2, 0}, {16, 4, 0, 0}},
    .small_page = SMALL,
    .clocks = {4, 12, 40},
};

struct fixture {
    struct cache_simulator *simulator;
    struct cache_counts counts[SITES];
};

static void begin(struct fixture *fixture, const struct cache_geometry *geometry)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->simulator = cache_simulator_create(geometry, SITES);
    assert_non_null(fixture->simulator);
}

static void end(struct fixture *fixture)
{
    cache_simulator_finish(fixture->simulator, fixture->counts);
    cache_simulator_destroy(fixture->simulator);
}

static void load(struct fixture *fixture, size_t site, uint64_t address, unsigned bytes)
{
    assert_true(cache_simulator_access(fixture->simulator, 0, site, CACHE_LOAD, address, bytes, SMALL));
}

static void store(struct fixture *fixture, size_t site, uint64_t address, unsigned bytes)
{
    assert_true(cache_simulator_access(fixture->simulator, 0, site, CACHE_STORE, address, bytes, SMALL));
}

/* 4096 floats one after the other: a miss in each of 256 lines, all bytes used; all but the first two of a page's lines
 * are foreseen at least. */
static void test_row(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    for (uint64_t i = 0; i < 4096; i++)
        load(&fixture, 0, 4 * i, 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].accesses, 4096);
    assert_int_equal(fixture.counts[0].bytes, 4 * 4096);
    for (int level = 0; level < CACHE_LEVELS; level++)
        assert_int_equal(fixture.counts[0].misses[level], 256);
    assert_int_equal(fixture.counts[0].used, 4 * 4096);
    assert_true(fixture.counts[0].streamed[0] >= 256 - 2 * 4);
    assert_int_equal(fixture.counts[0].page_misses[0], 4);
    assert_int_equal(fixture.counts[0].page_misses[1], 4);
    struct cache_geometry wide = small; /* two bytes for each bit of a line's mask */
    wide.line = 2 * LINE;
    begin(&fixture, &wide);
    for (uint64_t i = 0; i < 4096; i++)
        load(&fixture, 0, 4 * i, 4);
    end(&fixture);
    assert_true(fixture.counts[0].misses[0] == 128 && fixture.counts[0].used == 4 * 4096);
}

/* Columns of a matrix with rows of 4 KiB: all of a column is in one set of L1 (2 ways) and of L2 (128 sets: two of
 * them). 64 rows never stay: each access misses, and of each line 4 bytes are used. Nothing is foreseen. */
static void test_column(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    for (uint64_t column = 0; column < 16; column++)
        for (uint64_t row = 0; row < 64; row++)
            load(&fixture, 0, 4096 * row + 4 * column, 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].misses[0], 1024);
    assert_int_equal(fixture.counts[0].misses[1], 1024);
    assert_int_equal(fixture.counts[0].used, 4 * 1024);
    assert_int_equal(fixture.counts[0].streamed[0], 0);
    assert_int_equal(fixture.counts[0].page_misses[1], 1024); /* 64 pages, 16 translations */
}

/* The same columns, of two rows: two ways hold them. Of three rows they do not. */
static void test_ways(void **state)
{
    (void)state;
    for (uint64_t rows = 2; rows <= 3; rows++) {
        struct fixture fixture;
        begin(&fixture, &small);
        for (uint64_t column = 0; column < 16; column++)
            for (uint64_t row = 0; row < rows; row++)
                load(&fixture, 0, 4096 * row + 4 * column, 4);
        end(&fixture);
        assert_int_equal(fixture.counts[0].misses[0], rows == 2 ? 2 : 48);
        assert_int_equal(fixture.counts[0].misses[1], rows);
        assert_int_equal(fixture.counts[0].used, rows == 2 ? 2 * 64 : 48 * 4);
    }
}

/* The least recently used goes, not the one that came first: a b a c a. */
static void test_least_recently_used(void **state)
{
    (void)state;
    struct fixture fixture;
    static const uint64_t order[] = {0, 1, 0, 2, 0};
    begin(&fixture, &small);
    for (size_t i = 0; i < 5; i++)
        load(&fixture, order[i], 4096 * order[i], 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].misses[0], 1);
    assert_int_equal(fixture.counts[1].misses[0], 1);
    assert_int_equal(fixture.counts[2].misses[0], 1);
}

/* A transposition in tiles of 16 × 16 floats: each line of both matrices is missed once, though rows are 4 KiB apart:
 * 16 lines of a tile's column need 16 ways. */
static void test_tiles(void **state)
{
    (void)state;
    struct cache_geometry wide = small;
    struct fixture fixture;
    wide.levels[0] = (struct cache_level){65536, 32, 1, false};
    begin(&fixture, &wide);
    for (uint64_t tile = 0; tile < 4; tile++)
        for (uint64_t row = 0; row < 16; row++)
            for (uint64_t column = 0; column < 16; column++) {
                load(&fixture, 0, 4096 * row + 4 * (16 * tile + column), 4);
                store(&fixture, 1, 0x1000000 + 4096 * (16 * tile + column) + 4 * row, 4);
            }
    end(&fixture);
    assert_int_equal(fixture.counts[0].misses[0], 4 * 16);
    assert_int_equal(fixture.counts[1].misses[0], 4 * 16);
    assert_int_equal(fixture.counts[1].used, 4 * 16 * 64);
}

static struct cache_traffic walk(const struct cache_geometry *geometry, uint64_t stride, double pace)
{
    struct fixture fixture;
    begin(&fixture, geometry);
    load(&fixture, 0, 0, 4);
    cache_simulator_pace(fixture.simulator, 0, pace);
    for (uint64_t i = 1; i <= 256; i++)
        load(&fixture, 0, i * stride, 4);
    struct cache_traffic traffic = cache_simulator_traffic(fixture.simulator, 0);
    end(&fixture);
    return traffic;
}

/* Misses within the instructions in flight overlap, others do not; lines of one set wait for each other, and lines one
 * after another do not; a third cache hashes its sets, so that a stride of all of them finds room. */
static void test_waits(void **state)
{
    (void)state;
    struct cache_traffic far = walk(&small, 8192 + 64, 1000), near = walk(&small, 8192 + 64, 3);
    assert_true(far.stalls[2] >= 250);
    assert_true(near.stalls[2] < 25 && near.stalls[2] > 1);
    assert_int_equal(far.waits[2], near.waits[2]);
    assert_true(walk(&small, 4096, 3).conflicts[2] > 200);
    assert_true(walk(&small, 64, 3).conflicts[2] < 1);
    struct fixture fixture;
    begin(&fixture, &small);
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < 32; i++)
            load(&fixture, 0, i * 131072 / 8, 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].misses[1], 64);
    assert_int_equal(fixture.counts[0].misses[2], 32);
}

/* A page's stride: four translations hold four pages, and not five; sixteen hold them. A large page is one. */
static void test_pages(void **state)
{
    (void)state;
    for (uint64_t pages = 4; pages <= 5; pages++) {
        struct fixture fixture;
        begin(&fixture, &small);
        for (int round = 0; round < 10; round++)
            for (uint64_t page = 0; page < pages; page++) {
                load(&fixture, 0, SMALL * page + 64 * page, 4);
                cache_simulator_access(fixture.simulator, 0, 1, CACHE_LOAD, ((uint64_t)1 << 32) + SMALL * page, 4,
                                       LARGE);
            }
        end(&fixture);
        assert_int_equal(fixture.counts[0].page_misses[0], pages == 4 ? 4 : 50);
        assert_int_equal(fixture.counts[0].page_misses[1], pages);
        assert_int_equal(fixture.counts[1].page_misses[0], 1);
    }
}

/* A non-temporal store brings nothing in and takes the line out; an ordinary one reads its line, which is written back
 * once it has left all levels. */
static void test_stores(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    load(&fixture, 0, 0, 4);
    cache_simulator_access(fixture.simulator, 0, 1, CACHE_BYPASS, 0, 32, SMALL);
    cache_simulator_access(fixture.simulator, 0, 1, CACHE_BYPASS, 32, 32, SMALL);
    load(&fixture, 0, 0, 4);
    store(&fixture, 2, 64, 8);
    for (uint64_t i = 0; i < 2 * 131072 / LINE; i++) /* twice the last cache */
        load(&fixture, 3, 0x100000 + LINE * i, 4);
    struct cache_traffic traffic = cache_simulator_traffic(fixture.simulator, 0);
    end(&fixture);
    assert_int_equal(fixture.counts[0].misses[2], 2);
    assert_int_equal(fixture.counts[1].misses[0], 0);
    assert_int_equal(fixture.counts[1].bypassed, 64);
    assert_int_equal(fixture.counts[2].misses[2], 1);
    assert_int_equal(traffic.writes[0], 1);
    assert_int_equal(traffic.writes[2], 1);
    assert_int_equal(traffic.bypassed, 64);
}

/* Two lines at once. */
static void test_crossing(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    load(&fixture, 0, 60, 8);
    load(&fixture, 1, 64, 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].accesses, 1);
    assert_int_equal(fixture.counts[0].misses[0], 2);
    assert_int_equal(fixture.counts[0].used, 8);
    assert_int_equal(fixture.counts[1].misses[0], 0);
}

/* The third cache is both threads', the others are not. */
static void test_threads(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    for (unsigned thread = 0; thread < 3; thread++)
        cache_simulator_access(fixture.simulator, thread, thread, CACHE_LOAD, 0, 4, SMALL);
    end(&fixture);
    for (int thread = 0; thread < 3; thread++)
        assert_int_equal(fixture.counts[thread].misses[1], 1);
    assert_int_equal(fixture.counts[0].misses[2], 1);
    assert_int_equal(fixture.counts[1].misses[2], 0);
    assert_int_equal(fixture.counts[2].misses[2], 1); /* its core has another one */
}

/* 40 KiB again and again: more than L2 (32 KiB). A victim cache of 16 KiB adds to L2's; another one of 16 KiB holds a
 * part of what L2 holds, and misses all of it. */
static void test_victim(void **state)
{
    (void)state;
    for (int is_victim = 0; is_victim < 2; is_victim++) {
        struct cache_geometry geometry = small;
        struct fixture fixture;
        geometry.levels[1].ways = 512; /* fully associative: sets play no part */
        geometry.levels[2] = (struct cache_level){16384, 256, 1, is_victim};
        begin(&fixture, &geometry);
        for (int round = 0; round < 5; round++)
            for (uint64_t i = 0; i < 40960 / LINE; i++)
                load(&fixture, 0, LINE * i, 4);
        end(&fixture);
        assert_int_equal(fixture.counts[0].misses[1], 5 * 640);
        assert_int_equal(fixture.counts[0].misses[2], is_victim ? 640 : 5 * 640);
    }
}

/* Of a walk over all lines, one in eight stands for all. */
static void test_sample(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, &small);
    cache_simulator_sample(fixture.simulator, 8);
    for (uint64_t i = 0; i < 8192; i++)
        load(&fixture, 0, 4 * i, 4);
    end(&fixture);
    assert_int_equal(fixture.counts[0].accesses, 8192);
    assert_int_equal(fixture.counts[0].misses[0], 512);
    assert_int_equal(fixture.counts[0].used, 4 * 8192);
}

/* Every processor of the table can be simulated, and this machine. */
static void test_tables(void **state)
{
    (void)state;
    struct cache_geometry geometry;
    assert_null(cpu_caches_by_name("Zen 99"));
    assert_ptr_equal(cpu_caches_by_name("zen 4"), cpu_caches_by_name("Zen 4"));
    for (size_t i = 0; i <= cpu_caches_count; i++) {
        struct fixture fixture;
        if (i < cpu_caches_count)
            cache_geometry_of(&cpu_caches[i], 4, &geometry);
        else
            cache_geometry_here(4, &geometry);
        assert_true(geometry.levels[0].bytes % (geometry.line * geometry.levels[0].ways) == 0);
        assert_true(geometry.levels[1].bytes > geometry.levels[0].bytes && geometry.clocks[1] > geometry.clocks[0]);
        begin(&fixture, &geometry);
        for (int round = 0; round < 2; round++)
            for (uint64_t at = 0; at < geometry.levels[0].bytes; at += geometry.line)
                load(&fixture, 0, at, 4);
        end(&fixture);
        assert_int_equal(fixture.counts[0].misses[0], geometry.levels[0].bytes / geometry.line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),      cmocka_unit_test(test_column),
        cmocka_unit_test(test_ways),     cmocka_unit_test(test_least_recently_used),
        cmocka_unit_test(test_tiles),    cmocka_unit_test(test_waits),
        cmocka_unit_test(test_pages),    cmocka_unit_test(test_stores),
        cmocka_unit_test(test_crossing), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_victim),   cmocka_unit_test(test_sample),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
