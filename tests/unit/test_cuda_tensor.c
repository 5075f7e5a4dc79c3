/* What the tensor rungs of matmul, and the bitonic ones of sort, launch, on a driver of host memory (fake_cuda/): every
 * launch's name and arguments are those of its kernel, and six products stand behind three. */
#include "kernels/matmul/accuracy.h"
#include <stdlib.h>

#include "fixture.h"

/* The names of all launches of one run, one a line. `look`, unless it is NULL, sees the run when it has ended. */
static const char *launched_and(const struct rung *rung, const char *text, void (*look)(const struct run *run))
{
    struct error error = {""};
    struct problem problem;
    struct device *device = open_device();
    struct buffer buffers[3] = {{.bytes = 0}}, scratch = {.bytes = 0};
    struct run run = {.rung = rung, .problem = &problem, .device = device, .buffers = buffers, .scratch = &scratch};
    struct array arrays[KERNEL_ARRAYS_MAX];
    size_t bytes = 0;
    fake->functions[0] = 0;
    enum status status = problem_parse(text, &problem, &error);
    if (status == STATUS_OK)
        status = kernel_describe(&problem, arrays, &run.array_count, &error);
    run.arrays = arrays;
    if (status == STATUS_OK)
        status = rung_defaults(rung, &problem, &run.parameters, &error);
    if (status == STATUS_OK)
        status = rung_scratch(rung, &problem, device, &run.parameters, &bytes, &error);
    for (int i = 0; i < 3 && status == STATUS_OK; i++)
        status = buffer_allocate(device, 64, &buffers[i], &error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, bytes, &scratch, &error);
    if (status == STATUS_OK)
        status = rung->prepare(&run, &error);
    if (status == STATUS_OK)
        status = rung->enqueue(&run, &error);
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
    if (look)
        look(&run);
    rung->finish(&run);
    for (int i = 0; i < 3; i++)
        buffer_release(&buffers[i]);
    buffer_release(&scratch);
    device_close(device);
    return fake->functions;
}

static const char *launched(const char *rung_name, const char *text)
{
    struct error error = {""};
    struct problem problem;
    const struct rung *rung =
        problem_parse(text, &problem, &error) == STATUS_OK ? rung_by_name(problem.kernel, rung_name, &error) : NULL;
    if (!rung)
        fail_msg("%s", error.text);
    return launched_and(rung, text, NULL);
}

static void six_products_find_scales_first(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-split", "matmul:m=300,n=200,k=100"),
                        "split_planes\nfind_scales_in_need\nsettle_scales\nsplit_planes\nmatmul\n");
    assert_string_equal(launched("tensor-split-async", "matmul:m=1,n=1,k=1,transa=t,transb=t"),
                        "split_planes\nfind_scales_in_need\nsettle_scales\nsplit_planes\nmatmul\n");
}

/* What three products cannot hold is known on the device only. */
static void six_products_stand_behind_three(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-fp16x3", "matmul:m=300,n=200,k=100"),
                        "find_scales\nsplit_halves\nmatmul\nsplit_planes\nmatmul\n");
    assert_int_equal(fake->grid[0], 3 * 2); /* a group for each tile of 128 x 128 */
}

static bool says_that_it_fell_back(const struct run *run)
{
    struct error error;
    bool did = false;
    assert_int_equal(run->rung->fell_back(run, &did, &error), STATUS_OK);
    return did;
}

/* The device leaves a word, the fifth, that says so. */
static void look_for_six(const struct run *run)
{
    struct error error;
    for (uint32_t word = 0; word < 8; word++) {
        const uint32_t one = 1;
        assert_int_equal(buffer_fill(run->scratch, 0, 0, 64, &error), STATUS_OK);
        assert_false(says_that_it_fell_back(run));
        assert_int_equal(buffer_write(run->scratch, 4 * word, &one, sizeof one, &error), STATUS_OK);
        assert_int_equal(says_that_it_fell_back(run), word == 4);
    }
}

/* Nothing was launched, whatever is in the memory. */
static void look_for_none(const struct run *run)
{
    struct error error;
    assert_int_equal(buffer_fill(run->scratch, 0, 0xee, 64, &error), STATUS_OK);
    assert_false(says_that_it_fell_back(run));
}

static void three_products_say_when_six_computed(void **state)
{
    (void)state;
    struct error error;
    const struct rung *rung = rung_by_name(kernel_by_name("matmul", &error), "tensor-fp16x3", &error);
    assert_non_null(rung->fell_back);
    launched_and(rung, "matmul:m=300,n=200,k=100", look_for_six);
    launched_and(rung, "matmul:m=0,n=5,k=3", look_for_none);
}

static void nothing_is_multiplied_where_there_is_no_result(void **state)
{
    (void)state;
    assert_null(strstr(launched("tensor-split-async", "matmul:m=0,n=5,k=3"), "matmul"));
    assert_null(strstr(launched("tensor-fp16x3", "matmul:m=0,n=5,k=3"), "matmul"));
}

/* Two groups for each multiprocessor stay for the whole product. */
static void panels_are_packed_first(void **state)
{
    (void)state;
    assert_string_equal(launched("register-banks", "matmul:m=300,n=200,k=100,transa=t"), "pack\nmatmul\n");
    unsigned groups = fake->grid[0];
    assert_int_equal(groups % 2, 0);
    assert_string_equal(launched("register-banks", "matmul:m=3000,n=2000,k=0"), "pack\nmatmul\n");
    assert_int_equal(fake->grid[0], groups);
    assert_null(strstr(launched("register-banks", "matmul:m=0,n=5,k=3"), "matmul"));
}

/* Whatever the shape; a vector's, too. */
static void one_launch_is_enough_where_floats_are_split_on_their_way(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-fused", "matmul:m=300,n=200,k=100"), "matmul\n");
    assert_string_equal(launched("tensor-fused", "matmul:m=41,n=49,k=50000,transa=t"), "matmul\n");
    assert_string_equal(launched("tensor-fused", "matmul:m=3,n=5,k=0"), "matmul\n");
    assert_string_equal(launched("tensor-fused", "matmul:m=0,n=5,k=3"), "");
    assert_string_equal(launched("matrix-vector", "matmul:m=1,n=200,k=100000"), "matmul\n");
    assert_string_equal(launched("matrix-vector", "matmul:m=200,n=8,k=1000,transb=t"), "matmul\n");
    assert_string_equal(launched("matrix-vector", "matmul:m=0,n=1,k=3"), "");
    assert_string_equal(launched("matrix-vector", "matmul:m=200,n=1,k=1000,bf16"), "matmul\n");
    assert_string_equal(launched("matrix-vector", "matmul:m=5,n=201,k=333,result=f32,f16"), "matmul\n");
    assert_string_equal(launched("mma-spans", "matmul:m=41,n=49,k=50000,bf16"), "matmul\n");
    assert_string_equal(launched("mma-spans", "matmul:m=0,n=5,k=3,f16"), "");
    assert_string_equal(launched("shallow", "matmul:m=100,n=300,k=3,transa=t,lda_pad=2"), "matmul\n");
    assert_string_equal(launched("tensor-shallow", "matmul:m=100,n=300,k=256,transa=t,lda_pad=2"), "matmul\n");
    assert_string_equal(launched("tensor-shallow", "matmul:m=3,n=5,k=0"), "matmul\n");
}

/* Keys that fit one block are sorted, and are elements again, by a single launch. */
static void one_launch_is_enough_for_few_keys(void **state)
{
    (void)state;
    assert_string_equal(launched("bitonic-local", "sort:n=1024"), "sort_blocks\n");
    assert_string_equal(launched("bitonic-local", "sort:n=1025"), "sort_blocks\nexchange\nmerge_blocks\n");
    assert_string_equal(launched("bitonic-registers", "sort:n=3"), "sort_blocks\n");
    assert_string_equal(launched("bitonic-registers", "sort:n=4001"), "sort_blocks\n");
    assert_string_equal(launched("bitonic-registers", "sort:n=4097"), "sort_blocks\nexchange\nmerge_blocks\n");
}

/* All products of a batch are in one launch. */
static void one_launch_is_enough_for_a_batch(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-fused", "matmul:m=300,n=200,k=100,batch=7"), "matmul\n");
    assert_int_equal(fake->grid[0] % 7, 0);
    assert_string_equal(launched("tensor-fused", "matmul:m=3,n=5,k=100,transa=t,batch=100000"), "matmul\n");
    assert_int_equal(fake->grid[0], 100000);
    assert_string_equal(launched("shallow", "matmul:m=100,n=300,k=3"), "matmul\n");
    const unsigned one = fake->grid[0];
    assert_string_equal(launched("shallow", "matmul:m=100,n=300,k=3,batch=5"), "matmul\n");
    assert_int_equal(fake->grid[0], 5 * one);
    assert_string_equal(launched("register-tiles", "matmul:m=100,n=300,k=3,transb=t,batch=5"), "matmul\n");
    assert_string_equal(launched("tensor-fused", "matmul:m=0,n=5,k=3,batch=7"), "");
}

/* ---- cuBLAS with fewer bits ---- */

/* Row-major, B transposed; beta 0. */
static void look_for_the_product(const struct run *run)
{
    struct error error;
    static const float a[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, b[3][4] = {{1, 0, 2, 0}, {0, 3, 0, 1}, {1, 1, 1, 1}};
    float c[2][3] = {{0}};
    assert_int_equal(buffer_write(&run->buffers[0], 0, a, sizeof a, &error), STATUS_OK);
    assert_int_equal(buffer_write(&run->buffers[1], 0, b, sizeof b, &error), STATUS_OK);
    assert_int_equal(run->rung->enqueue((struct run *)run, &error), STATUS_OK);
    assert_int_equal(buffer_read(&run->buffers[2], 0, c, sizeof c, &error), STATUS_OK);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[i][k] * b[j][k];
            assert_true(c[i][j] == sum);
        }
}

static void fewer_bits_are_asked_of_cublas(void **state)
{
    (void)state;
    setenv("USKOR_CUBLAS", USKOR_FAKE_CUDA, 1);
    launched_and(&matmul_cublas_tf32, "matmul:m=2,n=3,k=4,transb=t", look_for_the_product);
    assert_string_equal(launched_and(&matmul_cublas_tf32, "matmul:m=2,n=3,k=4", NULL), "gemm of type 0\n");
    assert_string_equal(launched_and(&matmul_cublas_float16, "matmul:m=2,n=3,k=4", NULL),
                        "narrow\nnarrow\ngemm of type 2\n");
    assert_string_equal(launched_and(&matmul_cublas_bfloat16, "matmul:m=2,n=3,k=4,transa=t,lda_pad=1", NULL),
                        "narrow\nnarrow\ngemm of type 14\n");
    assert_string_equal(launched_and(&matmul_cublas_bfloat16, "matmul:m=0,n=3,k=4", NULL), "narrow\n");
}

/* Row-major, A transposed, C padded: two products of 2 × 1 by 1 × 3. */
static void look_for_the_batch(const struct run *run)
{
    struct error error;
    static const float a[2][2] = {{1, 2}, {3, 4}}, b[2][3] = {{1, 2, 3}, {4, 5, 6}};
    float c[2][2][4] = {{{0}}};
    assert_int_equal(buffer_write(&run->buffers[0], 0, a, sizeof a, &error), STATUS_OK);
    assert_int_equal(buffer_write(&run->buffers[1], 0, b, sizeof b, &error), STATUS_OK);
    assert_int_equal(buffer_write(&run->buffers[2], 0, c, sizeof c, &error), STATUS_OK);
    assert_int_equal(run->rung->enqueue((struct run *)run, &error), STATUS_OK);
    assert_int_equal(buffer_read(&run->buffers[2], 0, c, sizeof c, &error), STATUS_OK);
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 4; j++)
                assert_true(c[p][i][j] == (j < 3 ? a[p][i] * b[p][j] : 0));
}

static void a_batch_is_asked_of_cublas(void **state)
{
    (void)state;
    struct error error;
    setenv("USKOR_CUBLAS", USKOR_FAKE_CUDA, 1);
    launched_and(rung_by_name(kernel_by_name("matmul", &error), "cublas", &error),
                 "matmul:m=2,n=3,k=1,transa=t,ldc_pad=1,batch=2", look_for_the_batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(six_products_find_scales_first),
        TEST(six_products_stand_behind_three),
        TEST(three_products_say_when_six_computed),
        TEST(nothing_is_multiplied_where_there_is_no_result),
        TEST(panels_are_packed_first),
        TEST(fewer_bits_are_asked_of_cublas),
        TEST(a_batch_is_asked_of_cublas),
        TEST(one_launch_is_enough_for_few_keys),
        TEST(one_launch_is_enough_for_a_batch),
        TEST(one_launch_is_enough_where_floats_are_split_on_their_way),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
