/* uskor try: what binds the file and what would help, by 'uskor explain', in a separate process, as that runs the
 * file's code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/language.h"
#include "base/visible.h"
#include "cli/commands/try_job.h"

#define ADVICE_NS 20000000000 /* advice that takes longer is omitted */

/* False if there can be none: 'explain' takes no arguments for files without a header. */
static bool make_output(struct try_job *job)
{
    const char *temporary = getenv("TMPDIR");
    struct try_advice *advice = &job->advice;
    bool is_plain = job->how.arguments || job->how.entry || job->how.group || job->how.groups;
    snprintf(advice->path, sizeof advice->path, "%.90s/uskor-advice-XXXXXX",
             temporary && temporary[0] == '/' ? temporary : "/tmp");
    int file = is_plain ? -1 : mkstemp(advice->path);
    if (file >= 0)
        close(file);
    else
        advice->path[0] = '\0';
    return file >= 0;
}

void try_advice_start(struct try_job *job, const char *problem)
{
    struct try_advice *advice = &job->advice;
    if (advice->path[0] || !make_output(job))
        return;
    snprintf(advice->problem, sizeof advice->problem, "%s", problem);
    const char *arguments[] = {"--lang",   language_code(language_now()),
                               "explain",  advice->problem,
                               "--file",   job->user.path,
                               "--advice", "--store",
                               "none",     NULL};
    advice->process = (struct own_process){.arguments = arguments, .output = advice->path, .limit_ns = ADVICE_NS};
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
    FILE *said = advice->path[0] ? fopen(advice->path, "re") : NULL;
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
    if (job->advice.path[0])
        unlink(job->advice.path);
    job->advice.path[0] = '\0';
}
