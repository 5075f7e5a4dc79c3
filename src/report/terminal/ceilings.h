/* Ceilings as people and programs read them. */
#pragma once

#include "report/terminal/report.h"
#include "store/ceiling.h"

struct ceiling_row {
    const struct measurement *measurement; /* of a ceiling: any verdict */
    double datasheet;                      /* in its unit; 0: not known */
    char how[128];                         /* the datasheet's figure is made of */
    bool kept;                             /* measured before, and read from the store */
};

/* One table per device, with the quartiles of the rate, the datasheet's figure and the part of it that was reached. */
void report_ceilings(FILE *out, const struct ceiling_row *rows, size_t count, struct style style);

/* One object, or one row, per ceiling. False when the stream could not be written. */
bool report_ceilings_json(FILE *stream, const struct ceiling_row *rows, size_t count);
bool report_ceilings_csv(FILE *stream, const struct ceiling_row *rows, size_t count);
