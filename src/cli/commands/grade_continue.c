#include "cli/commands/grade_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "report/export/csv.h"

/* The columns of grade_write_csv. */
enum column {
    COLUMN_HASH = 2,
    COLUMN_VERDICT,
    COLUMN_POINTS,
    COLUMN_OUT_OF,
    COLUMN_STEP,
    COLUMN_TIMES_MODEL,
    COLUMN_SHARE,
    COLUMN_REASON = 10,
    COLUMN_EXERCISE,
    COLUMN_PROBLEM,
    COLUMN_DEVICE,
    COLUMN_DEVICE_NAME,
    COLUMN_DRIVER,
    COLUMN_PROGRAM,
    COLUMN_LATE,
    COLUMN_SIMILAR_TO,
    COLUMN_SIMILARITY,
    COLUMNS,
};

/* Cuts a row into its fields, in place. False: there are others than COLUMNS. No field of ours has a line end. */
static bool cut_row(char *row, const char *fields[COLUMNS])
{
    char end = ',';
    int count = 0;
    for (; end == ',' && count < COLUMNS; count++)
        end = csv_cut(&row, &fields[count]);
    return end == 0 && count == COLUMNS;
}

/* Whether the row's grade would be given again: all that it depends on is the same. */
static bool is_of(const struct grade_job *job, const char *const fields[COLUMNS])
{
    char out_of[16];
    snprintf(out_of, sizeof out_of, "%u", job->out_of);
    return strcmp(fields[COLUMN_EXERCISE], job->exercise->name) == 0 &&
           strcmp(fields[COLUMN_PROBLEM], job->problem) == 0 && strcmp(fields[COLUMN_DEVICE], job->device) == 0 &&
           strcmp(fields[COLUMN_OUT_OF], out_of) == 0 && strcmp(fields[COLUMN_DEVICE_NAME], job->device_name) == 0 &&
           strcmp(fields[COLUMN_PROGRAM], job->version) == 0;
}

/* Others are judged again. */
static bool is_final(const char *verdict)
{
    return strcmp(verdict, grade_verdict_name(GRADE_RIGHT)) == 0 ||
           strcmp(verdict, grade_verdict_name(GRADE_WRONG)) == 0;
}

static void take(struct submission *one, const char *const fields[COLUMNS])
{
    for (enum grade_verdict verdict = GRADE_RIGHT; verdict <= GRADE_NOT_JUDGED; verdict++)
        if (strcmp(fields[COLUMN_VERDICT], grade_verdict_name(verdict)) == 0)
            one->verdict = verdict;
    one->points = (unsigned)strtoul(fields[COLUMN_POINTS], NULL, 10);
    one->times_model = strtod(fields[COLUMN_TIMES_MODEL], NULL);
    one->share = strtod(fields[COLUMN_SHARE], NULL);
    visible_copy(fields[COLUMN_STEP], one->step, sizeof one->step);
    visible_copy(fields[COLUMN_REASON], one->reason, sizeof one->reason);
    visible_copy(fields[COLUMN_DEVICE_NAME], one->device, sizeof one->device);
    visible_copy(fields[COLUMN_DRIVER], one->driver, sizeof one->driver);
    visible_copy(fields[COLUMN_PROGRAM], one->version, sizeof one->version);
    one->is_judged = true;
}

enum status grade_continue(struct grade_job *job, const char *path, size_t *taken, struct error *error)
{
    char *row = NULL;
    const char *fields[COLUMNS];
    size_t size = 0;
    *taken = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? STATUS_OK
                               : fail(error, STATUS_INVALID, "%s: cannot be opened: %s", path, strerror(errno));
    enum status status = STATUS_OK;
    for (size_t line = 1; status == STATUS_OK && getline(&row, &size, file) > 0; line++) {
        row[strcspn(row, "\r\n")] = '\0';
        if (!cut_row(row, fields) || (line == 1 && strcmp(fields[COLUMN_HASH], "sha256") != 0))
            status = fail(error, STATUS_INVALID, "%s:%zu: is not a row of grades; --force begins anew", path, line);
        else if (line > 1 && (job->asked_count || is_final(fields[COLUMN_VERDICT])) && is_of(job, fields))
            for (size_t i = 0; i < job->count; i++) {
                struct submission *one = &job->submissions[i];
                const bool is_again = job->asked_count && grade_is_wanted(job, one);
                if (one->is_judged || is_again || strcmp(one->hash, fields[COLUMN_HASH]) != 0)
                    continue;
                take(one, fields);
                ++*taken;
            }
    }
    free(row);
    fclose(file);
    return status;
}
