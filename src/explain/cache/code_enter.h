/* From a rung's functions to their copies. */
#pragma once

#include "explain/cache/code_copy.h"

/* From now on the rung's functions are their copies. False when the system does not allow code to be changed. */
bool code_copy_enter(const struct code_copy *copy);
