/* How many words a group reads back in a decoupled look-back, while other groups run beside it. */
#pragma once

#include "explain/compiled/compiled.h"

/* Rounds of the last of the groups that run at once, and the mean over all of them; at least 1. */
double look_back_last(double at_once);
double look_back_mean(double at_once);

/* Whether the loop, or one around it, is a look-back; -1: no loop. */
bool kernel_looks_back(const struct explain_kernel *kernel, int loop);
