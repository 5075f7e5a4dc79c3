/* Traces of kernels whose accesses are counted by hand. */
#include "base/embedded.h"
#include "explain/memory/group.h"
#include "explain/memory/ptx_words.h"
#include "traced.h"

#define NEEDS_COMPILER()                                                         \
    do {                                                                         \
        (void)state;                                                             \
        if (!has_compiler()) {                                                   \
            print_message("SKIP: a trace needs a C++ compiler and addr2line\n"); \
            skip();                                                              \
        }                                                                        \
    } while (0)

/* A kernel of one group of 32 items unless it says otherwise; its code is on line 6. */
#define HEADER             \
    "// rung:    r\n"      \
    "// idea:    a test\n" \
    "// group:   32\n"     \
    "// groups:  1\n"      \
    "__kernel void transpose(__global const float *in, __global float *out, long rows, long cols) {\n"
#define PROBLEM "transpose:rows=64,cols=64,f32"

/* 32 x 8 items: a warp reads a row and writes a column. */
static void naive_transpose(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text("transpose:rows=64,cols=64,f32",
                         "// rung: r\n// idea: i\n// group: 32, 8\n// groups: 2, 8\n"
                         "__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long "
                         "cols)\n{\n"
                         "    long col = get_global_id(0), row = get_global_id(1);\n"
                         "    out[col * rows + row] =\n"
                         "        in[row * cols + col];\n}\n"));
    assert_int_equal(trace.access_count, 2);
    const struct explain_access *load = find_access("in", EXPLAIN_LOAD), *store = find_access("out", EXPLAIN_STORE);
    assert_int_equal(load->line, 9);
    assert_int_equal(store->line, 8);
    assert_string_equal(load->file, "test/r.cl");
    assert_int_equal(load->space, EXPLAIN_GLOBAL);
    assert_int_equal(load->bytes, 4);
    expect_number(load->warp_accesses, 128);
    expect_number(load->counts[BY_9_0].requests, 128);
    expect_number(load->counts[BY_9_0].per_request, 4);
    expect_number(load->counts[BY_9_0].bytes_used_percent, 100);
    expect_number(store->counts[BY_9_0].per_request, 32);
    expect_number(store->counts[BY_9_0].bytes_used_percent, 12.5);
    expect_number(load->counts[BY_1_0].requests, 256);
    expect_number(load->counts[BY_1_0].per_request, 1);
    expect_number(store->counts[BY_1_0].per_request, 16);
    expect_number(load->counts[BY_2_0].per_request, 1);
    expect_number(load->counts[BY_2_0].bytes_moved, 128 * 128);
    expect_number(load->counts[BY_3_5].per_request, 4);
    assert_int_equal(trace.groups, 16);
    assert_int_equal(trace.groups_traced, 16);
    assert_false(trace.data_decides);
}

/* The ladder's own tiles: a column of the tile is a conflict of all lanes, or of none with a word more in a row. */
static void tiles(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_ladder("transpose:rows=128,cols=128,f32", "tiled"));
    expect_number(find_access("tile", EXPLAIN_LOAD)->counts[BY_9_0].conflicts_per_request, 31);
    expect_number(find_access("tile", EXPLAIN_LOAD)->counts[BY_1_0].conflicts_per_request, 15);
    expect_number(find_access("tile", EXPLAIN_STORE)->counts[BY_9_0].conflicts_per_request, 0);
    expect_number(find_access("out", EXPLAIN_STORE)->counts[BY_9_0].per_request, 4);
    expect_number(find_access("in", EXPLAIN_LOAD)->first_bytes, 128 * 128 * 4);
    assert_int_equal(find_access("tile", EXPLAIN_LOAD)->space, EXPLAIN_SHARED);
    expect_ok(trace_ladder("transpose:rows=128,cols=128,f32", "padded"));
    for (int i = 0; i < RULES; i++) {
        expect_number(find_access("tile", EXPLAIN_LOAD)->counts[i].conflicts, 0);
        expect_number(find_access("tile", EXPLAIN_STORE)->counts[i].conflicts, 0);
    }
    assert_int_equal(trace.race_count, 0);
}

/* A product of 64 x 64: a group of 32 x 8 items reads each of its 8 rows of A and 32 columns of B once from memory, if
 * its first cache keeps them, and 8 and 32 times otherwise. */
static void what_a_group_touches(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_ladder("matmul:m=64,n=64,k=64", "naive"));
    double groups = 2 * 8;
    expect_number(find_access("a", EXPLAIN_LOAD)->first_bytes, groups * 8 * 64 * 4);
    expect_number(find_access("b", EXPLAIN_LOAD)->first_bytes, groups * 32 * 64 * 4);
    expect_number(find_access("a", EXPLAIN_LOAD)->counts[BY_9_0].bytes_moved, groups * 8 * 64 * 32);
    expect_number(find_access("b", EXPLAIN_LOAD)->counts[BY_9_0].bytes_moved, groups * 8 * 64 * 128);
}

/* Rows that are not a multiple of a sector: the groups at the edge are partly idle. */
static void edges(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_ladder("transpose:rows=70,cols=33,f32", "padded"));
    expect_number(find_access("in", EXPLAIN_LOAD)->warp_accesses * 32 * find_access("in", EXPLAIN_LOAD)->items_percent /
                      100,
                  70 * 33);
    expect_number(find_access("out", EXPLAIN_STORE)->counts[BY_9_0].bytes_used, 70 * 33 * 4);
}

/* Half of a warp takes each branch; both meet again before the store. */
static void divergence(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    float x;\n"
                                         "    if (i % 2)\n"
                                         "        x = in[i] * 2;\n"
                                         "    else\n"
                                         "        x = in[1024 + i] + 1;\n"
                                         "    out[i] = x;\n"
                                         "}\n"));
    assert_int_equal(trace.access_count, 3);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trace.accesses[i].line, i == 0 ? 9 : 11);
        expect_number(trace.accesses[i].warp_accesses, 1);
        expect_number(trace.accesses[i].items_percent, 50);
        expect_number(trace.accesses[i].counts[BY_9_0].per_request, 4);
        expect_number(trace.accesses[i].counts[BY_9_0].bytes_used_percent, 50);
    }
    expect_number(find_access("out", EXPLAIN_STORE)->warp_accesses, 1);
    expect_number(find_access("out", EXPLAIN_STORE)->items_percent, 100);
}

/* In round k the lanes from k on load: rounds of different lanes are not one access. */
static void rounds_that_lanes_skip(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    float x = 0;\n"
                                         "#pragma nounroll\n"
                                         "    for (long k = 0; k < rows / 8; k++)\n"
                                         "        if (k % 4 == i % 4)\n"
                                         "            x += in[64 * k + i];\n"
                                         "    out[i] = x;\n"
                                         "}\n"));
    const struct explain_access *load = find_access("in", EXPLAIN_LOAD);
    expect_number(load->warp_accesses, 8);
    expect_number(load->items_percent, 25);
    expect_number(load->counts[BY_9_0].per_request, 4);
    /* Lanes that leave a loop early wait behind it. */
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    float x = 0;\n"
                                         "    for (long k = 0; k <= i; k++)\n"
                                         "        x += in[64 * k + i];\n"
                                         "    out[i] = x;\n"
                                         "}\n"));
    expect_number(find_access("in", EXPLAIN_LOAD)->warp_accesses, 32);
    expect_number(find_access("out", EXPLAIN_STORE)->warp_accesses, 1);
}

static void wide_words(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    float4 x = ((__global const float4 *)in)[i] * 2.0f;\n"
                                         "    ((__global float2 *)out)[i] = make_float2(x.x + x.y, x.z + x.w);\n"
                                         "}\n"));
    const struct explain_access *load = find_access("in", EXPLAIN_LOAD), *store = find_access("out", EXPLAIN_STORE);
    assert_int_equal(load->bytes, 16);
    expect_number(load->warp_accesses, 1);
    expect_number(load->counts[BY_9_0].per_request, 16);
    expect_number(load->counts[BY_2_0].requests, 4);
    expect_number(load->counts[BY_2_0].per_request, 1);
    assert_int_equal(store->bytes, 8);
    expect_number(store->counts[BY_9_0].per_request, 8);
}

/* Atomic operations are done, and their values decide where the items go. */
static void atomics(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    local_array int next;\n"
                                         "    if (get_local_id(0) == 0)\n"
                                         "        next = 0;\n"
                                         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                         "    int i = atomic_add(&next, 2);\n"
                                         "    out[i] = 1;\n"
                                         "    atomic_max((__global int *)out + 4000, i);\n"
                                         "}\n"));
    const struct explain_access *next = find_access("next", EXPLAIN_ATOMIC);
    assert_int_equal(next->line, 10);
    assert_int_equal(next->space, EXPLAIN_SHARED);
    expect_number(next->counts[BY_9_0].conflicts_per_request, 31);
    const struct explain_access *store = find_access("out", EXPLAIN_STORE);
    expect_number(store->counts[BY_9_0].per_request, 8); /* 32 words, every second one: 256 bytes */
    expect_number(find_access("out", EXPLAIN_ATOMIC)->counts[BY_9_0].per_request, 32); /* one for each lane */
    assert_int_equal(trace.race_count, 0);
}

/* The warp's sum comes to every lane by exchanges, and is where it goes. */
static void exchanges(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    uint sum = get_local_id(0);\n"
                                         "    for (uint mask = 16; mask > 0; mask /= 2)\n"
                                         "        sum += sub_group_shuffle_xor(sum, mask);\n"
                                         "    uint below = sub_group_shuffle_up((uint)get_local_id(0), 1u);\n"
                                         "    if (sub_group_ballot(below == sub_group_shuffle(below, 1)).x == 3)\n"
                                         "        out[sum - 496 + get_local_id(0)] = 1;\n"
                                         "}\n"));
    expect_number(find_access("out", EXPLAIN_STORE)->counts[BY_9_0].per_request, 4);
}

/* The first half of the group reads what the second half writes. */
static void races(void **state)
{
    NEEDS_COMPILER();
    static const char text[] = "// rung: r\n// idea: i\n// group: 64\n// groups: 1\n"
                               "__kernel void transpose(__global const float *in, __global float *out, long rows, long "
                               "cols)\n{\n"
                               "    local_array float a[64];\n"
                               "    int i = get_local_id(0);\n"
                               "    a[i] = in[i];\n"
                               "%s"
                               "    out[i] = a[63 - i];\n}\n";
    char whole[1000];
    snprintf(whole, sizeof whole, text, "");
    expect_ok(trace_text(PROBLEM, whole));
    assert_int_equal(trace.race_count, 1);
    assert_string_equal(trace.races[0].array, "a");
    bool in_order = trace.races[0].lines[0] < trace.races[0].lines[1];
    assert_int_equal(trace.races[0].lines[!in_order], 9);
    assert_int_equal(trace.races[0].lines[in_order], 10);
    snprintf(whole, sizeof whole, text, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    expect_ok(trace_text(PROBLEM, whole));
    assert_int_equal(trace.race_count, 0);
    assert_string_equal(trace.barrier_missed, "");
    snprintf(whole, sizeof whole, text, "    if (i < 40)\n        barrier(CLK_LOCAL_MEM_FENCE);\n");
    expect_ok(trace_text(PROBLEM, whole));
    assert_string_equal(trace.barrier_missed, "transpose");
}

static void what_data_decide(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    out[as_uint(in[i]) % 1024] = in[i];\n"
                                         "}\n"));
    assert_true(trace.data_decides);
    expect_ok(trace_text(PROBLEM, HEADER "    int i = get_local_id(0);\n"
                                         "    if (in[i] > 0.5f)\n"
                                         "        out[i] = 1;\n"
                                         "}\n"));
    assert_true(trace.data_decides);
}

/* A large launch is sampled; counts stand for all its groups, those at the edges for themselves. */
static void samples(void **state)
{
    NEEDS_COMPILER();
    expect_ok(trace_ladder("transpose:rows=5000,cols=5003,f32", "padded"));
    assert_true(trace.groups_traced < trace.groups);
    const struct explain_access *load = find_access("in", EXPLAIN_LOAD);
    double items = load->warp_accesses * 32 * load->items_percent / 100;
    expect_number(items / (5000.0 * 5003.0), 1);
}

/* The line of a file that comes with the program. */
static size_t line_of(const char *path, const char *text)
{
    const struct embedded_file *file = embedded_find(path);
    assert_non_null(file);
    const char *place = strstr(file->text, text);
    size_t line = 1;
    assert_non_null(place);
    for (const char *c = file->text; c < place; c++)
        line += *c == '\n';
    return line;
}

/* PTX's loads and stores of one word become C++ on as many lines; other instructions stay. */
static void ptx_words(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"asm volatile(\"ld.relaxed.gpu.global.u32 %0, [%1];\" : \"=r\"(word) : \"l\"(f(a, b)) : \"memory\");",
         "word = *(volatile uint *)(f(a, b));"},
        {"asm(\"st.release.gpu.global.b64 [%0], %1;\"\n:: \"l\"(to), \"l\"(x));", "*(volatile ulong *)(to) = x;\n"},
        {"asm(\"ld.global.v2.u32 {%0, %1}, [%2];\" : \"=r\"(a), \"=r\"(b) : \"l\"(p));", NULL},
        {"asm(\"st.shared.u32 [%0], %1;\" :: \"r\"(a), \"r\"(b));", NULL},
        {"asm(\"ld.u32 %0, [%1]; add.u32 %0, %0, 1;\" : \"=r\"(a) : \"l\"(b));", NULL},
        {"asm volatile(\"bar.sync 1, 256;\" ::: \"memory\");", NULL},
        {"int asm_ = 0; asm", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *code = ptx_words_as_code(rows[i][0]);
        assert_non_null(code);
        assert_string_equal(code, rows[i][1] ? rows[i][1] : rows[i][0]);
        free(code);
    }
}

/* Whatever a kernel does wrong in its last group only, where no trial run has met it, has a line of its own. */
static void crashes(void **state)
{
    NEEDS_COMPILER();
    static const struct {
        const char *code, *words;
    } rows[] = {
        {"*(float *)(cols - 64) = 1;", "beyond its arrays (address 0x0)"},
        {"out[0] = *(const float *)(cols + 64);", "beyond its arrays (address 0x80)"},
        {"out[0] = in[-2 * i];", "(8 bytes before it)"},
        {"out[-i] = 1;", "(4 bytes before it)"},
        {"out[0] = (int)rows / (int)(cols - 64);", "divides an integer by zero"},
        {"float a[30000]; for (int k = 0; k < 30000; k++) a[in[k % 64] > 2 ? 0 : k % 29999] = k; out[0] = a[(int)in[5] "
         "+ 7] + "
         "a[(int)in[6]];",
         NULL}, /* 120 KB: on a stack */
        {"float a[90000]; for (int k = 0; k < 90000; k++) a[in[k % 64] > 2 ? 0 : k] = k; out[0] = a[(int)in[5] + 7];",
         "stack"},
        {"__builtin_abort();", "aborts"},
        {"while (*(volatile __global const float *)in < 2) ;", "too many"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[700];
        group_events_max = 1 << 20;
        snprintf(text, sizeof text,
                 "// rung: r\n// idea: i\n// group: 2\n// groups: 40\n"
                 "__kernel void transpose(__global const float *in, __global float *out, long rows, long cols) {\n"
                 "    int i = get_local_id(0);\n"
                 "    if (get_group_id(0) == 39 && i == 1) { %s }\n}\n",
                 rows[i].code);
        enum status status = trace_text(PROBLEM, text);
        if (!rows[i].words) {
            expect_ok(status);
            continue;
        }
        if (status == STATUS_OK || !strstr(error.text, rows[i].words) || strchr(error.text, '\n'))
            fail_msg("%s: %s", rows[i].code, status == STATUS_OK ? "no error" : error.text);
    }
}

static void mistakes(void **state)
{
    NEEDS_COMPILER();
    assert_int_equal(trace_text(PROBLEM, HEADER "    out[rows * cols + get_local_id(0)] = 1;\n}\n"), STATUS_FAILED);
    assert_non_null(strstr(error.text, "test/r.cl"));
    assert_non_null(strstr(error.text, "beyond"));
    assert_int_equal(trace_text(PROBLEM, HEADER "    out[0] = nothing_of_that_name;\n}\n"), STATUS_INVALID);
    assert_non_null(strstr(error.text, "nothing_of_that_name"));
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(trace_ladder("matmul:64", "shallow"), STATUS_UNAVAILABLE);
    char line[32];
    snprintf(line, sizeof line, "line %zu", line_of("kernels/matmul/shallow.cu", "asm volatile("));
    assert_non_null(strstr(error.text, line));
    assert_int_equal(trace_ladder("sort:n=4096", "qsort"), STATUS_UNAVAILABLE);
    setenv("PATH", "/nowhere", 1);
    unsetenv("USKOR_CXX");
    assert_int_equal(trace_ladder(PROBLEM, "naive"), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "C++ compiler"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_transpose),
        cmocka_unit_test(tiles),
        cmocka_unit_test(what_a_group_touches),
        cmocka_unit_test(edges),
        cmocka_unit_test(divergence),
        cmocka_unit_test(rounds_that_lanes_skip),
        cmocka_unit_test(wide_words),
        cmocka_unit_test(atomics),
        cmocka_unit_test(exchanges),
        cmocka_unit_test(races),
        cmocka_unit_test(what_data_decide),
        cmocka_unit_test(samples),
        cmocka_unit_test(ptx_words),
        cmocka_unit_test(crashes),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
