/* Values of a rung's tunables as a text, "BX=32 BY=4": how tuned files keep them. */
#pragma once

#include "kernels/kernel.h"

/* Sets the values that the text names; false, and nothing is set, where the rung does not offer one of them. */
bool tunables_apply(const char *text, const struct rung *rung, struct parameters *parameters);
