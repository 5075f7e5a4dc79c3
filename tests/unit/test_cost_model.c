/* The cost model over ranks: operations between and beyond the measured sizes, more ranks than were measured, ranks
 * without work, and the traffic of 4096 ranks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "distributed/ranks/cost_model.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* 1 µs, and 1 ns for each byte, of every operation, on four ranks. */
static struct links even_links(void)
{
    struct links links = {.ranks = 4, .on_host = 2};
    for (int kind = 0; kind < OPERATION_KINDS; kind++)
        for (size_t i = 0; i < LINK_SIZES; i++)
            links.ns[kind][i] = 1000 + (double)(link_sizes[i] - link_sizes[0]);
    return links;
}

static struct problem parsed(const char *text)
{
    struct problem problem;
    struct error error;
    if (problem_parse(text, &problem, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return problem;
}

static void follows_the_line(void **state)
{
    const struct links links = even_links();
    (void)state;
    assert_true(links_time(&links, OPERATION_NEAR, 0) == 1000);
    assert_true(fabs(links_time(&links, OPERATION_NEAR, 100000) - (1000 + 100000 - 8)) < 1e-6);
    assert_true(fabs(links_time(&links, OPERATION_NEAR, 1e9) - (1000 + 1e9 - 8)) < 1);
}

/* An exchange of 64 ranks: 63 short messages where three were measured, and as much time for the bytes. */
static void has_more_steps(void **state)
{
    const struct links links = even_links();
    const struct traffic traffic = {.of[OPERATION_EXCHANGE] = {1, 1000008}};
    (void)state;
    assert_true(fabs(cost_of_traffic(&traffic, 4, &links) - 1001000) < 1e-3);
    assert_true(fabs(cost_of_traffic(&traffic, 64, &links) - (1000.0 * 63 / 3 + 1000000)) < 1e-3);
}

/* Two rows keep two ranks busy, however many there are. */
static void idle_ranks_do_not_help(void **state)
{
    const struct problem problem = parsed("transpose:rows=2,cols=1048576");
    const struct traffic many = method_transpose_exchange.traffic(&problem, 64);
    (void)state;
    assert_true(many.work >= 0.5);
    const struct problem wave = parsed("wave:nx=64,ny=64,nz=64");
    assert_true(method_wave_halo.traffic(&wave, 4096).work == method_wave_halo.traffic(&wave, 32).work);
}

/* Counters of one rank, not of all: 4096 ranks' splitters need some megabytes, where all counters were gigabytes. */
static void splitters_are_light(void **state)
{
    const struct problem problem = parsed("sort:n=1073741824");
    const struct traffic traffic = method_sort_splitters.traffic(&problem, 4096);
    (void)state;
    assert_true(traffic.of[OPERATION_REDUCE].calls * traffic.of[OPERATION_REDUCE].bytes < 2e6);
    assert_true(fabs(traffic.work - 1.0 / 4096) < 1e-9);
}

/* What travels meanwhile costs nothing, as far as MPI moves it. */
static void hides_what_travels(void **state)
{
    const struct problem problem = parsed("wave:nx=64,ny=64,nz=64");
    struct links links = even_links();
    (void)state;
    const double all = cost_predict(&method_wave_overlapped, &problem, 4, 1e9, 4, &links);
    links.progress = 1;
    assert_true(fabs(cost_predict(&method_wave_overlapped, &problem, 4, 1e9, 4, &links) - 1e9) < 1);
    assert_true(all > 1e9);
    assert_true(cost_predict(&method_wave_halo, &problem, 4, 1e9, 4, &links) > 1e9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_line),       cmocka_unit_test(has_more_steps),
        cmocka_unit_test(idle_ranks_do_not_help), cmocka_unit_test(splitters_are_light),
        cmocka_unit_test(hides_what_travels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
