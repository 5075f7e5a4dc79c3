/* Opening a device by its name. */
#include "backends/backend.h"

#include <string.h>

#include "backends/driver_call.h"
#include "backends/driver_start.h"
#include "backends/trial.h"
#include "base/message.h"
#include "base/text.h"
#include "base/visible.h"

#define BACKENDS_MAX 8

/* Splits "opencl:1" into the backend's name and the device's number (0 when there is none). */
static bool split_id(const char *id, char *name, size_t size, int64_t *index)
{
    size_t length = strcspn(id, ":");
    if (length >= size)
        return false;
    memcpy(name, id, length);
    name[length] = 0;
    *index = 0;
    return id[length] == 0 || (text_integer(id + length + 1, index) && *index >= 0);
}

static const struct backend *backend_by_name(const char *name)
{
    for (size_t i = 0; backends[i]; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

static enum status fail_unknown(const char *id, const char *name, struct error *error)
{
    const char *names[BACKENDS_MAX];
    char list[128] = "";
    size_t count = 0;
    for (; backends[count] && count < BACKENDS_MAX; count++) {
        names[count] = backends[count]->name;
        text_append(list, sizeof list, "%s%s", count ? ", " : "", names[count]);
    }
    const char *closest = strcmp(name, "gpu") == 0 ? NULL : text_closest(name, names, count); /* "cpu" is not meant */
    if (closest)
        return fail(error, STATUS_INVALID, "there is no device called %s; did you mean %s?", id, closest);
    return fail(error, STATUS_INVALID,
                "there is no device called %s; a device is one of %s, with a number (opencl:1) "
                "where there are several",
                id, list);
}

/* A driver's texts about its device are displayed, so control characters in them are escaped. */
static void make_visible(struct device_properties *properties)
{
    visible_make(properties->name, sizeof properties->name);
    visible_make(properties->vendor, sizeof properties->vendor);
    visible_make(properties->driver, sizeof properties->driver);
    visible_make(properties->version, sizeof properties->version);
    visible_make(properties->bus, sizeof properties->bus);
}

static enum status fail_beyond(const struct backend *backend, const char *id, int count, struct error *error)
{
    const char *name = backend->name;
    char missing[512] = "";
    fail(error, STATUS_UNAVAILABLE, "%s: this machine has %d %s device%s; the last is %s:%d", id, count, name,
         count == 1 ? "" : "s", name, count - 1);
    backend_describe_missing(backend, false, missing, sizeof missing);
    if (missing[0])
        explain_more(error->text, sizeof error->text, "; %s", missing);
    return STATUS_UNAVAILABLE;
}

/* A driver that fails is a device that is not there, whatever its code: no wrong use of ours. Of what it did in a child
 * the message does not name it. */
static enum status fail_driver(const struct backend *backend, const char *id, struct error *error)
{
    return backend_is_harmful(backend) ? fail_in(error, STATUS_UNAVAILABLE, "%s", id) : STATUS_UNAVAILABLE;
}

enum status device_open(const char *id, struct device **device, struct error *error)
{
    char name[32];
    int64_t index;
    *device = NULL;
    if (!split_id(id, name, sizeof name, &index))
        return fail(error, STATUS_INVALID, "%s: a device is a name and a number, such as opencl:1", id);
    const struct backend *backend = backend_by_name(name);
    if (!backend)
        return fail_unknown(id, name, error);
    int count = 0;
    enum status status = backend_probe(backend, &count, error);
    if (status != STATUS_OK)
        return fail_driver(backend, id, error);
    if (index >= count)
        return fail_beyond(backend, id, count, error);
    under_way_begin(UNDER_WAY_DRIVER, id, "", id);
    under_way_load();
    struct driver_start start;
    driver_start_begin(&start);
    status = backend->open((int)index, device, error);
    driver_start_end(&start);
    under_way_loaded();
    under_way_end();
    if (status != STATUS_OK)
        return STATUS_UNAVAILABLE;
    make_visible(&(*device)->properties);
    return STATUS_OK;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    const struct driver_call call = driver_call_begin(device);
    device->backend->close(device);
    driver_call_end(call);
}

enum status device_profile(struct device *device, const char *name, struct error *error)
{
    if (!device->backend->profile)
        return fail(error, STATUS_UNAVAILABLE, "%s has no profiler's range", device->id);
    struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->profile(device, name, error));
}

enum status device_synchronize(struct device *device, struct error *error)
{
    const struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->synchronize(device, error));
}
