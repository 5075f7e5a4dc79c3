/* uskor grade: what is written of the submissions. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/commands/grade_job.h"
#include "report/export/csv.h"
#include "report/html/html.h"
#include "report/terminal/cells.h"

const char *grade_verdict_name(enum grade_verdict verdict)
{
    static const char *const names[] = {
        [GRADE_RIGHT] = "right", [GRADE_WRONG] = "wrong", [GRADE_ERROR] = "error", [GRADE_NOT_JUDGED] = "not_judged"};
    return names[verdict];
}

static void write_field(FILE *stream, const char *text, char end)
{
    csv_field(stream, text);
    fputc(end, stream);
}

static const char *twin_of(const struct grade_job *job, const struct submission *submission)
{
    size_t index = (size_t)(submission - job->submissions);
    bool has_twin = submission->hash[0] && submission->same_as != index;
    return has_twin ? job->submissions[submission->same_as].student : "";
}

/* A file that was not judged has no points. */
static const char *points_of(const struct submission *submission, const char *none, char text[16])
{
    if (submission->verdict == GRADE_NOT_JUDGED)
        return none;
    snprintf(text, 16, "%u", submission->points);
    return text;
}

/* "26.0,anna,0.93": nothing for what was in time, or is like no other. */
static void write_nearness(FILE *stream, const struct grade_job *job, const struct submission *one)
{
    if (one->late > 0)
        fprintf(stream, "%.1f", (double)one->late / 3600);
    fputc(',', stream);
    write_field(stream, one->similarity > 0 ? job->submissions[one->alike].student : "", ',');
    if (one->similarity > 0)
        fprintf(stream, "%.2f", one->similarity);
    fputc('\n', stream);
}

const char *grade_remarks(const struct grade_job *job, const struct submission *one, char *text, size_t size)
{
    text[0] = '\0';
    if (one->late > 0)
        snprintf(text, size, tr("%.1f h late"), (double)one->late / 3600);
    if (one->similarity >= GRADE_ALIKE) {
        text_append(text, size, "%s", text[0] ? "; " : "");
        text_append(text, size, tr("%.0f %% like %s"), 100 * one->similarity, job->submissions[one->alike].student);
    }
    return text;
}

void grade_write_csv(FILE *stream, const struct grade_job *job)
{
    fputs("student,file,sha256,verdict,points,out_of,step,times_model,share_of_ceiling,same_as,reason,exercise,problem,"
          "device,device_name,driver,program,late_hours,similar_to,similarity\n",
          stream);
    for (size_t i = 0; i < job->count; i++) {
        const struct submission *one = &job->submissions[i];
        char points[16];
        if (!one->is_judged)
            continue;
        write_field(stream, one->student, ',');
        write_field(stream, one->file, ',');
        fprintf(stream, "%s,%s,%s,%u,", one->hash, grade_verdict_name(one->verdict), points_of(one, "", points),
                job->out_of);
        write_field(stream, one->step, ',');
        if (one->verdict == GRADE_RIGHT && job->speed_counts && one->times_model > 0)
            fprintf(stream, "%.2f,%.2f,", one->times_model, one->share);
        else
            fputs(",,", stream);
        write_field(stream, twin_of(job, one), ',');
        write_field(stream, one->reason, ',');
        fprintf(stream, "%s,\"%s\",%s,", job->exercise->name, job->problem, job->device);
        write_field(stream, one->device, ',');
        write_field(stream, one->driver, ',');
        write_field(stream, one->version, ',');
        write_nearness(stream, job, one);
    }
}

static int by_points(const void *left, const void *right)
{
    const struct submission *a = *(const struct submission *const *)left, *b = *(const struct submission *const *)right;
    if (a->points != b->points)
        return a->points < b->points ? 1 : -1;
    return strcmp(a->student, b->student);
}

/* Those that are judged, best first. */
static const struct submission **rank(const struct grade_job *job, size_t *count)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const struct submission **ranked = calloc(job->count + 1, sizeof *ranked);
    *count = 0;
    for (size_t i = 0; ranked && i < job->count; i++)
        if (job->submissions[i].is_judged)
            ranked[(*count)++] = &job->submissions[i];
    if (ranked)
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        qsort(ranked, *count, sizeof *ranked, by_points);
    return ranked;
}

const char *grade_say_verdict(const struct submission *one)
{
    return tr(one->verdict == GRADE_RIGHT        ? N_("right")
              : one->verdict == GRADE_WRONG      ? N_("wrong")
              : one->verdict == GRADE_NOT_JUDGED ? N_("not judged")
                                                 : N_("error"));
}

static void write_html_row(FILE *stream, const struct grade_job *job, const struct submission *one, size_t place)
{
    char points[16];
    html(stream, "<tr class=\"%s\"><td>%zu</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
         grade_verdict_name(one->verdict), place, one->student, points_of(one, "", points), grade_say_verdict(one),
         one->step);
    if (one->verdict == GRADE_RIGHT && job->speed_counts && one->times_model > 0)
        html(stream, "<td>%.2f</td><td>%.0f %%</td>", one->times_model, 100 * one->share);
    else
        fputs("<td></td><td></td>", stream);
    const char *twin = twin_of(job, one);
    char remarks[GRADE_TEXT_MAX];
    html(stream, "<td>%s%s%s %s</td><td><code>%.12s</code></td></tr>\n", say_message(one->reason), twin[0] ? "= " : "",
         twin, grade_remarks(job, one, remarks, sizeof remarks), one->hash);
}

static const char *say_points(const struct grade_job *job)
{
    return job->is_flat
               ? tr("The exercise's first rung is as fast as its last on this device: here speed tells no file "
                    "from another.")
           : job->speed_counts ? tr("Points: right, and how fast beside the exercise's rungs.")
                               : tr("Points: right or wrong. Speed is not graded on this device.");
}

/* The first that was judged names machine and versions for all. */
static const struct submission *find_judged(const struct grade_job *job)
{
    for (size_t i = 0; i < job->count; i++)
        if (job->submissions[i].device[0])
            return &job->submissions[i];
    return NULL;
}

void grade_write_html(FILE *stream, const struct grade_job *job)
{
    size_t count;
    const struct submission *judged = find_judged(job), **ranked = rank(job, &count);
    const char *const headings[] = {N_("place"),          N_("student"),    N_("points"),
                                    N_("verdict"),        N_("as fast as"), N_("× the model's time"),
                                    N_("of the ceiling"), N_("remark"),     N_("file (SHA-256)")};
    html(stream,
         "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>%s</title>\n",
         job->exercise->name);
    fputs("<style>body{font:16px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
          "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3em .7em;border-bottom:1px solid "
          "#ccc}tr.wrong td,tr.error td,tr.not_judged "
          "td{color:#777}td:nth-child(3){font-weight:bold}</style></head><body>\n",
          stream);
    html(stream, "<h1>%s</h1>\n<p>%s</p>\n<p>%s, %s", job->exercise->name, tr(job->exercise->heading), job->problem,
         job->device);
    if (judged)
        html(stream, ": %s, %s · uskor %s", judged->device, judged->driver, judged->version);
    html(stream, "</p>\n<p>%s</p>\n<table><tr>", say_points(job));
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        html(stream, "<th>%s</th>", tr(headings[i]));
    fputs("</tr>\n", stream);
    for (size_t i = 0, place = 1; i < count; i++) {
        place = i > 0 && ranked[i]->points == ranked[i - 1]->points ? place : i + 1;
        write_html_row(stream, job, ranked[i], place);
    }
    fputs("</table>\n</body></html>\n", stream);
    free(ranked);
}

/* "as fast as tiled; does not compile: …; 26.0 h late": of these what there is. */
static const char *say_remarks(const struct grade_job *job, const struct submission *one, char *text, size_t size)
{
    char step[GRADE_TEXT_MAX] = "", remarks[GRADE_TEXT_MAX];
    if (one->step[0])
        snprintf(step, sizeof step, tr("as fast as %s"), one->step);
    const char *const parts[] = {step, say_message(one->reason), grade_remarks(job, one, remarks, sizeof remarks)};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i][0])
            text_append(text, size, "%s%s", text[0] ? "; " : "", parts[i]);
    return text;
}

void grade_write_text(FILE *stream, const struct grade_job *job)
{
    const int verdict_width = 13, student_width = 20;
    const struct style style = style_for(stream);
    const int width = style.folds ? style.width : INT_MAX;
    size_t count;
    const struct submission *judged = find_judged(job), **ranked = rank(job, &count);
    for (size_t i = 0; i < count; i++) {
        char points[16], remarks[3 * GRADE_TEXT_MAX];
        const int column = fprintf(stream, "%3s/%u  ", points_of(ranked[i], "-", points), job->out_of) + verdict_width +
                           student_width + 1;
        columns_print(stream, "<*<* ", verdict_width, grade_say_verdict(ranked[i]), student_width, ranked[i]->student);
        columns_wrapped(stream, say_remarks(job, ranked[i], remarks, sizeof remarks), column, column, width);
    }
    if (count)
        columns_wrapped(stream, say_points(job), 0, 0, width);
    if (judged)
        fprintf(stream, "%s · %s · %s: %s, %s · uskor %s\n", job->exercise->name, job->problem, job->device,
                judged->device, judged->driver, judged->version);
    free(ranked);
}
