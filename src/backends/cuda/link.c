/* What connects two GPUs, as NVML reports it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "backends/cuda/device.h"
#include "backends/pci_bus.h"
#include "backends/peer.h"
#include "backends/sensors.h"
#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

/* NVIDIA's management library (NVML, part of the driver). Declared here after its reference; opened when it is first
 * used, and never closed: it is not made to be unloaded. */

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

/* NULL where it is not installed, or does not start. */
static const struct nvml_functions *nvml_open(void)
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

#define LINKS_MAX 36 /* of one GPU, on every generation so far */

enum { REMOTE_GPU = 0, REMOTE_SWITCH = 2 }; /* nvmlIntNvLinkDeviceType_t */

/* NVML's numbers of NVLink's generations (nvmlDeviceGetNvLinkVersion), and the table's names for them. */
static const char *const versions[] = {
    [1] = "1.0", [2] = "2.0", [3] = "2.0", [4] = "3.0", [5] = "3.0", [6] = "4.0", [7] = "5.0",
};

/* Bus and device of "0000:1b:00.0" in any spelling: domains have four digits or eight. */
static bool same_place(const char *a, const char *b)
{
    unsigned domain_a, bus_a, device_a, domain_b, bus_b, device_b;
    return sscanf(a, "%x:%x:%x", &domain_a, &bus_a, &device_a) == 3 &&
           sscanf(b, "%x:%x:%x", &domain_b, &bus_b, &device_b) == 3 && domain_a == domain_b && bus_a == bus_b &&
           device_a == device_b;
}

/* Links that lead to the peer itself, or to a switch, which leads to every GPU on it. */
static int count_links(const struct nvml_functions *nvml, void *device, const char *peer_address, unsigned *version)
{
    int count = 0;
    for (unsigned link = 0; link < LINKS_MAX; link++) {
        int is_active = 0, type = REMOTE_GPU;
        struct nvml_pci remote = {.address = ""};
        if (nvml->DeviceGetNvLinkState(device, link, &is_active) != 0 || !is_active)
            continue;
        if (nvml->DeviceGetNvLinkRemoteDeviceType && nvml->DeviceGetNvLinkRemoteDeviceType(device, link, &type) != 0)
            type = REMOTE_SWITCH;
        bool leads = type == REMOTE_SWITCH || (nvml->DeviceGetNvLinkRemotePciInfo(device, link, &remote) == 0 &&
                                               same_place(remote.address, peer_address));
        if (leads && nvml->DeviceGetNvLinkVersion(device, link, version) == 0)
            count++;
    }
    return count;
}

static bool find_nvlink(const char *address, const char *peer_address, struct peer_link *link)
{
    const struct nvml_functions *nvml = nvml_open();
    void *device;
    unsigned version = 0;
    int count = 0;
    if (nvml && nvml->DeviceGetNvLinkState && nvml->DeviceGetNvLinkVersion && nvml->DeviceGetNvLinkRemotePciInfo &&
        nvml->DeviceGetHandleByPciBusId(address, &device) == 0)
        count = count_links(nvml, device, peer_address, &version);
    struct nvlink row;
    for (size_t i = 0; count > 0 && version < COUNT_OF(versions) && versions[version] && nvlink_generation(i, &row);
         i++) {
        if (strcmp(row.generation, versions[version]) != 0)
            continue;
        snprintf(link->name, sizeof link->name, "NVLink %s ×%d", row.generation, count);
        link->bytes_per_second = count * row.bytes_per_second;
    }
    return link->bytes_per_second > 0;
}

/* The slower one of the two GPUs' slots. */
static bool find_bus(const char *address, const char *peer_address, struct peer_link *link)
{
    struct pci_link own, other;
    if (!pci_link_find("/sys", address, &own) || !pci_link_find("/sys", peer_address, &other))
        return false;
    const struct pci_link *slower = own.bytes_per_second <= other.bytes_per_second ? &own : &other;
    snprintf(link->name, sizeof link->name, "PCIe %s x%d", slower->generation, slower->lanes);
    link->bytes_per_second = slower->bytes_per_second;
    return true;
}

bool cuda_peer_link(const struct device *device, const struct device *peer, struct peer_link *link)
{
    char address[PCI_ADDRESS_MAX] = "", peer_address[PCI_ADDRESS_MAX] = "";
    CUdevice own = cuda_device_of(device)->handle, other = cuda_device_of(peer)->handle;
    if (own == other || cuda.DeviceGetPCIBusId(address, (int)sizeof address, own) != CUDA_SUCCESS ||
        cuda.DeviceGetPCIBusId(peer_address, (int)sizeof peer_address, other) != CUDA_SUCCESS)
        return false;
    return find_nvlink(address, peer_address, link) || find_bus(address, peer_address, link);
}
