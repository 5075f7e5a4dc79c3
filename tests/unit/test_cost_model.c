/* The cost model over ranks: operations between and beyond the measured sizes, more ranks than were measured, ranks
 * without work, and the traffic of 4096 ranks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "distributed/ranks/cost_model.h"
#include "distributed/ranks/wave_blocks.h"

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

/* What travels meanwhile costs nothing, as far as MPI moves it: all halos but those before the first of four steps. */
static void hides_what_travels(void **state)
{
    const struct problem problem = parsed("wave:nx=64,ny=64,nz=64,steps=4");
    struct links links = even_links();
    (void)state;
    const double all = cost_predict(&method_wave_overlapped, &problem, 4, 1e9, 4, &links);
    links.progress = 1;
    assert_true(all > 1e9);
    assert_true(fabs(cost_predict(&method_wave_overlapped, &problem, 4, 1e9, 4, &links) - 1e9 - (all - 1e9) / 4) <
                1e-3 * all);
    assert_true(fabs(cost_predict(&method_wave_halo, &problem, 4, 1e9, 4, &links) - all) < 1e-3 * all);
}

/* A tree's first messages go to the next rank, its others farther; some nodes, not room for all. */
static void trees_reach_far(void **state)
{
    const struct problem problem = parsed("dot:n=4194304");
    const struct traffic traffic = method_dot_blocks.traffic(&problem, 8);
    (void)state;
    assert_true(traffic.of[OPERATION_NEAR].calls == 1 && traffic.of[OPERATION_FAR].calls == 2);
    assert_true(traffic.of[OPERATION_FAR].bytes < 256);
    assert_true(method_dot_blocks.traffic(&problem, 1).of[OPERATION_NEAR].calls == 0);
}

/* Borders of A's columns and of B's rows that coincide make one panel: two of 512 on a grid of 2 × 2, one for each
 * layer. */
static void panels_are_counted(void **state)
{
    const struct problem problem = parsed("matmul:1024");
    const struct traffic flat = method_matmul_summa.traffic(&problem, 4);
    const struct traffic layers = method_matmul_summa_layers.traffic(&problem, 8);
    (void)state;
    assert_true(flat.of[OPERATION_NEAR].calls == 2 && flat.of[OPERATION_NEAR].bytes == 512.0 * 512 * 4);
    /* Three quarters: layers use the link in both directions at once, now and then. */
    assert_true(layers.of[OPERATION_NEAR].calls == 0.75 && layers.of[OPERATION_NEAR].bytes == 512.0 * 512 * 4);
    assert_true(flat.work == 0.25 && layers.work == 0.125);
    /* Of 2^17 words each: a panel of B twice, at three quarters; half of A's, B's and all of C's blocks between layers.
     */
    const struct problem oblong = parsed("matmul:m=1024,n=2048,k=512");
    const struct traffic far = method_matmul_summa_layers.traffic(&oblong, 8);
    assert_true(far.of[OPERATION_NEAR].calls * far.of[OPERATION_NEAR].bytes == 0.75 * 4 * (1 << 17));
    assert_true(fabs(far.of[OPERATION_FAR].calls * far.of[OPERATION_FAR].bytes - 8.5 * 4 * (1 << 17)) < 1e-3);
    assert_true(far.of[OPERATION_FAR].calls == 3.75);
}

static double sent(const struct method *method, const struct problem *problem, int count)
{
    const struct traffic traffic = method->traffic(problem, count);
    double bytes = 0;
    for (int kind = 0; kind < OPERATION_KINDS; kind++)
        bytes += 2 * traffic.of[kind].calls * traffic.of[kind].bytes;
    return bytes;
}

/* The rings of halos on 64 ranks. Slabs: two faces of 256 × 256 points, two planes each. A grid of 4 × 4 × 4: six of
 * 64 × 64. */
static void blocks_send_less(void **state)
{
    const struct problem problem = parsed("wave:nx=256,ny=256,nz=256,steps=1");
    (void)state;
    assert_true(sent(&method_wave_halo, &problem, 64) == 2.0 * 2 * 256 * 256 * 4);
    assert_true(sent(&method_wave_halo_3d, &problem, 64) == 6.0 * 2 * 64 * 64 * 4);
    const struct traffic slabs = method_wave_halo.traffic(&problem, 64),
                         cubes = method_wave_halo_3d.traffic(&problem, 64);
    assert_true(fabs(slabs.work - (4.0 + 4) / 256) < 1e-12);
    assert_true(fabs(cubes.work - 68.0 * 68 * 68 / (256.0 * 256 * 256)) < 1e-12);
    assert_true(method_wave_halo_3d.traffic(&problem, 4096).work < method_wave_halo.traffic(&problem, 4096).work / 16);
}

static void assert_grid(const char *text, int count, int z, int y, int x)
{
    const struct problem problem = parsed(text);
    const struct wave_blocks blocks = wave_grid_of_ranks(&problem, count);
    assert_int_equal(blocks.ranks[WAVE_Z], z);
    assert_int_equal(blocks.ranks[WAVE_Y], y);
    assert_int_equal(blocks.ranks[WAVE_X], x);
}

/* The least surface; planes along z, which lie in one piece, where two grids have the same. */
static void chooses_the_least_surface(void **state)
{
    (void)state;
    assert_grid("wave:nx=64,ny=64,nz=64", 1, 1, 1, 1);
    assert_grid("wave:nx=64,ny=64,nz=64", 4, 4, 1, 1);
    assert_grid("wave:nx=64,ny=64,nz=64", 8, 4, 2, 1);
    assert_grid("wave:nx=64,ny=64,nz=64", 27, 3, 3, 3);
    assert_grid("wave:nx=64,ny=64,nz=8", 4, 1, 4, 1);
    assert_grid("wave:nx=64,ny=64,nz=8", 16, 1, 4, 4);
    assert_grid("wave:nx=4096,ny=8,nz=8", 6, 1, 1, 6);
    assert_grid("wave:nx=61,ny=67,nz=71", 7, 7, 1, 1);
    assert_grid("wave:nx=7,ny=7,nz=7", 8, 2, 2, 2);
    assert_grid("wave:nx=7,ny=7,nz=7", 1000, 3, 3, 3); /* the most with two points each */
    assert_grid("wave:nx=1,ny=2,nz=3", 5, 1, 1, 1);
}

/* Every point belongs to one rank; neighbours meet across the periodic boundary; too thin blocks are refused. */
static void blocks_cover_the_field(void **state)
{
    const struct problem problem = parsed("wave:nx=11,ny=13,nz=17");
    char reason[256];
    (void)state;
    for (int count = 1; count <= 12; count++) {
        const struct wave_blocks blocks = wave_grid_of_ranks(&problem, count);
        static int owners[17][13][11];
        for (int rank = 0; rank < wave_blocks_count(&blocks); rank++) {
            const struct wave_box box = wave_block_of(&blocks, rank);
            for (size_t z = 0; z < box.size[WAVE_Z]; z++)
                for (size_t y = 0; y < box.size[WAVE_Y]; y++)
                    for (size_t x = 0; x < box.size[WAVE_X]; x++)
                        owners[box.begin[WAVE_Z] + z][box.begin[WAVE_Y] + y][box.begin[WAVE_X] + x]++;
            for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
                const int above = wave_neighbour(&blocks, rank, axis, 1);
                const struct wave_box next = wave_block_of(&blocks, above);
                assert_int_equal(next.begin[axis], (box.begin[axis] + box.size[axis]) % blocks.points[axis]);
                assert_int_equal(wave_neighbour(&blocks, above, axis, -1), rank);
            }
        }
        for (size_t i = 0; i < 17 * 13 * 11; i++)
            assert_int_equal((&owners[0][0][0])[i], count);
        assert_true(!method_wave_halo_3d.refuses(&problem, count, reason, sizeof reason) ==
                    (wave_blocks_count(&blocks) == count));
    }
    assert_non_null(method_wave_halo_3d.refuses(&problem, 19, reason, sizeof reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_line),          cmocka_unit_test(has_more_steps),
        cmocka_unit_test(idle_ranks_do_not_help),    cmocka_unit_test(splitters_are_light),
        cmocka_unit_test(trees_reach_far),           cmocka_unit_test(panels_are_counted),
        cmocka_unit_test(hides_what_travels),        cmocka_unit_test(blocks_send_less),
        cmocka_unit_test(chooses_the_least_surface), cmocka_unit_test(blocks_cover_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
