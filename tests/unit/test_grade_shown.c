/* Grades that nobody got, as tables, pages and imports; and how alike files are.
 *
 * anna: right, 90 of 100: 60 for that, 30 of 40 for speed; as fast as tiled, 1.25 times the model's time, 80 % of the
 * ceiling. bert: the same tokens as anna, 26 h late. carl: wrong. dora: not judged. emil: nothing known yet. frieda: 93
 * % like anna, as many points. */
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "base/status.h"
#include "cli/commands/grade_job.h"
#include "own_folder.h"
#include "tables.h"

static struct submission submissions[6];
static struct exercise exercise;

static void set(struct submission *one, const char *student, enum grade_verdict verdict, unsigned points)
{
    *one = (struct submission){.verdict = verdict, .points = points, .is_judged = true};
    one->same_as = (size_t)(one - submissions);
    snprintf(one->student, sizeof one->student, "%s", student);
    snprintf(one->file, sizeof one->file, "%.40s.cl", student);
    strcpy(one->hash, "0123456789abcdef");
    strcpy(one->device, "A GPU");
    strcpy(one->driver, "550.1");
    strcpy(one->version, "0.1.0");
}

static struct grade_job graded(void)
{
    exercise = (struct exercise){.name = "transpose-tiles", .heading = "Tiles"};
    set(&submissions[0], "anna", GRADE_RIGHT, 90);
    strcpy(submissions[0].step, "tiled");
    submissions[0].times_model = 1.25;
    submissions[0].share = 0.8;
    set(&submissions[1], "Bert Meyer_4711_assignsubmission_file_", GRADE_RIGHT, 60);
    submissions[1].same_as = 0;
    submissions[1].late = 26 * 3600;
    set(&submissions[2], "=carl", GRADE_WRONG, 0);
    strcpy(submissions[2].reason, "element (3, 4) is 0, not 1, and \"so\" on");
    submissions[2].device[0] = '\0';
    set(&submissions[3], "dora<b>", GRADE_NOT_JUDGED, 0);
    set(&submissions[4], "emil", GRADE_ERROR, 0);
    submissions[4].is_judged = false;
    set(&submissions[5], "frieda", GRADE_RIGHT, 90);
    submissions[5].alike = 0;
    submissions[5].similarity = 0.93;
    submissions[5].late = 5400;
    return (struct grade_job){.exercise = &exercise,
                              .device = "cuda:0",
                              .problem = "transpose:rows=1000,cols=1000,f32",
                              .speed_counts = true,
                              .out_of = 100,
                              .submissions = submissions,
                              .count = COUNT_OF(submissions)};
}

static void grades(void **state)
{
    (void)state;
    struct grade_job job = graded();
    SHOWS("grades.csv", grade_write_csv(stream, &job));
    SHOWS("grades.html", grade_write_html(stream, &job));
    SHOWS("grades", grade_write_text(stream, &job));
    SHOWS("grades-moodle.csv", grade_write_moodle(stream, &job));
    job.speed_counts = false;
    submissions[5].similarity = 0.69; /* below what is worth a look */
    SHOWS("grades-right.csv", grade_write_csv(stream, &job));
    SHOWS("grades-right", grade_write_text(stream, &job));
    job.speed_counts = job.is_flat = true;
    SHOWS("grades-flat", grade_write_text(stream, &job));
    job.count = 0;
    SHOWS("grades-none", grade_write_text(stream, &job); grade_write_csv(stream, &job));
}

/* And takes it away. */
static void show_file(FILE *stream, const char *name)
{
    char text[1024];
    FILE *file = fopen(in_folder(name), "r");
    assert_non_null(file);
    unlink(in_folder(name));
    const size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    fprintf(stream, "%s\n%.*s", name, (int)bytes, text);
}

static void show_files(FILE *stream)
{
    show_file(stream, "anna.json");
    show_file(stream, "Bert Meyer_4711_assignsubmission_file_.json");
    show_file(stream, "=carl.json");
    show_file(stream, "frieda.json");
}

/* A file for each that is judged. */
static void gradescope(void **state)
{
    (void)state;
    struct error error = {""};
    struct grade_job job = graded();
    if (grade_write_gradescope(&job, folder, false, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_not_equal(access(in_folder("dora<b>.json"), F_OK), 0);
    assert_int_not_equal(access(in_folder("emil.json"), F_OK), 0);
    assert_int_equal(grade_write_gradescope(&job, folder, false, &error), STATUS_INVALID); /* they are there */
    SHOWS("grades-gradescope", show_files(stream));
    job.speed_counts = false;
    assert_int_equal(grade_write_gradescope(&job, folder, true, &error), STATUS_OK);
    SHOWS("grades-gradescope-right", show_files(stream));
}

/* Signs from `first` on, each another one. */
static void take(struct prints *prints, int first, int count)
{
    char tokens[8192] = "";
    size_t used = 0;
    for (int i = first; i < first + count; i++)
        used += (size_t)snprintf(tokens + used, sizeof tokens - used, "+%d ", i);
    prints_take(tokens, prints);
}

/* Of 100 signs all runs are different ones; 100 and 100 that share 60 have 60 less a run's in common. */
static void likeness(void **state)
{
    (void)state;
    struct prints a, b, given;
    take(&a, 0, 100);
    take(&b, 40, 100);
    assert_int_equal(a.count, 100 - PRINT_TOKENS + 1);
    assert_true(prints_alike(&a, &a) == 1);
    const double common = 60 - PRINT_TOKENS + 1, all = 100 - PRINT_TOKENS + 1;
    assert_true(prints_alike(&a, &b) == common / all);
    assert_true(prints_alike(&b, &a) == common / all);
    take(&given, 0, 50);
    prints_leave_out(&a, &given);
    assert_int_equal(a.count, 50);
    assert_true(prints_alike(&a, &b) == 50 / all); /* of the last 50 runs of a, all are b's: from the 43rd sign on */
    prints_leave_out(&b, &a);
    assert_int_equal(b.count, (size_t)all - 50);
    prints_free(&a);
    prints_free(&b);
    prints_free(&given);
    take(&a, 0, PRINT_TOKENS - 1);
    assert_int_equal(a.count, 0);
    prints_free(&a);
    take(&a, 0, PRINTS_LEAST + PRINT_TOKENS - 2); /* too few to say */
    assert_true(prints_alike(&a, &a) == 0);
    prints_free(&a);
    take(&a, 0, PRINTS_LEAST + PRINT_TOKENS - 1);
    assert_true(prints_alike(&a, &a) == 1);
    prints_free(&a);
    assert_null(a.items);
    prints_take(NULL, &a);
    assert_int_equal(a.count, 0);
}

static size_t different(const char *one, const char *other)
{
    char text[1024];
    struct prints prints;
    snprintf(text, sizeof text, "%s %s", one, other);
    prints_take(text, &prints);
    const size_t count = prints.count;
    prints_free(&prints);
    return count;
}

/* Names are all alike, and numbers; the language's words are not. */
static void tokens(void **state)
{
    (void)state;
    char names[512] = "", words[512] = "", numbers[512] = "", others[512] = "";
    for (int i = 0; i < PRINT_TOKENS; i++) {
        strcat(names, "a ");
        strcat(words, "for ");
        strcat(numbers, "1 ");
        strcat(others, i ? "_b2  " : "c ");
    }
    assert_int_equal(different(names, others), 1);
    assert_int_equal(different(numbers, numbers), 1);
    assert_int_equal(different(names, words), PRINT_TOKENS + 1);
    assert_int_equal(different(names, numbers), PRINT_TOKENS + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grades),
        cmocka_unit_test(gradescope),
        cmocka_unit_test(likeness),
        cmocka_unit_test(tokens),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
