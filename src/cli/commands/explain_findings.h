/* What a trace tells of itself and of the kernel: how much was traced, races, missed barriers. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "explain/memory/access_trace.h"
#include "explain/model/model.h"

/* Prints a row for each thing that is not as usual; nothing for counts of machine code. */
void explain_print_findings(FILE *stream, const struct explain_trace *trace);

/* A row for what local arrays and spills move; nothing where there are none. */
void explain_print_stack(FILE *stream, const struct explain_model *model);

/* The caller's; null where the instructions are not known. */
json_t *explain_stack_json(const struct explain_model *model);

/* The caller's; null where the source was not traced. */
json_t *explain_findings_json(const struct explain_trace *trace);
