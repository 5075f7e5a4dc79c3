/* Accesses of one warp, one a line, whose transactions and conflicts were derived by hand. The same kernel in OpenCL C
 * and in CUDA C. Arrays begin at multiples of 256 bytes. */
#include "base/size.h"
#include "traced.h"

enum { FIRST_LINE = 20 };

/* Transactions of 32 lanes together, in the order of the rules: 9.0, 1.0, 2.0 (loads through L1), 3.5. */
struct pattern {
    const char *code;
    enum explain_operation operation;
    unsigned transactions[RULES];
};

/* F, D, Q, C, S: elements of 4, 8, 16, 1 and 2 bytes. 1.0 asks for words of 4 bytes or more in order, by half-warps. */
static const struct pattern global[] = {
    {"s += F[i];", EXPLAIN_LOAD, {4, 2, 1, 4}},
    {"s += F[i + 1];", EXPLAIN_LOAD, {5, 32, 2, 5}},
    {"s += F[i + 8];", EXPLAIN_LOAD, {4, 32, 2, 4}}, /* at byte 32: no segment of 64 begins there */
    {"s += F[i + 16];", EXPLAIN_LOAD, {4, 2, 2, 4}},
    {"s += F[i ^ 1];", EXPLAIN_LOAD, {4, 32, 1, 4}},
    {"s += F[31 - i];", EXPLAIN_LOAD, {4, 32, 1, 4}},
    {"s += F[7];", EXPLAIN_LOAD, {1, 32, 1, 1}},
    {"s += F[i / 4];", EXPLAIN_LOAD, {1, 32, 1, 1}},
    {"s += F[2 * i];", EXPLAIN_LOAD, {8, 32, 2, 8}},
    {"s += F[3 * i];", EXPLAIN_LOAD, {12, 32, 3, 12}},
    {"s += F[33 * i];", EXPLAIN_LOAD, {32, 32, 32, 32}},
    {"if (i % 2) s += F[i];", EXPLAIN_LOAD, {4, 2, 1, 4}},
    {"if (i < 16) s += F[i + 64];", EXPLAIN_LOAD, {2, 1, 1, 2}},
    {"if (i == 31) s -= F[i + 128];", EXPLAIN_LOAD, {1, 1, 1, 1}},
    {"for (int k = 0; k < 3; k++) s += F[i + 256 * k];", EXPLAIN_LOAD, {12, 6, 3, 12}},
    {"s += C[i];", EXPLAIN_LOAD, {1, 32, 1, 1}},
    {"s += C[i + 1];", EXPLAIN_LOAD, {2, 32, 1, 2}},
    {"s += S[i];", EXPLAIN_LOAD, {2, 32, 1, 2}},
    {"s += D[i];", EXPLAIN_LOAD, {8, 2, 2, 8}},
    {"s += D[i + 1];", EXPLAIN_LOAD, {9, 32, 4, 10}}, /* half-warps in 2.x and 3.x */
    {"{ float4 v = Q[i]; s += v.x + v.y + v.z + v.w; }", EXPLAIN_LOAD, {16, 4, 4, 16}},
    {"{ float4 v = Q[i + 8]; s += v.x + v.y + v.z + v.w; }", EXPLAIN_LOAD, {16, 4, 4, 16}},
    {"{ float4 v = Q[i + 1]; s += v.x + v.y + v.z + v.w; }", EXPLAIN_LOAD, {17, 32, 8, 20}},
    {"{ struct T v = P[i]; s += v.x + v.y + v.z; }", EXPLAIN_LOAD, {36, 96, 9, 36}}, /* three words 12 bytes apart */
    {"out[i + 1] = s;", EXPLAIN_STORE, {5, 32, 5, 5}},
    {"out[32 * i] = s;", EXPLAIN_STORE, {32, 32, 32, 32}},
    {"ADD(N, 1);", EXPLAIN_ATOMIC, {32, 32, 1, 1}}, /* 9.0: a request for each lane of an address; 1.0: no joining */
    {"ADD(N + i, 1);", EXPLAIN_ATOMIC, {4, 32, 4, 4}},
};

/* Passes over the banks: 16 of them and half-warps in 1.0, 32 banks in 2.0 and 9.0, 32 of 8 bytes in 3.5. */
static const struct pattern shared[] = {
    {"s += f[i];", EXPLAIN_LOAD, {1, 2, 1, 1}},           {"s += f[0];", EXPLAIN_LOAD, {1, 2, 1, 1}},
    {"s += f[2 * i];", EXPLAIN_LOAD, {2, 4, 2, 1}},       {"s += f[3 * i];", EXPLAIN_LOAD, {1, 2, 1, 1}},
    {"s += f[16 * i];", EXPLAIN_LOAD, {16, 32, 16, 8}},   {"s += f[32 * i];", EXPLAIN_LOAD, {32, 32, 32, 16}},
    {"s += f[33 * i];", EXPLAIN_LOAD, {1, 2, 1, 1}},      {"f[32 * (i % 4)] = s;", EXPLAIN_STORE, {4, 8, 4, 2}},
    {"s += d[i];", EXPLAIN_LOAD, {2, 8, 2, 1}},           {"s += d[2 * i];", EXPLAIN_LOAD, {4, 16, 4, 2}},
    {"ADD(n, 1);", EXPLAIN_ATOMIC, {32, 32, 32, 32}},     {"ADD(n + i, 1);", EXPLAIN_ATOMIC, {1, 2, 1, 1}},
    {"ADD(n + i % 8, 1);", EXPLAIN_ATOMIC, {4, 4, 4, 4}}, {"ADD(n + 8 * i, 1);", EXPLAIN_ATOMIC, {8, 16, 8, 8}},
};

#define ROWS (COUNT_OF(global) + COUNT_OF(shared))

static const struct pattern *row_of(size_t i)
{
    return i < COUNT_OF(global) ? &global[i] : &shared[i - COUNT_OF(global)];
}

/* One line for each pattern, from FIRST_LINE on. */
static void write_kernel(char *text, size_t size, bool is_cuda)
{
    size_t length = (size_t)snprintf(
        text, size, "// rung: r\n// idea: i\n// group: 32\n// groups: 1\n%s",
        is_cuda ? "#define AT\n#define SHARED __shared__\n#define ADD(a, x) atomicAdd(a, x)\n"
                  "struct T { float x, y, z; };\n"
                  "extern \"C\" __global__ void transpose(const float *in, float *out, long rows, long cols) {\n"
                  "    int i = threadIdx.x;\n"
                : "#define AT __global\n#define SHARED local_array\n#define ADD(a, x) atomic_add(a, x)\n"
                  "struct T { float x, y, z; };\n"
                  "__kernel void transpose(__global const float *in, __global float *out, long rows, long cols) {\n"
                  "    int i = get_local_id(0);\n");
    length +=
        (size_t)snprintf(text + length, size - length,
                         "    volatile AT const float *F = in;\n"
                         "    volatile AT const double *D = (AT const double *)in;\n"
                         "    AT const float4 *Q = (AT const float4 *)in;\n"
                         "    volatile AT const char *C = (AT const char *)in;\n"
                         "    volatile AT const short *S = (AT const short *)in;\n"
                         "    AT const struct T *P = (AT const struct T *)in;\n"
                         "    AT int *N = (AT int *)out;\n"
                         "    SHARED volatile float f[33 * 32]; SHARED volatile double d[64]; SHARED int n[256];\n"
                         "    float s = 0;\n");
    for (size_t i = 0; i < ROWS; i++)
        length += (size_t)snprintf(text + length, size - length, "%s\n", row_of(i)->code);
    snprintf(text + length, size - length, "out[5000 + i] = s;\n}\n");
}

static void patterns(bool is_cuda)
{
    char text[8192];
    write_kernel(text, sizeof text, is_cuda);
    expect_ok(trace_file("transpose:rows=256,cols=256,f32", is_cuda ? "test/r.cu" : "test/r.cl", text));
    for (size_t i = 0; i < ROWS; i++)
        for (int rules = 0; rules < RULES; rules++) {
            double counted = 0;
            for (size_t k = 0; k < trace.access_count; k++)
                if (trace.accesses[k].line == FIRST_LINE + (int)i &&
                    trace.accesses[k].operation == row_of(i)->operation)
                    counted += trace.accesses[k].counts[rules].transactions;
            if (counted < row_of(i)->transactions[rules] - 0.01 || counted > row_of(i)->transactions[rules] + 0.01)
                fail_msg("%s, %s: %g transactions by rule %d, expected %u", is_cuda ? "CUDA C" : "OpenCL C",
                         row_of(i)->code, counted, rules, row_of(i)->transactions[rules]);
        }
}

static void patterns_in_opencl(void **state)
{
    (void)state;
    patterns(false);
}

static void patterns_in_cuda(void **state)
{
    (void)state;
    patterns(true);
}

/* CUDA's own words: a store of the warp is four sectors where the condition holds in all lanes. */
static void words_of_cuda(void **state)
{
    (void)state;
    static const char *const conditions[] = {
        "__shfl_down_sync(~0u, i, 1, 8) == (i % 8 == 7 ? i : i + 1)",
        "__shfl_up_sync(~0u, i, 1, 8) == (i % 8 == 0 ? i : i - 1)",
        "__shfl_sync(~0u, i, 3, 8) == i / 8 * 8 + 3 && __shfl_sync(~0u, 0.5f * i, 33) == 0.5f",
        "__shfl_xor_sync(~0u, i, 16) == (i ^ 16) && __shfl_xor_sync(~0u, i, 8, 8) == (i & 8 ? i ^ 8 : i)",
        "__brev(1) == 0x80000000u && __funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(0, 1, 1) == "
        "0x80000000u",
        "lanes_alike(i & 4) == (i & 4 ? 0xf0f0f0f0u : 0x0f0f0f0fu)",
        "__popcll(-1ll) == 64 && __clzll(1) == 63 && __ffsll(8) == 4 && __mulhi(-1 << 30, 8) == -2 && __clz(0) == 32",
        "fabsf(-2) == 2 && sqrtf(4) == 2 && fmaxf(1, 2) == 2 && powf(2, 3) == 8 && fmax(1, 2.5) == 2.5 && sqrt(9) == 3",
        "__fdividef(6, 3) == 2 && __saturatef(3) == 1 && __float2int_rn(1.6f) == 2 && __expf(0) == 1 && rsqrtf(4) == "
        "0.5f",
        "sizeof(float3) == 12 && sizeof(double4) == 32 && alignof(float4) == 16 && alignof(char4) == 4 && "
        "sizeof(ulonglong2) == 16 && sizeof(short1) == 2 && dim3(4).y == 1 && make_uchar3(1, 2, 3).z == 3",
        "atomicAdd((double *)in + i, 0.25) == 0 && atomicAdd((double *)in + i, 0.25) == 0.25",
        "atomicAdd(in + 512 + i, 0.5f) == 0 && atomicExch(in + 512 + i, 2.0f) == 0.5f",
        "atomicCAS((unsigned long long *)in + 512 + i, 0, 1ull << 40) == 0 && "
        "atomicMax((unsigned long long *)in + 512 + i, 1) == 1ull << 40",
        "atomicInc((unsigned *)in + 2048 + i, 1) == 0 && atomicInc((unsigned *)in + 2048 + i, 1) == 1 && "
        "atomicDec((unsigned *)in + 2048 + i, 7) == 0 && atomicSub((unsigned *)in + 2048 + i, 3) == 7",
        "__syncthreads_count(i % 3 == 0) == 11 && __syncthreads_or(i == 5) && !__syncthreads_and(i) && "
        "__syncthreads_and(1) && __syncthreads_count(1) == 32 && !__syncthreads_or(0)",
        "__reduce_add_sync(~0u, i) == 496 && __reduce_min_sync(0xf0u, i) == 4 && __reduce_max_sync(~0u, -i) == 0 && "
        "__reduce_or_sync(6u, 1u << i) == 6 && [&] { int all; return __match_all_sync(~0u, zero, &all) == ~0u && all; "
        "}()",
        "__byte_perm(0x33221100, 0x77665544, 0x7520) == 0x77552200u && __byte_perm(0x80, 0, 0x4448) == 255 && "
        "__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(0xffu, 2u, 0u) == 510 && __dp4a(0xff, 2, 0) == -2",
        "__sad(3, 5, 1) == 3 && __hadd(-3, 0) == -2 && __rhadd(3, 4) == 4 && __brevll(1) == 1ull << 63 && "
        "__umul64hi(1ull << 63, 4) == 2 && isnan(0.0f / zero) && !isnan(1.0) && signbit(-0.0f) && norm3df(1, 2, 2) == "
        "3",
        "[&] { float s, c, t; sincosf(0, &s, &c); float w = modff(2.5f, &t); return s == 0 && c == 1 && w == 0.5f && t "
        "== 2; }() && __fmaf_rz(2, 3, 4) == 10 && __fadd_ru(1, 2) == 3 && __double2int_rn(2.5) == 2 && exp10f(2) == "
        "100",
    };
    char text[8192];
    size_t length =
        (size_t)snprintf(text, sizeof text,
                         "// rung: r\n// idea: i\n// group: 32\n// groups: 1\n// args: out, in, int(0)\n"
                         "extern \"C\" __global__ void transpose(volatile float *out, float *in, int zero) {\n"
                         "    int i = threadIdx.x;\n"
                         "    for (int k = i; k < 4096; k += 32) in[k] = 0;\n"
                         "    __syncthreads();\n");
    for (size_t i = 0; i < COUNT_OF(conditions); i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "out[(%s) ? i : 64 * i] = 1;\n", conditions[i]);
    snprintf(text + length, sizeof text - length, "}\n");
    expect_ok(trace_file("transpose:rows=256,cols=256,f32", "test/r.cu", text));
    for (size_t i = 0; i < COUNT_OF(conditions); i++) {
        double counted = 0;
        for (size_t k = 0; k < trace.access_count; k++)
            if (trace.accesses[k].line == 10 + (int)i && trace.accesses[k].operation == EXPLAIN_STORE)
                counted += trace.accesses[k].counts[BY_9_0].transactions;
        if (counted < 3.99 || counted > 4.01)
            fail_msg("%s: %g sectors", conditions[i], counted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_in_opencl),
        cmocka_unit_test(patterns_in_cuda),
        cmocka_unit_test(words_of_cuda),
    };
    if (!has_compiler()) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
