/* Problems that leave every remainder along every side, beyond the tiles that rungs take at once, whatever the type. */
#ifndef USKOR_LAB_VERIFICATION_CHECK_REMAINDERS_H
#define USKOR_LAB_VERIFICATION_CHECK_REMAINDERS_H

#include "kernels/kernel.h"

#define CHECK_REMAINDERS 16

/* Makes problem `index`, below CHECK_REMAINDERS, of that type: in these problems each side of at least 64 elements, 32
 * where there are three or more, leaves every remainder modulo CHECK_REMAINDERS once. All other fields are at their
 * defaults. False where the kernel does not accept it. */
bool check_remainder(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem);

#endif
