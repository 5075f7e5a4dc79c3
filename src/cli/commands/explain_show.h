/* Explanations, for people and for programs. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "explain/explain.h"
#include "explain/memory/access_trace.h"
#include "explain/model/model.h"

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

/* One row of an explanation. */

/* Where the text of every row begins, and where its lines end, in letters. */
#define EXPLAIN_INDENT 13
#define EXPLAIN_WIDTH 80

/* Prints a label and, beside it, the text, folded. */
void explain_row(FILE *stream, const char *label, const char *text);

/* What a trace tells of itself and of the kernel: how much was traced, races, missed barriers. */

/* Prints a row for each thing that is not as usual; nothing for counts of machine code. */
void explain_print_findings(FILE *stream, const struct explain_trace *trace);

/* A row for what local arrays and spills move; nothing where there are none. */
void explain_print_stack(FILE *stream, const struct explain_model *model);

/* The caller's; null where the instructions are not known. */
json_t *explain_stack_json(const struct explain_model *model);

/* The caller's; null where the source was not traced. */
json_t *explain_findings_json(const struct explain_trace *trace);

/* A CPU rung's caches, for people and for programs. */

/* The accesses that miss most, one line each, and what all of them move; in lines of at most 80 letters. Nothing for a
 * device rung. */
void explain_print_caches(FILE *stream, const struct explanation *explanation);

/* What would help against what binds a CPU rung, by the counts; NULL: the counts do not say. Translated. */
const char *explain_cpu_remedy(const struct explanation *explanation);

/* The object "caches"; null for a device rung, or where nothing was traced. */
json_t *explain_caches_json(const struct explanation *explanation);
