/* What OpenCL says, in our words: error codes and compilers' logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/opencl/build_log.h"
#include "backends/opencl/library.h"

#include <cmocka.h> /* last: it has a macro called fail */

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
    build_log_errors("a.cl:1: warning: w\n  a.cl:2: error: x\r\n  code\na.cl:3: ERROR: y\n2 errors generated.\n", text,
                     sizeof text);
    assert_string_equal(text, "a.cl:2: error: x; a.cl:3: ERROR: y");
    build_log_errors("\n\n no room\nleft\n", text, sizeof text);
    assert_string_equal(text, "no room; left");
    build_log_errors("", text, sizeof text);
    assert_string_equal(text, "");
    build_log_errors("error: a line that is longer than the room there is for it", text, 16);
    assert_string_equal(text, "error: a line t");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_codes_have_names_and_fitting_states),
        cmocka_unit_test(a_log_becomes_its_first_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
