/* What is found in a user's device file: its kernels, their parameters, what its types stand for, its declarations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/size.h"
#include "base/text.h"
#include "judge/user_declarations.h"
#include "judge/user_kernel.h"
#include "judge/user_type.h"

/* "float p*, float q*c": * a pointer, c to const, l local memory, r an array of rows. */
static const char *parameters_of(const struct user_kernel *kernel, char text[512])
{
    text[0] = '\0';
    for (size_t p = 0; p < kernel->count; p++) {
        const struct user_parameter *one = &kernel->parameters[p];
        text_append(text, 512, "%s%s %s%s%s%s%s", p ? ", " : "", one->type, one->name, one->is_pointer ? "*" : "",
                    one->is_read_only ? "c" : "", one->is_local ? "l" : "", one->is_of_rows ? "r" : "");
    }
    return text;
}

static void parameters(void **state)
{
    (void)state;
    static const struct {
        const char *written, *read; /* NULL: not understood */
    } rows[] = {
        {"__global float *p, __global const float *q, int n, __local float *t",
         "float p*, float q*c, int n, float t*l"},
        {"unsigned n, unsigned int m, unsigned long long l, long double d, long int i",
         "uint n, uint m, ulong l, long double d, long i"},
        {"unsigned short s, unsigned char c, long long v, int unsigned u", "ushort s, uchar c, long v, uint u"},
        {"float complex z, const _Complex double *w", "complex float z, complex double w*c"},
        {"float a[16][16], float *b[], float **c, float (*d)[16]", "float a*, float b*r, float c*r, float d*"},
        {"const float *a, float const *b, float *const c, const int n", "float a*c, float b*c, float c*, int n"},
        {"const float * __restrict__ a, volatile float *b, struct pair *c", "float a*c, float b*, pair c*"},
        {"local int *a, global int *b", "int a*l, int b*"},
        {"const float a[]", "float a*c"},
        {"void", ""},
        {"", ""},
        {"int", NULL},
        {"T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p",
         "T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p"},
        {"T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p, T q", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[1024], read[512];
        struct user_kernel kernel;
        struct error error = {""};
        snprintf(text, sizeof text, "__kernel void k(%s) { }", rows[i].written);
        enum status status = user_kernel_find(text, false, NULL, "none", &kernel, &error);
        assert_int_equal(status, rows[i].read ? STATUS_OK : STATUS_INVALID);
        if (rows[i].read)
            assert_string_equal(parameters_of(&kernel, read), rows[i].read);
        else
            assert_string_equal(error.text, "the parameters of 'k' cannot be read");
    }
}

/* How many axes the code uses. */
static void ranks(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int rank;
    } rows[] = {
        {"", 1},
        {"get_global_id(0);", 1},
        {"get_global_id(0); get_local_id( 1);", 2},
        {"get_group_id(2);", 3},
        {"get_global_id(d);", 0},
        {"get_global_id(1); get_global_id(d);", 0},
        {"blockIdx.x;", 1},
        {"threadIdx.y;", 2},
        {"blockIdx.z;", 3},
        {"f(threadIdx);", 0},
        {"int myIdxs;", 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        struct user_kernel kernel;
        snprintf(text, sizeof text, "__global__ void k(int n) { %s }", rows[i].body);
        assert_int_equal(user_kernel_find(text, true, NULL, "none", &kernel, NULL), STATUS_OK);
        assert_int_equal(kernel.rank, rows[i].rank);
    }
}

static void which_kernel(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_cuda;
        const char *wanted, *usual, *found, *error;
    } rows[] = {
        {"__kernel void a(int n) { }", false, NULL, "b", "a", NULL},
        {"kernel void a(int n) { }", false, NULL, "b", "a", NULL},
        {"__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void a(int n) { }", false, NULL, "b", "a", NULL},
        {"__global__ void __launch_bounds__(256) a(int n) { }", true, NULL, "b", "a", NULL},
        {"__global__ __launch_bounds__ (256) void a(int n) { }", true, NULL, "b", "a", NULL},
        {"__kernel void a(int n); __kernel void a(int n) { }", false, NULL, "b", "a", NULL},
        {"__kernel void a(int n) { } __kernel void b(int n) { }", false, NULL, "b", "b", NULL},
        {"__kernel void a(int n) { } __kernel void b(int n) { }", false, "a", "b", "a", NULL},
        {"__kernel void a(int n) { } __kernel void b(int n) { }", false, "c", "b", NULL,
         "it has no kernel 'c'; it has a, b"},
        {"__kernel void a(int n) { } __kernel void b(int n) { }", false, NULL, "c", NULL,
         "it has several kernels (a, b): choose one with --entry"},
        {"// __kernel void a(int n) { }\n__kernel void b(int n) { }", false, NULL, "c", "b", NULL},
        {"void a(int n) { }", false, NULL, "a", NULL,
         "there is no __kernel function in it: write __kernel void before the name of the one that is to run"},
        {"void a(int n) { }", true, NULL, "a", NULL,
         "there is no __global__ function in it: write __global__ void before the name of the one that is to run"},
        {"__global__ void a(int n) { }", false, NULL, "a", NULL,
         "there is no __kernel function in it, but a __global__ one: its name should end in .cu"},
        {"__kernel void a(int n) { }", true, NULL, "a", NULL,
         "there is no __global__ function in it, but a __kernel one: its name should end in .cl"},
        {"#define K __kernel\nK void a(int n) { }", false, NULL, "a", NULL,
         "there is no __kernel function in it that is written out: one that a macro makes is not found"},
        {"int __kernel = 3;", false, NULL, "a", NULL,
         "there is no __kernel function in it that is written out: one that a macro makes is not found"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct user_kernel kernel;
        struct error error = {""};
        enum status status =
            user_kernel_find(rows[i].text, rows[i].is_cuda, rows[i].wanted, rows[i].usual, &kernel, &error);
        assert_string_equal(error.text, rows[i].error ? rows[i].error : "");
        assert_int_equal(status, rows[i].error ? STATUS_INVALID : STATUS_OK);
        if (rows[i].found) {
            assert_string_equal(kernel.name, rows[i].found);
            assert_memory_equal(rows[i].text + kernel.at, rows[i].found, strlen(rows[i].found));
        }
    }
    struct user_kernel kernel;
    assert_int_equal(user_kernel_find("/* c */ __kernel void k(int n) { }", false, NULL, "k", &kernel, NULL),
                     STATUS_OK);
    assert_int_equal(kernel.marker, 8);
    assert_int_equal(kernel.at, 22);
}

/* The branch that the preprocessor takes has the type; where that is not known, the first one. */
static void conditions(void **state)
{
    (void)state;
    static const struct {
        const char *before, *condition, *type;
    } rows[] = {
        {"", "#ifdef X", "float"},
        {"#define X\n", "#ifdef X", "double"},
        {"#define XY\n", "#ifdef X", "float"},
        {"", "#ifndef X", "double"},
        {"#define X 1\n", "#ifndef X", "float"},
        {"", "#if defined(X)", "float"},
        {"#define X\n", "#if defined(X)", "double"},
        {"#define X\n", "#if defined X", "double"},
        {"", "# if ! defined ( X )", "double"},
        {"#define X\n", "#if !defined(X)", "float"},
        {"", "#if 0", "float"},
        {"", "#if 1", "double"},
        {"", "#if !0", "double"}, /* not known */
        {"", "#if X > 2", "double"},
        {"", "#if defined(X) || defined(Y)", "double"},
        {"", "#if 0\n#if 1\n#else\n#endif", "float"},
        {"", "#if 1\n#ifdef X\ntypedef char T;\n#endif", "double"},
        {"", "#ifdef X\ntypedef char T;\n#elif Y", "double"},
        {"", "#if 1\n#elif Y\n#endif\n#if 0", "float"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[512];
        struct user_kernel kernel;
        snprintf(text, sizeof text,
                 "%s%s\ntypedef double T;\n#else\ntypedef float T;\n#endif\n__kernel void k(__global T *a, int n) { }",
                 rows[i].before, rows[i].condition);
        assert_int_equal(user_kernel_find(text, false, NULL, "k", &kernel, NULL), STATUS_OK);
        assert_string_equal(kernel.parameters[0].type, rows[i].type);
    }
}

static void types(void **state)
{
    (void)state;
    static const struct {
        const char *text, *type, *resolved;
    } rows[] = {
        {"typedef unsigned int T;", "T", "uint"},
        {"typedef unsigned T ;", "T", "uint"},
        {"typedef unsigned long T;", "T", "ulong"},
        {"typedef unsigned short T;", "T", "ushort"},
        {"typedef unsigned char T;", "T", "uchar"},
        {"typedef float complex T;", "T", "complex float"},
        {"#define T float\n", "T", "float"},
        {"#define T\tdouble\r\n", "T", "double"},
        {"# define T unsigned\n", "T", "uint"},
        {"#define real T\ntypedef double T;", "real", "double"},
        {"typedef float TT; typedef double T;", "T", "double"},
        {"typedef struct { int a; } T;", "T", "T"},
        {"typedef float T", "T", "T"},
        {"", "T", "T"},
        {"#define A B\n#define B C\n#define C D\n#define D E\n#define E F\n", "A", "E"}, /* four times */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char type[64];
        snprintf(type, sizeof type, "%s", rows[i].type);
        user_type_resolve(rows[i].text, type, sizeof type);
        assert_string_equal(type, rows[i].resolved);
    }
}

static bool note(void *context, const char *name, size_t length)
{
    text_append(context, 256, " %.*s", (int)length, name);
    return false;
}

/* "function kd f": its kind; k a kernel, d of the device, c constant, e constexpr; its names. */
static void describe(const struct user_declarations *all, const struct user_declaration *one, char text[256])
{
    static const char *const kinds[] = {"frame", "macro", "function", "type", "typedef", "using", "variable"};
    snprintf(text, 256, "%s%s%s%s%s%s", kinds[one->kind],
             one->is_kernel || one->is_device || one->is_constant ? " " : "", one->is_kernel ? "k" : "",
             one->is_device ? "d" : "", one->is_constant ? "c" : "", one->is_constexpr ? "e" : "");
    assert_false(user_declaration_names(all, one, note, text));
}

static void declarations(void **state)
{
    (void)state;
    static const char text[] = "#define HD __host__ __device__\n#define TWO(x) \\\n  2 * x\n#include <x>\n"
                               "namespace a {\nextern \"C\" {\nstruct S { int x; };\nenum E { P, Q } e;\n"
                               "typedef float T;\nusing namespace std;\nusing U = int;\nconst int N = 4, M = 2;\n"
                               "constexpr int L = 2;\n__constant__ float c[4];\nHD float f(float x) { return x; }\n"
                               "template <typename V, int W>\n__global__ void k(V *p) { }\nfloat g(int);\n"
                               "bool operator==(S a, S b) { return true; }\n}\n}\nint (*h)(int) = f;\n";
    static const struct {
        const char *what, *text, *body; /* body: NULL: behind it */
    } rows[] = {
        {"macro HD", "#define HD __host__ __device__", "HD __host__"},
        {"macro TWO", "#define TWO(x) \\\n  2 * x", "TWO(x)"},
        {"frame", "namespace a {", NULL},
        {"frame", "extern \"C\" {", NULL},
        {"type S", "struct S { int x; };", NULL},
        {"type E P Q e", "enum E { P, Q } e;", NULL},
        {"typedef T", "typedef float T;", NULL},
        {"using std", "using namespace std;", NULL},
        {"using U", "using U = int;", NULL},
        {"variable c N M", "const int N = 4, M = 2;", NULL},
        {"variable ce L", "constexpr int L = 2;", NULL},
        {"variable d c", "__constant__ float c[4];", NULL},
        {"function d f", "HD float f(float x) { return x; }", "{ return x; }"},
        {"function k k", "template <typename V, int W>\n__global__ void k(V *p) { }", "{ }"},
        {"function g", "float g(int);", NULL},
        {"function", "bool operator==(S a, S b) { return true; }", "{ return true; }"},
        {"frame", "}", NULL},
        {"frame", "}", NULL},
    };
    struct user_declarations all;
    assert_true(user_declarations_read(text, &all));
    assert_int_equal(all.count, COUNT_OF(rows) + 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct user_declaration *one = &all.items[i];
        char what[256];
        describe(&all, one, what);
        assert_string_equal(what, rows[i].what);
        assert_int_equal(one->to - one->from, strlen(rows[i].text));
        assert_memory_equal(text + one->from, rows[i].text, strlen(rows[i].text));
        if (rows[i].body)
            assert_memory_equal(text + one->body, rows[i].body, strlen(rows[i].body));
        else
            assert_int_equal(one->body, one->to);
        assert_int_equal(one->template,
                         strncmp(rows[i].text, "template", 8) == 0 ? strlen("template <typename V, int W>") : 0);
    }
    assert_true(user_declarations_directive(&all, 0));
    assert_false(user_declarations_directive(&all, 1));
    user_declarations_free(&all);
    assert_int_equal(all.count, 0);
}

/* Each branch of a condition begins at the depth of its #if. */
static void braces_of_branches(void **state)
{
    (void)state;
    static const char text[] =
        "void f() {\n#if X\n if (a) {\n#elif Y\n while (b) {\n#else\n for (;;) {\n#endif\n }\n}\nint z;";
    struct user_declarations all;
    assert_true(user_declarations_read(text, &all));
    assert_int_equal(all.count, 2);
    assert_int_equal(all.items[0].kind, DECLARATION_FUNCTION);
    assert_int_equal(all.items[1].kind, DECLARATION_VARIABLE);
    assert_string_equal(text + all.items[1].from, "int z;");
    user_declarations_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters),         cmocka_unit_test(ranks), cmocka_unit_test(which_kernel),
        cmocka_unit_test(conditions),         cmocka_unit_test(types), cmocka_unit_test(declarations),
        cmocka_unit_test(braces_of_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
