/* How fast devices of one host exchange data, as matrices from sender (rows) to receiver (columns). */
#pragma once

#include "report/terminal/report.h"

/* One heat map for each means and direction, latencies, the exchange of all with all; then reasons of what was not
 * measured. Reads the measurements of the kernel "peers" and no others. */
void report_peers(FILE *out, const struct measurement_list *list, struct style style);
