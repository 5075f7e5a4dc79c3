/* The text that a trace compiles for the host: headers, lines, and shared memory whose size the launch gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/memory/traced_text.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define BOUND "58112" /* floats in 227 KiB, the most that a group may have */

static void expect_text(enum language language, const char *text, const char *wanted)
{
    const struct program_source source = {.name = "a/file.cu", .text = text, .language = language};
    char *made = traced_text(&source);
    assert_non_null(made);
    assert_string_equal(made, wanted);
    free(made);
}

static void texts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"#include <cstdio>\n  #  include \"helper_cuda.h\"\n#include <cuda_runtime.h>\nint x;\n", "\n\n\nint x;\n"},
        {"#include <thrust/device_vector.h>\nint x;", "\nint x;"},
        {"#line 7 \"a/file.cu\"\nint x;", "#line 7 \"" TRACED_FILE "\"\nint x;"},
        {"#line 7 \"b.cu\"\nint x;", "#line 7 \"b.cu\"\nint x;"},
        {"extern __shared__ float t[];", "       __shared__ float t[" BOUND "];"},
        {"extern  __shared__ __align__(16) T t [ ] ;\nextern __shared__ int u[]; //",
         "        __shared__ __align__(16) T t [" BOUND "] ;\n       __shared__ int u[" BOUND "]; //"},
        {"extern \"C\" __global__ void k(float a[]);\n__shared__ float t[3];\nexternal __shared__ x;",
         "extern \"C\" __global__ void k(float a[]);\n__shared__ float t[3];\nexternal __shared__ x;"},
        {"extern", "extern"},
        {"#include", "#include"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect_text(LANGUAGE_CUDA_C, rows[i][0], rows[i][1]);
    expect_text(LANGUAGE_OPENCL_C, "#include <x.h>\nextern __shared__ int t[];",
                "#include <x.h>\nextern __shared__ int t[];");
    expect_text(LANGUAGE_OPENCL_C,
                "__attribute__((aligned(8))) int a; __attribute__( (opencl_unroll_hint(4)))\nfor (;;) f();",
                "__attribute__((aligned(8))) int a;                                        \nfor (;;) f();");
    expect_text(LANGUAGE_OPENCL_C, "__attribute__((opencl_unroll_hint", "                                 ");
}

/* What the trace has no text for is named. */
static void headers_of_the_device(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"#include <vector>\n#include <cuda_fp16.h>\n", "cuda_fp16.h"},
        {"#include <cub/cub.cuh>\ncub::BlockReduce<int, 32> sum;", "cub/cub.cuh"},
        {"#include <cub/cub.cuh>\n#include <vector>\n", NULL},
        {"int x;", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct program_source source = {.name = "f.cu", .text = rows[i].text, .language = LANGUAGE_CUDA_C};
        char name[64] = "", *made = traced_text(&source);
        assert_non_null(made);
        bool is_found = traced_text_includes(made, name, sizeof name);
        assert_int_equal(is_found, rows[i].name != NULL);
        assert_string_equal(name, rows[i].name ? rows[i].name : "");
        free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(headers_of_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
