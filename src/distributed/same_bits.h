/* Ladders whose answers have the same bits on any number of devices: what one device answered, to compare with. */
#pragma once

#include "distributed/placement.h"

/* A zeroed one compares nothing. */
struct reference_bits {
    int array; /* the first of the outputs */
    size_t bytes;
    void *data;
};

/* Reads what a finished run on one device has written. What was taken before is replaced. */
enum status reference_bits_take(const struct device_run *run, const struct dataset *data, struct reference_bits *bits,
                                struct error *error);
void reference_bits_free(struct reference_bits *bits);

/* STATUS_FAILED when the dataset's output (placement_judge puts it there) has other bits. */
enum status reference_bits_compare(const struct reference_bits *bits, const struct dataset *data, struct error *error);
