/* From a rung's functions to their copies. */
#ifndef USKOR_EXPLAIN_CACHE_CODE_ENTER_H
#define USKOR_EXPLAIN_CACHE_CODE_ENTER_H

#include "explain/cache/code_copy.h"

/* From now on the rung's functions are their copies. False when the system does not allow code to be changed. */
bool code_copy_enter(const struct code_copy *copy);

#endif
