/* Whose files are in a folder of submissions, and why one is not taken. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail

#include "base/size.h"
#include "cli/commands/grade_job.h"

static char folder[] = "/tmp/uskor-grades-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static void write_file(const char *name, time_t changed)
{
    const struct timespec times[2] = {{.tv_sec = changed}, {.tv_sec = changed}};
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("text", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

static void expect(const struct submission *one, const char *student, const char *path, const char *file,
                   const char *reason, int64_t late)
{
    assert_string_equal(one->student, student);
    assert_string_equal(one->path, path);
    assert_string_equal(one->file, file);
    assert_string_equal(one->reason, reason);
    assert_int_equal(one->is_judged, *reason != '\0');
    const char *judged = grade_verdict_name(one->verdict); /* beside its reason, above */
    assert_string_equal(judged, *reason ? "error" : "right");
    assert_int_equal(one->late, late);
}

#define NONE "no file to judge (.cl, .cu or .c)"
#define OUT "is a link out of the submissions: copy the file there"
#define OTHERS "is a link to what another handed in: copy the file there"

static void submissions(void **state)
{
    (void)state;
    static const char *const folders[] = {"in",      "in/bert",     "in/carl", "in/dora", "in/emil",
                                          "in/anna", "in/__MACOSX", "out",     "in/gina"};
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    write_file("in/anna.c", 1000);
    write_file("in/anna.cl", 1001);
    write_file("in/anna/a.CU", 1000);
    write_file("in/.hidden.c", 1000);
    write_file("in/__MACOSX/x.c", 1000);
    write_file("in/bert/mine.cl", 1100);
    write_file("in/bert/readme.txt", 1000);
    write_file("in/carl/a.c", 1000);
    write_file("in/carl/b.cl", 1000);
    write_file("in/dora/notes.txt", 1000);
    write_file("in/readme.txt", 1000);
    write_file("in/zettel", 1000);
    write_file("in/.c", 1000);
    write_file("out/secret.c", 1000);
    assert_int_equal(symlink("../../out/secret.c", "in/emil/mine.c"), 0);
    assert_int_equal(symlink("anna.c", "in/frank.c"), 0);
    assert_int_equal(symlink("../bert/mine.cl", "in/gina/mine.cl"), 0);
    assert_int_equal(symlink("nowhere", "in/hans.c"), 0);
    struct grade_job job = {.due = 1000};
    struct error error = {""};
    assert_int_equal(grade_find(&job, "in", &error), STATUS_OK);
    const struct submission *one = job.submissions;
    assert_int_equal(job.count, 10);
    expect(&one[0], "anna", "in/anna/a.CU", "a.CU", "", 0);
    expect(&one[1], "anna (2)", "in/anna.c", "anna.c", "", 0);
    expect(&one[2], "anna (3)", "in/anna.cl", "anna.cl", "", 1);
    expect(&one[3], "bert", "in/bert/mine.cl", "mine.cl", "", 100);
    expect(&one[4], "carl", "in/carl/a.c", "a.c", "2 files (.cl, .cu, .c) where one is to be handed in", 0);
    expect(&one[5], "dora", "", "", NONE, 0);
    expect(&one[6], "emil", "in/emil/mine.c", "mine.c", OUT, 0);
    expect(&one[7], "frank.c", "", "", OTHERS, 0);
    expect(&one[8], "gina", "in/gina/mine.cl", "mine.cl", OTHERS, 100);
    expect(&one[9], "hans.c", "", "", "cannot be opened", 0);
    assert_string_equal(job.others, "readme.txt, zettel");
    const char *const asked[] = {"bert", "dora"};
    assert_true(grade_is_wanted(&job, &one[0]));
    job.asked[0] = asked[0];
    job.asked[1] = asked[1];
    job.asked_count = 2;
    assert_true(grade_is_wanted(&job, &one[3]) && grade_is_wanted(&job, &one[5]) && !grade_is_wanted(&job, &one[4]));
    free(job.submissions);
}

static void nothing(void **state)
{
    (void)state;
    struct grade_job job = {.due = 0};
    struct error error = {""};
    assert_int_equal(grade_find(&job, "nowhere", &error), STATUS_INVALID);
    assert_string_equal(error.text, "nowhere: cannot be read: No such file or directory");
    assert_int_equal(mkdir("empty", 0700), 0);
    write_file("empty/readme.txt", 1000);
    assert_int_equal(grade_find(&job, "empty", &error), STATUS_INVALID);
    assert_string_equal(error.text, "empty: there is no submission in it (.cl, .cu, .c, or a folder with one)");
    free(job.submissions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(submissions), cmocka_unit_test(nothing)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
