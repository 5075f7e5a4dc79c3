/* A PCI device's link as Linux reports it, and the rates of the PCI Express standards. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCI_ADDRESS_MAX 32

struct pci_link {
    const char *generation; /* "5.0" */
    int lanes;
    double bytes_per_second; /* in each direction, after the line code; packets' headers cost some 5 to 15 % more */
};

/* The rate of a link of `gigatransfers` (2.5 … 64 GT/s per lane); false for a speed of no generation. */
bool pci_link_rate(double gigatransfers, int lanes, struct pci_link *link);

/* Generation `index` (from 0, PCI Express 1.0) with that many lanes; false beyond the last. */
bool pci_generation(size_t index, int lanes, struct pci_link *link);

/* The link that the device at `address` ("0000:1b:00.0", any case) and its slot support; the lanes are those in use.
 * The current speed is not read: an idle GPU lowers its own. `root` is "/sys". False when the system does
 * not report it (a virtual machine may not). */
bool pci_link_find(const char *root, const char *address, struct pci_link *link);

/* "PCIe 5.0 x16, 63.0 GB/s each way", or the address alone when the link is not known; returns `text`. */
const char *pci_describe(const char *root, const char *address, char *text, size_t size);

/* The same link's bytes per second in each direction; 0 when it is not known. */
uint64_t pci_rate(const char *root, const char *address);

/* NVIDIA's links between GPUs (and, as C2C, between a GPU and NVIDIA's own processors). */
struct nvlink {
    const char *generation, *carrier; /* "4.0", and the GPU it is counted for: "H100" */
    int links;                        /* that GPU's */
    double bytes_per_second;          /* of one link, in each direction, as NVIDIA gives it */
};

/* Generation `index` from 0; false beyond the last. */
bool nvlink_generation(size_t index, struct nvlink *link);
