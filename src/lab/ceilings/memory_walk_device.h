/* The strategies of devices other than the cpu: their own copy, and programs that differ in what an item has under way
 * and in the groups' size. For lab/ceilings/memory_walk.c alone. */
#ifndef USKOR_LAB_CEILINGS_MEMORY_WALK_DEVICE_H
#define USKOR_LAB_CEILINGS_MEMORY_WALK_DEVICE_H

#include "lab/ceilings/memory_walk.h"

/* Builds the programs. One that a driver does not build, or groups that a device does not have, are left out, as long
 * as something is left. */
enum status walk_build_variants(struct walk *walk, struct error *error);
void walk_discard_variants(struct walk *walk);

enum status walk_enqueue_variant(struct walk *walk, size_t variant, struct error *error);

/* Nanoseconds of one run by the device's clock; less than 0 when it cannot run. */
double walk_time_variant(struct walk *walk, size_t variant);

#endif
