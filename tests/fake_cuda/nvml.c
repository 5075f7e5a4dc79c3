/* A management library of NVIDIA's with made-up sensors. */
#include "nvml.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT struct fake_nvml fake_nvml;

EXPORT int nvmlInit_v2(void);
EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);
EXPORT int nvmlDeviceGetClockInfo(void *device, int type, unsigned *megahertz);
EXPORT int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    (void)address;
    *device = &fake_nvml;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = ((struct fake_nvml *)device)->reasons;
    return 0;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *megahertz)
{
    *megahertz = type == 1 ? ((struct fake_nvml *)device)->megahertz : 0;
    return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    *millijoules = ((struct fake_nvml *)device)->millijoules;
    return ((struct fake_nvml *)device)->has_no_energy;
}
