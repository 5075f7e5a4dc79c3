/* uskor grade: the grades as Moodle and Gradescope import them. */
#include <ctype.h>
#include <jansson.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "cli/commands/grade_job.h"
#include "cli/options/result.h"
#include "report/export/csv.h"

#define MOODLE_ENDING "_assignsubmission_file"

/* "Anna Ivanova_4711_assignsubmission_file_": the folder of one participant in the archive that Moodle makes. False:
 * the name has another form. */
static bool read_participant(const char *student, char *name, size_t size, const char **number, int *digits)
{
    const char *ending = strstr(student, MOODLE_ENDING), *from = ending;
    while (ending && from > student && isdigit((unsigned char)from[-1]))
        from--;
    if (!ending || from == ending || from == student || from[-1] != '_')
        return false;
    snprintf(name, size, "%.*s", (int)(from - 1 - student), student);
    *number = from;
    *digits = (int)(ending - from);
    return true;
}

static void write_feedback(const struct grade_job *job, const struct submission *one, char *text, size_t size)
{
    char remarks[GRADE_TEXT_MAX];
    const char *parts[] = {grade_say_verdict(one), one->step[0] ? tr("as fast as") : "", one->step,
                           say_message(one->reason), grade_remarks(job, one, remarks, sizeof remarks)};
    const char *const between[] = {"", ", ", " ", ". ", ". "};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && used < size; i++)
        if (*parts[i])
            used += (size_t)snprintf(text + used, size - used, "%s%s", between[i], parts[i]);
}

static void write_fields(FILE *stream, const char *const fields[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        csv_field(stream, fields[i]);
        fputc(i + 1 < count ? ',' : '\n', stream);
    }
}

void grade_write_moodle(FILE *stream, const struct grade_job *job)
{
    fputs("Identifier,Full name,Username,Grade,Maximum Grade,Feedback comments\n", stream);
    for (size_t i = 0; i < job->count; i++) {
        const struct submission *one = &job->submissions[i];
        char name[GRADE_NAME_MAX] = "", identifier[64] = "", feedback[3 * GRADE_TEXT_MAX], grade[16] = "", most[16];
        const char *number;
        int digits;
        if (!one->is_judged)
            continue;
        const bool is_moodles = read_participant(one->student, name, sizeof name, &number, &digits);
        if (is_moodles)
            snprintf(identifier, sizeof identifier, "Participant %.*s", digits, number);
        if (one->verdict != GRADE_NOT_JUDGED)
            snprintf(grade, sizeof grade, "%u", one->points);
        snprintf(most, sizeof most, "%u", job->out_of);
        write_feedback(job, one, feedback, sizeof feedback);
        write_fields(stream,
                     (const char *const[]){identifier, name, is_moodles ? "" : one->student, grade, most, feedback}, 6);
    }
}

static json_t *test_object(const char *name, unsigned points, unsigned most)
{
    return json_pack("{s:s, s:i, s:i}", "name", name, "score", (int)points, "max_score", (int)most);
}

struct sheet {
    const struct grade_job *job;
    const struct submission *one;
};

static enum status write_results(FILE *stream, void *context, struct error *error)
{
    const struct sheet *sheet = context;
    const struct submission *one = sheet->one;
    const unsigned right = one->points < EXERCISE_POINTS_RIGHT ? one->points : EXERCISE_POINTS_RIGHT;
    char feedback[3 * GRADE_TEXT_MAX];
    write_feedback(sheet->job, one, feedback, sizeof feedback);
    json_t *tests = json_array();
    json_array_append_new(tests, test_object(tr("right"), right, EXERCISE_POINTS_RIGHT));
    if (sheet->job->speed_counts)
        json_array_append_new(tests, test_object(tr("speed"), one->points - right, EXERCISE_POINTS_SPEED));
    json_t *all = json_pack("{s:s, s:o}", "output", feedback, "tests", tests);
    const bool is_written = all && json_dumpf(all, stream, JSON_INDENT(2)) == 0;
    json_decref(all);
    fputc('\n', stream);
    return is_written ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: cannot be written", one->student);
}

enum status grade_write_gradescope(const struct grade_job *job, const char *folder, bool force, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < job->count; i++) {
        struct sheet sheet = {.job = job, .one = &job->submissions[i]};
        char name[GRADE_NAME_MAX + 8], path[EXERCISE_PATH_MAX];
        if (!sheet.one->is_judged || sheet.one->verdict == GRADE_NOT_JUDGED)
            continue;
        snprintf(name, sizeof name, "%s.json", sheet.one->student);
        status = exercise_path(folder, name, path, error);
        if (status == STATUS_OK)
            status = result_write(path, force, write_results, &sheet, error);
    }
    return status;
}
