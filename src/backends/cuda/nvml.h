/* NVIDIA's management library (NVML, part of the driver). Declared here after its reference; opened when it is first
 * used, and never closed: it is not made to be unloaded. */
#pragma once

#include "backends/cuda/device.h"

/* nvmlPciInfo_t. */
struct nvml_pci {
    char legacy_address[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char address[32];
};

enum { NVML_CLOCK_SM = 1 }; /* nvmlClockType_t */

/* nvmlClocksEventReasons: heat, a power brake, or either of them by the hardware. A power cap is not among them: it is
 * how a GPU at full load runs. */
#define NVML_SLOWED (0x08u | 0x20u | 0x40u | 0x80u)

struct nvml_functions {
    int (*Init)(void);
    int (*DeviceGetHandleByPciBusId)(const char *address, void **device);
    int (*DeviceGetNvLinkState)(void *device, unsigned link, int *is_active);
    int (*DeviceGetNvLinkVersion)(void *device, unsigned link, unsigned *version);
    int (*DeviceGetNvLinkRemoteDeviceType)(void *device, unsigned link, int *type);
    int (*DeviceGetNvLinkRemotePciInfo)(void *device, unsigned link, struct nvml_pci *pci);
    int (*DeviceGetCurrentClocksThrottleReasons)(void *device, unsigned long long *reasons);
    int (*DeviceGetClockInfo)(void *device, int type, unsigned *megahertz);
    int (*DeviceGetTotalEnergyConsumption)(void *device, unsigned long long *millijoules);
};

/* NULL where it is not installed, or does not start. */
const struct nvml_functions *nvml_open(void);
