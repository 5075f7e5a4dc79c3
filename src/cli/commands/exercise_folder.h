/* The folder of an exercise: README.md, the skeleton, and the file that names it. */
#pragma once

#include "exercises/exercise.h"

#define EXERCISE_FILE "exercise.txt" /* "exercise: transpose:tiled" */
#define EXERCISE_PATH_MAX 4096

/* The path of a file in a folder. STATUS_INVALID when it is too long. */
enum status exercise_path(const char *folder, const char *name, char path[EXERCISE_PATH_MAX], struct error *error);

/* The exercise that a folder, or its file itself, names. STATUS_INVALID when there is none, or its name is unknown. */
enum status exercise_of_folder(const char *folder, const struct exercise **exercise, struct error *error);
