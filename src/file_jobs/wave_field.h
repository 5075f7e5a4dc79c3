/* The fields of uskor wave: a pulse to begin with, and a picture of what became of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "files/output.h"

/* The field before, the current one and the result, as the kernel orders its arrays. */
struct wave_fields {
    void *data[3]; /* floats, x fastest */
};

/* STATUS_UNAVAILABLE when memory is out. Free with wave_fields_free, on failure too; zeroed fields are fine. */
enum status wave_fields_allocate(size_t bytes, struct wave_fields *fields, struct error *error);
void wave_fields_free(struct wave_fields *fields);

/* Fills the first two with a bump in the middle of the grid, exp(-d² / 2w²) at distance d, w a sixteenth of the
 * shortest side but at least two points; it is at rest: the field before is what makes the first step symmetric in
 * time. */
void wave_fields_pulse(struct wave_fields *fields, const int64_t sides[3], double courant);

/* Writes the result's middle plane as a PNG file: white is 0, red the largest magnitude, blue its negative. Frees
 * `output`, and abandons it on failure. */
enum status wave_fields_picture(const struct wave_fields *fields, const int64_t sides[3], struct output *output,
                                struct error *error);
