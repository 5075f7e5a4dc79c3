/* The plain fields of what is stored, as tables: the store's columns and the exported lines are made from them. */
#pragma once

#include "store/database.h"

enum stored_kind {
    FIELD_TEXT,
    FIELD_REAL, /* what is not a number is NULL */
    FIELD_MOMENT,
    FIELD_BYTES, /* uint64_t */
    FIELD_UNSIGNED,
    FIELD_FLAG,
    FIELD_VERDICT, /* by name */
    FIELD_KIND,    /* enum measured_kind, by name */
};

struct stored_field {
    const char *name; /* of the column, and of the member in an exported line */
    enum stored_kind kind;
    size_t offset;
    size_t size;   /* of a text, with its end */
    bool optional; /* may be absent from an exported line: zero then */
};

struct stored_fields {
    const char *of; /* "measurement" */
    const struct stored_field *items;
    size_t count;
};

extern const struct stored_fields measurement_fields, machine_fields, run_fields, ceiling_fields;

/* A field's value, whatever its kind: as text, as a real, or as an integer. */
const char *field_text(const struct stored_field *field, const void *record);
double field_real(const struct stored_field *field, const void *record);
int64_t field_integer(const struct stored_field *field, const void *record);

/* Sets it; false when the value does not fit: a text too long or with control characters, an unknown name, a number out
 * of range. */
bool field_set_text(const struct stored_field *field, void *record, const char *text);
bool field_set_real(const struct stored_field *field, void *record, double value);
bool field_set_integer(const struct stored_field *field, void *record, int64_t value);

/* Binds all fields to the parameters of their names (":problem"). */
void fields_bind(sqlite3_stmt *statement, const struct stored_fields *fields, const void *record);

/* Sets all fields from a row's columns from `first` on; column 0 is its number. STATUS_INVALID with the column's name.
 */
enum status fields_take(const struct store *store, sqlite3_stmt *row, int first, const struct stored_fields *fields,
                        void *record, struct error *error);

/* True when a terminal would show it as one line: no control characters (C0, C1, DEL). */
bool text_is_plain(const char *text);
