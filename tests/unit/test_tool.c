/* Tools as programs of their own: where they are found, what they read and print, and which words a failure keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/size.h"
#include "explain/compiled/tool.h"
#include "own_folder.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct error error;

static void make_program(const char *path, unsigned mode)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* Along PATH: an empty entry, one too long for a path and one that is not there are passed over; so is a file that
 * cannot be run, and a folder. */
static void found_along_the_path(void **state)
{
    (void)state;
    char path[TOOL_PATH_MAX], list[4 * TOOL_PATH_MAX], own[256];
    snprintf(own, sizeof own, "%s", in_folder("uskor-tool"));
    snprintf(list, sizeof list, ":/%0*d:/nonexistent:%s", TOOL_PATH_MAX, 0, folder);
    setenv("PATH", list, 1);
    assert_false(tool_in_path("uskor-tool", path));
    make_program(own, 0600);
    assert_false(tool_in_path("uskor-tool", path));
    assert_int_equal(chmod(own, 0700), 0);
    assert_true(tool_in_path("uskor-tool", path));
    assert_string_equal(path, own);
    assert_int_equal(tool_find("uskor-tool", NULL, "get it", path, &error), STATUS_OK);
    assert_int_equal(tool_find("uskor-tool", "", "get it", path, &error), STATUS_OK);
    assert_string_equal(path, own);
    unlink(own);
    assert_int_equal(mkdir(own, 0700), 0);
    assert_false(tool_in_path("uskor-tool", path));
    rmdir(own);
    assert_int_equal(tool_find("uskor-tool", NULL, "get it", path, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.text, "uskor-tool is not here: get it");
    unsetenv("PATH");
    assert_false(tool_in_path("uskor-tool", path));
}

/* The toolkit's folder comes before PATH; one that the user named counts alone. */
static void found_where_it_was_said(void **state)
{
    (void)state;
    char path[TOOL_PATH_MAX], own[256], bin[256];
    setenv("PATH", folder, 1);
    setenv("CUDA_PATH", folder, 1);
    snprintf(bin, sizeof bin, "%s", in_folder("bin"));
    assert_int_equal(mkdir(bin, 0700), 0);
    make_program(in_folder("uskor-tool"), 0700);
    snprintf(own, sizeof own, "%s", in_folder("bin/uskor-tool"));
    make_program(own, 0700);
    assert_int_equal(tool_find("uskor-tool", NULL, "", path, &error), STATUS_OK);
    assert_string_equal(path, own);
    assert_int_equal(tool_find("uskor-tool", in_folder("uskor-tool"), "", path, &error), STATUS_OK);
    assert_string_equal(path, in_folder("uskor-tool"));
    assert_int_equal(tool_find("uskor-tool", bin, "", path, &error), STATUS_UNAVAILABLE);
    unlink(own);
    rmdir(bin);
    unlink(in_folder("uskor-tool"));
    unsetenv("CUDA_PATH");
}

static enum status ask(const char *script, const void *data, size_t bytes, char **output)
{
    const char *const arguments[] = {"/bin/sh", "-c", script, "sh", "@", NULL};
    return tool_read(&(struct tool_call){.arguments = arguments, .data = data, .bytes = bytes}, output, &error);
}

static void output_and_input(void **state)
{
    (void)state;
    static const char data[] = "some\nwords";
    char *output = NULL;
    setenv("PATH", "/usr/bin:/bin", 1);
    assert_int_equal(ask("cat \"$1\"; echo; echo two >&2", data, sizeof data - 1, &output), STATUS_OK);
    assert_string_equal(output, "some\nwords\ntwo\n");
    free(output);
    assert_int_equal(ask("exit 0", NULL, 0, &output), STATUS_OK);
    assert_string_equal(output, "");
    free(output);
    const char *const absent[] = {"/nonexistent/tool", NULL}, *const seven[] = {"/bin/sh", "-c", "exit 7", NULL};
    assert_int_equal(tool_run(&(struct tool_call){.arguments = absent}, &output), 127);
    free(output);
    assert_int_equal(tool_run(&(struct tool_call){.arguments = seven}, &output), 7);
    free(output);
}

/* Of many words the last 300 letters; lines become one. */
static void a_failure_has_the_last_words(void **state)
{
    (void)state;
    char *output = NULL, wanted[400];
    assert_int_equal(ask("echo one; echo two; exit 1", NULL, 0, &output), STATUS_UNAVAILABLE);
    assert_null(output);
    assert_string_equal(error.text, "/bin/sh failed: one two ");
    assert_int_equal(ask("printf '%0298d%s' 0 ab; exit 1", NULL, 0, &output), STATUS_UNAVAILABLE);
    snprintf(wanted, sizeof wanted, "/bin/sh failed: %0298dab", 0);
    assert_string_equal(error.text, wanted);
    assert_int_equal(ask("printf 'x%0298d%s' 0 ab; exit 1", NULL, 0, &output), STATUS_UNAVAILABLE);
    assert_string_equal(error.text, wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_along_the_path),
        cmocka_unit_test(found_where_it_was_said),
        cmocka_unit_test(output_and_input),
        cmocka_unit_test(a_failure_has_the_last_words),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
