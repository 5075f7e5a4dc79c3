/* Exercises for a course: each asks for one rung of a ladder, and is graded by the judge (docs/teaching.md).
 *
 * A grade is made of what does not jitter: whether the answer is right, and which rungs of the exercise it is as fast
 * as, with a dead band (exercise_step). */
#ifndef USKOR_EXERCISES_EXERCISE_H
#define USKOR_EXERCISES_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define EXERCISE_STEPS_MOST 4
#define EXERCISE_POINTS_RIGHT 60 /* for a right answer */
#define EXERCISE_POINTS_SPEED 40 /* for speed: in proportion to the steps */

/* A step is reached within this share of its rung's time … */
#define EXERCISE_REACHED 1.25
/* … and lost only beyond this share: between the two the student has the benefit of the doubt. */
#define EXERCISE_LOST 1.375

struct exercise {
    const char *name;    /* "transpose:tiled" */
    const char *kernel;  /* "transpose" */
    const char *heading; /* for people, as all texts that follow; to be translated */
    const char *task, *measured, *hint;
    const char *drawing; /* plain text, at most 80 columns */
    const char *ending;  /* of the skeleton: ".cl" or ".c" */
    const char
        *steps[EXERCISE_STEPS_MOST + 1]; /* rungs, slowest first, NULL at the end; the last is the model solution */
    const char *problem;                 /* that is timed */
    const char *cpu_problem;             /* … where a CPU runs OpenCL: only correctness counts there */
    bool on_cpu;                         /* answered in C, and timed on the cpu */
};

/* In the order of a course; `exercise_count` of them. */
extern const struct exercise exercises[];
extern const size_t exercise_count;

/* By name; NULL and a message with the closest match when there is none. */
const struct exercise *exercise_by_name(const char *name, struct error *error);

/* How many steps the exercise has beyond the first, which is where it starts. */
size_t exercise_steps(const struct exercise *exercise);

/* The last step that a time reaches, 0 … exercise_steps: times of the steps' rungs, in the same rounds; a step whose
 * time is 0 was not timed and is not reached. *is_close: the time lies in a dead band, so that it is worth another
 * look. */
size_t exercise_step(const struct exercise *exercise, const double *times, double mine, bool *is_close);

/* Points for a right answer of that step. */
unsigned exercise_points(const struct exercise *exercise, size_t step);

/* The text for students, as Markdown, in the reader's language. `skeleton` is its file's name. */
void exercise_write_text(FILE *stream, const struct exercise *exercise, const char *skeleton);

#endif
