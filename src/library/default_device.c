#include "library/default_device.h"

#include <string.h>

#include "backends/cpu/cpu.h"

enum status default_device_open(const char *name, bool described, struct device **device, struct error *error)
{
    if (!name || strcmp(name, "auto") == 0)
        name = "cpu";
    if (!described && strcmp(name, "cpu") == 0)
        return cpu_open_bare(device, error);
    enum status status = device_open(name, device, error);
    if (status == STATUS_OK && device_is_null(*device)) {
        device_close(*device);
        return fail(error, STATUS_INVALID,
                    "the device \"null\" computes nothing; it only measures the overhead of measuring");
    }
    return status;
}
