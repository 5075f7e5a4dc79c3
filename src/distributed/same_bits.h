/* Ladders whose answers have the same bits on any number of devices: what one device answers, and whether that is so.
 */
#ifndef USKOR_DISTRIBUTED_SAME_BITS_H
#define USKOR_DISTRIBUTED_SAME_BITS_H

#include "distributed/placement.h"

/* A zeroed one compares nothing. */
struct reference_bits {
    int array;
    size_t bytes;
    void *data;
};

/* Runs the ladder's first rung on the group's first device alone, over the dataset's inputs. Freed by the caller, on
 * failure too; what an earlier call found is replaced. */
enum status reference_bits_find(const struct device_ladder *ladder, const struct device_group *group,
                                struct dataset *data, struct reference_bits *bits, struct error *error);
void reference_bits_free(struct reference_bits *bits);

/* STATUS_FAILED when the dataset's output (placement_judge puts it there) has other bits. */
enum status reference_bits_compare(const struct reference_bits *bits, const struct dataset *data, struct error *error);

#endif
