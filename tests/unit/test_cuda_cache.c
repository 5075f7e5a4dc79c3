/* Compiling and the cache of compiled programs, on a compiler of host memory (fake_cuda/) that counts its calls. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cuda/compile.h"
#include "base/cache_folder.h"
#include "base/compile_cache.h"
#include "fixture.h"

#include "between.h"

static void the_compilers_words_are_passed_on(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    const struct program_source source = {"mine.cl", "#error", LANGUAGE_OPENCL_C, NULL, 0};
    struct program *program = NULL;
    assert_refused(program_build(device, &source, &program, &error), STATUS_INVALID, &error,
                   "mine.cl does not compile for CUDA: mine.cl(1): error: #error directive");
    assert_null(program);
    fake->failing = "cuModuleLoadDataEx";
    fake->failure = CUDA_ERROR_INVALID_IMAGE;
    const struct program_source fine = {"mine.cl", "void f()", LANGUAGE_OPENCL_C, NULL, 0};
    assert_refused(program_build(device, &fine, &program, &error), STATUS_UNAVAILABLE, &error, "the linker's words");
    assert_null(program);
    device_close(device);
}

static void the_architecture_fits_device_and_language(void **state)
{
    (void)state;
    static const struct {
        int major, minor;
        enum language language;
        const char *name;
    } cases[] = {
        {9, 0, LANGUAGE_OPENCL_C, "sm_90"},       {9, 0, LANGUAGE_CUDA_C, "sm_90a"},
        {8, 0, LANGUAGE_CUDA_C, "sm_80"},         {7, 5, LANGUAGE_OPENCL_C, "sm_75"},
        {12, 0, LANGUAGE_OPENCL_C, "compute_90"}, {8, 9, LANGUAGE_CUDA_C, "compute_80"},
    };
    struct error error = {""};
    char name[CUDA_ARCHITECTURE_MAX];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(cuda_architecture(cases[i].major, cases[i].minor, cases[i].language, name, &error), STATUS_OK);
        assert_string_equal(name, cases[i].name);
    }
    assert_refused(cuda_architecture(6, 1, LANGUAGE_OPENCL_C, name, &error), STATUS_UNAVAILABLE, &error,
                   "compute capability 7.5 and later, the device has 6.1");
    const struct program_source source = {"mine.cl", "void f()", LANGUAGE_OPENCL_C, NULL, 0};
    void *image;
    size_t bytes;
    assert_refused(cuda_compile(&source, "sm_99", &image, &bytes, &error), STATUS_UNAVAILABLE, &error, "sm_99");
    assert_null(image);
}

/* Compiles through the cache and says how often the compiler was called for that. */
static int compilations(const char *text, const char *define)
{
    struct error error = {""};
    const struct program_source source = {"cached.cl", text, LANGUAGE_OPENCL_C, &define, 1};
    void *image = NULL;
    size_t bytes = 0;
    int before = fake->compilations;
    if (cuda_compile_cached(&source, "sm_90", 12080, &image, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(bytes, strlen(text));
    assert_memory_equal(image, text, bytes);
    free(image);
    return fake->compilations - before;
}

/* The only file of the cache's folder. */
static void entry_path(char *path, size_t size)
{
    char folder[64];
    snprintf(folder, sizeof folder, "%s/uskor", cache);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    path[0] = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.') {
            assert_int_equal(path[0], 0);
            snprintf(path, size, "%s/%s", folder, entry->d_name);
        }
    closedir(directory);
    assert_int_not_equal(path[0], 0);
}

static void empty_cache(void)
{
    char folder[64];
    snprintf(folder, sizeof folder, "%s/uskor", cache);
    remove_tree(folder);
}

static void programs_are_compiled_once(void **state)
{
    (void)state;
    empty_cache();
    assert_int_equal(compilations("void f()", "A=1"), 1);
    assert_int_equal(compilations("void f()", "A=1"), 0);
    assert_int_equal(compilations("void f()", "A=2"), 1);
    assert_int_equal(compilations("void g()", "A=1"), 1);
    assert_int_equal(compilations("void g()", "A=1"), 0);
    setenv("USKOR_CACHE", "off", 1);
    assert_int_equal(compilations("void g()", "A=1"), 1);
    assert_int_equal(compilations("void g()", "A=1"), 1);
}

/* Every byte of an entry is changed in turn, and the file is cut at every length. */
static void damaged_entries_are_compiled_again(void **state)
{
    (void)state;
    char path[256], content[256];
    empty_cache();
    assert_int_equal(compilations("void f()", "A=1"), 1);
    entry_path(path, sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(content, 1, sizeof content, file);
    fclose(file);
    assert_between(bytes, 9, sizeof content - 2);
    for (size_t i = 0; i < 2 * bytes + 1; i++) {
        /* First a changed byte, then a file cut short, at last one with something behind its end. */
        size_t changed = i < bytes ? i : 0;
        size_t length = i < bytes ? bytes : i == 2 * bytes ? bytes + 1 : i - bytes;
        char flip = i < bytes ? 0x20 : 0;
        file = fopen(path, "wb");
        assert_non_null(file);
        content[changed] = (char)(content[changed] ^ flip);
        assert_int_equal(fwrite(content, 1, length, file), length);
        content[changed] = (char)(content[changed] ^ flip);
        fclose(file);
        assert_int_equal(compilations("void f()", "A=1"), 1);
        assert_int_equal(compilations("void f()", "A=1"), 0);
    }
    entry_path(path, sizeof path); /* still one file: nothing temporary was left */
}

/* An entry under another's name, as if their keys had collided. */
static void foreign_entries_are_compiled_again(void **state)
{
    (void)state;
    char mine[256], other[256], aside[64];
    snprintf(aside, sizeof aside, "%s/aside", cache);
    empty_cache();
    compilations("void f()", "A=1");
    entry_path(other, sizeof other);
    assert_int_equal(rename(other, aside), 0);
    compilations("void f()", "A=2");
    entry_path(mine, sizeof mine);
    assert_int_equal(rename(aside, mine), 0);
    assert_int_equal(compilations("void f()", "A=2"), 1);
    assert_int_equal(compilations("void f()", "A=2"), 0);
}

/* As if another user had written the entry, or might have. */
static void others_entries_are_compiled_again(void **state)
{
    (void)state;
    char path[256], folder[64], aside[64];
    snprintf(folder, sizeof folder, "%s/uskor", cache);
    snprintf(aside, sizeof aside, "%s/aside", cache);
    empty_cache();
    compilations("void f()", "A=1");
    entry_path(path, sizeof path);
    assert_int_equal(chmod(path, 0620), 0);
    assert_int_equal(compilations("void f()", "A=1"), 1);
    assert_int_equal(compilations("void f()", "A=1"), 0);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(symlink(aside, path), 0);
    assert_int_equal(compilations("void f()", "A=1"), 1);
    assert_int_equal(compilations("void f()", "A=1"), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(compilations("void f()", "A=1"), 1);
    assert_int_equal(compilations("void f()", "A=1"), 0);
    if (chown(path, 12345, (gid_t)-1) == 0) { /* root, where there are other users */
        assert_int_equal(compilations("void f()", "A=1"), 1);
        assert_int_equal(chown(folder, 12345, (gid_t)-1), 0);
        assert_int_equal(compilations("void f()", "A=1"), 1);
        assert_int_equal(compilations("void f()", "A=1"), 1);
        assert_int_equal(chown(folder, 0, (gid_t)-1), 0);
    }
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(compilations("void f()", "A=1"), 1);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(compilations("void f()", "A=1"), 0);
}

static void the_oldest_entries_are_deleted(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        time_t time;
        bool stays;
    } rows[] = {{"b.code", 2000, false},
                {"a.code", 3000, false},
                {"c.code", 1000, false},
                {"d.code", 4000, true},
                {"x.trial", 500, true}};
    empty_cache();
    int folder = cache_folder_open(true);
    assert_true(folder >= 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct timespec times[2] = {{rows[i].time, 0}, {rows[i].time, 0}};
        int file = openat(folder, rows[i].name, O_WRONLY | O_CREAT, 0600);
        assert_true(file >= 0);
        assert_int_equal(ftruncate(file, 1000), 0);
        assert_int_equal(futimens(file, times), 0);
        close(file);
    }
    cache_folder_bound(folder, ".code", 4000);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(faccessat(folder, rows[i].name, F_OK, 0), 0);
    cache_folder_bound(folder, ".code", 2500); /* down to 1875 */
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(faccessat(folder, rows[i].name, F_OK, 0) == 0, rows[i].stays);
    int file = openat(folder, "e.code", O_WRONLY | O_CREAT, 0600); /* the newest */
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, 1500), 0);
    close(file);
    cache_folder_bound(folder, ".code", 2000); /* down to 1500, which it has when the older one is gone */
    assert_int_equal(faccessat(folder, "d.code", F_OK, 0), -1);
    assert_int_equal(faccessat(folder, "e.code", F_OK, 0), 0);
    close(folder);
}

static void no_place_for_a_cache_is_fine(void **state)
{
    (void)state;
    static const char *const places[] = {"/dev/null", "relative/path", "", NULL};
    const char *old = getenv("HOME");
    char *home = old ? strdup(old) : NULL;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (places[i])
            setenv("XDG_CACHE_HOME", places[i], 1);
        else
            unsetenv("XDG_CACHE_HOME");
        setenv("HOME", "/dev/null", 1);
        assert_int_equal(compilations("void h()", "A=1"), 1);
        unsetenv("HOME");
        assert_int_equal(compilations("void h()", "A=1"), 1);
    }
    setenv("HOME", cache, 1);
    assert_int_equal(compilations("void h()", "A=1"), 1);
    assert_int_equal(compilations("void h()", "A=1"), 0); /* in ~/.cache, which was made */
    if (home)
        setenv("HOME", home, 1);
    free(home);
    setenv("XDG_CACHE_HOME", cache, 1);
}

/* The last test: the disk is not used any more. */
static void within_the_walls_the_process_keeps_programs(void **state)
{
    (void)state;
    assert_int_equal(compilations("void k()", "A=1"), 1);
    cache_keep_within();
    assert_int_equal(compilations("void k()", "A=1"), 1); /* what is on disk is not read */
    assert_int_equal(compilations("void k()", "A=1"), 0);
    assert_int_equal(compilations("void k()", "A=2"), 1);
    assert_int_equal(compilations("void k()", "A=1"), 0);
    empty_cache();
    assert_int_equal(compilations("void k()", "A=2"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_compilers_words_are_passed_on),
        TEST(the_architecture_fits_device_and_language),
        TEST(programs_are_compiled_once),
        TEST(damaged_entries_are_compiled_again),
        TEST(foreign_entries_are_compiled_again),
        TEST(others_entries_are_compiled_again),
        TEST(the_oldest_entries_are_deleted),
        TEST(no_place_for_a_cache_is_fine),
        TEST(within_the_walls_the_process_keeps_programs),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
