/* The C library on the caller's own stream and addresses, on a driver of host memory (fake_cuda/). */
#include "fixture.h"

#include "backends/cuda/device.h"
#include "uskor.h"

/* The caller's own context and stream, as a program of CUDA's driver interface has them. */
static CUstream callers_stream(struct device *device)
{
    return cuda_device_of(device)->own;
}

static void the_callers_stream_gets_the_launch(void **state)
{
    (void)state;
    struct device *device = open_device();
    struct uskor *uskor;
    struct uskor_plan *plan;
    const int streams = fake->streams, contexts = fake->contexts, allocations = fake->allocations;
    const uintptr_t in = 0x10000, out = 0x20000;
    unsigned long long passed[2];
    if (uskor_open_cuda(&uskor, callers_stream(device)) != USKOR_OK)
        fail_msg("%s", uskor_message(NULL));
    assert_int_equal(uskor_plan_transpose(uskor, &plan, 64, 32, 4), USKOR_OK);
    fake->failing = "cuStreamSynchronize"; /* a run that waited would fail */
    fake->failure = CUDA_ERROR_INVALID_VALUE;
    for (int i = 1; i <= 3; i++) {
        if (uskor_run_device(plan, (void *)out, (void *)in, NULL) != USKOR_OK)
            fail_msg("%s", uskor_message(uskor));
        assert_int_equal(fake->launches, i);
    }
    assert_ptr_equal(fake->last_stream, callers_stream(device));
    assert_non_null(strstr(uskor_device(uskor), "cuda:0"));
    memcpy(passed, fake->arguments, sizeof passed);
    assert_int_equal(passed[0], in);
    assert_int_equal(passed[1], out);
    assert_int_equal(fake->allocations, allocations); /* no memory for arrays, and nothing is copied */
    fake->failing = NULL;
    assert_int_equal(uskor_run_device(plan, NULL, (void *)in, NULL), USKOR_INVALID);
    assert_int_equal(uskor_run_device(plan, (void *)in, (void *)in, NULL), USKOR_INVALID);
    uskor_plan_free(plan);
    uskor_close(uskor);
    assert_int_equal(fake->streams, streams); /* the caller's are the caller's */
    assert_int_equal(fake->contexts, contexts);
    device_close(device);
}

static void streams_that_are_none_are_refused(void **state)
{
    (void)state;
    struct device *device = open_device();
    struct uskor *uskor;
    char other;
    assert_int_equal(uskor_open_cuda(&uskor, &other), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(NULL), "not a stream"));
    assert_null(uskor);
    assert_int_equal(uskor_open_cuda(&uskor, NULL), USKOR_OK); /* the default stream of the current context */
    uskor_close(uskor);
    cuda.CtxSetCurrent(NULL);
    assert_int_equal(uskor_open_cuda(&uskor, NULL), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(NULL), "no current CUDA context"));
    device_close(device);
}

/* A graph replays a launch with the same number: what groups told each other in the replay before has to go. */
static void a_captured_product_begins_anew(void **state)
{
    (void)state;
    struct device *device = open_device();
    struct uskor *uskor;
    struct uskor_plan *plan;
    const uintptr_t a = 0x10000, b = 0x20000, c = 0x30000;
    assert_int_equal(uskor_open_cuda(&uskor, callers_stream(device)), USKOR_OK);
    if (uskor_plan_gemm(uskor, &plan, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, 64, 64, 4096, 1, 4096, 64, 0, 64, 1) !=
        USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    for (int captured = 0; captured < 2; captured++) {
        fake->capturing = captured;
        assert_int_equal(uskor_run_device(plan, (void *)c, (void *)a, (void *)b), USKOR_OK);
        assert_string_equal(uskor_rung(uskor), "tensor-fused");
        assert_int_equal(fake->fills, captured);
    }
    uskor_plan_free(plan);
    uskor_close(uskor);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_callers_stream_gets_the_launch),
        TEST(streams_that_are_none_are_refused),
        TEST(a_captured_product_begins_anew),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
