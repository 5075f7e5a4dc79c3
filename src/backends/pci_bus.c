#include "backends/pci_bus.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

/* PCI Express base specifications 1.0 to 6.0. The line code: 8b/10b, then 128b/130b; 6.0 sends packets of fixed size,
 * 242 of whose 256 bytes carry data. */
static const struct {
    const char *name;
    double gigatransfers;
    double code;
} generations[] = {
    {"1.0", 2.5, 8.0 / 10},     {"2.0", 5.0, 8.0 / 10},     {"3.0", 8.0, 128.0 / 130},
    {"4.0", 16.0, 128.0 / 130}, {"5.0", 32.0, 128.0 / 130}, {"6.0", 64.0, 242.0 / 256},
};

/* NVIDIA's white papers on Pascal (2016), Volta (2017), Ampere (2020), Hopper (2022) and Blackwell (2024), and on Grace
 * Hopper (2022): gigabytes per second of one link in one direction, and a GPU's links. */
static const struct nvlink nvlinks[] = {
    {"1.0", "P100", 4, 20e9},  {"2.0", "V100", 6, 25e9},  {"3.0", "A100", 12, 25e9},
    {"4.0", "H100", 18, 25e9}, {"5.0", "B200", 18, 50e9}, {"C2C", "GH200", 1, 450e9},
};

bool pci_generation(size_t index, int lanes, struct pci_link *link)
{
    if (index >= COUNT_OF(generations) || lanes < 1)
        return false;
    *link = (struct pci_link){
        .generation = generations[index].name,
        .lanes = lanes,
        .bytes_per_second = generations[index].gigatransfers * 1e9 * generations[index].code * lanes / 8,
    };
    return true;
}

bool pci_link_rate(double gigatransfers, int lanes, struct pci_link *link)
{
    for (size_t i = 0; i < COUNT_OF(generations); i++)
        if (fabs(generations[i].gigatransfers - gigatransfers) <= 0.1)
            return pci_generation(i, lanes, link);
    return false;
}

bool nvlink_generation(size_t index, struct nvlink *link)
{
    if (index >= COUNT_OF(nvlinks))
        return false;
    *link = nvlinks[index];
    return true;
}

/* The number that a file of the device's folder begins with: "16.0 GT/s PCIe". 0: none. */
static double read_number(const char *root, const char *address, const char *file_name)
{
    char lower[PCI_ADDRESS_MAX] = "", path[512], line[64];
    for (size_t i = 0; address[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)address[i]);
    snprintf(path, sizeof path, "%s/bus/pci/devices/%s/%s", root, lower, file_name);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    double number = fgets(line, sizeof line, file) ? strtod(line, NULL) : 0;
    fclose(file);
    return number;
}

bool pci_link_find(const char *root, const char *address, struct pci_link *link)
{
    double speed = read_number(root, address, "max_link_speed");
    double slot_speed = read_number(root, address, "../max_link_speed"); /* the folder is a link into the bus's tree */
    double lanes = read_number(root, address, "current_link_width");
    if (slot_speed > 0 && slot_speed < speed)
        speed = slot_speed;
    return lanes >= 1 && lanes <= 32 && pci_link_rate(speed, (int)lanes, link);
}

const char *pci_describe(const char *root, const char *address, char *text, size_t size)
{
    struct pci_link link;
    if (pci_link_find(root, address, &link))
        snprintf(text, size, "PCIe %s x%d, %.1f GB/s each way", link.generation, link.lanes,
                 link.bytes_per_second / 1e9);
    else
        snprintf(text, size, "PCI %s", address);
    return text;
}

uint64_t pci_rate(const char *root, const char *address)
{
    struct pci_link link;
    return pci_link_find(root, address, &link) ? (uint64_t)link.bytes_per_second : 0;
}
