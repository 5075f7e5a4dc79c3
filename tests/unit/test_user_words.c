/* What is read in a user's text: OpenCL C's own words, which become those that every prelude has; the type
 * of a C function's elements; the order of a kernel's indexes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/user_axes.h"
#include "judge/user_header.h"
#include "judge/user_meaning.h"
#include "judge/user_signature.h"
#include "judge/user_words.h"

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

static void check(const char *text, const char *expected)
{
    char *made = user_words_translate(text);
    assert_string_equal(made, expected);
    free(made);
}

static void test_local(void **state)
{
    (void)state;
    check("__local float a[4], b[4];", "local_array float a[4], b[4];");
    check("local int n;", "local_array int n;");
    check("__local float *p = a;", "local_pointer float *p = a;");
    check("void f(__local const float *p, int n)", "void f(local_pointer const float *p, int n)");
    check("x = (__local uint *)y;", "x = (local_pointer uint *)y;");
    check("__constant float w[] = {1, 2 * 3};", "constant_array float w[] = {1, 2 * 3};");
    check("constant float *w", "constant_pointer float *w");
}

static void test_short_forms(void **state)
{
    (void)state;
    check("kernel void k(global float *a)", "__kernel void k(__global float *a)");
    check("__kernel void k(__global float *a)", "__kernel void k(__global float *a)");
}

/* A literal of as many numbers as the vector has; OpenCL C's others stay. */
static void test_vector_literals(void **state)
{
    (void)state;
    check("v = (float4)(a[i, j], f(x, y), 2, 3);", "v = make_float4(a[i, j], f(x, y), 2, 3);");
    check("v = ( int2 ) (x, (y, z));", "v = make_int2(x, (y, z));");
    check("v = (float4)(0); w = (float4)(u, w); x = (float8)(a, b);",
          "v = (float4)(0); w = (float4)(u, w); x = (float8)(a, b);");
    check("f = (float)(x, y); // (float2)(x, y)", "f = (float)(x, y); // (float2)(x, y)");
    check("(float2)(x, ", "(float2)(x, ");
}

/* Words within others, comments, strings and the preprocessor's lines stay. */
static void test_others(void **state)
{
    (void)state;
    check("local_array float a[4]; int locals, my_local;", "local_array float a[4]; int locals, my_local;");
    check("// local kernel\n/* __local */ x", "// local kernel\n/* __local */ x");
    check("work_group_barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);");
    check("#define L __local\nlocal int i;", "#define L __local\nlocal_array int i;");
    check("barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);");
    check("", "");
}

/* The type is the file's own, where the kernel has it; a transpose moves elements of one size alike. */
static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text;
        enum element_type type;
    } cases[] = {
        {"transpose", "void transpose(const double *in, double *out, long r, long c) { }", ELEMENT_F64},
        {"transpose", "typedef double real; void transpose(const real *in, real *out, long r, long c) { }",
         ELEMENT_F64},
        {"transpose", "void transpose(const int *in, int *out, long r, long c) { }", ELEMENT_F32},
        {"transpose", "void transpose(const ELEMENT *in, ELEMENT *out, long r, long c) { }", ELEMENT_F32},
        {"sort", "void sort(int *data, long n) { }", ELEMENT_I32},
        {"sort", "void sort(unsigned *data, long n) { }", ELEMENT_U32},
        {"sort", "#define T unsigned long\nvoid sort(T *data, long n) { }", ELEMENT_U64},
        {"sort", "void sort(struct key *data, long n) { }", ELEMENT_F32},
        {"dot", "void dot(const double *a, const double *b, double *sum, long n) { }", ELEMENT_F64},
        {"dot", "void dot(const int *a, const int *b, double *sum, long n) { }", ELEMENT_F32}, /* it has no such type */
        {"resize", "void resize(const int *a, int *b, long w, long h, long ow, long oh) { }", ELEMENT_F32},
    };
    struct error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct kernel *kernel = kernel_by_name(cases[i].kernel, &error);
        assert_int_equal(user_signature_type(cases[i].text, kernel->name, ELEMENT_F32, kernel), cases[i].type);
    }
}

static enum status name_arguments(const struct user_kernel *kernel, const struct plain_signature *plain,
                                  char arguments[512], char requires[512], struct error *error)
{
    int meaning[USER_PARAMETERS_MOST];
    user_meaning_match(kernel, plain, meaning);
    return user_meaning_arguments(kernel, plain, meaning, arguments, requires, error);
}

/* `said`: the header's arguments, or NULL for those of the kernel's parameters. */
static bool exchanges_with(const char *text, bool is_cuda, const char *said, char groups[128])
{
    struct user_kernel kernel;
    struct error error;
    char arguments[512], requires[512];
    const struct plain_signature *plain = kernel_by_name("transpose", &error)->plain;
    assert_int_equal(user_kernel_find(text, is_cuda, NULL, "transpose", &kernel, &error), STATUS_OK);
    assert_int_equal(name_arguments(&kernel, plain, arguments, requires, &error), STATUS_OK);
    return user_axes_exchange(text, &kernel, said ? said : arguments, plain->groups, groups, 128);
}

static bool exchanges(const char *text, bool is_cuda, char groups[128])
{
    return exchanges_with(text, is_cuda, NULL, groups);
}

static void test_axes(void **state)
{
    (void)state;
    char groups[128];
    static const char rows_first[] =
        "__kernel void k(__global float *in, __global float *out, int rows, int cols)\n"
        "{ int r = get_global_id(0), c = get_global_id(1); if (r >= rows || c >= cols) return; }";
    assert_true(exchanges(rows_first, false, groups));
    assert_string_equal(groups, "ceil(rows / 16), ceil(cols / 16)");
    assert_true(exchanges_with(rows_first, false, "in, out, rows, int(cols)", groups));
    assert_string_equal(groups, "ceil(rows / 16), ceil(cols / 16)");
    assert_true(exchanges("__kernel void k(__global float *in, __global float *out, int rows, int cols)\n"
                          "{ int i = get_local_id(0), r = 16 * get_group_id(0) + i; if (r < rows) f(); }",
                          false, groups));
    assert_false(exchanges("extern \"C\" __global__ void k(float *in, float *out, int rows, int cols)\n"
                           "{ int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
                           "if (x < cols && y < rows) f(); y = blockIdx.x * 16; if (y < cols) f(); }",
                           true, groups));
    assert_false(exchanges("__global__ void k(float *in, float *out, int n) { int i = blockIdx.x; if (i < n) f(); }",
                           true, groups));
    assert_false(exchanges("__global__ void k(float *in, float *out, int n) { f(blockIdx.x); }", true, groups));
}

/* A kernel's arguments by name, by const and by place; the axes that it uses; what its own types' names stand for. */
static void test_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text, *arguments;
        int rank;
        const char *requires;
    } cases[] = {
        {"transpose", "__kernel void k(__global float *p, __global const float *q, int n, int m) { get_global_id(1); }",
         "out, in, int(cols), int(rows)", 2, "element_bytes == 4"},
        {"transpose", "__kernel void k(__global float *a, __global const float *b, int n) { get_global_id(0); }",
         "out, in, int(cols)", 1, "element_bytes == 4"},
        {"wave",
         "__kernel void k(__global float *u, __global const float *now, const __global float *v, int nx, int ny, "
         "int nz, float r) { get_global_id(2); }",
         "result, current, previous, int(nx), int(ny), int(nz), float(courant)", 3, "element_bytes == 4"},
        {"transpose",
         "#define ID(d) get_global_id(d)\ntypedef unsigned int T;\n__kernel void k(__global const T *in, "
         "__global T *out, int rows, int cols) { ID(1); }",
         "in, out, int(rows), int(cols)", 0, "element_bytes == 4"},
        {"transpose",
         "#define ROW get_global_id(1)\n#define real float\n__kernel void k(__global const real *in, __global real "
         "*out, "
         "int rows, int cols) { ROW; }",
         "in, out, int(rows), int(cols)", 2, "element_bytes == 4"},
        {"wave",
         "__kernel void k(__global float *u, __global const float *now, const __global float *v, float q, int a1, "
         "int a2, int a3) { get_global_id(2); }",
         "result, current, previous, float(courant), int(nx), int(ny), int(nz)", 3, "element_bytes == 4"},
        {"matmul",
         "__kernel void k(__global const float *a, __global const float *b, __global float *c, float alpha, float "
         "beta, "
         "int m, int n, int k) { get_global_id(1); }",
         "a, b, c, float(alpha), float(beta), int(m), int(n), int(k)", 2, "element_bytes == 4"},
        {"sort", "typedef int key;\n__kernel void k(__global key *data, int n) { get_global_id(0); }", "data, int(n)",
         1, "element_kind == 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct user_kernel kernel;
        struct error error;
        char arguments[512], requires[512];
        const struct plain_signature *plain = kernel_by_name(cases[i].kernel, &error)->plain;
        assert_int_equal(user_kernel_find(cases[i].text, false, NULL, "none", &kernel, &error), STATUS_OK);
        assert_int_equal(name_arguments(&kernel, plain, arguments, requires, &error), STATUS_OK);
        assert_string_equal(arguments, cases[i].arguments);
        assert_int_equal(kernel.rank, cases[i].rank);
        assert_non_null(strstr(requires, cases[i].requires));
        if (strstr(cases[i].text, "float alpha, float beta"))
            assert_true(!strstr(requires, "it has no alpha") && !strstr(requires, "it has no beta") &&
                        strstr(requires, "it has no lda"));
    }
}

/* What a launch cannot pass is named. */
static void test_no_argument(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "__kernel void k(__global float *in, __global float *out, __local float *tile, int n) { }",
        "__kernel void k(read_only image2d_t in, __global float *out, int n) { }",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct user_kernel kernel;
        struct error error;
        char arguments[512], requires[512];
        const struct plain_signature *plain = kernel_by_name("transpose", &error)->plain;
        assert_int_equal(user_kernel_find(cases[i], false, NULL, "none", &kernel, &error), STATUS_OK);
        assert_int_equal(name_arguments(&kernel, plain, arguments, requires, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "is an image or local memory"));
    }
}

/* A student's own comments are no header; a short header gets the lines that it lacks. */
static void test_header(void **state)
{
    (void)state;
    assert_false(user_header_exists("// group: 3B, an idea: none\n// idea: tiles\nvoid f(void);"));
    assert_true(user_header_exists("// by me\n// args: in, out\n"));
    char *text = strdup("// args: in, out\n// group: 16\nkernel");
    assert_true(user_header_complete(&text, "// entry:   k\n// group:   9\n", "a.cl"));
    assert_string_equal(text,
                        "// args: in, out\n// group: 16\n// rung:    own\n// idea:    a user's own\n// entry:   k\n"
                        "#line 3 \"a.cl\"\nkernel");
    free(text);
    text = strdup("// rung: r\n// idea: i\nkernel");
    assert_true(user_header_complete(&text, "// entry:   k\n", "a.cl"));
    assert_string_equal(text, "// rung: r\n// idea: i\nkernel");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),     cmocka_unit_test(test_short_forms), cmocka_unit_test(test_vector_literals),
        cmocka_unit_test(test_others),    cmocka_unit_test(test_types),       cmocka_unit_test(test_axes),
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_header),      cmocka_unit_test(test_no_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
