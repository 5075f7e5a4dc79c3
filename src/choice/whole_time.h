/* The expected time of a problem whose arrays are in the host's memory, on one device, from measurements alone. */
#pragma once

#include "choice/transfers.h"

struct whole_time {
    double opening, copies, compute; /* ns */
};

/* Of the rung that the choice takes there. `transfers` are the device's; NULL on the cpu, which has no copies. On a cpu
 * with more threads than the measurement had, threads are taken to scale without loss: the cpu is not put at a
 * disadvantage by what was not measured. False where no such rung was measured on the device's kind. */
bool whole_time_expect(const struct problem *problem, const struct device *device, const struct transfers *transfers,
                       struct whole_time *time);

double whole_time_sum(const struct whole_time *time);
