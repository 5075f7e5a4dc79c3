/* uskor try: what binds the file and what would help, by 'uskor explain', in a separate process, as that runs the
 * file's code. */
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "cli/commands/try_job.h"

#define ADVICE_NS 20000000000 /* advice that takes longer is omitted */

/* False if there can be none: 'explain' takes no arguments for files without a header. */
static bool make_output(struct try_job *job)
{
    struct try_advice *advice = &job->advice;
    bool is_plain = job->how.arguments || job->how.entry || job->how.group || job->how.groups;
    if (is_plain || temporary_folder_make(FOLDER_ADVICE, &advice->folder, NULL) != STATUS_OK)
        return false;
    snprintf(advice->said, sizeof advice->said, "%s/said", advice->folder.path);
    return true;
}

void try_advice_start(struct try_job *job, const char *problem)
{
    struct try_advice *advice = &job->advice;
    if (advice->said[0] || !make_output(job))
        return;
    snprintf(advice->problem, sizeof advice->problem, "%s", problem);
    const char *arguments[] = {"--lang",   language_code(language_now()),
                               "explain",  advice->problem,
                               "--file",   job->user.path,
                               "--advice", "--store",
                               "none",     NULL};
    advice->process = (struct own_process){.arguments = arguments, .output = advice->said, .limit_ns = ADVICE_NS};
    if (own_process_start(&advice->process) != 0)
        try_advice_end(job);
    advice->process.arguments = NULL;
}

void try_advice_settle(struct try_job *job)
{
    if (job->advice.process.child && own_process_wait(&job->advice.process) != 0)
        try_advice_end(job);
}

bool try_advice_print(FILE *stream, struct try_job *job, const char *problem)
{
    struct try_advice *advice = &job->advice;
    char line[512];
    bool is_any = false;
    if (strcmp(advice->problem, problem) != 0) {
        try_advice_end(job);
        try_advice_start(job, problem);
        try_advice_settle(job);
    }
    FILE *said = advice->said[0] ? fopen(advice->said, "re") : NULL;
    while (said && fgets(line, sizeof line, said)) {
        line[strcspn(line, "\n")] = '\0';
        visible_make(line, sizeof line);
        fprintf(stream, "  %s\n", line);
        is_any = true;
    }
    if (said)
        fclose(said);
    return is_any;
}

void try_advice_end(struct try_job *job)
{
    own_process_stop(&job->advice.process);
    if (job->advice.said[0])
        temporary_folder_remove(&job->advice.folder);
    job->advice.said[0] = '\0';
}
