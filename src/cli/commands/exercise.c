/* uskor exercise: lists exercises; creates a starter folder. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/exercise_folder.h"
#include "cli/commands/try_job.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "exercises/exercise.h"
#include "kernels/kernel.h"
#include "report/terminal/cells.h"

struct arguments {
    const char *name, *folder;
    bool lists, force;
};

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->name && !arguments->lists)
        refuse_use(state, "which exercise? 'uskor exercise --list' shows them");
}

static const struct option options[] = {
    {"list", 0, NULL, N_("Show the exercises"), SETS_FLAG(struct arguments, lists)},
    {"output", 'o', N_("FOLDER"), N_("Write the text, the skeleton and the grading file there"),
     SETS_TEXT(struct arguments, folder)},
    {"force", 0, NULL, N_("Replace files that are there"), SETS_FLAG(struct arguments, force)},
    {0},
};

static const struct usage usage = {
    .options = options,
    TAKES_ONE(struct arguments, name, N_("one exercise at a time")),
    .check = check_usage,
    .args_doc = N_("[EXERCISE]"),
    .doc = N_("Exercises for a course: each asks for one rung of a ladder.\n\nFor example:\n\n"
              "  uskor exercise --list\n"
              "  uskor exercise transpose:tiled -o hw1/\n"
              "  uskor grade hw1/ --students submissions/ -o grades.csv\n\n"
              "The folder gets README.md (what to do, what is measured, what counts), a skeleton that is right and "
              "slow, and exercise.txt, which 'uskor grade' reads. Without -o the text is shown."),
};

static void list(void)
{
    for (size_t i = 0; i < exercise_count; i++)
        printf("%-24s %s\n", exercises[i].name, tr(exercises[i].heading));
}

static enum status write_text(FILE *stream, void *context, struct error *error)
{
    const struct exercise *exercise = context;
    char skeleton[64];
    (void)error;
    snprintf(skeleton, sizeof skeleton, "%s%s", exercise->kernel, exercise->ending);
    exercise_write_text(stream, exercise, skeleton);
    return STATUS_OK;
}

/* On a terminal long lines are wrapped: in a file they are Markdown's paragraphs. */
static void show_text(const struct exercise *exercise)
{
    struct style style = style_for(stdout);
    struct error error;
    char *text = NULL;
    size_t size;
    FILE *memory = style.folds ? open_memstream(&text, &size) : NULL;
    write_text(memory ? memory : stdout, (void *)exercise, &error);
    if (memory && fclose(memory) == 0)
        for (char *rest = text, *line; (line = strsep(&rest, "\n")) && rest;) {
            if (column_width(line) > style.width)
                columns_wrapped(stdout, line, 0, 0, style.width);
            else
                puts(line);
        }
    free(text);
}

static enum status write_name(FILE *stream, void *context, struct error *error)
{
    const struct exercise *exercise = context;
    (void)error;
    fprintf(stream, "exercise: %s\n", exercise->name);
    return STATUS_OK;
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* All of the files of a folder that is there. */
static enum status write_files(const struct arguments *arguments, const struct exercise *exercise, struct error *error)
{
    char path[EXERCISE_PATH_MAX], source[EXERCISE_PATH_MAX], name[64];
    snprintf(name, sizeof name, "%s%s", exercise->kernel, exercise->ending);
    enum status status = exercise_path(arguments->folder, name, source, error);
    if (status == STATUS_OK)
        status = try_skeleton_write(exercise->kernel, source, false, arguments->force, error);
    if (status == STATUS_OK)
        status = exercise_path(arguments->folder, "README.md", path, error);
    if (status == STATUS_OK)
        status = result_write(path, arguments->force, write_text, (void *)exercise, error);
    if (status == STATUS_OK)
        status = exercise_path(arguments->folder, EXERCISE_FILE, path, error);
    if (status == STATUS_OK)
        status = result_write(path, arguments->force, write_name, (void *)exercise, error);
    if (status == STATUS_OK)
        printf(tr("%s: README.md, %s and %s. Judge it: uskor try %s %s\n"), arguments->folder, name, EXERCISE_FILE,
               exercise->kernel, source);
    return status;
}

static void remove_folder(const struct arguments *arguments, const struct exercise *exercise)
{
    char path[EXERCISE_PATH_MAX], source[64];
    const char *const names[] = {source, "README.md", EXERCISE_FILE};
    snprintf(source, sizeof source, "%s%s", exercise->kernel, exercise->ending);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (exercise_path(arguments->folder, names[i], path, NULL) == STATUS_OK)
            unlink(path);
    rmdir(arguments->folder);
}

/* A folder that was not there is made whole or not at all; Ctrl-C waits for its three files. */
static enum status write_folder(const struct arguments *arguments, const struct exercise *exercise, struct error *error)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    for (size_t i = 0; i < COUNT_OF(ending_signals); i++)
        sigaddset(&ending, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    const bool is_new = mkdir(arguments->folder, 0777) == 0;
    enum status status = is_new || errno == EEXIST ? write_files(arguments, exercise, error)
                                                   : fail(error, STATUS_INVALID, "%s: cannot be made: %s",
                                                          arguments->folder, strerror(errno));
    if (status != STATUS_OK && is_new)
        remove_folder(arguments, exercise);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int cmd_exercise(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    if (arguments.lists)
        list();
    if (!arguments.name)
        return said_all(EXIT_DONE);
    const struct exercise *exercise = exercise_by_name(arguments.name, &error);
    if (!exercise)
        return report_error(STATUS_INVALID, &error);
    if (!arguments.folder) {
        show_text(exercise);
        return said_all(EXIT_DONE);
    }
    enum status status = write_folder(&arguments, exercise, &error);
    return said_all(status == STATUS_OK ? EXIT_DONE : report_error(status, &error));
}
