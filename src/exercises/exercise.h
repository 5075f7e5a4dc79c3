/* Exercises for a course: each asks for one rung of a ladder, and is graded by the judge (docs/teaching.md).
 *
 * A grade has few levels, far apart beside the clock's noise: level 0 is a right answer, and each step of the exercise
 * (a rung) ends a stretch of levels. A file has the highest level whose limit its time meets; limits are multiples of
 * times of rungs that were timed in the same rounds (exercise_limit). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define EXERCISE_STEPS_MOST 4
#define EXERCISE_POINTS_RIGHT 60 /* for a right answer */
#define EXERCISE_POINTS_SPEED 40 /* for speed: in proportion to the levels */
#define EXERCISE_LEVEL_POINTS 10 /* at least, from one level to the next */

#define EXERCISE_TOLERANCE 1.3 /* as fast as a rung: at most this share of its time */
#define EXERCISE_NOTCH 1.5     /* the least factor of time from one level to the next */
#define EXERCISE_CLOSE 1.15    /* a time this near a limit, on either side, is worth more looks */

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

/* Levels of each step, and of all of them: level exercise_levels() is the model solution's. */
size_t exercise_levels_of_step(const struct exercise *exercise);
size_t exercise_levels(const struct exercise *exercise);

/* The longest time of a level ≥ 1. `times` are those of the steps' rungs, in the same rounds; 0: was not timed. A level
 * j below a step's own lies j parts of the way down to the step before, on a logarithmic scale, and no less than
 * EXERCISE_NOTCH for each part. 0: no time reaches it, as the rung was not timed. */
double exercise_limit(const struct exercise *exercise, const double *times, size_t level);

/* The highest level that a time reaches; 0: none. *is_close: the time is near a limit (EXERCISE_CLOSE). */
size_t exercise_level(const struct exercise *exercise, const double *times, double mine, bool *is_close);

/* Whether the exercise's first rung is as fast as its last: speed says nothing on that device. */
bool exercise_is_flat(const struct exercise *exercise, const double *times);

/* Points for a right answer of that level, and the step that it has reached. */
unsigned exercise_points(const struct exercise *exercise, size_t level);
size_t exercise_step(const struct exercise *exercise, size_t level);

/* Looks at one file: each says a level, and how far from the model's time it was. */
#define EXERCISE_LOOKS_MOST 15

struct exercise_looks {
    size_t count, level[EXERCISE_LOOKS_MOST];
    bool was_close;
};

/* Adds a look. Returns whether another is wanted: until one level has two looks more than any other, or four where a
 * time was near a limit, or EXERCISE_LOOKS_MOST are made. */
bool exercise_look(struct exercise_looks *looks, size_t level, bool is_close);

/* The level of most looks; of two with as many, the higher. */
size_t exercise_looks_level(const struct exercise_looks *looks);

/* The text for students, as Markdown, in the reader's language. `skeleton` is its file's name. */
void exercise_write_text(FILE *stream, const struct exercise *exercise, const char *skeleton);
