/* What a trace reads from a kernel's source: its kernel functions, their parameters, lines of words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "explain/memory/kernel_text.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* The kernels as one text: "name(parameter, *parameter)", a star where it points to const data. */
static const char *signatures_of(const char *text)
{
    static char all[2000];
    static struct kernel_signature found[KERNEL_ENTRIES_MAX];
    const size_t count = kernel_text_signatures(text, found);
    size_t used = 0;
    all[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s(", i ? " " : "", found[i].name);
        for (size_t p = 0; p < found[i].parameter_count; p++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s%s", p ? ", " : "",
                                     found[i].parameters[p].is_const ? "*" : "", found[i].parameters[p].name);
        used += (size_t)snprintf(all + used, sizeof all - used, ")");
    }
    return all;
}

static void signatures(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"__kernel void k(__global const float *in, __global float *out, long rows) {}", "k(*in, out, rows)"},
        {"__global__ void k(const float* __restrict__ in, float* const out) {}", "k(*in, out)"},
        {"extern \"C\" __global__ void __launch_bounds__(256, 2) k(int n) {}", "k(n)"},
        {"__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\nvoid\nk(void (*f)(int, int), int n) {}",
         "k(int, n)"},
        {"__kernel void k(float a[], int n[4]) {}", "k(a, 4)"},
        {"__kernel void k() {}", "k()"},
        {"__kernel void a(int x); __kernel void b(int y) {} __kernel void a(int x) {}", "b(y) a(x)"},
        {"__attribute__((vec_type_hint(float))) __kernel __attribute__((work_group_size_hint(16, 16, 1))) void\nk(int "
         "x)\n{}",
         "k(x)"},
        {"__kernel void __attribute__((reqd_work_group_size(8, 8, 1)))\nk(int x) {}", "k(x)"},
        {"void __kernel k(int x) {} void __attribute__((nothrow)) __kernel\n__attribute__((nothrow)) l(int y) {}",
         "k(x) l(y)"},
        {"__kernel void k(int x) __attribute__((reqd_work_group_size(8, 8, 1))) // of items\n{}", "k(x)"},
        {"#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))\n__kernel GROUP(8, (8)) void GROUP (8, 8) "
         "k (int x) {}",
         "k(x)"},
        {"__kernel HINT void HINT k(int x) {}", "k(x)"},
        {"static __kernel void k(int x) { f(\"(\"); } __kernel void l(int x) {}", "k(x) l(x)"},
        {"// __kernel void no(int x) {}\n/* __global__ void no(int x) {} */\n#define K __kernel void no(int x) {}\n"
         "__kernel void k(int x) {}",
         "k(x)"},
        {"#define K \\\n__kernel void no(int x) {}\n__kernel void k(int x) {}", "k(x)"},
        {"const char *s = \"__kernel void no(int x)\";__kernel void k(int x) {}", "k(x)"},
        {"const char *s = \"\\\"__kernel void no(int x)\\\\\"\n;__kernel void k(int x) {}", "k(x)"},
        {"__kernel void k(int n /* of items, all */, int m, // the other, too\n int l /* last */) {}", "k(n, m, l)"},
        {"__kernel void k(int/**/n) {}", "k(n)"},
        {"__kernel void k(/* const */ float *p, float /* const */ *q) {}", "k(p, q)"},
        {"void helper(int x) {}", ""},
        {"__kernels void k(int x) {} my__kernel void l(int y) {}", ""},
        {"__kernel int k(int x) {}", ""},
        {"__kernel void k;", ""},
        {"__kernel", ""},
        {"/* never ends __kernel void k(int x) {}", ""},
        {"\"never ends __kernel void k(int x) {}", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(signatures_of(rows[i][0]), rows[i][1]) != 0)
            fail_msg("%s\n%s, expected %s", rows[i][0], signatures_of(rows[i][0]), rows[i][1]);
}

static void no_more_than_fit(void **state)
{
    (void)state;
    char text[4000] = "__kernel void k(";
    struct kernel_signature found[KERNEL_ENTRIES_MAX];
    for (int i = 0; i < KERNEL_PARAMETERS_MAX + 3; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sint p%d", i ? ", " : "", i);
    strcat(text, ") {}\n");
    assert_int_equal(kernel_text_signatures(text, found), 1);
    assert_int_equal(found[0].parameter_count, KERNEL_PARAMETERS_MAX);
    assert_string_equal(found[0].parameters[KERNEL_PARAMETERS_MAX - 1].name, "p23");
    text[0] = '\0';
    for (int i = 0; i < KERNEL_ENTRIES_MAX + 3; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "__kernel void k%d(int x) {}\n", i);
    assert_int_equal(kernel_text_signatures(text, found), KERNEL_ENTRIES_MAX);
    assert_string_equal(found[KERNEL_ENTRIES_MAX - 1].name, "k15");
    snprintf(text, sizeof text, "__kernel void %0100d(int %0100d) {}", 0, 0);
    assert_int_equal(kernel_text_signatures(text, found), 1);
    assert_int_equal(strlen(found[0].name), KERNEL_NAME_MAX - 1);
    assert_int_equal(strlen(found[0].parameters[0].name), KERNEL_NAME_MAX - 1);
}

static void lines_of_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
        int line;
    } rows[] = {
        {"asm", "asm", 1},
        {"int x;\n asm volatile", "asm", 2},
        {"// asm\n/* asm\n */ asm", "asm", 3},
        {"plasma; asm_; asm2", "asm", 0},
        {"\"asm\" \n\n asm", "asm", 3},
        {"#define A asm\nasm", "asm", 2},
        {"x\"asm\"asm", "asm", 1},
        {"x\"a\"asm\nasm", "asm", 1},
        {"", "asm", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (kernel_text_find(rows[i].text, rows[i].word) != rows[i].line)
            fail_msg("%s: line %d, expected %d", rows[i].text, kernel_text_find(rows[i].text, rows[i].word),
                     rows[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures),
        cmocka_unit_test(no_more_than_fit),
        cmocka_unit_test(lines_of_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
