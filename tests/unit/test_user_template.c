/* A kernel that is a template gets values; and what a user's function in C takes is matched to the prototype. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/size.h"
#include "base/status.h"
#include "judge/user_meaning.h"
#include "judge/user_template.h"
#include "kernels/kernel.h"

/* NULL: refused, and `error` says why. */
static char *settled(const char *text, struct error *error)
{
    struct user_declarations all;
    char *made = strdup(text);
    assert_true(user_declarations_read(text, &all));
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].is_kernel && all.items[i].template &&
            user_template_settle(&all, &all.items[i], "a.cu", "k", &made, error) != STATUS_OK) {
            free(made);
            made = NULL;
            break;
        }
    user_declarations_free(&all);
    return made;
}

static void templates(void **state)
{
    (void)state;
    static const struct {
        const char *text, *made;
    } rows[] = {
        {"int a; template <typename T, int TILE> __global__ void k(T *a) { }\nint main() { k<float, 16><<<1, 2>>>(a); "
         "}",
         "int a; namespace uskor_kernel { typedef float T; constexpr int TILE = 16;  __global__ void k(T *a) { } }\n"
         "int main() { k<float, 16><<<1, 2>>>(a); }"},
        {"template <int N = 2 * 4>\n__global__ void k(int *a) { }",
         "namespace uskor_kernel { constexpr int N = 8; \n__global__ void k(int *a) { } }"},
        {"template <int N = 4>\n__global__ void k(int *a) { }\nvoid f() { k<2 + 1><<<1, 2>>>(a); }",
         "namespace uskor_kernel { constexpr int N = 3; \n__global__ void k(int *a) { } }\n"
         "void f() { k<2 + 1><<<1, 2>>>(a); }"},
        {"template <typename T,\n          int N = 4>\n__global__ void k(T *a) { }",
         "namespace uskor_kernel { typedef ELEMENT T; constexpr int N = 4; \n\n__global__ void k(T *a) { } }"},
        {"template <class T = pair<int, int>, bool B = true>\n__global__ void k(T *a) { }",
         "namespace uskor_kernel { typedef pair<int, int> T; constexpr bool B = true; \n__global__ void k(T *a) { } }"},
        {"template <typename T>\n__global__ void k(T *a) { }\ntemplate <class V> void f() { k<V><<<1, 2>>>(a); }",
         "namespace uskor_kernel { typedef ELEMENT T; \n__global__ void k(T *a) { } }\n"
         "template <class V> void f() { k<V><<<1, 2>>>(a); }"},
        {"const int W = 32;\ntemplate <int N>\n__global__ void k(int *a) { }\nvoid f() { k<W / 4><<<1, 2>>>(a); }",
         "const int W = 32;\nnamespace uskor_kernel { constexpr int N = 8; \n__global__ void k(int *a) { } }\n"
         "void f() { k<W / 4><<<1, 2>>>(a); }"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = {""};
        char *made = settled(rows[i].text, &error);
        assert_string_equal(error.text, "");
        assert_string_equal(made, rows[i].made);
        free(made);
    }
    struct error error = {""};
    assert_null(settled("\ntemplate <typename T, int N>\n__global__ void k(T *a) { }", &error));
    assert_string_equal(error.text, "a.cu:2: the template's parameter 'int N' has no value: give it a default");
}

/* The arguments of a function in C of that kernel, in the words of a header; what is wrong begins with "!". */
static void expect_function(const char *kernel, const char *parameters, const char *arguments, const char *requires)
{
    struct user_kernel user = {.name = "f"};
    struct error error = {""};
    char text[512], made[512], needed[512];
    int meaning[USER_PARAMETERS_MOST];
    snprintf(text, sizeof text, "(%s)", parameters);
    const struct plain_signature *plain = kernel_by_name(kernel, &error)->plain;
    assert_true(user_kernel_parameters(text, 0, &user));
    user_meaning_match_function(&user, plain, meaning);
    const enum status status = user_meaning_arguments(&user, plain, meaning, made, needed, &error);
    assert_int_equal(status, arguments[0] == '!' ? STATUS_INVALID : STATUS_OK);
    assert_string_equal(status == STATUS_OK ? made : error.text, arguments + (arguments[0] == '!'));
    if (status == STATUS_OK)
        assert_string_equal(needed, requires);
}

static void functions(void **state)
{
    (void)state;
    static const char four[] = "// require: element_bytes == 4, its elements are of 4 bytes\n",
                      eight[] = "// require: element_bytes == 8, its elements are of 8 bytes\n";
    expect_function("transpose", "const float *in, float *out, long rows, long cols", "in, out, long(rows), long(cols)",
                    four);
    expect_function("transpose", "float *out, const float *in, int cols, int rows", "out, in, int(cols), int(rows)",
                    four);
    expect_function("transpose", "const double *a, double *b, size_t n, size_t m", "in, out, long(rows), long(cols)",
                    eight);
    expect_function("transpose", "float *a, float *b, int n, int m", "in, out, int(rows), int(cols)", four);
    expect_function("transpose", "float *b, const float *a, int n, int m", "out, in, int(rows), int(cols)", four);
    expect_function("transpose", "const ELEMENT *in, ELEMENT *out, long width, long height",
                    "in, out, long(cols), long(rows)", "");
    expect_function("transpose", "const float *in, float *out, struct size s",
                    "!the type size of the parameter 's' is not known: say all with --args; a structure cannot be "
                    "passed, its arrays and numbers can",
                    "");
    expect_function("transpose", "float **in, float *out, int rows, int cols",
                    "!the parameter 'in' of 'f' is an array of pointers to rows; arrays here are one piece: declare "
                    "'float *in' and count with the row's length",
                    "");
    expect_function(
        "transpose", "const float *in, float *out",
        "!'f' has no size among its parameters: a header says which problems it serves, such as '// require: "
        "rows % 32 == 0, whole tiles'",
        "");
    expect_function("transpose", "const float *in, float *out, float *other, int rows, int cols",
                    "!the parameter 'other' of 'f' is none of in, out, rows, cols: say what each one is with --args",
                    "");
}

static void requirements(void **state)
{
    (void)state;
    static const struct {
        enum element_type type;
        const char *text;
    } rows[] = {
        {ELEMENT_F32, "element_bytes == 4, its elements are of 4 bytes\nelement_kind == 2, its elements are "
                      "floating-point numbers\n"},
        {ELEMENT_I64,
         "element_bytes == 8, its elements are of 8 bytes\nelement_kind == 1, its elements are signed integers\n"},
        {ELEMENT_U8,
         "element_bytes == 1, its elements are of 1 byte\nelement_kind == 0, its elements are unsigned integers\n"},
        {ELEMENT_U16,
         "element_bytes == 2, its elements are of 2 bytes\nelement_kind == 0, its elements are unsigned integers\n"},
        {ELEMENT_C128,
         "element_bytes == 16, its elements are of 16 bytes\nelement_kind == 3, its elements are complex numbers\n"},
        {ELEMENT_TYPE_COUNT, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[512] = "";
        user_meaning_require(rows[i].type, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(templates), cmocka_unit_test(functions),
                                       cmocka_unit_test(requirements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
