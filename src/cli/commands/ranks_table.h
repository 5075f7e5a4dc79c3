/* Methods over ranks as a table, and for programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "distributed/ranks/cost_model.h"
#include "distributed/ranks/measure.h"
#include "store/measurement.h"

struct ranks_row {
    const struct method *method;
    struct problem problem;
    int count; /* ranks */
    struct distributed_result result;
    double alone; /* the method's median on one rank, ns; 0: unknown, or void */
    /* The prediction: of the parts' time on parts_count ranks, and the links. */
    double predicted, parts; /* ns; 0: none */
    int parts_count;
    const struct links *links;
};

struct ranks_report {
    int world, threads;
    bool weak;                      /* the problem is each rank's: rows have as many of it as ranks */
    const struct links *links;      /* of all ranks */
    const struct links *nccl_links; /* NULL: no NCCL */
    const struct device *device;    /* rank 0's */
    struct problem problem;
    double alone; /* of the method under way */
    struct ranks_row *rows;
    size_t count;
};

void ranks_report_begin(struct ranks_report *report, const struct problem *problem);
/* Copies the row; false without memory. */
bool ranks_report_add(struct ranks_report *report, const struct ranks_row *row);
void ranks_report_end(struct ranks_report *report);

/* "PASS", "FAIL", "SKIP" or "ERROR". */
const char *ranks_verdict(const struct ranks_row *row);

/* In the kernel's rate unit; 0 where the time is none. */
double ranks_rate(const struct ranks_row *row, double nanoseconds);

/* Whether all groups that were right ended with the same bits; false where only one was, or with weak scaling. */
bool ranks_same_bits(const struct ranks_report *report, bool *differ);

/* The rows measured, and what the model expects of more ranks, up to 4096. */
void ranks_report_print(const struct ranks_report *report, FILE *stream);

/* The same of one problem, as an element of the document's list `problems`. */
json_t *ranks_report_json(const struct ranks_report *report);
/* False when the stream could not be written. */
bool ranks_document_write(FILE *stream, const struct ranks_report *report, json_t *problems);

/* A method over ranks as a measurement, for the store, CSV and the report. */

/* Adds it: kernel "ranks", problem "ranks:transpose:…" (with weak scaling, that of one rank), parameters "ranks=4" or
 * "ranks=4 weak", and the method as the rung. NULL when memory is out. */
struct measurement *ranks_record(struct measurement_list *list, const struct ranks_report *report,
                                 const struct ranks_row *row);
