/* The words of the rungs' language have one meaning on every device: in the OpenCL prelude, the CUDA prelude, and that
 * of traces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "base/size.h"
#include "device_calls.h"
#include "explain/memory/trace_device.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "between.h"

/* ---- helpers ---- */

/* Builds and runs f over one group of `items` items, and reads its buffer. */
static void run_one_group(const char *text, size_t items, void *host, size_t bytes)
{
    struct error error = {""};
    struct program *program = build_on(device, text, LANGUAGE_OPENCL_C, NULL);
    struct buffer buffer = allocate(bytes);
    if (launch(program, &buffer, 1, (size_t[]){items, 1, 1}, (size_t[]){1, 1, 1}, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    read_back(&buffer, host);
    buffer_release(&buffer);
    program_discard(program);
}

/* ---- where items are ---- */

/* More groups along y than CUDA has there: each row is met once, and none twice. */
static void folded_groups_cover_every_row(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    enum { ROWS = 200003 };
    static const char text[] = "__kernel void f(__global uint *rows) {\n"
                               "    uint row = get_global_id(1);\n"
                               "    if (row < 200003 && get_local_id(0) < get_local_size(0) && get_group_id(0) == 0)\n"
                               "        atomic_add(&rows[row], row + 1);\n"
                               "}\n";
    static uint32_t rows[ROWS];
    struct error error = {""};
    struct program *program = build_on(device, text, LANGUAGE_OPENCL_C, NULL);
    struct buffer buffer = allocate(sizeof rows);
    if (launch(program, &buffer, 2, (size_t[]){2, 1, 1}, (size_t[]){1, ROWS, 1}, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    read_back(&buffer, rows);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_int_equal(rows[i], 2 * (i + 1));
    buffer_release(&buffer);
    program_discard(program);
}

static void three_dimensions_are_told_apart(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] =
        "__kernel void f(__global uint *out) {\n"
        "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + 100 * y + 10000 * z\n"
        "        + 1000000 * get_num_groups(2);\n"
        "}\n";
    uint32_t out[4 * 3 * 2 * 5 * 3 * 2];
    struct error error = {""};
    struct program *program = build_on(device, text, LANGUAGE_OPENCL_C, "USKOR_RANK=3");
    struct buffer buffer = allocate(sizeof out);
    if (launch(program, &buffer, 3, (size_t[]){4, 3, 2}, (size_t[]){5, 3, 2}, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    read_back(&buffer, out);
    for (uint32_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], i % 20 + 100 * (i / 20 % 9) + 10000 * (i / 180) + 2000000);
    buffer_release(&buffer);
    program_discard(program);
}

/* ---- words ---- */

static void every_word_is_known(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    char text[8192];
    FILE *file = fopen(USKOR_TEST_DATA "/kernels/every_word.cl", "rb");
    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_between(bytes, 1000, sizeof text - 2);
    text[bytes] = 0;
    program_discard(build_on(device, text, LANGUAGE_OPENCL_C, NULL));
}

static void integer_words(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] =
        "__kernel void f(__global uint *out) {\n"
        "    float h = 2.5f;\n"
        "    uint v = 0xf0000001u;\n"
        "    int4 a = make_int4(1, 2, 3, 4) * 3 - make_int4(1, 1, 1, 1);\n"
        "    out[0] = popcount(v); out[1] = clz(0x00010000u); out[2] = rotate(v, 4u); out[3] = mul_hi(v, 16u);\n"
        "    out[4] = as_uint(1.0f); out[5] = convert_int_rte(h); out[6] = convert_int_rtn(-0.5f) + 10;\n"
        "    out[7] = convert_uchar_sat_rte(300.0f); out[8] = convert_uchar_sat_rte(-3.0f);\n"
        "    out[9] = convert_uchar_sat_rte(h); out[10] = convert_uchar_sat_rte(3.5f);\n"
        "    out[11] = clamp(12, 3, 9); out[12] = a.x + 100 * a.w; out[13] = convert_uint(h);\n"
        "    out[14] = as_ulong(1.0) >> 32; out[15] = (uint)(as_float(0x40490fdbu) * 1000.0f);\n"
        "    out[16] = (uint)(as_double(0x4000000000000000ul) * 8.0);\n"
        "}\n";
    static const uint32_t expected[] = {5, 15, 0x1f, 0xf,  0x3f800000, 2,          9,    255, 0,
                                        2, 4,  9,    1102, 2,          0x3ff00000, 3141, 16};
    uint32_t out[COUNT_OF(expected)];
    run_one_group(text, 1, out, sizeof out);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        if (out[i] != expected[i])
            fail_msg("out[%zu] is %u, not %u", i, out[i], expected[i]);
}

/* Data that is only moved: types of so many bytes, aligned to as many. */
static void words_of_bytes(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] = "__kernel void f(__global WORD_OF(16) *out) {\n"
                               "    __global uint *sizes = (__global uint *)(out + 1);\n"
                               "    __global uchar *bytes = (__global uchar *)out;\n"
                               "    sizes[0] = sizeof(WORD_OF(1));\n"
                               "    sizes[1] = sizeof(WORD_OF(2));\n"
                               "    sizes[2] = sizeof(WORD_OF(4));\n"
                               "    sizes[3] = sizeof(WORD_OF(8));\n"
                               "    for (int i = 0; i < 16; i++)\n"
                               "        bytes[i] = i;\n"
                               "    out[2] = out[0];\n"
                               "}\n";
    uint32_t out[12];
    run_one_group(text, 1, out, sizeof out);
    assert_memory_equal(out + 4, ((uint32_t[]){1, 2, 4, 8}), 16);
    assert_memory_equal(out + 8, out, 16);
    assert_int_equal(((unsigned char *)out)[47], 15);
}

static void float_words(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] =
        "constant_array float weights[2] = {0.5f, 0.25f};\n"
        "float weigh(constant_pointer const float *w, float x) { return w[0] * x + w[1]; }\n"
        "__kernel void f(__global float *out) {\n"
        "    float4 a = make_float4(1.0f, 2.0f, 3.0f, 4.0f);\n"
        "    a = fma(a, a, 1.0f / a) + a * 2.0f; a -= 1.0f; a /= make_float4(2.0f, 2.0f, 2.0f, 2.0f);\n"
        "    *(__global float4 *)out = a;\n"
        "    VECTOR(float, 2) b = make_float2(3.0f, 5.0f) * make_float2(2.0f, 4.0f) + 1.0f;\n"
        "    *(__global float2 *)(out + 4) = b;\n"
        "    uchar4 p = convert_uchar4_sat_rte(convert_float4(make_uchar4(10, 20, 30, 255)) * 2.0f);\n"
        "    out[6] = p.x + 1000.0f * p.w; out[7] = rsqrt(4.0f); out[8] = sqrt(2.0f);\n"
        "    out[9] = mad(2.0f, 3.0f, 4.0f); out[10] = min(1.5f, 2.5f) + max(1.5f, 2.5f) * 10.0f;\n"
        "    out[11] = floor(-1.5f) + rint(2.5f) * 10.0f + fabs(-100.0f); out[12] = weigh(weights, 8.0f);\n"
        "    out[13] = fmin(1.0f, 3.0f) + fmax(1.0f, 3.0f);\n"
        "    store_evict_first(&out[14], load_evict_first(&out[9]) + 1.0f);\n"
        "}\n";
    static const float expected[] = {1.5f,      3.75f, 7.0f + 1.0f / 6.0f,
                                     11.625f,   7.0f,  21.0f,
                                     255020.0f, 0.5f,  1.41421356f,
                                     10.0f,     26.5f, 118.0f,
                                     4.25f,     4.0f,  11.0f};
    float out[16];
    run_one_group(text, 1, out, sizeof out);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        if (!(fabsf(out[i] - expected[i]) <= 1e-6f * fabsf(expected[i])))
            fail_msg("out[%zu] is %.9g, not %.9g", i, (double)out[i], (double)expected[i]);
}

static void items_of_a_group_meet(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] =
        "void add(local_pointer uint *sum, uint value) { atomic_add(sum, value); }\n"
        "__kernel group_shape(256, 1, 1) void f(__global uint *out) {\n"
        "    local_array uint sum[1]; local_array uint turned[256];\n"
        "    uint i = get_local_id(0);\n"
        "    if (i == 0) sum[0] = 0;\n"
        "    turned[255 - i] = i;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    add(&sum[0], turned[i]);\n"
        "    atomic_inc(&out[1]); atomic_max(&out[2], i); atomic_or(&out[3], 1u << (i % 8)); atomic_xchg(&out[4], 7);\n"
        "    atomic_cmpxchg(&out[5], 0, 9); atomic_sub(&out[6], 1); atomic_min((volatile __global int *)&out[7], "
        "-(int)i);\n"
        "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (i == 0) out[0] = sum[0];\n"
        "}\n";
    static const uint32_t expected[] = {255 * 128, 256, 255, 255, 7, 9, (uint32_t)-256, (uint32_t)-255};
    uint32_t out[COUNT_OF(expected)];
    run_one_group(text, 256, out, sizeof out);
    assert_memory_equal(out, expected, sizeof out);
}

/* The record of each item of a sub-group. */
struct seen {
    uint32_t has, size, group, lane, sum, across, before, first, odd, groups;
};

/* Sub-groups have any size on OpenCL, and are pieces of the group in order on all devices so far. */
static void sub_groups(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] =
        "__kernel void f(__global uint *out) {\n"
        "    uint i = get_local_id(0), sum = i;\n"
        "    out += 10 * i;\n"
        "#if HAS_SUB_GROUPS\n"
        "    uint size = get_sub_group_size(), lane = get_sub_group_local_id();\n"
        "    for (uint delta = size / 2; delta > 0; delta /= 2) sum += sub_group_shuffle_down(sum, delta);\n"
        "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[0] = 1; out[1] = size; out[2] = get_sub_group_id(); out[3] = lane; out[4] = sum;\n"
        "    out[5] = sub_group_shuffle_xor(i, 1); out[6] = sub_group_shuffle_up(i, 1u);\n"
        "    out[7] = sub_group_shuffle(i, 0); out[8] = sub_group_ballot(lane & 1).x; out[9] = get_num_sub_groups();\n"
        "#endif\n"
        "}\n";
    struct seen out[128];
    run_one_group(text, COUNT_OF(out), out, sizeof out);
    if (out[0].has == 0) {
        print_message("%s has no sub-groups\n", device->id);
        skip();
    }
    for (uint32_t i = 0; i < COUNT_OF(out); i++) {
        uint32_t size = out[0].size, first = i / size * size;
        assert_int_equal(out[i].size, size);
        assert_int_equal(out[i].group, i / size);
        assert_int_equal(out[i].lane, i % size);
        assert_int_equal(out[i].groups, COUNT_OF(out) / size);
        assert_int_equal(out[i].across, i ^ 1);
        assert_int_equal(out[i].first, first);
        assert_int_equal(out[i].odd, 0xaaaaaaaau & (size < 32 ? (1u << size) - 1 : ~0u));
        if (i == first)
            assert_int_equal(out[i].sum, size * first + size * (size - 1) / 2);
        else
            assert_int_equal(out[i].before, i - 1);
    }
}

/* ---- each kind of device ---- */

static int open_kind(const char *id)
{
    struct error error = {""};
    if (device_open(id, &device, &error) != STATUS_OK)
        print_message("%s is skipped: %s\n", id, error.text);
    else
        print_message("%s: %s\n", device->id, device->properties.name);
    return 0;
}

static int open_opencl(void **state)
{
    (void)state;
    return open_kind("opencl");
}

static int open_cuda(void **state)
{
    (void)state;
    return open_kind("cuda");
}

static struct tally *tally;
static struct races *races;

/* What runs rungs on the host to record their accesses; nothing is looked up in the record here. */
static int open_trace(void **state)
{
    (void)state;
    struct error error = {""};
    struct memory_rules rules;
    struct trace_device *made = NULL;
    const struct trace_setting setting = {
        .capability = "9.0", .local_bytes_per_group = 48 << 10, .group_items = 1024, .budget = {UINT64_MAX, 0}};
    const struct program_source nothing = {"nothing.cl", "", LANGUAGE_OPENCL_C, NULL, 0};
    struct program *program = NULL;
    if (memory_rules_of("9.0", L1_DEFAULT, false, &rules, &error) != STATUS_OK)
        return -1;
    tally = tally_create(&rules, 1);
    races = races_create();
    if (!tally || !races || trace_device_open(&setting, tally, races, &made, &error) != STATUS_OK)
        return -1;
    made->mode = TRACE_RUN;
    device = &made->base;
    if (program_build(device, &nothing, &program, &error) != STATUS_OK) {
        print_message("trace is skipped: %s\n", error.text);
        device_close(device);
        device = NULL;
    }
    program_discard(program);
    return 0;
}

static int close_trace(void **state)
{
    (void)state;
    device_close(device);
    device = NULL;
    tally_free(tally);
    races_free(races);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    device_close(device);
    device = NULL;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_groups_cover_every_row),
        cmocka_unit_test(three_dimensions_are_told_apart),
        cmocka_unit_test(every_word_is_known),
        cmocka_unit_test(integer_words),
        cmocka_unit_test(words_of_bytes),
        cmocka_unit_test(float_words),
        cmocka_unit_test(items_of_a_group_meet),
        cmocka_unit_test(sub_groups),
    };
    int failed = cmocka_run_group_tests_name("opencl", tests, open_opencl, close_device);
    failed += cmocka_run_group_tests_name("cuda", tests, open_cuda, close_device);
    return failed + cmocka_run_group_tests_name("trace", tests, open_trace, close_trace);
}
