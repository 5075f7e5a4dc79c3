/* One warp, words of 1 to 16 bytes, strides 1 to 64: sectors, transactions and passes over the banks, derived here.
 * Arrays begin at multiples of 256 bytes. */
#include "base/size.h"
#include "traced.h"

enum { FIRST_LINE = 10, WIDTHS = 5 };

static const int strides[] = {1, 2, 3, 5, 8, 16, 17, 32, 33, 64};
static const int widths[WIDTHS] = {1, 2, 4, 8, 16};

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* ---- global memory ---------------------------------------------------------------------------------------------- */

/* Units that `lanes` words touch, the first at byte `begin`, `step` bytes from one to the next: where a step is shorter
 * than a unit, all units between the first and the last word; else one for each. */
static int units(int lanes, int begin, int step, int bytes, int unit)
{
    return step >= unit ? lanes : (begin + (lanes - 1) * step + bytes - 1) / unit - begin / unit + 1;
}

/* The warp in requests of `lanes` lanes. */
static int units_of_warp(int lanes, int step, int bytes, int unit)
{
    int sum = 0;
    for (int first = 0; first < 32; first += lanes)
        sum += units(lanes, first * step, step, bytes, unit);
    return sum;
}

static int lanes_of_2x(int bytes)
{
    return bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
}

static int expected_global(int rule, int stride, int bytes)
{
    switch (rule) {
    case BY_9_0: /* sectors of 32 bytes */
        return units_of_warp(32, stride * bytes, bytes, 32);
    case BY_1_0: /* in order: a segment of 16 words for a half-warp, two of 128 bytes for 16-byte words; else a word
                    each */
        return stride == 1 && bytes >= 4 ? (bytes == 16 ? 4 : 2) : 32;
    case BY_2_0: /* lines of 128 bytes */
        return units_of_warp(lanes_of_2x(bytes), stride * bytes, bytes, 128);
    default: /* 3.5 without L1 */
        return units_of_warp(lanes_of_2x(bytes), stride * bytes, bytes, 32);
    }
}

/* ---- shared memory ---------------------------------------------------------------------------------------------- */

/* Words of less than a bank: neighbouring lanes may share a word of 4 bytes. Even strides of 2 bytes, and multiples of
 * 4 of 1 byte, are strides of whole words. Others have two words in a bank where two lanes' words are 32 apart: 2
 * bytes, stride 3: lanes 22 and 1 in words 33 and 1; 5: lanes 0 and 13 in words 0 and 32; 17: lanes 1 and 16 in words
 * 8 and 136; 33: lane 2j + r in word 33j + 16r, each in a bank of its own.
 * 1 byte, stride 5: lanes 0 and 26 in words 0 and 32; 17: lanes 1 and 16 in words 4 and 68; 33: lane 4j + r in word
 * 33j + 8r, each in a bank of its own. */
static int passes_of_bytes(int stride, int bytes)
{
    static const int of_1[] = {1, 1, 1, 2, 2, 4, 2, 8, 1, 16}, of_2[] = {1, 1, 2, 2, 4, 8, 2, 16, 1, 32};
    for (size_t i = 0; i < COUNT_OF(strides); i++)
        if (strides[i] == stride)
            return bytes == 1 ? of_1[i] : of_2[i];
    return 0;
}

/* 32 banks of 4 bytes: lanes of a warp, half-warp or quarter-warp whose words are a multiple of 32 banks apart. */
static int passes_of_32(int stride, int bytes)
{
    return bytes < 4    ? passes_of_bytes(stride, bytes)
           : bytes == 4 ? gcd(stride, 32)
           : bytes == 8 ? 2 * gcd(stride, 16)
                        : 4 * gcd(stride, 8);
}

/* 0: not derived here. */
static int expected_shared(int rule, int stride, int bytes)
{
    switch (rule) {
    case BY_9_0:
        return passes_of_32(stride, bytes);
    case BY_2_0: /* a quarter-warp has one more */
        return passes_of_32(stride, bytes) + (bytes == 16 ? 4 : 0);
    case BY_1_0: /* 16 banks, half-warps, wide words in parts of 4 bytes */
        return bytes < 4 ? 0 : 2 * (bytes / 4) * gcd(bytes / 4 * stride, 16);
    default: /* 3.5: words x and x + 32 of an aligned 64 come together, so strides below 64 have half the passes */
        return bytes != 4 ? 0 : stride == 64 ? 32 : (gcd(stride, 32) + 1) / 2;
    }
}

static int expected_conflicts(int rule, int stride, int bytes)
{
    int passes = expected_shared(rule, stride, bytes);
    int requests = rule == BY_1_0 ? (bytes < 4 ? 2 : 2 * (bytes / 4)) : rule == BY_3_5 ? 1 : 32 / lanes_of_2x(bytes);
    return passes - requests;
}

/* ---- the kernel ------------------------------------------------------------------------------------------------- */

static void write_kernel(char *text, size_t size, bool is_cuda, bool is_shared)
{
    static const char *const types[WIDTHS] = {"char", "short", "float", "double", "float4"};
    size_t length = (size_t)snprintf(
        text, size, "// rung: r\n// idea: i\n// group: 32\n// groups: 1\n%s",
        is_cuda ? "#define AT\n#define NEAR\n"
                  "extern \"C\" __global__ void transpose(const float *in, float *out, long rows, long cols) {\n"
                  "    __shared__ double memory[64 * 32 * 2]; int i = threadIdx.x;\n"
                : "#define AT __global\n#define NEAR local_pointer\n"
                  "__kernel void transpose(__global const float *in, __global float *out, long rows, long cols) {\n"
                  "    local_array double memory[64 * 32 * 2]; int i = get_local_id(0);\n");
    length += (size_t)snprintf(text + length, size - length, "    float s = 0; memory[i] = i;\n");
    for (int w = 0; w < WIDTHS; w++)
        for (size_t k = 0; k < COUNT_OF(strides); k++)
            length += (size_t)snprintf(text + length, size - length, "{ %s v = ((%s %s %s *)%s)[%d * i]; s += v%s; }\n",
                                       types[w], is_shared ? "NEAR" : "AT const", widths[w] == 16 ? "" : "volatile",
                                       types[w], is_shared ? "memory" : "in", strides[k],
                                       widths[w] == 16 ? ".x + v.y + v.z + v.w" : "");
    snprintf(text + length, size - length, "out[i] = s;\n}\n");
}

static void expect(bool is_cuda, bool is_shared)
{
    static char text[16384];
    write_kernel(text, sizeof text, is_cuda, is_shared);
    expect_ok(trace_file("transpose:rows=256,cols=256,f32", is_cuda ? "test/r.cu" : "test/r.cl", text));
    for (int w = 0; w < WIDTHS; w++)
        for (size_t k = 0; k < COUNT_OF(strides); k++)
            for (int rule = 0; rule < RULES; rule++) {
                double counted = 0, conflicts = 0;
                int wanted = is_shared ? expected_shared(rule, strides[k], widths[w])
                                       : expected_global(rule, strides[k], widths[w]);
                for (size_t a = 0; a < trace.access_count; a++)
                    if (trace.accesses[a].line == FIRST_LINE + w * (int)COUNT_OF(strides) + (int)k &&
                        trace.accesses[a].operation == EXPLAIN_LOAD) {
                        counted += trace.accesses[a].counts[rule].transactions;
                        conflicts += trace.accesses[a].counts[rule].conflicts;
                    }
                if (wanted > 0 && counted != wanted)
                    fail_msg("%s, %d bytes, stride %d, rule %d: %g transactions, expected %d",
                             is_shared ? "shared" : "global", widths[w], strides[k], rule, counted, wanted);
                if (is_shared && wanted > 0 && conflicts != expected_conflicts(rule, strides[k], widths[w]))
                    fail_msg("%d bytes, stride %d, rule %d: %g conflicts, expected %d", widths[w], strides[k], rule,
                             conflicts, expected_conflicts(rule, strides[k], widths[w]));
            }
}

static void global_memory(void **state)
{
    (void)state;
    expect(true, false);
    expect(false, false);
}

static void shared_memory(void **state)
{
    (void)state;
    expect(true, true);
    expect(false, true);
}

/* 1.2 and 1.3 have no trace here: the rule alone, on the same warps. A half-warp takes a transaction for each segment
 * of 32, 64 or 128 bytes. */
static void segments(void **state)
{
    (void)state;
    struct memory_rules rules;
    assert_int_equal(memory_rules_of("1.3", L1_DEFAULT, false, &rules, &error), STATUS_OK);
    for (int w = 0; w < WIDTHS; w++)
        for (size_t k = 0; k < COUNT_OF(strides); k++) {
            struct warp_access access = {.kind = EVENT_LOAD, .bytes = (unsigned)widths[w], .mask = ~0u};
            struct access_counts counts;
            int segment = widths[w] == 1 ? 32 : widths[w] == 2 ? 64 : 128;
            for (int i = 0; i < WARP_LANES; i++)
                access.at[i] = (uint64_t)i * (uint64_t)strides[k] * (uint64_t)widths[w];
            memory_rules_count(&rules, &access, &counts);
            assert_int_equal(counts.transactions, units_of_warp(16, strides[k] * widths[w], widths[w], segment));
            assert_int_equal(counts.requests, 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_memory),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(segments),
    };
    if (!has_compiler()) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
