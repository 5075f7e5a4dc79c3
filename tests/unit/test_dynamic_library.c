#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic_library.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

struct functions {
    double (*cosine)(double);
    double (*missing)(double);
};

static const char *const math_names[] = {"libnobody-has-this.so.1", "libm.so.6", NULL};
static const struct dynamic_library math = {
    .title = "The C math library", .names = math_names, .advice = "install libc6"};

static void opens_the_first_name_that_loads(void **state)
{
    (void)state;
    static const struct dynamic_symbol symbols[] = {
        {"cos", offsetof(struct functions, cosine), 0},
        {"no_such_function", offsetof(struct functions, missing), 1},
    };
    struct functions functions = {NULL, NULL};
    struct error error = {""};
    void *handle = NULL;
    assert_int_equal(dynamic_library_open(&math, symbols, COUNT_OF(symbols), &functions, &handle, &error), STATUS_OK);
    assert_non_null(handle);
    assert_true(functions.cosine(0.0) == 1.0);
    assert_null(functions.missing);
    dynamic_library_close(handle);
}

static void a_missing_function_is_named_and_nothing_is_left_behind(void **state)
{
    (void)state;
    static const struct dynamic_symbol symbols[] = {
        {"cos", offsetof(struct functions, cosine), 0},
        {"no_such_function", offsetof(struct functions, missing), 0},
    };
    struct functions functions = {NULL, NULL};
    struct error error = {""};
    void *handle = &handle;
    assert_int_equal(dynamic_library_open(&math, symbols, COUNT_OF(symbols), &functions, &handle, &error),
                     STATUS_UNAVAILABLE);
    assert_null(handle);
    assert_null(functions.cosine);
    assert_non_null(strstr(error.text, "no_such_function"));
    assert_non_null(strstr(error.text, "install libc6"));
}

static void an_absent_library_tells_names_reason_and_advice(void **state)
{
    (void)state;
    static const char *const names[] = {"libnobody-has-this.so.2", "libnobody-has-this.so.1", NULL};
    static const char *const folders[] = {"/nonexistent", "", NULL};
    const struct dynamic_library library = {"Nobody", names, folders, "there is nothing to install"};
    struct error error = {""};
    void *handle = &handle;
    assert_int_equal(dynamic_library_open(&library, NULL, 0, NULL, &handle, &error), STATUS_UNAVAILABLE);
    assert_null(handle);
    assert_non_null(strstr(error.text, "libnobody-has-this.so.2, libnobody-has-this.so.1"));
    assert_non_null(strstr(error.text, "there is nothing to install"));
}

/* A file that is not a library is not reported as "no such file". */
static void a_broken_file_is_the_reason_told(void **state)
{
    (void)state;
    char folder[] = "/tmp/uskor-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/libbroken.so", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("not an ELF file, long enough for its header to be read and refused by the loader", file);
    fclose(file);

    static const char *const names[] = {"libbroken.so", NULL};
    const char *const folders[] = {folder, NULL};
    const struct dynamic_library library = {"Broken", names, folders, "install it again"};
    struct error error = {""};
    void *handle = NULL;
    enum status status = dynamic_library_open(&library, NULL, 0, NULL, &handle, &error);
    unlink(path);
    rmdir(folder);
    assert_int_equal(status, STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, path));
    assert_null(strstr(error.text, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_the_first_name_that_loads),
        cmocka_unit_test(a_missing_function_is_named_and_nothing_is_left_behind),
        cmocka_unit_test(an_absent_library_tells_names_reason_and_advice),
        cmocka_unit_test(a_broken_file_is_the_reason_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
