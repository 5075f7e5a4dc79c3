/* A CUDA file with host code: what is left out, what the launch says, and that NVRTC compiles what is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "backends/cuda/nvrtc.h"
#include "base/size.h"
#include "judge/user_arithmetic.h"
#include "judge/user_assumed.h"
#include "judge/user_device_part.h"
#include "judge/user_file.h"
#include "judge/user_includes.h"
#include "kernels/kernel.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* The file as a device's compiler gets it. */
struct made {
    char *text, assumed[1024];
    struct error error;
    enum status status;
};

static struct made make(const char *kernel_name, const char *path, const char *whole, const char *entry)
{
    struct made made = {.text = strdup(whole)};
    const struct kernel *kernel = kernel_by_name(kernel_name, &made.error);
    struct user_kernel found;
    struct user_device_part part;
    const struct user_rung_options options = {.entry = entry};
    assert_non_null(kernel);
    memset(&found, 0x7f, sizeof found);
    made.status = user_kernel_find(made.text, true, entry, kernel_name, &found, &made.error);
    if (made.status == STATUS_OK)
        made.status = user_device_part_take(&made.text, path, &found, &part, &made.error);
    const struct user_source source = {
        .signature = kernel->plain,
        .kernel_name = kernel_name,
        .path = path,
        .is_cuda = true,
        .whole = whole,
        .left_out = part.left_out,
    };
    if (made.status == STATUS_OK)
        made.status = user_header_assume(&source, &options, &made.text, made.assumed, &made.error);
    return made;
}

static void expect_words(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in: %s", wanted, text);
}

/* ---- a program ---- */

static const struct {
    const char *kernel, *file, *entry;
    const char *assumed; /* what it must say */
    bool needs_headers;  /* the toolkit's */
} programs[] = {
    {"transpose", "transpose-program.cu", NULL,
     "args: out, in, int(cols), int(rows); group: 32, 8, 1; groups: floor((cols + 32 - 1) / 32), "
     "floor((rows + 32 - 1) / 32), 1; launch: line 86; left out: fill, is_transposed, main",
     false},
    {"matmul", "matmul-program.cu", "product_by_tiles",
     "args: a, b, c, int(m), int(n), int(k); group: 16, 16; groups: floor((n + 16 - 1) / 16), "
     "floor((m + 16 - 1) / 16); launch: line 82; left out: check, random_matrix, multiply, main",
     false},
    {"dot", "dot-program.cu", NULL, "group: 512; groups: 1; local: 64; launch: line 53", true},
    {"wave", "wave-program.cu", NULL,
     "group: 32, 4, 1; groups: floor((nx + 32 - 1) / 32), floor((ny + 4 - 1) / 4), nz; launch: line 65", false},
    {"sort", "sort-program.cu", "sort_block", "group: 512; groups: 1; launch: line 57; left out: next_power, main",
     false},
    {"transpose", "transpose.cu", NULL, "group: 16, 16; groups: ceil(cols / 16), ceil(rows / 16)", false},
};

static void compile(const char *path, const char *text)
{
    const struct program_source source = {path, text, LANGUAGE_CUDA_C, (const char *const[]){"ELEMENT=float"}, 1};
    struct error error = {""};
    void *image;
    size_t bytes;
    if (cuda_compile_cached(&source, "compute_75", 0, &image, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    free(image);
}

static void textbooks_programs_compile(void **state)
{
    (void)state;
    const struct nvrtc_library *library = NULL;
    struct error unused;
    bool has_compiler = nvrtc_load(&library, &unused) == STATUS_OK;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        char path[512], *whole;
        struct error error;
        snprintf(path, sizeof path, USKOR_TEST_DATA "/../textbook/%s", programs[i].file);
        assert_int_equal(user_file_read(path, &whole, &error), STATUS_OK);
        struct made made = make(programs[i].kernel, path, whole, programs[i].entry);
        if (made.status != STATUS_OK)
            fail_msg("%s", made.error.text);
        expect_words(made.assumed, programs[i].assumed);
        if (has_compiler && (library->includes[0] || !programs[i].needs_headers))
            compile(path, made.text);
        free(made.text);
        free(whole);
    }
    if (!has_compiler)
        print_message("not compiled: there is no NVRTC\n");
}

/* ---- forms ---- */

#define ARRAYS "const float *in, float *out, int rows, int cols"
#define BODY "{ out[rows] = in[cols]; }\n"
#define HEAD "__global__ void k("
#define KERNEL HEAD ARRAYS ") " BODY

static const struct {
    const char *text;
    const char *kept[4], *gone[4], *assumed; /* NULL: not looked at */
} forms[] = {
    {KERNEL "int main() { k<<<dim3(2, 3), 64>>>(a, b, h, w); }\n", {HEAD}, {"main"}, "group: 64, 1; groups: 2, 3"},
    {"int f(int x) {\n#ifdef A\n  if (x) {\n#else\n  if (!x) {\n#endif\n  }\n  return x;\n}\n" KERNEL,
     {HEAD, "#ifdef A", "#else"},
     {"return"},
     NULL},
    {"#define HD __host__ __device__\nHD int f(int x) { return x; }\nint g(int x) { return x; }\n" KERNEL,
     {"HD int f"},
     {" g("},
     NULL},
    {"const int T = 4;\nconst int U = 2 * T;\nint v = 3;\nconst std::vector<int> cols{U};\n#define S U\n" HEAD ARRAYS
     ") { out[S] = in[v]; }\n",
     {"const int T = 4;", "const int U"},
     {"int v", "vector"},
     NULL},
    {"struct A { int x; };\nstruct B { A a; };\nclass Timer { cudaEvent_t e; };\ntypedef struct { B b; } C;\n" HEAD
         ARRAYS ") { C c; out[0] = c.b.a.x; }\n",
     {"struct A", "struct B", "} C;"},
     {"Timer"},
     NULL},
    {"extern \"C\" {\nvoid f() { }\n" KERNEL "}\nnamespace n { int g() { return '}'; } }\n",
     {"extern \"C\" {", "namespace n {"},
     {" f(", "return"},
     NULL},
    {"enum { N = 3, M };\nenum Mode { FAST };\n__global__ void k(" ARRAYS ") { out[M] = 0; }\n__global__ void l(" ARRAYS
     ");\n",
     {"N = 3"},
     {"FAST", " l("},
     NULL},
    {"using namespace std;\nusing namespace boost;\nusing real = float;\n" HEAD ARRAYS
     ") { real x = 1; out[0] = x; }\n",
     {"using namespace std", "using real"},
     {"boost"},
     NULL},
    {"template <typename T, int N = 8> __global__ void k(const T *in, T *out, int rows, int cols) " BODY
     "int main() { k<double><<<1, 32>>>(a, b, h, w); }\n",
     {"typedef double T;", "constexpr int N = 8;"},
     {"template", "main"},
     NULL},
    {"template <typename T, int N>\n__global__ void k(const T *in, T *out, int rows, int cols) " BODY
     "template <typename T> void go() { const int n = 4; k<T, 2 * n><<<1, 32>>>(a, b, h, w); }\n",
     {"typedef ELEMENT T;", "constexpr int N = 8;", "}\n"},
     {"go("},
     NULL},
    {KERNEL
     "static int up(int a, int b) { return (a + b - 1) / b; }\n"
     "int main() { const int t = 8; dim3 g(up(w, t), up(h, t * 2)), b = {t, 2 * t}; k<<<g, b>>>(x, y, h, w); }\n",
     {NULL},
     {NULL},
     "group: 8, 16; groups: floor((cols + 8 - 1) / 8), floor((rows + (8 * 2) - 1) / (8 * 2))"},
    {KERNEL "int main() { k<<<n / 4, 64>>>(x, y, n, n); }\n", {NULL}, {NULL}, "group: 64; groups: ceil("},
    {KERNEL "int main() { k<<<(int)ceil(w / 4.0), 64>>>(x, y, h, w); }\n",
     {NULL},
     {NULL},
     "group: 64; groups: floor(ceil(cols / 4))"},
};

static void only_host_code_is_left_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct made made = make("transpose", "file.cu", forms[i].text, "k");
        if (made.status != STATUS_OK)
            fail_msg("%s: %s", forms[i].text, made.error.text);
        for (size_t w = 0; w < 4 && forms[i].kept[w]; w++)
            expect_words(made.text, forms[i].kept[w]);
        for (size_t w = 0; w < 4 && forms[i].gone[w]; w++)
            if (strstr(made.text, forms[i].gone[w]))
                fail_msg("'%s' is still in: %s", forms[i].gone[w], made.text);
        if (forms[i].assumed)
            expect_words(made.assumed, forms[i].assumed);
        free(made.text);
    }
}

/* The user's line numbers stay. */
static void lines_stay(void **state)
{
    (void)state;
    struct made made = make("transpose", "file.cu", "#include <vector>\nint main()\n{\n}\n\n" KERNEL, "k");
    const char *first = strstr(made.text, "#include <vector>"), *kernel = strstr(made.text, "extern \"C\" __global__");
    size_t lines = 0;
    assert_non_null(first);
    assert_non_null(kernel);
    for (const char *at = first; at < kernel; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 5);
    free(made.text);
}

static void refusals_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"__constant__ float c[3];\n__global__ void k(" ARRAYS ") { out[0] = c[0]; }\n"
         "int main() {\n cudaMemcpyToSymbol(c, h, 12); }\n",
         "file.cu:4: the host fills 'c'"},
        {"\ntemplate <int N>\n__global__ void k(" ARRAYS ") " BODY, "file.cu:2: the template's parameter 'int N'"},
        {"__global__ void k(const float *in, float *out) { out[0] = in[0]; }\n",
         "'k' has no size among its parameters"},
        {"", "there is no __global__ function in it"},
        {"x", "there is no __global__ function in it"},
        {"__global__ void other(" ARRAYS ") " BODY, "it has no kernel 'k'; it has other"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct made made = make("transpose", "file.cu", bad[i].text, "k");
        assert_int_equal(made.status, STATUS_INVALID);
        expect_words(made.error.text, bad[i].says);
        free(made.text);
    }
}

/* ---- included files ---- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void included_files_are_put_in(void **state)
{
    (void)state;
    struct error error;
    write_file("user_a.h", "#pragma once\n#include \"user_b.h\"\nint a;\n");
    write_file("user_b.h", "#include \"user_a.h\"\nint b;\n");
    write_file("user_self.h", "#include \"user_self.h\"\n");
    char *text =
        strdup("#include \"user_a.h\"\n  # include \"user_a.h\"\n#include \"absent.h\"\n#include <x>\nint c;\n");
    assert_int_equal(user_includes_put(&text, "k.cl", &error), STATUS_OK);
    expect_words(text, "#line 1 \"user_b.h\"\n");
    expect_words(text, "int b;");
    assert_ptr_equal(strstr(strstr(text, "int a;") + 1, "int a;"), NULL);
    expect_words(text, "#line 3 \"k.cl\"\n#include \"absent.h\"\n#include <x>\nint c;\n");
    free(text);
    text = strdup("#include \"user_self.h\"\n");
    assert_int_equal(user_includes_put(&text, "k.cl", &error), STATUS_INVALID);
    expect_words(error.text, "it is included 16 files deep");
    free(text);
    static const char *const hidden[] = {
        "#include F\n",        "int a;\n%: include_next F\n", "\?\?=import F\n",        "#inc\\ \r\nlude F\n",
        "#\?\?/\ninclude F\n", "# include /* F */ F",         "/* a\n */ #include F\n",
    };
    for (size_t i = 0; i < COUNT_OF(hidden); i++) {
        text = strdup(hidden[i]);
        assert_int_equal(user_includes_put(&text, "k.cl", &error), STATUS_INVALID);
        expect_words(error.text, "k.cl: an #include takes its file's name from a macro");
        free(text);
    }
    text = strdup("/* #include F */\n#include <x> // F\n#include \"y\"\nint F; // \"\n#define include F\n");
    assert_int_equal(user_includes_put(&text, "k.cl", &error), STATUS_OK);
    free(text);
    remove("user_a.h");
    remove("user_b.h");
    remove("user_self.h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textbooks_programs_compile),
        cmocka_unit_test(only_host_code_is_left_out),
        cmocka_unit_test(lines_stay),
        cmocka_unit_test(refusals_name_the_line),
        cmocka_unit_test(included_files_are_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
