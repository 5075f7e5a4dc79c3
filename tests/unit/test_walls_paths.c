/* Which paths a stranger's code may reach: those of the stage, those that the user named in variables, drivers' folders
 * by their registrations, and what is given; and nothing that only begins with the same letters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "walls/paths.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "own_folder.h"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static bool reaches(const struct walls *walls, const char *path, enum path_right right)
{
    struct path_list list;
    paths_collect(walls, &list);
    const bool has = paths_have(&list, path, right);
    paths_free(&list);
    assert_int_equal(list.count, 0);
    return has;
}

static void test_names_end_where_folders_end(void **state)
{
    (void)state;
    struct path_list list = {.count = 0};
    paths_add(&list, "/usr/lib", PATH_READ);
    paths_add(&list, "/bin/ld", PATH_START);
    static const struct {
        const char *path;
        enum path_right right;
        bool has;
    } rows[] = {
        {"/usr/lib", PATH_READ, true},
        {"/usr/lib/x", PATH_READ, true},
        {"/usr/library", PATH_READ, false},
        {"/usr", PATH_READ, false},
        {"/usr/lib", PATH_START, false},
        {"/bin/ld", PATH_START, true},
        {"/bin/ld", PATH_READ, true},
        {"/bin/ld.gold", PATH_START, false},
        {"/usr/lib/../../etc", PATH_READ, false}, /* by where it leads */
        {"/usr/../usr/lib", PATH_READ, true},
        {"/usr/lib/nowhere/../x", PATH_READ, true}, /* what leads nowhere, by its letters */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (paths_have(&list, rows[i].path, rows[i].right) != rows[i].has)
            fail_msg("%s, right %d: %s", rows[i].path, rows[i].right, rows[i].has ? "not reached" : "reached");
    paths_free(&list);
    assert_null(list.items);
}

static void test_stages(void **state)
{
    (void)state;
    static const struct {
        enum walls_stage stage;
        const char *path;
        enum path_right right;
        bool has;
    } rows[] = {
        {WALLS_COMPILE, "/usr/lib", PATH_START, true},
        {WALLS_CODE, "/usr/lib", PATH_READ, true},
        {WALLS_CODE, "/usr/lib", PATH_START, false},
        {WALLS_COMPILE, "/proc/self/maps", PATH_READ, false},
        {WALLS_CODE, "/proc/self/maps", PATH_READ, true},
        {WALLS_CPU_DRIVER, "/proc/self/maps", PATH_READ, true},
        {WALLS_GPU_DRIVER, "/proc/self", PATH_READ, true},
        {WALLS_COMPILE, "/dev/zero", PATH_READ, false},
        {WALLS_CODE, "/dev/zero", PATH_READ, true},
        {WALLS_COMPILE, "/dev/null", PATH_READ, true},
        {WALLS_CODE, "/dev/null", PATH_READ, true},
        {WALLS_COMPILE, "/etc/OpenCL", PATH_READ, false},
        {WALLS_CODE, "/home", PATH_READ, false},
        {WALLS_CODE, "/etc/passwd", PATH_READ, false},
        {WALLS_CODE, "/run", PATH_READ, false},
        {WALLS_EXPLAIN, "/sys", PATH_READ, true},
        {WALLS_COMPILE, "/sys", PATH_READ, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (reaches(&(struct walls){.stage = rows[i].stage}, rows[i].path, rows[i].right) != rows[i].has)
            fail_msg("stage %d, %s: %s", rows[i].stage, rows[i].path, rows[i].has ? "not reached" : "reached");
}

/* Of a list each absolute path; of a file the folder that it is in; never the root. */
static void test_variables(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *path;
        bool has;
    } rows[] = {
        {"CUDA_PATH", "/a/cuda", "/a/cuda/lib64", true},
        {"LD_LIBRARY_PATH", "/a/one:relative:/a/two:", "/a/one/x", true},
        {"LD_LIBRARY_PATH", "/a/one:relative:/a/two:", "/a/two", true},
        {"LD_LIBRARY_PATH", "/a/one:relative:/a/two:", "relative", false},
        {"LD_LIBRARY_PATH", ":/a/three", "/a/three", true},
        {"LD_LIBRARY_PATH", "/", "/home", false},
        {"CUDA_HOME", "", "/home", false},
        {"USKOR_CLBLAST", "/a/lib/libclblast.so", "/a/lib/other.so", true},
        {"USKOR_CLBLAST", "/libclblast.so", "/home", false},
        {"USKOR_CLBLAST", "libclblast.so", "/a", false},
        {"USKOR_NVRTC", "/a/nvrtc/libnvrtc.so", "/a/nvrtc", true},
        {"OTHER", "/a/other", "/a/other", false},
    };
    const struct walls walls = {.stage = WALLS_CODE};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        setenv(rows[i].name, rows[i].value, 1);
        const bool has = reaches(&walls, rows[i].path, PATH_READ);
        unsetenv(rows[i].name);
        if (has != rows[i].has)
            fail_msg("%s=%s, %s: %s", rows[i].name, rows[i].value, rows[i].path, has ? "reached" : "not reached");
    }
}

/* A registration names a driver by its path, in its first line; the variable names a folder of them or one file. */
static void test_registrations(void **state)
{
    (void)state;
    char one[128], two[128], three[128], other[128];
    snprintf(one, sizeof one, "%s", in_folder("one.icd"));
    snprintf(two, sizeof two, "%s", in_folder("two.icd"));
    snprintf(three, sizeof three, "%s", in_folder("three.icd"));
    snprintf(other, sizeof other, "%s", in_folder("four.txt"));
    write_file(one, "/a/driver/lib.so\r\n/b/driver/lib.so\n");
    write_file(two, "libdriver.so\n");
    write_file(three, "");
    write_file(other, "/c/driver/lib.so");
    static const struct {
        const char *vendors, *path; /* vendors: in the folder */
        bool has;
    } rows[] = {
        {"", "/a/driver/more.so", true},         {"", "/b/driver", false},        {"", "/c/driver", false},
        {"/four.txt", "/c/driver/lib.so", true}, {"/one.icd", "/a/driver", true}, {"/four.txt", "/a/driver", false},
        {"/missing", "/a/driver", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char vendors[256];
        snprintf(vendors, sizeof vendors, "%s%s", folder, rows[i].vendors);
        setenv("OCL_ICD_VENDORS", vendors, 1);
        const bool has = reaches(&(struct walls){.stage = WALLS_CPU_DRIVER}, rows[i].path, PATH_READ);
        if (has != rows[i].has)
            fail_msg("'%s': %s is %s", rows[i].vendors, rows[i].path, has ? "reached" : "not reached");
    }
    unsetenv("OCL_ICD_VENDORS");
    unlink(one), unlink(two), unlink(three), unlink(other);
}

/* What the caller gives: files, another list with its rights, a folder. */
static void test_given(void **state)
{
    (void)state;
    struct path_list others = {.count = 0};
    paths_add(&others, "/a/started", PATH_START);
    const char *const readable[] = {"/a/read", "/a/also", NULL};
    const struct walls walls = {.stage = WALLS_CODE, .readable = readable, .others = &others, .folder = "/a/folder"};
    assert_true(reaches(&walls, "/a/read", PATH_READ));
    assert_true(reaches(&walls, "/a/also/x", PATH_READ));
    assert_false(reaches(&walls, "/a/read", PATH_START));
    assert_true(reaches(&walls, "/a/started", PATH_START));
    assert_true(reaches(&walls, "/a/folder/x", PATH_READ));
    assert_false(reaches(&(struct walls){.stage = WALLS_CODE}, "/a/folder", PATH_READ));
    paths_free(&others);
}

/* The program itself may be read, and not all that lies beside it. */
static void test_own_program(void **state)
{
    (void)state;
    char program[512], beside[600];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = '\0';
    snprintf(beside, sizeof beside, "%s-beside", program);
    assert_true(reaches(&(struct walls){.stage = WALLS_CODE}, program, PATH_READ));
    assert_false(reaches(&(struct walls){.stage = WALLS_CODE}, beside, PATH_READ));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_end_where_folders_end),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_registrations),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_own_program),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
