/* A probe of memory searches for another strategy where its fastest one was beaten: a search walks the same arrays
 * again and again, and finds what is fastest there, which need not be so in a bench. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "lab/ceilings/memory_walk.h"

/* A walk of `problem` on the run's device. */
static struct walk *walk_of(struct run *run, struct problem *problem)
{
    struct walk *walk;
    struct error error = {""};
    assert_int_equal(problem_parse("transpose:rows=512,cols=512", problem, &error), STATUS_OK);
    run->problem = problem;
    if (walk_create(run, 1, 1, 1, &walk, &error) != STATUS_OK) {
        print_error("%s\n", error.text);
        assert_null("a walk");
    }
    return walk;
}

static void another_one_is_found_on_the_host(void **state)
{
    (void)state;
    struct problem problem;
    struct run run = {0};
    struct error error = {""};
    assert_int_equal(device_open("cpu", &run.device, &error), STATUS_OK);
    struct walk *walk = walk_of(&run, &problem);
    assert_true(walk->strategy_count > 1);
    for (int i = 0; i < 3; i++) {
        const size_t before = walk->chosen;
        assert_int_equal(walk_search_others(walk, &run, &error), STATUS_OK);
        assert_int_not_equal(walk->chosen, before);
        assert_true(walk->chosen < walk->strategy_count);
        assert_int_equal(walk_enqueue(walk, &error), STATUS_OK);
    }
    walk_destroy(walk);
    device_close(run.device);
}

/* The device's own copy leaves in caches what passes; kernels on a CPU behind OpenCL do not. */
static void one_that_caches_otherwise_is_found_on_a_device(void **state)
{
    (void)state;
    struct problem problem;
    struct run run = {0};
    struct error error = {""};
    if (device_open("opencl:0", &run.device, &error) != STATUS_OK)
        skip();
    struct walk *walk = walk_of(&run, &problem);
    assert_true(walk->variant_count > 1);
    for (int i = 0; i < 3; i++) {
        const bool kept = walk->variants[walk->chosen].keeps;
        assert_int_equal(walk_search_others(walk, &run, &error), STATUS_OK);
        assert_int_not_equal(walk->variants[walk->chosen].keeps, kept);
        assert_string_equal(run.detail, walk->variants[walk->chosen].name);
    }
    for (size_t i = 0; i < walk->variant_count; i++)
        assert_false(walk->barred[i]); /* from later searches */
    walk_destroy(walk);
    device_close(run.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_one_is_found_on_the_host),
        cmocka_unit_test(one_that_caches_otherwise_is_found_on_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
