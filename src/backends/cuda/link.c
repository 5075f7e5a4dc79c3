/* What connects two GPUs, as NVML reports it. */
#include <stdio.h>
#include <string.h>

#include "backends/cuda/nvml.h"
#include "backends/pci_bus.h"
#include "backends/peer.h"
#include "base/size.h"

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
