/* Problems of shapes that code treats as special: a side of a few elements, sides that are multiples of a tile and
 * differ, long and narrow ones, ratios of small numbers, and every number of steps up to two blocks of them. */
#pragma once

#include "kernels/kernel.h"

/* The most problems of one type. */
#define CHECK_SHAPES_MOST 256

/* How many problems check_shape numbers, in this order:
 *   each side in turn of 1 to 8 elements, the others of 19 and more; for each combination of choices other than the
 *   inputs. A single side has structured inputs.
 *   all sides multiples of 64 (of 32 where there are three or more; of 4096 where there is one), mostly different ones;
 *   then each a multiple, one more or one less; for each combination as well.
 *   each side more than 16 times as long as another one of 17 and more.
 *   sides that follow from others: ratios of 1 to 8 to 1 to 8, and of 1 to 10, 12 and 16.
 *   a field that counts repetitions (steps): 1 to 40. */
size_t check_shape_count(const struct kernel *kernel);

/* Whether a device, for which rungs are compiled, has problem `index`: those with all choices at their defaults, and of
 * other types than the first one the multiples alone. */
bool check_shape_is_for_devices(const struct kernel *kernel, size_t index, bool is_first_type);

/* Makes problem `index` of that type. Factors and paddings change from one to the next. False where the kernel does
 * not accept it. */
bool check_shape(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem);
