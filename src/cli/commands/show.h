/* Printing a small problem's arrays before and after one run. */
#pragma once

#include <stdio.h>

#include "lab/bench/candidate.h"

/* Runs the candidate once and prints every array, at most SHOW_ELEMENTS elements each: larger problems are
 * STATUS_INVALID. */
#define SHOW_ELEMENTS 256
enum status show_run(FILE *stream, const struct problem *problem, const struct candidate *candidate,
                     struct error *error);
