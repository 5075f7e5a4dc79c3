/* The text that comes with an exercise. */
#include <string.h>

#include "base/translation.h"
#include "exercises/exercise.h"

static void write_paragraph(FILE *stream, const char *text)
{
    fprintf(stream, "%s\n\n", text);
}

static void write_score(FILE *stream, const struct exercise *exercise)
{
    size_t steps = exercise_steps(exercise);
    fprintf(stream, "| %s | %s |\n|---|---|\n", tr("result"), tr("points"));
    fprintf(stream, "| %s | 0 |\n", tr("wrong, crashes, hangs, or does not compile"));
    fprintf(stream, tr("| right | %u |\n"), EXERCISE_POINTS_RIGHT);
    for (size_t step = 1; step <= steps; step++)
        fprintf(stream, tr("| right, and as fast as `%s` | %u |\n"), exercise->steps[step],
                exercise_points(exercise, step));
    fputc('\n', stream);
    fprintf(
        stream,
        tr("\"As fast\" is at most %.2f × the time of that rung, timed in turns with yours on the same machine. A "
           "result a little slower is timed again, and up to %.3f × you have the benefit of the doubt. The share of "
           "the ceiling is shown, and is not part of the grade.\n\n"),
        EXERCISE_REACHED, EXERCISE_LOST);
}

void exercise_write_text(FILE *stream, const struct exercise *exercise, const char *skeleton)
{
    fprintf(stream, "# %s\n\n", tr(exercise->heading));
    write_paragraph(stream, tr(exercise->task));
    fprintf(stream, "```\n%s```\n\n", exercise->drawing);
    fprintf(stream, "%s: %s\n\n", tr("Hint"), tr(exercise->hint));
    fprintf(stream, "## %s\n\n", tr("What is measured"));
    write_paragraph(stream, tr(exercise->measured));
    write_paragraph(stream, exercise->on_cpu
                                ? tr("Right or wrong is the same on every machine. Only the speed is the grader's.")
                                : tr("Right or wrong is the same on a laptop without a GPU (OpenCL on the CPU: PoCL) "
                                     "and on any GPU. Speed counts on a GPU only."));
    fprintf(stream, "## %s\n\n", tr("What counts"));
    write_score(stream, exercise);
    fprintf(stream, "## %s\n\n", tr("How to work"));
    fprintf(stream, tr("`%s` is right as it is, and slow. Change it, and ask as often as you like:\n\n"), skeleton);
    fprintf(stream, "```\nuskor try %s %s\nuskor try %s %s --watch\n", exercise->kernel, skeleton, exercise->kernel,
            skeleton);
    if (!exercise->on_cpu)
        fprintf(stream, "uskor explain %s --file %s\n", exercise->kernel, skeleton);
    fputs("```\n\n", stream);
    write_paragraph(stream, exercise->on_cpu
                                ? tr("Hand in this one file. Its name does not matter, its ending does.")
                                : tr("Hand in one file: OpenCL C (.cl) or CUDA C (.cu). Its name does not matter."));
}
