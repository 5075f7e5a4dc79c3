#include "backends/cuda/nvml.h"

#include <pthread.h>

#include "backends/pci_bus.h"
#include "backends/sensors.h"
#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

#define SYMBOL(name, version, optional)                                       \
    {                                                                         \
        "nvml" #name version, offsetof(struct nvml_functions, name), optional \
    }
static const struct dynamic_symbol symbols[] = {
    SYMBOL(Init, "_v2", 0),
    SYMBOL(DeviceGetHandleByPciBusId, "_v2", 0),
    SYMBOL(DeviceGetNvLinkState, "", 1),
    SYMBOL(DeviceGetNvLinkVersion, "", 1),
    SYMBOL(DeviceGetNvLinkRemoteDeviceType, "", 1),
    SYMBOL(DeviceGetNvLinkRemotePciInfo, "_v2", 1),
    SYMBOL(DeviceGetCurrentClocksThrottleReasons, "", 1),
    SYMBOL(DeviceGetClockInfo, "", 1),
    SYMBOL(DeviceGetTotalEnergyConsumption, "", 1),
};
#undef SYMBOL

static struct nvml_functions functions;
static bool is_open;

static void open_once(void)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    static const struct dynamic_library library = {
        .title = N_("NVIDIA's management library"), .names = names, .advice = ""};
    void *handle = NULL;
    is_open = dynamic_library_open(&library, symbols, COUNT_OF(symbols), &functions, &handle, NULL) == STATUS_OK &&
              functions.Init() == 0;
}

const struct nvml_functions *nvml_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    return is_open ? &functions : NULL;
}

struct sensors cuda_sense(const struct device *device, bool counts)
{
    const struct nvml_functions *nvml = nvml_open();
    char address[PCI_ADDRESS_MAX] = "";
    unsigned long long reasons = 0, millijoules = 0;
    unsigned megahertz = 0;
    void *handle;
    if (!nvml || cuda.DeviceGetPCIBusId(address, (int)sizeof address, cuda_device_of(device)->handle) != CUDA_SUCCESS ||
        nvml->DeviceGetHandleByPciBusId(address, &handle) != 0)
        return (struct sensors){0};
    if (nvml->DeviceGetCurrentClocksThrottleReasons &&
        nvml->DeviceGetCurrentClocksThrottleReasons(handle, &reasons) != 0)
        reasons = 0;
    if (counts && nvml->DeviceGetClockInfo && nvml->DeviceGetClockInfo(handle, NVML_CLOCK_SM, &megahertz) != 0)
        megahertz = 0;
    if (counts && nvml->DeviceGetTotalEnergyConsumption &&
        nvml->DeviceGetTotalEnergyConsumption(handle, &millijoules) != 0)
        millijoules = 0;
    return (struct sensors){
        .is_slowed = (reasons & NVML_SLOWED) != 0, .clock_mhz = megahertz, .joules = (double)millijoules / 1e3};
}
