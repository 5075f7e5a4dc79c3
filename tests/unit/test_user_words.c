/* OpenCL C's own words become those that every prelude has, and nothing else changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/user_words.h"

#include <cmocka.h>

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

/* Words within others, comments, strings and the preprocessor's lines stay. */
static void test_others(void **state)
{
    (void)state;
    check("local_array float a[4]; int locals, my_local;", "local_array float a[4]; int locals, my_local;");
    check("// local kernel\n/* __local */ x", "// local kernel\n/* __local */ x");
    check("#define L __local\nlocal int i;", "#define L __local\nlocal_array int i;");
    check("barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);");
    check("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_short_forms),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
