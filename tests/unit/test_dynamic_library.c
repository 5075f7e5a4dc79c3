#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic_library.h"
#include "base/library_versions.h"
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

/* Distributions put a minor version of their own into a library's name. */
static void a_pattern_is_the_newest_version(void **state)
{
    (void)state;
    static const char *const files[] = {"libmany.so.3.6", "libmany.so.3.10", "libmany.so.2.99", "other.so.3.11"};
    char folder[] = "/tmp/uskor-test-XXXXXX", path[LIBRARY_PATH_BYTES] = "as before", expected[64];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        snprintf(expected, sizeof expected, "%s/%s", folder, files[i]);
        FILE *file = fopen(expected, "w");
        assert_non_null(file);
        fclose(file);
    }
    assert_false(library_newest(folder, "libmany.so.4.*", path));
    assert_string_equal(path, "as before");
    assert_true(library_newest(folder, "libmany.so.3.*", path));
    snprintf(expected, sizeof expected, "%s/libmany.so.3.10", folder);
    assert_string_equal(path, expected);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        snprintf(expected, sizeof expected, "%s/%s", folder, files[i]);
        unlink(expected);
    }
    rmdir(folder);
}

static void a_pattern_without_a_folder_is_looked_for_where_the_loader_looks(void **state)
{
    (void)state;
    static const char *const names[] = {"libnobody-has-this.so.*", "libm.so.*", NULL};
    const struct dynamic_library library = {"The C math library", names, NULL, "install libc6"};
    static const struct dynamic_symbol symbols[] = {{"cos", offsetof(struct functions, cosine), 0}};
    struct functions functions = {NULL, NULL};
    struct error error = {""};
    char path[LIBRARY_PATH_BYTES];
    void *handle = NULL;
    assert_int_equal(dynamic_library_open(&library, symbols, 1, &functions, &handle, &error), STATUS_OK);
    assert_true(functions.cosine(0.0) == 1.0);
    dynamic_library_close(handle);
    assert_true(library_newest(NULL, "libm.so.*", path));
    assert_null(strchr(path, '/'));
    /* One that no file matches is named as it is. */
    const struct dynamic_library nobody = {"Nobody", (const char *const[]){names[0], NULL}, NULL, "install it"};
    assert_int_equal(dynamic_library_open(&nobody, NULL, 0, NULL, &handle, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "tried libnobody-has-this.so.*"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_the_first_name_that_loads),
        cmocka_unit_test(a_missing_function_is_named_and_nothing_is_left_behind),
        cmocka_unit_test(an_absent_library_tells_names_reason_and_advice),
        cmocka_unit_test(a_broken_file_is_the_reason_told),
        cmocka_unit_test(a_pattern_is_the_newest_version),
        cmocka_unit_test(a_pattern_without_a_folder_is_looked_for_where_the_loader_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
