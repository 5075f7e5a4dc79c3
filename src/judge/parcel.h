/* A measurement as a message between two processes of the same program: every field and every sample. */
#ifndef USKOR_JUDGE_PARCEL_H
#define USKOR_JUDGE_PARCEL_H

#include "store/measurement.h"

/* Returns the measurement as bytes, which the caller frees with free(); NULL when out of memory. */
void *parcel_pack(const struct measurement *measurement, size_t *bytes);

/* The reverse. The samples are allocated; measurement_list_free frees them. False, with nothing to free, when the bytes
 * are not a measurement or memory is out. */
bool parcel_unpack(const void *data, size_t bytes, struct measurement *measurement);

#endif
