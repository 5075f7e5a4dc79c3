/* The judge of pictures of 16-bit integers and of floats. */
#pragma once

#include "kernels/resize/resize.h"

/* As check.h says. */
void resize_check_numbers(const struct resizing *pictures, struct check_result *result);
