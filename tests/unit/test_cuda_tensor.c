/* What the tensor rungs of matmul launch, on a driver of host memory (fake_cuda/): every launch's name and arguments
 * are those of its kernel, and six products stand behind three. */
#include "kernels/kernel.h"

#include "fixture.h"

/* The names of all launches of one run, one a line. */
static const char *launched(const char *rung_name, const char *text)
{
    struct error error = {""};
    struct problem problem;
    struct device *device = open_device();
    struct buffer buffers[3] = {{.bytes = 0}}, scratch = {.bytes = 0};
    const struct rung *rung = rung_by_name(kernel_by_name("matmul", &error), rung_name, &error);
    struct run run = {.rung = rung, .problem = &problem, .device = device, .buffers = buffers, .scratch = &scratch};
    size_t bytes = 0;
    fake->functions[0] = 0;
    enum status status = problem_parse(text, &problem, &error);
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
    rung->finish(&run);
    for (int i = 0; i < 3; i++)
        buffer_release(&buffers[i]);
    buffer_release(&scratch);
    device_close(device);
    return fake->functions;
}

static void six_products_find_scales_first(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-split", "matmul:m=300,n=200,k=100"),
                        "find_scales\nsettle_scales\nsplit_planes\nmatmul\n");
    assert_string_equal(launched("tensor-split-async", "matmul:m=1,n=1,k=1,transa=t,transb=t"),
                        "find_scales\nsettle_scales\nsplit_planes\nmatmul\n");
}

/* What three products cannot hold is known on the device only. */
static void six_products_stand_behind_three(void **state)
{
    (void)state;
    assert_string_equal(launched("tensor-fp16x3", "matmul:m=300,n=200,k=100"),
                        "find_scales\nsplit_halves\nmatmul\nsplit_planes\nmatmul\n");
    assert_int_equal(fake->grid[0], 3 * 2); /* a group for each tile of 128 x 128 */
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
    assert_string_equal(launched("matrix-vector", "matmul:m=0,n=1,k=3"), "");
    assert_string_equal(launched("shallow", "matmul:m=100,n=300,k=3,transa=t,lda_pad=2"), "matmul\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(six_products_find_scales_first),
        TEST(six_products_stand_behind_three),
        TEST(nothing_is_multiplied_where_there_is_no_result),
        TEST(panels_are_packed_first),
        TEST(one_launch_is_enough_where_floats_are_split_on_their_way),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
