/* Modules in which kernels are traced: each is compiled once, and one that does not fit is compiled again. The compiler
 * is a script that writes down each of its starts. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compile_cache.h"
#include "traced.h"

#include "between.h"

#define PROBLEM "transpose:rows=64,cols=64,f32"
#define HEADER             \
    "// rung:    r\n"      \
    "// idea:    a test\n" \
    "// group:   32\n"     \
    "// groups:  1\n"
#define KERNEL                                                                                          \
    "__kernel void transpose(__global const float *in, __global float *out, long rows, long cols)\n{\n" \
    "    out[get_local_id(0) * STRIDE] = 1;\n}\n"

static char folder[] = "/tmp/uskor-modules-XXXXXX", compiler[64], starts[64], entries[64], included[64], temporary[64];

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* Traces, checks the store's transactions, and returns how often the compiler was started for that. */
static int started(const char *text, double transactions)
{
    write_text(starts, "", 0600);
    expect_ok(trace_text(PROBLEM, text));
    expect_number(find_access("out", EXPLAIN_STORE)->counts[BY_9_0].per_request, transactions);
    FILE *file = fopen(starts, "r");
    assert_non_null(file);
    int count = 0;
    for (int c; (c = fgetc(file)) != EOF;)
        count += c == '\n';
    fclose(file);
    return count;
}

/* Calls `change` for each entry of the cache. */
static void for_entries(void (*change)(const char *path))
{
    char path[400];
    DIR *directory = opendir(entries);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", entries, entry->d_name);
            change(path);
        }
    closedir(directory);
}

static void cut(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size / 2), 0);
}

/* The entry is whole, and no module: as another machine, that shares the home folder, may have made it. */
static void replace(const char *path)
{
    struct cache_key key;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 8, SEEK_SET), 0);
    assert_int_equal(fread(&key, sizeof key, 1, file), 1);
    fclose(file);
    cache_store(&key, "another machine's", 17);
}

static void modules_are_compiled_once(void **state)
{
    (void)state;
    assert_between(started(HEADER "#define STRIDE 1\n" KERNEL, 4), 2, 4);
    assert_int_equal(started(HEADER "#define STRIDE 1\n" KERNEL, 4), 0);
    assert_between(started(HEADER "#define STRIDE 2\n" KERNEL, 8), 1, 2); /* the hooks are the same */
    assert_int_equal(started(HEADER "#define STRIDE 1\n" KERNEL, 4), 0);
}

static void what_does_not_fit_is_compiled_again(void **state)
{
    (void)state;
    void (*const changes[])(const char *path) = {cut, replace};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for_entries(changes[i]);
        assert_between(started(HEADER "#define STRIDE 1\n" KERNEL, 4), 1, 4);
        assert_int_equal(started(HEADER "#define STRIDE 1\n" KERNEL, 4), 0);
    }
}

static void an_included_file_may_change(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, HEADER "#include \"%s\"\n" KERNEL, included);
    write_text(included, "#define STRIDE 1\n", 0600);
    started(text, 4);
    write_text(included, "#define STRIDE 4\n", 0600);
    assert_between(started(text, 16), 1, 2);
}

/* The last test: the disk is not used any more. */
static void within_the_walls_the_process_keeps_them(void **state)
{
    (void)state;
    cache_keep_within();
    assert_between(started(HEADER "#define STRIDE 8\n" KERNEL, 32), 2, 4);
    assert_int_equal(started(HEADER "#define STRIDE 8\n" KERNEL, 32), 0);
    assert_between(started(HEADER "#define STRIDE 2\n" KERNEL, 8), 1, 2);
    assert_int_equal(started(HEADER "#define STRIDE 8\n" KERNEL, 32), 0);
}

static int start(void **state)
{
    char text[256];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(compiler, sizeof compiler, "%s/compiler", folder);
    snprintf(starts, sizeof starts, "%s/starts", folder);
    snprintf(entries, sizeof entries, "%s/uskor", folder);
    snprintf(included, sizeof included, "%s/included.h", folder);
    /* What make and its rules have escapes for. */
    snprintf(temporary, sizeof temporary, "%s/a b$c#d", folder);
    if (mkdir(temporary, 0700) != 0)
        return -1;
    snprintf(text, sizeof text, "#!/bin/sh\n[ \"$1\" = --version ] || echo >>'%s'\nexec c++ \"$@\"\n", starts);
    write_text(compiler, text, 0700);
    unsetenv("USKOR_CACHE");
    return setenv("XDG_CACHE_HOME", folder, 1) | setenv("TMPDIR", temporary, 1) | setenv("USKOR_CXX", compiler, 1);
}

static int finish(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_are_compiled_once),
        cmocka_unit_test(what_does_not_fit_is_compiled_again),
        cmocka_unit_test(an_included_file_may_change),
        cmocka_unit_test(within_the_walls_the_process_keeps_them),
    };
    if (!has_compiler() || system("c++ --version >/dev/null 2>&1") != 0) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, start, finish);
}
