/* Jobs in parts, on the cpu: what the kernels' split functions say of each part is sent, done by the ladder's first
 * rung, received and judged as the whole job's result would be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/part.h"
#include "lab/transfers/chunk_layout.h"
#include "lab/verification/workspace.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *cpu;

static int open_cpu(void **state)
{
    (void)state;
    return device_open("cpu", &cpu, NULL) == STATUS_OK ? 0 : -1;
}

static int close_cpu(void **state)
{
    (void)state;
    device_close(cpu);
    return 0;
}

static void expect_ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        fail_msg("%s", error->text);
}

static void run_part(struct laid_part *laid, int array_count, struct error *error)
{
    const struct rung *const *rungs;
    size_t count, scratch_bytes;
    struct buffer scratch = {0};
    expect_ok(kernel_rungs(laid->part.problem.kernel, &rungs, &count, error), error);
    struct run run = {.rung = rungs[0],
                      .problem = &laid->part.problem,
                      .device = cpu,
                      .arrays = laid->arrays,
                      .array_count = array_count,
                      .buffers = laid->views,
                      .scratch = &scratch};
    expect_ok(rung_defaults(run.rung, run.problem, &run.parameters, error), error);
    expect_ok(rung_scratch(run.rung, run.problem, cpu, &run.parameters, &scratch_bytes, error), error);
    expect_ok(buffer_allocate(cpu, scratch_bytes, &scratch, error), error);
    if (run.rung->prepare)
        expect_ok(run.rung->prepare(&run, error), error);
    expect_ok(run.rung->enqueue(&run, error), error);
    if (run.rung->finish)
        run.rung->finish(&run);
    buffer_release(&scratch);
}

/* In the order in which a queue would do them: what a part shares with those before it is there by then. */
static void run_parts(const struct problem *problem, size_t count, size_t *sent)
{
    struct error error = {""};
    struct dataset data;
    struct chunk_layout layout;
    expect_ok(dataset_create(problem, &data, &error), &error);
    expect_ok(chunk_layout_create(problem, cpu, count, &layout, &error), &error);
    void *joined = malloc(chunk_layout_joined_bytes(&layout) + 1);
    assert_non_null(joined);
    memset(joined, 0xFF, chunk_layout_joined_bytes(&layout));
    for (int i = 0; i < data.array_count; i++) {
        expect_ok(buffer_fill(&layout.lanes[i], 0, 0xFF, layout.lanes[i].bytes, &error), &error);
        if (data.output.data[i])
            memset(data.output.data[i], 0xFF, data.arrays[i].bytes);
    }
    for (size_t p = 0; p < count; p++) {
        expect_ok(chunk_layout_send(&layout, p, data.input, &error), &error);
        run_part(&layout.parts[p], layout.array_count, &error);
        expect_ok(chunk_layout_receive(&layout, p, data.output, joined, &error), &error);
    }
    expect_ok(chunk_layout_join(&layout, joined, data.output, &error), &error);
    struct check_result result = {0};
    problem->kernel->check(problem, data.arrays, data.input, data.output, &result);
    if (!result.passed)
        fail_msg("%zu parts: %s", count, result.reason);
    *sent = chunk_layout_bytes(&layout, true);
    free(joined);
    chunk_layout_destroy(&layout);
    dataset_destroy(&data);
}

static void parts_make_the_whole(void **state)
{
    (void)state;
    static const char *const jobs[] = {
        "transpose:rows=67,cols=129",
        "transpose:rows=1051,cols=9",
        "transpose:rows=16,cols=5,c128",
        "dot:n=10007",
        "dot:n=4099,input=wide,f64",
        "matmul:m=33,n=20,k=17",
        "matmul:m=34,n=21,k=9,beta=-0.5,transa=t,lda_pad=3,ldc_pad=2",
        "matmul:m=64,n=16,k=64,transb=t,ldb_pad=5",
        "matmul:m=5,n=7,k=9,beta=0.5,transa=t,lda_pad=1,ldc_pad=1,batch=11",
        "resize:width=17,height=40",
        "resize:width=17,height=40,out_width=9,out_height=60",
        "resize:width=5,height=96,out_width=8,out_height=64",
        "wave:nx=32,ny=32,nz=24,steps=2,input=random",
        "wave:nx=32,ny=32,nz=32,steps=4",
        "wave:nx=8,ny=9,nz=97,steps=4,input=random", /* parts thinner than their margins */
        "wave:nx=5,ny=7,nz=29,steps=3,input=random", /* planes that begin at no page */
    };
    static const size_t counts[] = {1, 2, 3, 8};
    for (size_t j = 0; j < COUNT_OF(jobs); j++)
        for (size_t c = 0; c < COUNT_OF(counts); c++) {
            struct problem problem;
            struct error error = {""};
            size_t sent;
            expect_ok(problem_parse(jobs[j], &problem, &error), &error);
            run_parts(&problem, counts[c], &sent);
        }
}

/* Every unit is dealt out once, to parts of which the last are thin; evenly where there are too few units for that. */
static void the_last_parts_are_thin(void **state)
{
    (void)state;
    static const size_t units[] = {1, 7, 16, 31, 111, 256, 1000, (size_t)1 << 40}, counts[] = {1, 2, 3, 4, 5, 16, 64};
    for (size_t u = 0; u < COUNT_OF(units); u++)
        for (size_t c = 0; c < COUNT_OF(counts) && counts[c] <= units[u]; c++) {
            size_t count = counts[c];
            assert_int_equal(part_begin_tapered(units[u], count, 0), 0);
            assert_int_equal(part_begin_tapered(units[u], count, count), units[u]);
            for (size_t i = 0; i < count; i++)
                assert_true(part_begin_tapered(units[u], count, i) < part_begin_tapered(units[u], count, i + 1));
        }
    assert_int_equal(part_begin_tapered(59, 16, 14), 56);
    assert_int_equal(part_begin_tapered(59, 16, 15), 58);
    assert_int_equal(part_begin_tapered(58, 16, 1), part_begin(58, 16, 1));
}

/* A margin, and a matrix that every part needs, travel once where views can begin anywhere. */
static void what_is_shared_travels_once(void **state)
{
    (void)state;
    struct error error = {""};
    struct problem problem;
    size_t whole, parts;
    expect_ok(problem_parse("wave:nx=32,ny=32,nz=40,steps=2,input=random", &problem, &error), &error);
    run_parts(&problem, 1, &whole);
    run_parts(&problem, 5, &parts);
    assert_int_equal(whole, 2 * 4 * 32 * 32 * 40);
    assert_int_equal(parts, whole);
    expect_ok(problem_parse("matmul:m=64,n=64,k=64", &problem, &error), &error);
    run_parts(&problem, 1, &whole);
    run_parts(&problem, 8, &parts);
    assert_int_equal(whole, 2 * 4 * 64 * 64);
    assert_int_equal(parts, whole);
}

static void what_cannot_be_cut_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *job;
        size_t count;
        const char *words;
    } cases[] = {
        {"sort:n=1000", 4, "nothing can leave before all is there"},
        {"pipeline:n=1000", 4, "sorted whole"},
        {"transpose:rows=3,cols=3", 7, "3 rows and 3 columns make no 7 parts"},
        {"dot:n=7", 8, "7 elements make no 8 parts"},
        {"resize:width=8,height=7,out_height=5", 2, "the weights repeat"},
        {"wave:nx=8,ny=8,nz=16,steps=4", 2, "4 steps reach 8 planes to either side"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {""};
        struct problem problem;
        struct chunk_layout layout;
        expect_ok(problem_parse(cases[i].job, &problem, &error), &error);
        assert_int_equal(chunk_layout_create(&problem, cpu, cases[i].count, &layout, &error), STATUS_UNAVAILABLE);
        if (!strstr(error.text, cases[i].words))
            fail_msg("'%s' does not say '%s'", error.text, cases[i].words);
        chunk_layout_destroy(&layout);
    }
}

static void check_rectangles(const char *job, size_t count, enum chunk_layout_rectangles expected)
{
    struct error error = {""};
    struct problem problem;
    struct chunk_layout layout;
    expect_ok(problem_parse(job, &problem, &error), &error);
    expect_ok(chunk_layout_create(&problem, cpu, count, &layout, &error), &error);
    if (chunk_layout_rectangles(&layout) != expected)
        fail_msg("%s in %zu parts: %d", job, count, (int)chunk_layout_rectangles(&layout));
    chunk_layout_destroy(&layout);
}

static void rectangles_are_seen(void **state)
{
    (void)state;
    check_rectangles("dot:n=64", 4, LAYOUT_WITHOUT_GAPS);
    check_rectangles("transpose:rows=1,cols=64", 4, LAYOUT_WITHOUT_GAPS);
    check_rectangles("transpose:rows=64,cols=16", 4, LAYOUT_SHORT_ROWS);
    check_rectangles("transpose:rows=2048,cols=2048", 16, LAYOUT_LONG_ROWS); /* a quarter of their distance */
    check_rectangles("transpose:rows=2048,cols=2048", 64, LAYOUT_SHORT_ROWS);
    check_rectangles("transpose:rows=65536,cols=2", 8, LAYOUT_LONG_ROWS); /* 32 KiB */
}

/* Tiles are as square as a matrix's rows are long on either side; a tall or wide one is cut across its length alone. */
static void tiles_have_long_rows(void **state)
{
    (void)state;
    static const struct {
        const char *job;
        size_t count, height, width;
    } cases[] = {
        {"transpose:rows=1024,cols=1024", 16, 256, 256}, {"transpose:rows=1024,cols=1024", 8, 512, 256},
        {"transpose:rows=4096,cols=16", 8, 512, 16},     {"transpose:rows=16,cols=4096", 8, 16, 512},
        {"transpose:rows=1024,cols=1024", 2, 1024, 512}, {"transpose:rows=1000,cols=1000", 4, 512, 512},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {""};
        struct problem problem;
        struct chunk_layout layout;
        expect_ok(problem_parse(cases[i].job, &problem, &error), &error);
        expect_ok(chunk_layout_create(&problem, cpu, cases[i].count, &layout, &error), &error);
        assert_int_equal(problem_size(&layout.parts[0].part.problem, "rows"), cases[i].height);
        assert_int_equal(problem_size(&layout.parts[0].part.problem, "cols"), cases[i].width);
        chunk_layout_destroy(&layout);
    }
}

/* What nobody says is chosen: small jobs in few parts, matrices in as many as have long rows. */
static void jobs_are_cut_to_suit(void **state)
{
    (void)state;
    static const struct {
        const char *job;
        size_t parts, expected;
    } cases[] = {
        {"dot:n=1000", 0, 4},
        {"dot:n=3", 0, 3},
        {"transpose:rows=3,cols=1", 0, 3},
        {"dot:n=1000", 7, 7},
        {"transpose:rows=2048,cols=2048", 0, 4},
        {"transpose:rows=4096,cols=2048", 0, 8},
        {"transpose:rows=2048,cols=2048", 16, 16},
        {"transpose:rows=8388608,cols=32", 0, 32},
        {"transpose:rows=16777216,cols=32", 0, 64},
        {"transpose:rows=33554432,cols=32", 0, 128},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {""};
        struct problem problem;
        struct chunk_layout whole, cut;
        expect_ok(problem_parse(cases[i].job, &problem, &error), &error);
        expect_ok(chunk_layout_create(&problem, cpu, 1, &whole, &error), &error);
        expect_ok(partition_job(&whole, cases[i].parts, &cut, &error), &error);
        if (cut.count != cases[i].expected)
            fail_msg("%s: %zu parts", cases[i].job, cut.count);
        chunk_layout_destroy(&cut);
        chunk_layout_destroy(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_parts_are_thin),     cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(what_is_shared_travels_once), cmocka_unit_test(what_cannot_be_cut_says_why),
        cmocka_unit_test(rectangles_are_seen),         cmocka_unit_test(tiles_have_long_rows),
        cmocka_unit_test(jobs_are_cut_to_suit),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
