#include "library/default_device.h"

#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/trial.h"

/* ---- the fastest for a problem ----------------------------------------------------------------------------------- */

/* The search: the transfers that are known, and the fastest device found so far. */
struct search {
    const struct device_wish *wish;
    struct transfers all[TRANSFERS_MOST];
    size_t count;
    double limit; /* ns: what the cpu takes */
    struct device *best;
    struct whole_time time;
};

static double opening_of(const struct search *search, double opening)
{
    return search->wish->opens_once ? opening : 0;
}

static bool is_backend_of(const struct backend *backend, enum tuned_kind kind)
{
    return kind == TUNED_CUDA ? backend->kind == BACKEND_CUDA
                              : (kind == TUNED_OPENCL || kind == TUNED_OPENCL_CPU) && backend->kind == BACKEND_OPENCL;
}

/* Whether a device of the backend could be faster than the cpu if it computed in no time. */
static bool is_worth_a_look(const struct search *search, const struct backend *backend)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct transfers *transfers = &search->all[i];
        if (is_backend_of(backend, transfers->of.kind) &&
            opening_of(search, transfers->opening) + transfers_time(transfers, search->wish->problem) < search->limit)
            return true;
    }
    return false;
}

static bool expect(const struct search *search, const struct device *device, struct whole_time *time)
{
    struct transfers transfers;
    if (!transfers_of(device, &transfers) || !whole_time_expect(search->wish->problem, device, &transfers, time))
        return false;
    time->opening = opening_of(search, time->opening);
    return true;
}

/* Keeps the device if it is the fastest so far; else closes it. */
static void consider(struct search *search, struct device *device)
{
    struct whole_time time;
    if (!expect(search, device, &time) || (search->best && whole_time_sum(&time) >= whole_time_sum(&search->time))) {
        device_close(device);
        return;
    }
    device_close(search->best);
    search->best = device;
    search->time = time;
}

static void look_at(struct search *search, const struct backend *backend)
{
    int count = 0;
    struct device *device;
    char id[32];
    if (backend_probe(backend, &count, NULL) != STATUS_OK)
        return;
    for (int i = 0; i < count; i++) {
        snprintf(id, sizeof id, "%s:%d", backend->name, i);
        if (device_open(id, &device, NULL) == STATUS_OK)
            consider(search, device);
    }
}

/* The device that is faster than the cpu; NULL: none is. */
static struct device *find_faster(const struct device_wish *wish, const struct device *cpu,
                                  struct device_choice *choice)
{
    struct search search = {.wish = wish};
    choice->is_cpu_known = whole_time_expect(wish->problem, cpu, NULL, &choice->cpu);
    if (!choice->is_cpu_known)
        return NULL;
    search.limit = whole_time_sum(&choice->cpu);
    search.count = transfers_read(search.all);
    for (size_t b = 0; backends[b]; b++)
        if (is_worth_a_look(&search, backends[b]))
            look_at(&search, backends[b]);
    if (!search.best)
        return NULL;
    choice->best = search.time;
    snprintf(choice->other, sizeof choice->other, "%s", search.best->id);
    if (whole_time_sum(&search.time) < search.limit)
        return search.best;
    device_close(search.best);
    return NULL;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static enum status open_default(const struct device_wish *wish, struct device **device, struct error *error)
{
    struct device_choice unseen, *choice = wish->choice ? wish->choice : &unseen;
    *choice = (struct device_choice){.is_cpu_known = false};
    if (!wish->described && !wish->problem)
        return cpu_open_bare(device, error);
    enum status status = device_open("cpu", device, error);
    struct device *faster = status == STATUS_OK && wish->problem ? find_faster(wish, *device, choice) : NULL;
    if (faster) {
        device_close(*device);
        *device = faster;
    }
    return status;
}

enum status default_device_open(const struct device_wish *wish, struct device **device, struct error *error)
{
    const char *name = wish->name;
    if (!name || strcmp(name, "auto") == 0)
        return open_default(wish, device, error);
    if (!wish->described && strcmp(name, "cpu") == 0)
        return cpu_open_bare(device, error);
    enum status status = device_open(name, device, error);
    if (status == STATUS_OK && device_is_null(*device)) {
        device_close(*device);
        return fail(error, STATUS_INVALID,
                    "the device \"null\" computes nothing; it only measures the overhead of measuring");
    }
    return status;
}
