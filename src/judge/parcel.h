/* A measurement as a message between two processes of the same program: every field as it is, every sample. */
#ifndef USKOR_JUDGE_PARCEL_H
#define USKOR_JUDGE_PARCEL_H

#include "store/measurement.h"

/* The measurement as bytes, which the caller frees; NULL when memory is out. */
void *parcel_pack(const struct measurement *measurement, size_t *bytes);

/* The reverse, with samples of its own, which measurement_list_free frees. False, and nothing to free, when the bytes
 * are not a measurement or memory is out. */
bool parcel_unpack(const void *data, size_t bytes, struct measurement *measurement);

#endif
