/* How far apart the cores of the first two threads were, in words: what a table says below its rows. */
#pragma once

#include "report/terminal/report.h"

/* Of some measurements, ns; zeroed at first, and 0 while none has a latency. */
struct cores_seen {
    double low, high;
    bool of_more; /* more than two threads: the latency says nothing about the others */
};

void cores_add(struct cores_seen *seen, const struct measurement *measurement);

/* "26", or "26 … 160" where they were not always as far apart; empty when nothing is known. Returns `text`. */
const char *cores_distance(const struct cores_seen *seen, char *text, size_t size);

/* The distance and what it means, as a sentence; empty when nothing is known. Returns `text`. */
const char *cores_words(const struct cores_seen *seen, char *text, size_t size);

/* … as a note below a table. */
void cores_print(FILE *stream, const struct cores_seen *seen, struct style style);
