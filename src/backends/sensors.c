#include "backends/sensors.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

#define PROCESSORS_MOST 64 /* whose counts are read: each costs some microseconds */
#define PACKAGES_MOST 8
#define PROCESSOR "devices/system/cpu/cpu"

/* The number in the file "ROOT/FOLDER<index>/NAME"; false where there is none. */
static bool read_number(const char *root, const char *folder, int index, const char *name, uint64_t *value)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s%d/%s", root, folder, index, name);
    FILE *file = fopen(path, "re");
    const bool is_read = file && fscanf(file, "%" SCNu64, value) == 1;
    if (file)
        fclose(file);
    return is_read;
}

/* The sum over the files with the numbers 0, 1, …; ends with the first that is not there. */
static uint64_t sum_of(const char *root, const char *folder, const char *name, int most)
{
    uint64_t sum = 0, value;
    for (int i = 0; i < most && read_number(root, folder, i, name, &value); i++)
        sum += value;
    return sum;
}

struct sensors processor_sensors(const char *root, int here)
{
    uint64_t kilohertz = 0;
    if (here >= 0)
        read_number(root, PROCESSOR, here, "cpufreq/scaling_cur_freq", &kilohertz);
    return (struct sensors){
        .throttles = sum_of(root, PROCESSOR, "thermal_throttle/core_throttle_count", PROCESSORS_MOST) +
                     sum_of(root, PROCESSOR, "thermal_throttle/package_throttle_count", PROCESSORS_MOST),
        .clock_mhz = (double)kilohertz / 1e3,
        .joules = (double)sum_of(root, "class/powercap/intel-rapl:", "energy_uj", PACKAGES_MOST) / 1e6,
    };
}

struct sensors device_sense(const struct device *device, bool counts)
{
    if (device->backend->sense)
        return device->backend->sense(device, counts);
    return device->properties.is_cpu && !device_is_null(device) ? processor_sensors("/sys", sched_getcpu())
                                                                : (struct sensors){0};
}
