/* A problem's memory with the host's side in each kind, and the ring of pinned pieces, on a driver of host memory
 * (fake_cuda/). */
#include "backends/staging.h"
#include "lab/verification/workspace.h"

#include "fixture.h"

static void every_kind_carries_the_data(void **state)
{
    (void)state;
    struct device *device = open_device();
    struct error error = {""};
    struct problem problem;
    struct dataset data;
    assert_int_equal(problem_parse("matmul:m=40,n=30,k=20,beta=1", &problem, &error), STATUS_OK);
    assert_int_equal(dataset_create(&problem, &data, &error), STATUS_OK);
    unsigned char *seen = malloc(data.arrays[2].bytes);
    assert_non_null(seen);
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        struct workspace workspace;
        if (workspace_create_in(&data, device, (enum memory_kind)kind, &workspace, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(workspace_poison(&workspace, 0xFF, &error), STATUS_OK);
        assert_int_equal(workspace_stage(&workspace, &error), STATUS_OK);
        assert_int_equal(workspace_upload(&workspace, &error), STATUS_OK);
        assert_int_equal(workspace_check_inputs(&workspace, &error), STATUS_OK);
        assert_int_equal(workspace_check_canaries(&workspace, &error), STATUS_OK);
        assert_int_equal(buffer_read(&workspace.payloads[2], 0, seen, data.arrays[2].bytes, &error), STATUS_OK);
        assert_memory_equal(seen, data.input.data[2], data.arrays[2].bytes);
        assert_int_equal(
            buffer_fill(&workspace.payloads[2], 0, (unsigned char)(7 + kind), data.arrays[2].bytes, &error), STATUS_OK);
        assert_int_equal(workspace_download_results(&workspace, &error), STATUS_OK);
        assert_int_equal(workspace_download(&workspace, &error), STATUS_OK);
        for (size_t i = 0; i < data.arrays[2].bytes; i++)
            assert_int_equal(((unsigned char *)data.output.data[2])[i], 7 + kind);
        assert_int_equal(workspace_download_results(&workspace, &error), STATUS_OK); /* destroyed in the host's turn */
        workspace_destroy(&workspace);
    }
    free(seen);
    dataset_destroy(&data);
    device_close(device);
}

/* An allocation that fails half-way leaves nothing behind. */
static void a_kind_that_is_missing_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        enum memory_kind kind;
        const char *failing;
    } cases[] = {{MEMORY_PINNED, "cuMemHostAlloc"},
                 {MEMORY_REGISTERED, "cuMemHostRegister_v2"},
                 {MEMORY_MANAGED, "cuMemAllocManaged"},
                 {MEMORY_PREFETCHED, "cuMemAllocManaged"},
                 {MEMORY_MAPPED, "cuMemHostGetDevicePointer_v2"}};
    struct device *device = open_device();
    struct error error = {""};
    struct problem problem;
    struct dataset data;
    assert_int_equal(problem_parse("transpose:rows=9,cols=7", &problem, &error), STATUS_OK);
    assert_int_equal(dataset_create(&problem, &data, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct workspace workspace;
        fake->failing = cases[i].failing;
        fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
        assert_refused(workspace_create_in(&data, device, cases[i].kind, &workspace, &error), STATUS_UNAVAILABLE,
                       &error, "CUDA_ERROR_OUT_OF_MEMORY");
        assert_int_equal(fake->pinned + fake->allocations, 0);
    }
    dataset_destroy(&data);
    device_close(device);
}

static void the_ring_carries_any_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4095, (size_t)4 << 20, ((size_t)4 << 20) + 1, ((size_t)40 << 20) + 3};
    struct device *device = open_device();
    struct staging *staging;
    struct error error = {""};
    assert_int_equal(staging_create(device, &staging, &error), STATUS_OK);
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        size_t bytes = sizes[s];
        struct buffer buffer;
        unsigned char *host = malloc(bytes + 1), *back = malloc(bytes + 1);
        assert_true(host && back);
        for (size_t i = 0; i < bytes; i++)
            host[i] = (unsigned char)(i * 31 + (i >> 20) + s);
        memset(back, 0, bytes + 1);
        assert_int_equal(buffer_allocate(device, bytes + 16, &buffer, &error), STATUS_OK);
        assert_int_equal(staging_write(staging, &buffer, 16, host, bytes, &error), STATUS_OK);
        assert_int_equal(staging_read(staging, &buffer, 16, back, bytes, &error), STATUS_OK);
        assert_memory_equal(host, back, bytes);
        buffer_release(&buffer);
        free(host);
        free(back);
    }
    struct buffer small;
    assert_int_equal(buffer_allocate(device, 16, &small, &error), STATUS_OK);
    assert_refused(staging_write(staging, &small, 0, &error, 17, &error), STATUS_INVALID, &error, "do not fit");
    assert_refused(staging_read(staging, &small, 8, &error, 17, &error), STATUS_INVALID, &error, "do not fit");
    buffer_release(&small);
    staging_destroy(staging);
    staging_destroy(NULL);
    fake->failing = "cuMemHostAlloc";
    fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
    assert_refused(staging_create(device, &staging, &error), STATUS_UNAVAILABLE, &error, "pinning 16 MiB");
    assert_null(staging);
    device_close(device);
}

/* Large arrays travel through the ring, or without one where nothing can be pinned: every byte, and one that a rung
 * changed is seen wherever it is. */
static void large_arrays_are_compared_whole(void **state)
{
    (void)state;
    struct device *device = open_device();
    struct error error = {""};
    struct problem problem;
    struct dataset data;
    assert_int_equal(problem_parse("transpose:rows=8193,cols=1027", &problem, &error), STATUS_OK);
    assert_int_equal(dataset_create(&problem, &data, &error), STATUS_OK);
    const size_t bytes = data.arrays[0].bytes;
    const size_t places[] = {0, ((size_t)4 << 20) - 1, (size_t)4 << 20, ((size_t)21 << 20) + 12345, bytes - 1};
    assert_true(bytes > (size_t)32 << 20);
    for (int without = 0; without < 2; without++) {
        struct workspace workspace;
        fake->failing = without ? "cuMemHostAlloc" : NULL;
        fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
        assert_int_equal(workspace_create(&data, device, &workspace, &error), STATUS_OK);
        assert_int_equal(fake->pinned, !without);
        assert_int_equal(workspace_check_inputs(&workspace, &error), STATUS_OK);
        for (size_t i = 0; i < COUNT_OF(places); i++) {
            unsigned char right = ((unsigned char *)data.input.data[0])[places[i]], wrong = right ^ 4;
            assert_int_equal(buffer_write(&workspace.payloads[0], places[i], &wrong, 1, &error), STATUS_OK);
            assert_refused(workspace_check_inputs(&workspace, &error), STATUS_FAILED, &error, "changed its input 'in'");
            assert_int_equal(buffer_write(&workspace.payloads[0], places[i], &right, 1, &error), STATUS_OK);
        }
        assert_int_equal(workspace_check_inputs(&workspace, &error), STATUS_OK);
        assert_int_equal(buffer_write(&workspace.payloads[1], 0, data.input.data[0], bytes, &error), STATUS_OK);
        memset(data.output.data[1], 0, bytes);
        assert_int_equal(workspace_download(&workspace, &error), STATUS_OK);
        assert_memory_equal(data.output.data[1], data.input.data[0], bytes);
        workspace_destroy(&workspace);
        assert_int_equal(fake->pinned + fake->allocations, 0);
    }
    fake->failing = NULL;
    dataset_destroy(&data);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_carries_the_data),
        TEST(a_kind_that_is_missing_is_a_reason),
        TEST(the_ring_carries_any_size),
        TEST(large_arrays_are_compared_whole),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
