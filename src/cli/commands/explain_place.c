#include "cli/commands/explain_place.h"

#include <omp.h>
#include <string.h>

#include "base/size.h"
#include "lab/bench/candidate.h"
#include "store/noise.h"

#define DEFAULT_ARCHITECTURE "sm_90"

static bool is_device(const char *name)
{
    size_t length = strcspn(name, ":");
    for (size_t b = 0; backends[b]; b++)
        if (strncmp(backends[b]->name, name, length) == 0 && backends[b]->name[length] == '\0')
            return true;
    return name[length] == ':';
}

static enum status open_device(const char *name, struct explain_place *place, struct error *error)
{
    enum status status = device_open(name, &place->device, error);
    if (status != STATUS_OK)
        return status;
    if (device_is_null(place->device)) {
        explain_place_close(place);
        return fail(error, STATUS_INVALID,
                    "the null device computes nothing; use sm_90, \"Tesla K40\", cuda:0 or this-cpu");
    }
    explain_target_of_device(place->device, &place->target);
    return STATUS_OK;
}

enum status explain_place_open(const char *name, struct explain_place *place, struct error *error)
{
    *place = (struct explain_place){.device = NULL};
    if (strcmp(name, "this-cpu") == 0)
        return open_device("cpu", place, error);
    if (is_device(name))
        return open_device(name, place, error);
    return explain_target_parse(name, &place->target, error);
}

enum status explain_place_default(struct explain_place *place, struct error *error)
{
    struct error why;
    *place = (struct explain_place){.device = NULL};
    if (open_device("cuda:0", place, &why) == STATUS_OK)
        return STATUS_OK;
    return explain_target_parse(DEFAULT_ARCHITECTURE, &place->target, error);
}

void explain_place_close(struct explain_place *place)
{
    if (place->device)
        device_close(place->device);
    place->device = NULL;
}

static unsigned threads_of(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
}

static const struct {
    enum explain_ceiling to;
    enum ceiling_kind from;
} same[] = {
    {EXPLAIN_CLOCK, CEILING_CLOCK},
    {EXPLAIN_ISSUE, CEILING_ISSUE},
    {EXPLAIN_FMA_F32, CEILING_FMA_F32},
    {EXPLAIN_FMA_F64, CEILING_FMA_F64},
    {EXPLAIN_TENSOR_BF16, CEILING_TENSOR_BF16},
    {EXPLAIN_LOCAL_READ, CEILING_LOCAL_READ},
    {EXPLAIN_L1_READ, CEILING_L1_READ},
    {EXPLAIN_L2_READ, CEILING_L2_READ},
    {EXPLAIN_L3_READ, CEILING_L3_READ},
    {EXPLAIN_DRAM_READ, CEILING_DRAM_READ},
    {EXPLAIN_DRAM_COPY, CEILING_DRAM_COPY},
};

void explain_take_ceiling(struct explain_target *target, enum ceiling_kind kind, double rate)
{
    for (size_t i = 0; i < COUNT_OF(same); i++)
        if (same[i].from == kind)
            explain_target_measured(target, same[i].to, rate);
}

/* A GPU that the user named is not here: it may have been measured elsewhere, through CUDA, and imported. */
static bool is_named_gpu(const struct explain_place *place)
{
    return !place->device && place->target.gpu && strcmp(place->target.name, place->target.gpu->name) == 0;
}

static bool is_of_gpu(const struct measurement *measurement, const struct explain_place *place)
{
    return strncmp(measurement->device, "cuda", 4) == 0 &&
           gpu_by_device_name(measurement->device_name) == place->target.gpu;
}

/* The newest that serves; NULL when there is none. */
static const struct measurement *ceiling_of_gpu(const struct measurement_list *list, const struct explain_place *place,
                                                enum ceiling_kind kind)
{
    for (size_t i = list->count; i-- > 0;)
        if (is_of_gpu(&list->items[i], place) && ceiling_lasts(&list->items[i]) &&
            ceiling_by_name(list->items[i].rung) == kind)
            return &list->items[i];
    return NULL;
}

enum status explain_place_measured(struct store *store, struct explain_place *place, struct error *error)
{
    const struct device *device = place->device;
    struct store_filter filter = {.kernel = CEILING_KERNEL, .all = true};
    struct measurement_list list = {.count = 0};
    if (!store || (!device && !is_named_gpu(place)))
        return STATUS_OK;
    enum status status = device ? store_this_machine(store, &filter.machine, error) : STATUS_OK;
    if (status == STATUS_UNAVAILABLE) /* nothing was measured on this machine */
        return STATUS_OK;
    if (status == STATUS_OK)
        status = store_measurements(store, &filter, &list, error);
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(same); i++) {
        const struct measurement *found =
            device ? ceiling_find(&list, device->id, device->properties.name, device->properties.driver,
                                  threads_of(device), same[i].from)
                   : ceiling_of_gpu(&list, place, same[i].from);
        struct ceiling ceiling;
        if (found && ceiling_of(found, &ceiling))
            explain_take_ceiling(&place->target, same[i].from, ceiling.rate);
        found = device && threads_of(device) > 0 ? ceiling_find(&list, device->id, device->properties.name,
                                                                device->properties.driver, 1, same[i].from)
                                                 : NULL;
        if (found && ceiling_of(found, &ceiling))
            place->target.one_thread[same[i].to] = ceiling.rate;
    }
    measurement_list_free(&list);
    return status;
}

enum status explain_measured_ns(struct store *store, const struct explain_place *place, const struct problem *problem,
                                const struct rung *rung, const struct parameters *parameters, double *ns,
                                struct error *error)
{
    char text[PROBLEM_TEXT_MAX], wanted[128];
    struct candidate candidate = {place->device, rung, *parameters};
    struct store_filter filter = {.problem = problem_text(problem, text), .rung = rung->name};
    struct measurement_list list = {.count = 0};
    *ns = 0;
    if (!store || (!place->device && !is_named_gpu(place)))
        return STATUS_OK;
    if (place->device)
        filter.device = place->device->id;
    candidate_parameters(&candidate, wanted, sizeof wanted);
    enum status status = place->device ? store_this_machine(store, &filter.machine, error) : STATUS_OK;
    if (status == STATUS_UNAVAILABLE)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = store_measurements(store, &filter, &list, error);
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
        const struct measurement *item = &list.items[i];
        bool is_there = place->device ? strcmp(item->device_name, place->device->properties.name) == 0 &&
                                            item->threads == threads_of(place->device)
                                      : is_of_gpu(item, place);
        bool is_it = is_there && strcmp(item->rung, rung->name) == 0 && strcmp(item->parameters, wanted) == 0 &&
                     !item->cold && item->verdict == VERDICT_PASS && !measurement_is_void(item);
        if (is_it)
            *ns = measurement_summary(item, PHASE_COMPUTE).median;
    }
    measurement_list_free(&list);
    return status;
}
