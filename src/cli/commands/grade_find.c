/* uskor grade: whose files there are. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/commands/grade_job.h"

#define SUBMISSIONS_MOST 10000

static bool is_source(const char *name)
{
    static const char *const endings[] = {".cl", ".cu", ".c"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (length > strlen(endings[i]) && strcasecmp(name + length - strlen(endings[i]), endings[i]) == 0)
            return true; /* ".C" is what some systems make of ".c" */
    return false;
}

/* Whether a student could have made it: archives of macOS have a folder of their own beside the files. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0;
}

static void refuse(struct submission *submission, const char *reason)
{
    submission->verdict = GRADE_ERROR;
    submission->is_judged = true;
    if (!submission->reason[0])
        explain(submission->reason, sizeof submission->reason, "%s", reason);
}

static bool is_beneath(const char *path, const char *root)
{
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0' || strcmp(root, "/") == 0);
}

/* Why a path is not taken; NULL: it is. A link could hand in another student's file, or make a file that only the
 * grader may read speak through an error. `name` is the submission in the folder `all`. */
static const char *leads_out(const char *all, const char *name, const char *path)
{
    const char *why = N_("is a link out of the submissions: copy the file there");
    char *root = realpath(all, NULL), *own = realpath(path, NULL);
    if (root && own && is_beneath(own, root)) {
        const char *rest = own + strlen(root) + (strcmp(root, "/") != 0);
        why = is_beneath(rest, name) ? NULL : N_("is a link to what another handed in: copy the file there");
    }
    free(root);
    free(own);
    return why;
}

/* The one source file of a student's folder. */
static void find_in(const char *all, const char *name, const char *folder, struct submission *submission)
{
    const char *why;
    struct dirent **names = NULL;
    struct error ignored;
    size_t found = 0;
    int count = scandir(folder, &names, is_visible, alphasort);
    if (count < 0)
        explain(submission->reason, sizeof submission->reason, "the folder cannot be read: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        if (is_source(names[i]->d_name) && found++ == 0 &&
            exercise_path(folder, names[i]->d_name, submission->path, &ignored) == STATUS_OK)
            visible_copy(names[i]->d_name, submission->file, sizeof submission->file);
        free(names[i]);
    }
    free(names);
    if (found > 1)
        explain(submission->reason, sizeof submission->reason, "%zu files (.cl, .cu, .c) where one is to be handed in",
                found);
    if (found != 1)
        refuse(submission, N_("no file to judge (.cl, .cu or .c)"));
    else if ((why = leads_out(all, name, submission->path)))
        refuse(submission, why);
}

static void tell_late(int64_t due, struct submission *submission)
{
    struct stat facts;
    if (due && submission->path[0] && stat(submission->path, &facts) == 0 && facts.st_mtime > due)
        submission->late = facts.st_mtime - due;
}

/* A folder is its owner's; a file's owner is its name without the ending. False: nothing that is handed in. */
static bool find_one(const char *folder, const char *name, int64_t due, struct submission *submission)
{
    struct stat facts;
    struct error error;
    char path[EXERCISE_PATH_MAX], owner[NAME_MAX + 1];
    *submission = (struct submission){.verdict = GRADE_RIGHT};
    snprintf(owner, sizeof owner, "%.*s", (int)(is_source(name) ? strrchr(name, '.') - name : NAME_MAX), name);
    visible_copy(name, submission->student, sizeof submission->student);
    if (exercise_path(folder, name, path, &error) != STATUS_OK || stat(path, &facts) != 0) {
        refuse(submission, N_("cannot be opened"));
        return true;
    }
    const char *why = leads_out(folder, name, path);
    if (why) {
        refuse(submission, why);
        return true;
    }
    if (S_ISDIR(facts.st_mode)) {
        find_in(folder, name, path, submission);
        tell_late(due, submission);
        return true;
    }
    if (!is_source(name))
        return false;
    strcpy(submission->path, path);
    strcpy(submission->file, submission->student);
    visible_copy(owner, submission->student, sizeof submission->student);
    tell_late(due, submission);
    return true;
}

/* Files that differ in their endings and a folder of the same name are three rows: "anna", "anna (2)", "anna (3)". */
static void make_unique(const struct grade_job *job, struct submission *submission)
{
    const size_t length = strlen(submission->student);
    size_t number = 1;
    for (size_t i = 0; i < job->count; i++)
        if (strcmp(job->submissions[i].student, submission->student) == 0) {
            snprintf(submission->student + length, sizeof submission->student - length, " (%zu)", ++number);
            i = (size_t)-1; /* the number may be somebody's name, too */
        }
}

bool grade_is_wanted(const struct grade_job *job, const struct submission *submission)
{
    for (size_t i = 0; i < job->asked_count; i++)
        if (strcmp(job->asked[i], submission->student) == 0)
            return true;
    return job->asked_count == 0;
}

enum status grade_find(struct grade_job *job, const char *folder, struct error *error)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_visible, alphasort);
    if (count < 0)
        return fail(error, STATUS_INVALID, "%s: cannot be read: %s", folder, strerror(errno));
    job->count = 0;
    job->submissions = calloc((size_t)count + 1, sizeof *job->submissions);
    enum status status = STATUS_OK;
    if (!job->submissions)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for %d submissions", count);
    else if (count > SUBMISSIONS_MOST)
        status = fail(error, STATUS_INVALID, "%s: more than %d submissions", folder, SUBMISSIONS_MOST);
    char *others = job->others;
    const size_t room = sizeof job->others;
    for (int i = 0; i < count; i++) {
        struct submission *next = &job->submissions[job->count];
        if (status == STATUS_OK && find_one(folder, names[i]->d_name, job->due, next)) {
            make_unique(job, next);
            job->count++;
        } else if (status == STATUS_OK)
            text_append(others, room, "%s%s", others[0] ? ", " : "", next->student);
        free(names[i]);
    }
    free(names);
    if (status == STATUS_OK && !job->count)
        status = fail(error, STATUS_INVALID, "%s: there is no submission in it (.cl, .cu, .c, or a folder with one)",
                      folder);
    return status;
}
