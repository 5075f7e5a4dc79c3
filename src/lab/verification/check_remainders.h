/* Problems that leave every remainder along every side, whatever the type: at lengths of a few vectors, and beyond the
 * blocks that rungs make for the caches. */
#pragma once

#include "kernels/kernel.h"

/* Of these problems each side leaves every remainder modulo CHECK_REMAINDERS in the first CHECK_REMAINDERS. */
#define CHECK_REMAINDERS 16

/* The most problems of one type. */
#define CHECK_REMAINDERS_MOST 256

/* How many problems check_remainder numbers. With one or two sides:
 *   64 problems, each side of 64 to 127: every remainder modulo the 64 bytes of a line or a vector, whatever the type.
 * With more sides 32 problems, each side of 32 to 63. As many for each combination of choices other than the inputs,
 * such as transposed operands. Then, where the other sides are of 5 to 11
 * (5 to 7 where there are three or more):
 *   each side from 2048 (8192 where it is the only one, 640 where there are three or more), with every remainder modulo
 *   16 (64), on integers where the kernel has them; where it is the only side, also on the default inputs.
 * With two sides, 32 problems with both from 520 follow: every remainder modulo 32. */
size_t check_remainder_count(const struct kernel *kernel);

/* The first ones: the short problems with all choices at their defaults. */
size_t check_remainder_few(const struct kernel *kernel);

/* Makes problem `index` of that type. All fields but the sides, the choices and the inputs are at their
 * defaults. False where the kernel does not accept it. */
bool check_remainder(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem);
