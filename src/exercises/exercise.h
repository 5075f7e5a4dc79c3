/* Exercises for a course: each asks for one rung of a ladder and is graded by the judge (docs/teaching.md).
 *
 * A grade follows from what does not vary between runs: whether the result is right, and which rungs of the exercise it
 * is as fast as. A dead band (exercise_step) absorbs noise of the times. */
#ifndef USKOR_EXERCISES_EXERCISE_H
#define USKOR_EXERCISES_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define EXERCISE_STEPS_MOST 4
#define EXERCISE_POINTS_RIGHT 60 /* for a right result */
#define EXERCISE_POINTS_SPEED 40 /* for speed, in proportion to the step reached */

/* A step is reached up to this multiple of its rung's time … */
#define EXERCISE_REACHED 1.25
/* … and lost only above this multiple. Between the two the student has the benefit of the doubt. */
#define EXERCISE_LOST 1.375

struct exercise {
    const char *name;    /* "transpose:tiled" */
    const char *kernel;  /* "transpose" */
    const char *heading; /* for people, as all texts that follow; translated when shown */
    const char *task, *measured, *hint;
    const char *drawing; /* plain text, at most 80 columns */
    const char *ending;  /* of the skeleton: ".cl" or ".c" */
    const char
        *steps[EXERCISE_STEPS_MOST + 1]; /* rungs, slowest first, NULL at the end; the last is the model solution */
    const char *problem;                 /* the timed problem */
    const char *cpu_problem;             /* the problem where a CPU runs OpenCL: only correctness counts there */
    bool on_cpu;                         /* solved in C, and timed on the CPU */
};

/* In the order of a course. */
extern const struct exercise exercises[];
extern const size_t exercise_count;

/* Returns the exercise of that name (static storage); NULL, with the closest name in `error`, when there is none. */
const struct exercise *exercise_by_name(const char *name, struct error *error);

/* The number of steps above the first one, which is the skeleton's speed. */
size_t exercise_steps(const struct exercise *exercise);

/* Returns the highest step that a time reaches, 0 … exercise_steps. `times`: ns of the steps' rungs, timed in the same
 * rounds; 0 for a rung that was not timed, whose step is not reached. `mine`: ns. *is_close is set when `mine` lies in
 * or near a dead band: timing it again is worthwhile. */
size_t exercise_step(const struct exercise *exercise, const double *times, double mine, bool *is_close);

/* The points of a right result of that step, EXERCISE_POINTS_RIGHT … 100. */
unsigned exercise_points(const struct exercise *exercise, size_t step);

/* Writes the text for students as Markdown, in the reader's language. `skeleton` is the name of the skeleton's file. */
void exercise_write_text(FILE *stream, const struct exercise *exercise, const char *skeleton);

#endif
