#include "choice/transfers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------------------------------------------------
 */

static enum status take_sizes(const struct flat_json *json, const char *name, struct transfer_sizes *sizes,
                              struct error *error)
{
    const struct flat_json_value *object = flat_json_find(json, NULL, name);
    sizes->count = 0;
    if (!object || object->kind != FLAT_OBJECT)
        return fail(error, STATUS_INVALID, "\"%s\" is not an object of bytes and nanoseconds", name);
    for (size_t i = 0; i < json->count; i++) {
        const struct flat_json_value *value = &json->values[i];
        if (value->parent != object)
            continue;
        const double bytes = strtod(value->name, NULL);
        if (value->kind != FLAT_NUMBER || !(value->number > 0) || !(bytes > 0) || isinf(bytes) ||
            (sizes->count > 0 && bytes <= sizes->bytes[sizes->count - 1]))
            return fail(error, STATUS_INVALID, "\"%s\": not numbers above 0, with ascending bytes, at '%s'", name,
                        value->name);
        if (sizes->count == TRANSFER_SIZES_MAX)
            return fail(error, STATUS_INVALID, "\"%s\" has more than %d sizes", name, TRANSFER_SIZES_MAX);
        sizes->bytes[sizes->count] = bytes;
        sizes->nanoseconds[sizes->count++] = value->number;
    }
    return sizes->count > 0 ? STATUS_OK : fail(error, STATUS_INVALID, "\"%s\" has no sizes", name);
}

enum status transfers_read_line(const char *line, size_t length, const char *file, struct transfers *transfers,
                                struct error *error)
{
    struct flat_json json;
    *transfers = (struct transfers){.of.file = file};
    enum status status = flat_json_read(line, length, &json, error);
    if (status == STATUS_OK)
        status = tuned_read_device(&json, &transfers->of, error);
    if (status != STATUS_OK)
        return status;
    const struct flat_json_value *opening = flat_json_find(&json, NULL, "opening_ns");
    if (!opening || opening->kind != FLAT_NUMBER || !(opening->number >= 0))
        return fail(error, STATUS_INVALID, "\"opening_ns\" is not a number of nanoseconds");
    transfers->opening = opening->number;
    status = take_sizes(&json, "to_device_ns", &transfers->to_device, error);
    return status == STATUS_OK ? take_sizes(&json, "from_device_ns", &transfers->from_device, error) : status;
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

struct found {
    struct transfers *all;
    size_t count;
};

static bool is_same_device(const struct tuned_entry *a, const struct tuned_entry *b)
{
    return a->kind == b->kind && strcmp(a->device, b->device) == 0 && strcmp(a->version, b->version) == 0;
}

static void take(void *context, const char *line, size_t length, const char *file, size_t number)
{
    struct found *found = context;
    struct transfers transfers;
    struct error why;
    if (!memmem(line, length, "\"transfers\"", strlen("\"transfers\"")))
        return;
    if (transfers_read_line(line, length, file, &transfers, &why) != STATUS_OK) {
        tuned_complain(file, number, &why);
        return;
    }
    size_t at = 0;
    while (at < found->count && !is_same_device(&found->all[at].of, &transfers.of))
        at++;
    if (at < TRANSFERS_MOST)
        found->all[at] = transfers;
    if (at == found->count && at < TRANSFERS_MOST)
        found->count++;
}

size_t transfers_read(struct transfers all[TRANSFERS_MOST])
{
    struct found found = {all, 0};
    tuned_each_line(take, &found);
    return found.count;
}

bool transfers_of(const struct device *device, struct transfers *transfers)
{
    struct transfers all[TRANSFERS_MOST];
    const size_t count = transfers_read(all);
    for (size_t i = 0; i < count; i++)
        if (tuned_is_of_device(&all[i].of, device) && !tuned_has_other_driver(&all[i].of, device)) {
            *transfers = all[i];
            return true;
        }
    return false;
}

/* ---- times --------------------------------------------------------------------------------------------------------
 */

/* Straight lines between the sizes; below the smallest its time, beyond the largest its rate. */
static double copy_time(const struct transfer_sizes *sizes, double bytes)
{
    const double *at = sizes->bytes, *ns = sizes->nanoseconds;
    const size_t last = sizes->count - 1;
    size_t i = 0;
    if (bytes >= at[last])
        return ns[last] * bytes / at[last];
    if (bytes <= at[0])
        return ns[0];
    while (bytes > at[i + 1])
        i++;
    return ns[i] + (ns[i + 1] - ns[i]) * (bytes - at[i]) / (at[i + 1] - at[i]);
}

double transfers_time(const struct transfers *transfers, const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count = 0;
    double sum = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < count; i++) {
        const double bytes = (double)arrays[i].bytes;
        if (bytes > 0 && arrays[i].direction != ARRAY_OUT)
            sum += copy_time(&transfers->to_device, bytes);
        if (bytes > 0 && arrays[i].direction != ARRAY_IN)
            sum += copy_time(&transfers->from_device, bytes);
    }
    return sum;
}
