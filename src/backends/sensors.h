/* A device's own sensors: whether heat slows it down, its clock, its energy. */
#pragma once

#include "backends/backend.h"

struct sensors {
    uint64_t throttles; /* how often heat slowed it down since it was started: a change says so. 0: not known */
    bool is_slowed;     /* heat or a power brake slows it down at this moment */
    double clock_mhz;   /* 0: not known */
    double joules;      /* used since an unspecified moment; 0: not known */
};

/* Zeros for a device without sensors, and for one whose sensors may not be read. Without `counts` its clock and energy
 * may be 0: NVML takes milliseconds to tell the energy. */
struct sensors device_sense(const struct device *device, bool counts);

/* A CPU's, from Linux's files: thermal_throttle, cpufreq and powercap below `root` ("/sys"). The clock is that of
 * processor `here`. */
struct sensors processor_sensors(const char *root, int here);
