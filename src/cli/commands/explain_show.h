/* Explanations, for people and for programs. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "explain/explain.h"

struct explain_list {
    const struct problem *problem;
    struct explanation *items;
    const struct explain_target **targets; /* of each item */
    size_t count;
    bool has_against; /* the last item is what the others are set against */
};

/* What was asked of the item's explanation. */
struct explanation_request explain_request_of(const struct explain_list *list, size_t item);

/* In lines of at most 80 letters. */
void explain_print(FILE *stream, const struct explain_list *list);

/* A line for each rung: the predicted time, what changed from the rung before it, and what binds it. */
void explain_print_brief(FILE *stream, const struct explain_list *list);

/* Of each rung what binds it and by how much, and at most three causes with what would help; one line with the reason
 * where nothing is known. */
void explain_print_advice(FILE *out, const struct explain_list *list);

/* The form that docs/explain.md describes. False when the stream could not be written. */
bool explain_json(FILE *stream, const struct explain_list *list);

/* The balance of every GPU of the tables: how many operations it can do for each byte of its memory. */
void explain_balance_print(FILE *stream);
bool explain_balance_json(FILE *stream);
