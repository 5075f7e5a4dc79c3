/* A ladder over devices, as a table of scaling. */
#pragma once

#include "report/terminal/report.h"

/* For each problem: one device, then each number of devices with its rungs: time, rate, speed-up over one device, share
 * of the ceiling of the links; and a sentence on each number of devices: whether it pays. Where the problem grows with
 * the devices (`weak`) the speed-up is that of the work done in a time. Reads measurements whose parameters begin with
 * "devices=". */
void report_several_devices(FILE *out, const struct measurement_list *list, bool weak, struct style style);
