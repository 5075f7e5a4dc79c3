/* Methods over ranks as a table and as JSON. */
#ifndef USKOR_CLI_COMMANDS_RANKS_TABLE_H
#define USKOR_CLI_COMMANDS_RANKS_TABLE_H

#include <stdio.h>

#include "distributed/ranks/cost_model.h"
#include "distributed/ranks/measure.h"

struct ranks_row {
    const struct method *method;
    int count; /* ranks */
    struct distributed_result result;
    double alone;     /* the method's median on one rank, ns; 0: unknown */
    double predicted; /* ns; 0: no prediction */
};

struct ranks_report {
    int world, threads;
    struct link link, nccl_link; /* of host memory and MPI; of NCCL, zero without it */
    const struct device *device; /* rank 0's */
    struct problem problem;
    double alone; /* of the method under way */
    struct ranks_row *rows;
    size_t count;
};

/* The link by which a method's data travel between ranks; NULL: not measured (the devices' way to host memory). */
const struct link *ranks_report_link(const struct ranks_report *report, const struct method *method);

enum status ranks_report_begin(struct ranks_report *report, const struct problem *problem, struct error *error);
/* Copies the row; false without memory. */
bool ranks_report_add(struct ranks_report *report, const struct ranks_row *row);
/* The rows measured, and what the model expects of more ranks, up to 4096. */
void ranks_report_print(const struct ranks_report *report, FILE *stream, bool json);
void ranks_report_end(struct ranks_report *report);

#endif
