/* A measurement as a message between two processes of the same program: every field and every sample. */
#pragma once

#include "base/child_process.h"
#include "store/measurement.h"

/* Bytes of one: all fields, at most a million samples, and how three messages were made. */
#define PARCEL_LEAST (sizeof(struct measurement))
#define PARCEL_MOST ((size_t)16 << 20)

/* Whether the bytes, as many as that, are a measurement: each number in its range, and as many samples as are said. */
bool parcel_is_well(const void *data, size_t bytes);

/* Returns the measurement as bytes, which the caller frees with free(); NULL when out of memory. */
void *parcel_pack(const struct measurement *measurement, size_t *bytes);

/* The reverse. The samples are allocated; measurement_list_free frees them. False, with nothing to free, when the bytes
 * are not a measurement or memory is out. */
bool parcel_unpack(const void *data, size_t bytes, struct measurement *measurement);

/* For a child: sends the measurement to its parent; false, with nothing sent, when memory is out. */
bool parcel_report(struct child_link *parent, uint32_t type, const struct measurement *measurement);
