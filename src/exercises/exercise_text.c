
#include "base/language.h"
#include "base/translation.h"
#include "exercises/exercise.h"

static const char *decimal(double value, char *text, size_t size)
{
    snprintf(text, size, "%.1f", value);
    return say_number(text);
}

static void write_paragraph(FILE *stream, const char *text)
{
    fprintf(stream, "%s\n\n", text);
}

static void write_score(FILE *stream, const struct exercise *exercise)
{
    size_t parts = exercise_levels_of_step(exercise);
    char tolerance[16], notch[16];
    fprintf(stream, "| %s | %s |\n|---|---|\n", tr("result"), tr("points"));
    fprintf(stream, "| %s | 0 |\n", tr("wrong, crashes, hangs, or does not compile"));
    fprintf(stream, tr("| right | %u |\n"), EXERCISE_POINTS_RIGHT);
    for (size_t level = 1; level <= exercise_levels(exercise); level++) {
        size_t step = exercise_step(exercise, level), part = level % parts;
        unsigned points = exercise_points(exercise, level);
        if (part == 0)
            fprintf(stream, tr("| right, and as fast as `%s` | %u |\n"), exercise->steps[step], points);
        else
            fprintf(stream, tr("| right, and %zu/%zu of the way from `%s` to `%s` | %u |\n"), part, parts,
                    exercise->steps[step], exercise->steps[step + 1], points);
    }
    fputc('\n', stream);
    fprintf(stream,
            tr("\"As fast\" is at most %s × the time of that rung. It is timed in turns with yours on the same "
               "machine. The way between two rungs is measured on a logarithmic scale: half the way from 800 ms to "
               "200 ms is 400 ms. Each part of the way is a factor of at least %s in time.\n\n"),
            decimal(EXERCISE_TOLERANCE, tolerance, sizeof tolerance), decimal(EXERCISE_NOTCH, notch, sizeof notch));
    fprintf(stream, "%s\n\n",
            tr("Every file is timed at least twice, and again until its timings agree: more often near a limit. The "
               "share of the ceiling is shown, and is not part of the grade."));
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
