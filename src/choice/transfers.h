/* What it costs to use a device that has memory of its own: to open it, and to copy a problem's arrays there and back.
 *
 * `uskor tune` measures it and writes a line of the tuned file:
 *
 *   {"transfers": "pageable", "kind": "cuda", "device": "NVIDIA H200", "version": "9.0", "opening_ns": 6e8,
 *    "to_device_ns": {"16384": 9000, "67108864": 3e6}, "from_device_ns": {"16384": 9500, "67108864": 3e6}}
 *
 * Each object has the nanoseconds of one copy of so many bytes between the device and pageable memory of the host. */
#pragma once

#include "choice/tuned.h"

enum { TRANSFER_SIZES_MAX = 8, TRANSFERS_MOST = 16 };

struct transfer_sizes {
    double bytes[TRANSFER_SIZES_MAX]; /* ascending */
    double nanoseconds[TRANSFER_SIZES_MAX];
    size_t count; /* at least 1 */
};

struct transfers {
    struct tuned_entry of; /* its kind, device, version and driver; nothing else */
    double opening;        /* ns from the program's start until the device is open */
    struct transfer_sizes to_device, from_device;
};

/* Reads one line. STATUS_INVALID says what is wrong with it. */
enum status transfers_read_line(const char *line, size_t length, const char *file, struct transfers *transfers,
                                struct error *error);

/* The line, with its end of line, of malloc; NULL without memory. */
char *transfers_line(const struct transfers *transfers);

/* Those of all tuned files, one for each device, the last line of it; at most TRANSFERS_MOST. Returns how many. */
size_t transfers_read(struct transfers all[TRANSFERS_MOST]);

/* Those of the device, with its driver; false where there are none. */
bool transfers_of(const struct device *device, struct transfers *transfers);

/* Nanoseconds to copy the problem's inputs to the device and its outputs back; 0 where it has no arrays. */
double transfers_time(const struct transfers *transfers, const struct problem *problem);
