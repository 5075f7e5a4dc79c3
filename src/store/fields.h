/* The plain fields of a measurement as a table: the store's columns and the exported lines are made from it. */
#pragma once

#include "store/measurement.h"

enum measurement_column_kind {
    FIELD_TEXT,
    FIELD_REAL, /* what is not a number is NULL */
    FIELD_INTEGER,
    FIELD_UNSIGNED,
    FIELD_FLAG,
    FIELD_VERDICT, /* by name */
    FIELD_KIND,    /* enum measured_kind, by name */
};

struct measurement_column {
    const char *name; /* of the column, and of the member in an exported line */
    enum measurement_column_kind kind;
    size_t offset;
    size_t size;   /* of a text, with its end */
    bool optional; /* may be absent from an exported line: zero then */
};

extern const struct measurement_column measurement_columns[];
extern const size_t measurement_column_count;

/* A field's value, whatever its kind: as text, as a real, or as an integer. */
const char *measurement_column_text(const struct measurement_column *field, const struct measurement *measurement);
double measurement_column_real(const struct measurement_column *field, const struct measurement *measurement);
int64_t measurement_column_integer(const struct measurement_column *field, const struct measurement *measurement);

/* Sets it; false when the value does not fit: a text too long or with control characters, an unknown name, a number out
 * of range. */
bool measurement_column_set_text(const struct measurement_column *field, struct measurement *measurement,
                                 const char *text);
bool measurement_column_set_real(const struct measurement_column *field, struct measurement *measurement, double value);
bool measurement_column_set_integer(const struct measurement_column *field, struct measurement *measurement,
                                    int64_t value);

/* True when a terminal would show it as one line: no control characters (C0, C1, DEL). */
bool text_is_plain(const char *text);
