/* Inputs that a rung has never seen: what changes between two runs, what is drawn, and how long the arrays take to
 * fetch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verification/fetch.h"

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#define BYTES ((size_t)300 * 200 * sizeof(float))

static struct dataset data;

static int make(void **state)
{
    struct problem problem;
    (void)state;
    return problem_parse("transpose:rows=300,cols=200", &problem, NULL) != STATUS_OK ||
           dataset_create(&problem, &data, NULL) != STATUS_OK;
}

static int unmake(void **state)
{
    (void)state;
    dataset_destroy(&data);
    return 0;
}

/* Who looks at every fourth line finds each piece of several lines. The array's end cuts a piece off. */
static void test_pieces_are_single_lines_too(void **state)
{
    size_t single = 0, longer = 0;
    (void)state;
    for (int i = 0; i < 64; i++) {
        struct piece pieces[PIECES_MAX];
        const size_t count = pieces_choose((size_t)1 << 20, pieces);
        const size_t left = ((size_t)1 << 20) - pieces[0].offset, most = left < 1024 ? left : 1024;
        assert_int_equal(count, PIECES_MAX);
        assert_true(pieces[0].bytes == 64 || pieces[0].bytes == most);
        single += pieces[0].bytes == 64;
        longer += pieces[0].bytes == most;
    }
    assert_true(single && longer); /* by chance one of 2^63 times not */
}

static void test_the_second_set_is_drawn_alone(void **state)
{
    float *before = malloc(BYTES), *other = malloc(BYTES);
    (void)state;
    assert_true(before && other);
    memcpy(before, data.input.data[0], BYTES);
    dataset_renew_other(&data);
    assert_memory_equal(data.input.data[0], before, BYTES);
    memcpy(other, data.other.data[0], BYTES);
    dataset_renew_other(&data);
    assert_memory_equal(data.input.data[0], before, BYTES);
    assert_memory_not_equal(data.other.data[0], other, BYTES);
    free(before);
    free(other);
}

static void test_fetching_changes_nothing(void **state)
{
    struct workspace workspace;
    struct device *device;
    struct fetch_times times = {.count = 0};
    (void)state;
    assert_int_equal(device_open("cpu", &device, NULL), STATUS_OK);
    assert_int_equal(workspace_create(&data, device, &workspace, NULL), STATUS_OK);
    memset(workspace.payloads[1].host, 0x5A, BYTES);
    assert_true(fetch_elapsed(&times) == 0 && fetch_used(&times) == 0);
    for (size_t i = 0; i < FETCHES_MOST + 3; i++) {
        workspace_warm(&workspace, i % 2 == 0, i % 3 == 0);
        assert_int_equal(fetch_measure(&workspace, NULL, NULL, &times, NULL), STATUS_OK);
        assert_int_equal(times.count, i < FETCHES_MOST ? i + 1 : FETCHES_MOST);
    }
    assert_true(fetch_elapsed(&times) >= 0 && fetch_elapsed(&times) < 1e9);
    assert_true(fetch_used(&times) >= 0 && fetch_used(&times) < 1e9);
    assert_memory_equal(workspace.payloads[0].host, data.input.data[0], BYTES);
    for (size_t i = 0; i < BYTES; i++)
        assert_int_equal(((unsigned char *)workspace.payloads[1].host)[i], 0x5A);
    assert_int_equal(workspace_check_canaries(&workspace, NULL), STATUS_OK);
    workspace_destroy(&workspace);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pieces_are_single_lines_too, make, unmake),
        cmocka_unit_test_setup_teardown(test_the_second_set_is_drawn_alone, make, unmake),
        cmocka_unit_test_setup_teardown(test_fetching_changes_nothing, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
