/* Functions in C with parameters of their own: which one is judged, and how it is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "judge/user_adapter.h"
#include "judge/user_cxx.h"
#include "judge/user_entry.h"

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

static enum status make(const char *kernel_name, const char *text, const char *entry, const char *arguments,
                        struct user_adapter *adapter, struct error *error)
{
    const struct kernel *kernel = kernel_by_name(kernel_name, error);
    return user_adapter_make(text, entry, ELEMENT_F32, arguments, kernel->plain, adapter, error);
}

/* Parameters in the prototype's order are called as they are; others by their meaning. */
static void test_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text, *arguments; /* "": none are needed */
    } cases[] = {
        {"transpose", "void transpose(const float *in, float *out, int rows, int cols) { }", ""},
        {"transpose", "static int x; void transpose(const ELEMENT in[], ELEMENT *restrict o, long r, size_t c)\n{ }",
         ""},
        {"transpose", "void transpose(const float *, float *, long, long);\n#define BODY(f) f { }", ""},
        {"transpose", "void transpose(const float *a, float *b, long n, long m) { }", ""},
        {"transpose", "void transpose(const float *a, float *b, long width, long height) { }",
         "in, out, long(cols), long(rows)"},
        {"transpose", "void transpose(long rows, long cols, float in[rows][cols], float out[cols][rows]) { }",
         "long(rows), long(cols), in, out"},
        {"transpose", "void transpose(float *dst, const float *src, unsigned w, unsigned h) { }",
         "out, in, int(cols), int(rows)"},
        {"transpose",
         "void transpose(const float *in, int in_stride, float *out, int out_stride, int rows, int cols) { }",
         "in, int(cols), out, int(rows), int(rows), int(cols)"},
        {"transpose", "void transpose(const float *in, float *out, long n) { }", "in, out, long(rows)"},
        {"transpose", "void transpose(const float *in, float *out, long int rows, long int cols) { }", ""},
        {"dot", "void dot(const float *a, const float *b, double *sum, long n) { }", ""},
        {"dot", "double dot(const float *a, const float *b, long n) { return 0; }", "a, b, long(n)"},
        {"dot", "static inline int f(void) { return 1; }\nfloat dot(int n, float *x, int incx, float *y, int incy) { }",
         "int(n), a, int(1), b, int(1)"},
        {"dot", "void dot(const float *a, const float *b, float *sum, long n) { }", "a, b, narrow, long(n)"},
        {"wave", "void wave(const float *p, const float *u, float *n, long x, long y, long z, float r) { }", ""},
        {"wave", "void wave(const float *p, const float *u, float *n, long nx, long ny, long nz, float c2) { }",
         "previous, current, result, long(nx), long(ny), long(nz), float(courant * courant)"},
        {"matmul", "void matmul(const float *A, const float *B, float *C, int N) { }", "a, b, c, int(n)"},
        {"matmul",
         "void matmul(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta, "
         "float *C, int ldc) { }",
         "int(m), int(n), int(k), float(alpha), a, int(k + lda_pad), b, int(n + ldb_pad), float(beta), c, int(n + "
         "ldc_pad)"},
        {"sort", "void sort(size_t n, float *keys) { }", "long(n), data"},
    };
    struct user_adapter adapter;
    struct error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(make(cases[i].kernel, cases[i].text, cases[i].kernel, NULL, &adapter, &error), STATUS_OK);
        assert_string_equal(adapter.arguments, cases[i].arguments);
        assert_int_equal(adapter.code[0] != '\0', cases[i].arguments[0] != '\0');
    }
}

/* The function that is made. */
static void test_code(void **state)
{
    (void)state;
    struct user_adapter adapter;
    struct error error;
    assert_int_equal(make("dot", "float sdot(int n, float *x, float *y) { }", "sdot", NULL, &adapter, &error),
                     STATUS_OK);
    assert_string_equal(adapter.code, "float sdot(int, void *, void *);\n"
                                      "void uskor_call(const ELEMENT *a, const ELEMENT *b, double *result, long n)\n"
                                      "{\n    *result = sdot((int)(n), (void *)a, (void *)b);\n}\n");
    assert_int_equal(make("dot", "void dot(float *a, float *b, float *c, long n) { }", "dot", NULL, &adapter, &error),
                     STATUS_OK);
    assert_non_null(strstr(adapter.code, "    float in_float = (float)*result;\n    dot((void *)a, (void *)b, "
                                         "&in_float, (long)(n));\n    *result = in_float;\n"));
    assert_int_equal(make("matmul", "void mm(float *a, float *b, float *c, int n) { }", "mm", NULL, &adapter, &error),
                     STATUS_OK);
    assert_non_null(strstr(adapter.requires, "m == n && n == k, "));
    assert_non_null(strstr(adapter.requires, "beta == 0, it has no beta\n"));
    assert_int_equal(make("matmul", "void mm(float *x, float *y, float *z, int p, int q, int r) { }", "mm",
                          "b, a, c, int(n), int(m), int(2 * k - k)", &adapter, &error),
                     STATUS_OK);
    assert_non_null(strstr(adapter.code, "mm((void *)b, (void *)a, (void *)c, (int)(n), (int)(m), (int)(2 * k - k));"));
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text, *arguments, *reason;
    } cases[] = {
        {"transpose", "void transpose(float **in, float **out, int rows, int cols) { }", NULL, "pointers to rows"},
        {"transpose", "void transpose(float *in[], float *out[], int rows, int cols) { }", NULL, "pointers to rows"},
        {"transpose", "void transpose(const float *in, float *out) { }", NULL, "has no size"},
        {"transpose", "void transpose(const float *in, float *out, int r, int c, int z) { }", NULL, "'z'"},
        {"transpose", "void transpose(struct matrix m, float *out, int r, int c) { }", NULL, "'m'"},
        {"dot", "void dot(const float *a, const float *b, long n) { }", NULL, "the array 'result'"},
        {"dot", "double dot(const float *a, long n) { }", NULL, "the array 'b'"},
        {"wave", "void wave(struct c r, const float *p, const float *u, float *n, long x, long y, long z) { }", NULL,
         "type c"},
        {"transpose", "void transpose(const float *in, float *out, int r, int c) { }", "in, out, int(rows)",
         "4 parameters"},
        {"transpose", "void transpose(const float *in, float *out, int r, int c) { }",
         "in, out, int(rows), int(system(1))", "'int(system(1))'"},
    };
    struct user_adapter adapter;
    struct error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(make(cases[i].kernel, cases[i].text, cases[i].kernel, cases[i].arguments, &adapter, &error),
                         STATUS_INVALID);
        assert_non_null(strstr(error.text, cases[i].reason));
    }
}

/* The only function with the kernel's parameters that other files see, or the only one that can be called. */
static void test_entry(void **state)
{
    (void)state;
#define PARAMETERS "(const float *in, float *out, int rows, int cols) "
    static const struct {
        const char *text, *entry, *reason; /* NULL: none */
    } cases[] = {
        {"static int f(int x) { return x; }\nvoid turn" PARAMETERS "{ if (rows) { f(1); } }", "turn", NULL},
        {"static void help" PARAMETERS "{ }\nvoid turn" PARAMETERS "{ help(in, out, rows, cols); }", "turn", NULL},
        {"int a[] = {1, 2}; int sum(int n) { return n; }\nvoid turn" PARAMETERS "{ }\nint main(void) { }", "turn",
         NULL},
        {"void swap(float *a, float *b) { }\nvoid turn(int rows, int cols, float *a, float *b) { }", "turn", NULL},
        {"void other(int rows, int cols, float *a, float *b) { }\nvoid turn" PARAMETERS "{ }", "turn", NULL},
        {"void one" PARAMETERS "{ }\nvoid two" PARAMETERS "{ }", "transpose", "(one, two)"},
        {"void turn" PARAMETERS "{ }\nvoid transpose" PARAMETERS "{ }", "transpose", NULL},
        {"void turn(int n) { }", "transpose", NULL},
        {"void turn(float *out, int rows, int cols) { }", "transpose", "has no parameter for the array 'in'"},
        {"void turn(float *a) { }\nvoid move(float *b) { }", "transpose", NULL},
        {"void turn" PARAMETERS ";", "transpose", NULL},
    };
#undef PARAMETERS
    struct error error;
    const struct kernel *kernel = kernel_by_name("transpose", &error);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char entry[64] = "";
        enum status status = user_entry_choose(cases[i].text, ELEMENT_F32, kernel, entry, &error);
        assert_string_equal(entry, cases[i].entry);
        assert_int_equal(status, cases[i].reason ? STATUS_INVALID : STATUS_OK);
        if (cases[i].reason)
            assert_non_null(strstr(error.text, cases[i].reason));
    }
}

/* What C does not have, and C's own words that look like it. */
static void test_cxx(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
        size_t line;
    } cases[] = {
        {"#include <stdlib.h>\n# include <algorithm>\n", "<algorithm>", 2},
        {"template <typename T> void f(T *x) { }", "template", 1},
        {"\n\nvoid f(float *x) { std::sort(x, x + 1); }", "std", 3},
        {"void f(const long &rows) { }", "long", 1},
        {"using namespace std;", "using", 1},
        {"#include <stdio.h>\nint new, class; void f(int x, int y) { new = x & y; class = 1 ? x : y; }", NULL, 0},
        {"// template <typename T>\nlong f(long x) { return x & 1l; }", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char word[40] = "";
        assert_int_equal(user_cxx_line(cases[i].text, word), cases[i].line);
        if (cases[i].word)
            assert_string_equal(word, cases[i].word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_code), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_entry),     cmocka_unit_test(test_cxx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
