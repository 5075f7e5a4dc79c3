/* What a rung on a device could be right by: what local memory still holds, and bytes beyond an array. */
#include <math.h>
#include <stdlib.h>

#include "opencl_device.h"

#include "lab/verification/canaries.h"
#include "lab/verification/local_poison.h"

#define WORDS 256

/* What a group finds in local memory that it has not written. */
static const char text[] = "__kernel void stale(__global int *out)\n"
                           "{\n"
                           "    __local int words[256];\n"
                           "    int i = get_local_id(0);\n"
                           "    out[get_global_id(0)] = words[i];\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    words[i] = out[0];\n"
                           "}\n";

/* On a processor each thread has local memory of its own, and a thread that slept has taken no group of the fill. */
static bool finds_the_poison(struct local_poison *poison, struct program *program, const struct buffer *out,
                             unsigned char byte)
{
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = out};
    unsigned char found[WORDS * sizeof(int32_t)], expected[sizeof found];
    memset(expected, byte, sizeof expected);
    expect_ok(local_poison_fill(poison, device, byte, &error));
    expect_ok(launch_over(program, "stale", 1, (size_t[]){WORDS, 1, 1}, (size_t[]){1, 1, 1}, &argument, 1));
    expect_ok(buffer_read(out, 0, found, sizeof found, &error));
    return memcmp(found, expected, sizeof found) == 0;
}

static void local_memory_holds_the_poison(void **state)
{
    NEEDS_DEVICE();
    if (is_oclgrind())
        skip(); /* it gives every group memory of its own */
    struct local_poison poison = {0};
    struct program *program = build(text, NULL, 0);
    struct buffer out = allocate(WORDS * sizeof(int32_t));
    for (int byte = 0xe1; byte < 0xe4; byte++) {
        int attempts = 0;
        while (!finds_the_poison(&poison, program, &out, (unsigned char)byte))
            assert_true(++attempts < 1000);
    }
    local_poison_end(&poison);
    buffer_release(&out);
    program_discard(program);
}

static void without_canaries_an_array_is_a_buffer(void **state)
{
    NEEDS_DEVICE();
    for (int wanted = 0; wanted < 2; wanted++) {
        struct guarded guarded;
        memset(&guarded, 0, sizeof guarded);
        struct local_poison poison = {0};
        assert_int_equal(wanted ? unsetenv("USKOR_CANARIES") : setenv("USKOR_CANARIES", "none", 1), 0);
        expect_ok(guarded_allocate(device, MEMORY_PAGEABLE, 1000, &guarded, &error));
        assert_int_equal(guarded.whole.bytes, 1000 + (wanted ? 2 * 65536 : 0));
        assert_int_equal(guarded.payload.bytes, 1000);
        expect_ok(guarded_check(&guarded, "a", &error));
        expect_ok(local_poison_fill(&poison, device, 0xff, &error));
        assert_int_equal(poison.program != NULL, wanted);
        local_poison_end(&poison);
        guarded_release(&guarded);
    }
}

/* A wrong rung copies an array with what is before and behind it: the copy's canaries were others. */
static void what_is_copied_beyond_an_array_is_found(void **state)
{
    NEEDS_DEVICE();
    struct guarded in = {.canary = 0}, out = {.canary = 0};
    expect_ok(guarded_allocate(device, MEMORY_PAGEABLE, 4096, &in, &error));
    expect_ok(guarded_allocate(device, MEMORY_PAGEABLE, 4096, &out, &error));
    const size_t canary = (in.whole.bytes - 4096) / 2;
    char *all = malloc(in.whole.bytes);
    expect_ok(buffer_read(&in.whole, 0, all, in.whole.bytes, &error));
    expect_ok(buffer_write(&out.whole, canary, all + canary, 4096, &error));
    expect_ok(guarded_check(&out, "out", &error));
    expect_ok(buffer_write(&out.whole, canary, all + canary, 4096 + 4, &error));
    assert_int_equal(guarded_check(&out, "out", &error), STATUS_FAILED);
    assert_string_equal(error.text, "wrote past the end of array 'out'");
    free(all);
    guarded_release(&in);
    guarded_release(&out);
}

/* A wrong rung: it reads beyond the array at both ends, and multiplies that by 0. */
static const char beyond[] = "__kernel void add_up(__global const float *in, __global float *sums)\n"
                             "{\n"
                             "    float sum = 0;\n"
                             "    for (int i = 0; i <= 256; i++)\n"
                             "        sum += (i < 256 ? 1.0f : 0.0f) * in[i];\n"
                             "    sums[0] = sum;\n"
                             "    sums[1] = 0.0f * in[-1];\n"
                             "}\n";

static void what_is_read_beyond_an_array_spoils_sums(void **state)
{
    NEEDS_DEVICE();
    struct guarded in, out;
    struct program *program = build(beyond, NULL, 0);
    static const float zeros[WORDS];
    float sums[2] = {0, 0};
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    expect_ok(guarded_allocate(device, MEMORY_PAGEABLE, sizeof zeros, &in, &error));
    expect_ok(guarded_allocate(device, MEMORY_PAGEABLE, sizeof sums, &out, &error));
    expect_ok(buffer_write(&in.payload, 0, zeros, sizeof zeros, &error));
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &in.payload},
                                               {.kind = ARGUMENT_BUFFER, .buffer = &out.payload}};
    expect_ok(launch_over(program, "add_up", 1, (size_t[]){1, 1, 1}, (size_t[]){1, 1, 1}, arguments, 2));
    expect_ok(buffer_read(&out.payload, 0, sums, sizeof sums, &error));
    assert_true(!canaries_wanted() || (isnan(sums[0]) && isnan(sums[1])));
    guarded_release(&out);
    guarded_release(&in);
    program_discard(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_memory_holds_the_poison),
        cmocka_unit_test(without_canaries_an_array_is_a_buffer),
        cmocka_unit_test(what_is_copied_beyond_an_array_is_found),
        cmocka_unit_test(what_is_read_beyond_an_array_spoils_sums),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
