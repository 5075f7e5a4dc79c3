/* The device that serves a user of the library or of the tool. */
#pragma once

#include "backends/backend.h"
#include "choice/whole_time.h"

/* What was expected when a device was chosen for a problem. */
struct device_choice {
    bool is_cpu_known;      /* the cpu's time is */
    struct whole_time cpu;  /* … and this it is */
    char other[32];         /* the fastest other device that was looked at; "": none was */
    struct whole_time best; /* … its time */
};

/* The device that is asked for. */
struct device_wish {
    const char *name; /* "cuda:0" …; NULL and "auto": the default device */
    bool described;   /* the cpu, too, with all its properties (else cpu_open_bare) */
    /* With a problem the default device is the one that is expected to have its result first, in host memory, by
     * measurements of the cpu, of the device and of copies to it (choice/whole_time.h). Without one, and where these
     * are not known, it is the cpu, where a user's data are. */
    const struct problem *problem;
    bool opens_once;              /* for this problem alone: the time to open a device counts, too */
    struct device_choice *choice; /* receives what was expected; may be NULL */
};

/* Opens it. A device that no measured copy lets be faster than the cpu is not even opened, nor its driver loaded.
 * STATUS_INVALID for the null device. The caller closes it. */
enum status default_device_open(const struct device_wish *wish, struct device **device, struct error *error);
