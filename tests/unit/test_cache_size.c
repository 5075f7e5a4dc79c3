/* The effective size of the last cache, from looks that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cache_size.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "between.h"

#define MIB ((size_t)1 << 20)

/* A model of a cache of this many MiB: loads that hit take 20 ns, the others 110. */
static size_t seen_of(size_t cache, size_t advertised)
{
    struct cache_look looks[7];
    for (size_t i = 0; i < COUNT_OF(looks); i++) {
        double held = (double)cache / (double)((2 * MIB) << i);
        held = held > 1 ? 1 : held;
        looks[i] = (struct cache_look){(2 * MIB) << i, 20 * held + 110 * (1 - held)};
    }
    return cache_size_of(looks, COUNT_OF(looks), advertised);
}

static void what_holds_is_believed(void **state)
{
    (void)state;
    assert_int_equal(seen_of(32 * MIB, 32 * MIB), 32 * MIB);
    assert_int_equal(seen_of(20 * MIB, 32 * MIB), 32 * MIB); /* neighbours have some of it */
}

static void a_server_s_cache_is_not_a_guest_s(void **state)
{
    (void)state;
    assert_between(seen_of(30 * MIB, 480 * MIB), 16 * MIB, 32 * MIB);
    assert_between(seen_of(8 * MIB, 480 * MIB), 8 * MIB, 8 * MIB);
}

static void looks_that_tell_nothing_change_nothing(void **state)
{
    (void)state;
    assert_int_equal(seen_of(1024 * MIB, 480 * MIB), 480 * MIB); /* no look is beyond it */
    assert_int_equal(cache_size_of(NULL, 0, 480 * MIB), 480 * MIB);
}

static void a_disturbed_look_changes_little(void **state)
{
    (void)state;
    const struct cache_look looks[] = {{2 * MIB, 20},  {4 * MIB, 95},  {8 * MIB, 22},
                                       {16 * MIB, 25}, {32 * MIB, 80}, {64 * MIB, 110}};
    assert_int_equal(cache_size_of(looks, COUNT_OF(looks), 480 * MIB), 16 * MIB);
}

static void more_than_a_processor_can_have_is_doubtful(void **state)
{
    (void)state;
    assert_true(cache_size_is_doubtful(480 * MIB, 2));
    assert_false(cache_size_is_doubtful(32 * MIB, 2));
    assert_false(cache_size_is_doubtful(480 * MIB, 60));
    assert_true(cache_size_is_doubtful(480 * MIB, 0));
}

static void measuring_gives_a_size(void **state)
{
    (void)state;
    const size_t size = cache_size_measure(MIB, 480 * MIB);
    assert_true(size >= MIB && size <= 480 * MIB);
}

static size_t measurements;

static size_t measure_made_up(size_t second_cache, size_t advertised)
{
    static const size_t sizes[] = {20 * MIB, 8 * MIB, 16 * MIB, 4 * MIB};
    (void)second_cache, (void)advertised;
    return sizes[measurements++];
}

static void three_measurements_are_kept(void **state)
{
    (void)state;
    static char home[] = "/tmp/uskor-test-XXXXXX";
    assert_non_null(mkdtemp(home));
    setenv("XDG_CACHE_HOME", home, 1);
    static const size_t medians[] = {20 * MIB, 14 * MIB, 16 * MIB, 16 * MIB, 16 * MIB};
    for (size_t i = 0; i < COUNT_OF(medians); i++)
        assert_int_equal(cache_size_kept(measure_made_up, MIB, 480 * MIB, 2, "now"), medians[i]);
    assert_int_equal(measurements, 3);
    assert_int_equal(cache_size_kept(measure_made_up, MIB, 480 * MIB, 4, "now"), 4 * MIB); /* of other processors */
    assert_int_equal(measurements, 4);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", home);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_believed),
        cmocka_unit_test(a_server_s_cache_is_not_a_guest_s),
        cmocka_unit_test(looks_that_tell_nothing_change_nothing),
        cmocka_unit_test(a_disturbed_look_changes_little),
        cmocka_unit_test(more_than_a_processor_can_have_is_doubtful),
        cmocka_unit_test(measuring_gives_a_size),
        cmocka_unit_test(three_measurements_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
