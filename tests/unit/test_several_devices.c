/* Ladders over devices, on one OpenCL device that is in the group several times: partitions, every rung's answer, a
 * wrong rung's, and the bits of the dot product. What a rung computes so is what it computes on GPUs; its times are
 * nothing. */
#include <math.h>
#include <stdio.h>

#include "distributed/bench.h"
#include "distributed/dot/dot.h"
#include "distributed/placement.h"
#include "opencl_device.h"

#include "between.h"

extern const struct device_ladder dot_on_devices;

static struct problem parsed_problem(const char *text)
{
    struct problem problem;
    if (problem_parse(text, &problem, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return problem;
}

static const struct device_ladder *ladder_for(const struct problem *problem)
{
    const struct device_ladder *ladder = device_ladder_of(problem->kernel, &error);
    if (!ladder)
        fail_msg("%s", error.text);
    return ladder;
}

/* The devices of every test, opened once: each compiles what it runs for itself. */
static struct device_group all;

/* Not to be closed. */
static struct device_group group_of(size_t count)
{
    if (!all.count && group_open("opencl:0,opencl:0,opencl:0,opencl:0", &all, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_between(count, 1, all.count);
    return group_first(&all, count);
}

static int close_all(void **state)
{
    group_close(&all);
    return close_device(state);
}

/* ---- arithmetic ---- */

static void groups_are_read(void **state)
{
    (void)state;
    char ids[GROUP_MAX][32];
    size_t count;
    assert_int_equal(group_parse("cuda:0..3", ids, &count, &error), STATUS_OK);
    assert_int_equal(count, 4);
    assert_string_equal(ids[3], "cuda:3");
    assert_int_equal(group_parse("cuda:2,opencl:1,cuda:2", ids, &count, &error), STATUS_OK);
    assert_int_equal(count, 3);
    assert_string_equal(ids[1], "opencl:1");
    static const char *const wrong[] = {"",       "cuda:",      "cuda:3..1",   "cuda:0..", "cuda:0..1x", ",cuda:0",
                                        "cuda:x", "cuda:0..99", "nothing:0..", "nothing",  "cuda:-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (group_parse(wrong[i], ids, &count, &error) != STATUS_INVALID)
            fail_msg("'%s' is not refused", wrong[i]);
}

/* Shares follow each other without a gap from the array's beginning to its end, whatever the number of devices. */
static void shares_cover_every_array(void **state)
{
    (void)state;
    static const char *const problems[] = {
        "transpose:rows=0,cols=5",
        "transpose:rows=1000,cols=777,u8",
        "transpose:rows=64,cols=10000,c128",
        "dot:n=0",
        "dot:n=1",
        "dot:n=100003,f64",
        "dot:n=2^30",
        "wave:nx=5,ny=3,nz=100",
        "matmul:1000x333x129",
        "matmul:1x1x1",
        "sort:n=0",
        "sort:n=70001,u64",
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        for (size_t count = 1; count <= 7; count++) {
            struct problem problem = parsed_problem(problems[p]);
            const struct device_ladder *ladder = ladder_for(&problem);
            struct array arrays[KERNEL_ARRAYS_MAX];
            int array_count;
            assert_int_equal(kernel_describe(&problem, arrays, &array_count, &error), STATUS_OK);
            for (int a = 0; a < array_count; a++) {
                size_t end = 0;
                for (size_t i = 0; i < count; i++) {
                    struct share share = ladder->share(&problem, a, i, count);
                    if (share.bytes && share.offset != end)
                        fail_msg("%s: array %d, device %zu of %zu begins at %zu, not %zu", problems[p], a, i, count,
                                 share.offset, end);
                    end += share.bytes;
                }
                assert_int_equal(end, arrays[a].bytes);
            }
        }
}

static void units_are_dealt_out_evenly(void **state)
{
    (void)state;
    for (size_t units = 0; units < 400; units += 13)
        for (size_t count = 1; count < 6; count++) {
            size_t least = SIZE_MAX, most = 0;
            for (size_t i = 0; i < count; i++) {
                size_t begin = deal_begin(units, 16, count, i), end = deal_begin(units, 16, count, i + 1);
                assert_true(begin <= end && (begin % 16 == 0 || begin == units));
                least = end - begin < least ? end - begin : least;
                most = end - begin > most ? end - begin : most;
            }
            assert_int_equal(deal_begin(units, 16, count, 0), 0);
            assert_int_equal(deal_begin(units, 16, count, count), units);
            assert_true(most - least < 2 * 16);
        }
}

/* ---- answers ---- */

static void check_on(const char *text, size_t count, enum verdict wanted, const struct device_ladder *ladder)
{
    struct problem problem = parsed_problem(text);
    struct device_group group = group_of(count);
    struct measurement_list list = {0};
    ladder = ladder ? ladder : ladder_for(&problem);
    if (device_check(ladder, &problem, &group, &list, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.text);
    assert_true(list.count >= ladder->rung_count);
    for (size_t i = 0; i < list.count; i++) {
        const struct measurement *one = &list.items[i];
        /* NCCL takes no device twice; bulk copies are CUDA's; two steps in a pass do not make an odd number. */
        bool is_odd = strstr(one->problem, "steps=3") && strcmp(one->rung, "peer-loads") == 0;
        bool is_skipped = strcmp(one->rung, "nccl") == 0 || strcmp(one->rung, "peer-bulk") == 0 || is_odd;
        if (one->kind != MEASURED_PROBE && one->verdict != (is_skipped ? VERDICT_SKIP : wanted))
            fail_msg("%s, %zu devices, %s: %s %s", text, count, one->rung, verdict_name(one->verdict), one->reason);
    }
    measurement_list_free(&list);
}

static void every_rung_is_right(void **state)
{
    NEEDS_DEVICE();
    check_on("transpose:rows=131,cols=257,u8", 3, VERDICT_PASS, NULL);
    check_on("transpose:rows=96,cols=256,c128", 3, VERDICT_PASS, NULL);
    check_on("transpose:rows=30,cols=1000,u16", 3, VERDICT_PASS, NULL); /* two devices have no rows */
    check_on("dot:n=20003,input=integers", 3, VERDICT_PASS, NULL);
    check_on("dot:n=50001,input=signed,f64", 3, VERDICT_PASS, NULL);
    check_on("wave:nx=16,ny=8,nz=52,steps=6,input=random", 2, VERDICT_PASS, NULL);
    check_on("wave:nx=12,ny=7,nz=41,steps=4,input=random", 2, VERDICT_PASS, NULL);
    check_on("wave:nx=16,ny=8,nz=39,steps=3,input=random", 3, VERDICT_PASS, NULL);
    /* peer-loads: layers of groups, of which the first and the last have fewer planes */
    check_on("wave:nx=8,ny=5,nz=705,steps=4,input=random", 2, VERDICT_PASS, NULL);
    check_on("wave:nx=4,ny=4,nz=1650,steps=6,input=random", 3, VERDICT_PASS, NULL);
    check_on("wave:nx=8,ny=8,nz=20,steps=3", 2, VERDICT_SKIP, NULL); /* the halos are longer than the slabs */
    check_on("matmul:m=200,n=33,k=90,beta=2,input=integers", 3, VERDICT_PASS, NULL);
    check_on("matmul:m=300,n=17,k=3000,beta=-1,alpha=2,input=integers", 3, VERDICT_PASS, NULL); /* parts are added */
    check_on("matmul:m=9,n=4,k=0,beta=0.5", 2, VERDICT_PASS, NULL);
    check_on("sort:n=40007,input=few", 4, VERDICT_PASS, NULL); /* equal keys on both sides of a cut */
    check_on("sort:n=4000,input=special,f64", 2, VERDICT_PASS, NULL);
    check_on("sort:n=1500,i32", 4, VERDICT_PASS, NULL); /* two devices have nothing */
    check_on("matmul:m=64,n=64,k=64,transb=t", 2, VERDICT_SKIP, NULL);
}

static enum status prepare_nothing(struct device_run *run, struct error *why)
{
    (void)run, (void)why;
    return STATUS_OK;
}

static void finish_nothing(struct device_run *run)
{
    (void)run;
}

/* Device 0's share only. */
static enum status copy_half(struct device_run *run, struct error *why)
{
    size_t bytes =
        run->buffers[0][0].bytes < run->buffers[0][1].bytes ? run->buffers[0][0].bytes : run->buffers[0][1].bytes;
    return buffer_copy(&run->buffers[0][1], 0, &run->buffers[0][0], 0, bytes, why);
}

static enum status do_nothing(struct device_run *run, struct error *why)
{
    (void)run, (void)why;
    return STATUS_OK;
}

/* Right, and an input is another one afterwards. */
static enum status spoil_input(struct device_run *run, struct error *why)
{
    return buffer_fill(&run->buffers[1][0], 0, 7, 16, why);
}

static void wrong_rungs_are_found(void **state)
{
    NEEDS_DEVICE();
    static const struct device_rung wrong[] = {
        {.name = "half", .idea = "", .prepare = prepare_nothing, .enqueue = copy_half, .finish = finish_nothing},
        {.name = "nothing", .idea = "", .prepare = prepare_nothing, .enqueue = do_nothing, .finish = finish_nothing},
        {.name = "input", .idea = "", .prepare = prepare_nothing, .enqueue = spoil_input, .finish = finish_nothing},
    };
    const struct device_rung *const rungs[] = {&wrong[0], &wrong[1], &wrong[2]};
    struct problem problem = parsed_problem("transpose:rows=128,cols=128");
    struct device_ladder ladder = *ladder_for(&problem);
    ladder.rungs = rungs;
    ladder.rung_count = 3;
    check_on("transpose:rows=128,cols=128", 2, VERDICT_FAIL, &ladder);
}

/* ---- the same bits ---- */

/* Right within the bound, with the last bit another one. */
static enum status add_in_another_order(struct device_run *run, struct error *why)
{
    double sum = 0;
    const struct device_rung *right = dot_on_devices.rungs[0];
    enum status status = right->enqueue(run, why);
    if (status == STATUS_OK)
        status = group_synchronize(run->group, why);
    if (status == STATUS_OK)
        status = buffer_read(&run->buffers[0][2], 0, &sum, sizeof sum, why);
    sum = run->group->count > 1 ? nextafter(sum, 1e300) : sum;
    return status == STATUS_OK ? buffer_write(&run->buffers[0][2], 0, &sum, sizeof sum, why) : status;
}

static void other_bits_are_found(void **state)
{
    NEEDS_DEVICE();
    struct device_rung other = *dot_on_devices.rungs[0];
    const struct device_rung *const rungs[] = {&other};
    struct device_ladder ladder = dot_on_devices;
    other.enqueue = add_in_another_order;
    ladder.rungs = rungs;
    ladder.rung_count = 1;
    check_on("dot:n=70001,input=signed,f64", 3, VERDICT_FAIL, &ladder);
    ladder.same_bits = false;
    check_on("dot:n=70001,input=signed,f64", 3, VERDICT_PASS, &ladder);
}

static double dot_of(const char *text, size_t count, size_t rung)
{
    struct problem problem = parsed_problem(text);
    const struct device_ladder *ladder = ladder_for(&problem);
    struct device_group group = group_of(count);
    struct dataset data;
    struct placement placement;
    struct device_run run = {0};
    double result = 0;
    assert_int_equal(dataset_create(&problem, &data, &error), STATUS_OK);
    assert_int_equal(placement_create(ladder, &group, &data, &placement, &error), STATUS_OK);
    assert_int_equal(placement_prepare(&placement, ladder->rungs[rung], &run, &error), STATUS_OK);
    assert_int_equal(run.rung->prepare(&run, &error), STATUS_OK);
    assert_int_equal(run.rung->enqueue(&run, &error), STATUS_OK);
    assert_int_equal(group_synchronize(&group, &error), STATUS_OK);
    assert_int_equal(buffer_read(&run.buffers[0][2], 0, &result, sizeof result, &error), STATUS_OK);
    run.rung->finish(&run);
    placement_destroy(&placement);
    dataset_destroy(&data);
    return result;
}

static void the_dot_product_has_the_same_bits(void **state)
{
    NEEDS_DEVICE();
    const char *text = "dot:n=70001,input=wide";
    double first = dot_of(text, 1, 0);
    assert_true(first != 0);
    for (size_t count = 1; count <= 4; count++)
        for (size_t rung = 0; rung < 3; rung++) { /* but NCCL's */
            double other = dot_of(text, count, rung);
            assert_memory_equal(&other, &first, sizeof first);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_read),
        cmocka_unit_test(shares_cover_every_array),
        cmocka_unit_test(units_are_dealt_out_evenly),
        cmocka_unit_test(every_rung_is_right),
        cmocka_unit_test(wrong_rungs_are_found),
        cmocka_unit_test(other_bits_are_found),
        cmocka_unit_test(the_dot_product_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_device, close_all);
}
