/* OpenCL's error codes and compilers' logs in our words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "backends/opencl/build_log.h"
#include "backends/opencl/causes.h"
#include "backends/opencl/library.h"

#include <cmocka.h> /* last: it has a macro called fail */

static fsblkcnt_t free_pages;

/* In place of the system's: what is free is given here. */
int statvfs(const char *file, struct statvfs *buf)
{
    (void)file;
    *buf = (struct statvfs){.f_bavail = free_pages, .f_frsize = 4096};
    return 0;
}

/* PoCL would end the process. */
static void a_full_cache_is_told_before_pocl_writes_there(void **state)
{
    (void)state;
    char why[256] = "";
    assert_int_equal(setenv("POCL_CACHE_DIR", "/some/where", 1), 0);
    free_pages = 1 << 20;
    assert_false(pocl_cache_is_full(why, sizeof why));
    free_pages = 50;
    assert_true(pocl_cache_is_full(why, sizeof why));
    assert_non_null(strstr(why, "too little room for its cache in /some/where: 200 KiB"));
}

static void expect_fail(cl_int code, enum status expected, const char *words)
{
    struct error error;
    assert_int_equal(opencl_fail(&error, "opencl:0", "testing", code), expected);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void error_codes_have_names_and_fitting_states(void **state)
{
    (void)state;
    assert_string_equal(opencl_error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    assert_string_equal(opencl_error_name(-31415), "unknown code -31415");
    expect_fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, STATUS_UNAVAILABLE,
                "opencl:0: testing: CL_MEM_OBJECT_ALLOCATION_FAILURE (the device's memory is full)");
    expect_fail(CL_INVALID_VALUE, STATUS_INVALID, "CL_INVALID_VALUE");
    expect_fail(-31415, STATUS_SYSTEM, "-31415");
}

static void a_log_becomes_its_first_errors(void **state)
{
    (void)state;
    char text[128];
    build_log_errors("a.cl:1: warning: w\n  a.cl:2: error: x\r\n  code\na.cl:3: ERROR: y\n2 errors generated.\n",
                     "a.cl", 0, text, sizeof text);
    assert_string_equal(text, "a.cl:2: error: x; a.cl:3: ERROR: y");
    build_log_errors("\n\n no room\nleft\n", "a.cl", 5, text, sizeof text);
    assert_string_equal(text, "no room; left");
    build_log_errors("", "a.cl", 5, text, sizeof text);
    assert_string_equal(text, "");
    build_log_errors("error: a line that is longer than the room there is for it", "a.cl", 5, text, 16);
    assert_string_equal(text, "error: a line t");
}

static void lines_are_the_user_s_even_where_the_compiler_counts_ours(void **state)
{
    (void)state;
    char text[128];
    build_log_errors("<kernel>:146:10: error: x", "my dir/a.cl", 142, text, sizeof text);
    assert_string_equal(text, "my dir/a.cl:4:10: error: x");
    build_log_errors("error: input.cl:143:1: x", "a.cl", 142, text, sizeof text);
    assert_string_equal(text, "error: a.cl:1:1: x");
    build_log_errors("my dir/a.cl:146:10: error: x", "my dir/a.cl", 142, text, sizeof text);
    assert_string_equal(text, "my dir/a.cl:146:10: error: x"); /* it heeded #line */
    build_log_errors("<kernel>:142:10: error: x", "a.cl", 142, text, sizeof text);
    assert_string_equal(text, "<kernel>:142:10: error: x"); /* in the prelude */
    build_log_errors("ptxas error: 12:34 x:y: z", "a.cl", 3, text, sizeof text);
    assert_string_equal(text, "ptxas error: 12:34 x:y: z");
    build_log_errors("error:7", "a.cl", 3, text, sizeof text);
    assert_string_equal(text, "error:7");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_codes_have_names_and_fitting_states),
        cmocka_unit_test(a_log_becomes_its_first_errors),
        cmocka_unit_test(a_full_cache_is_told_before_pocl_writes_there),
        cmocka_unit_test(lines_are_the_user_s_even_where_the_compiler_counts_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
