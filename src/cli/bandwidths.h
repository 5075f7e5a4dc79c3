/* Bandwidth measurements of a command: kept in the store as they are made, with progress shown. */
#ifndef USKOR_CLI_BANDWIDTHS_H
#define USKOR_CLI_BANDWIDTHS_H

#include "cli/measuring.h"
#include "lab/bandwidth.h"

/* Of one device, at the sizes and for the time that `how` names, added to measuring->list. Errors as lab_bandwidth. */
enum status measure_bandwidth(struct measuring *measuring, struct device *device, struct bandwidth_options how,
                              struct error *error);

#endif
