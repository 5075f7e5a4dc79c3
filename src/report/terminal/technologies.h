/* The same rungs on several device technologies, side by side: CPU : CUDA : OpenCL : OpenGL. */
#pragma once

#include "report/terminal/report.h"

/* For each problem of the list two tables, one of kernel times and one of end-to-end times: each rung's rate on every
 * device, how many times faster it is than the CPU's first rung there, and how many times faster on the first device
 * than on each other one (CUDA : OpenCL, as the publications have it). Then each device's rates over the problems. Sets
 * of measurements without a device print nothing. */
void report_technologies(FILE *out, const struct measurement_list *list, struct style style);
