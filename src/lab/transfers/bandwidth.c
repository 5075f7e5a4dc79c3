#include "lab/transfers/bandwidth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/translation.h"
#include "base/under_way.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/transfers/copy_buffers.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 50
#define WAYS_MAX 16
#define SAMPLE_NS 1e6       /* minimum length of a sample; shorter copies are timed in batches */
#define BOTH_LEAST 4        /* copies each way; with fewer, the first and the last dominate */
#define HOST_ARRAYS 5       /* arrays of one size in host memory, the driver's included */
#define PIECE_OF_MEMORY 0.5 /* of free memory; the rest is left to other programs */

/* One copy path at one size; without a path, an empty entry. */
struct figure {
    const struct copy_path *way;
    size_t measurement;
    unsigned batch;
    double spent;
    bool active;
};

struct bandwidth_options bandwidth_defaults(void)
{
    return (struct bandwidth_options){.from = (size_t)1 << 10, .to = (size_t)1 << 30, .factor = 4, .seconds = 0.05};
}

struct bandwidth_options bandwidth_brief(const struct device *device)
{
    bool is_cpu = device->properties.is_cpu;
    return (struct bandwidth_options){.from = is_cpu ? (size_t)1 << 13 : (size_t)1 << 14,
                                      .to = is_cpu ? (size_t)1 << 22 : (size_t)1 << 26,
                                      .factor = is_cpu ? 8 : 16,
                                      .seconds = 0.005};
}

/* ---- measurements --------------------------------------------------------------------------------------------- */

static void describe(struct measurement *measurement, const struct device *device, const struct copy_path *way,
                     size_t bytes)
{
    snprintf(measurement->kernel, sizeof measurement->kernel, "bandwidth");
    snprintf(measurement->problem, sizeof measurement->problem, "bandwidth:%s,bytes=%zu%s%s", way->what, bytes,
             way->memory ? "," : "", way->memory ? way->memory : "");
    snprintf(measurement->rung, sizeof measurement->rung, "%s", way->rung);
    snprintf(measurement->idea, sizeof measurement->idea, "%s", way->idea);
    describe_device(measurement, device);
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "GB/s");
    measurement->kind = MEASURED_VENDOR;
    measurement->batch = 1;
    measurement->bytes = measurement->work = way->share * (double)bytes;
}

/* The path's theoretical rate in bytes per second; 0 when the device does not report it. DDR memory transfers two words
 * per clock. */
static double theory(const struct device *device, const struct copy_path *way, char *name, size_t size)
{
    const struct device_properties *properties = &device->properties;
    if (!way->memory) {
        snprintf(name, size, "memory bus");
        return 2.0 * properties->memory_clock_mhz * 1e6 * properties->memory_bus_bits / 8;
    }
    snprintf(name, size, "%.*s", (int)strcspn(properties->bus, ","), properties->bus);
    return (double)properties->bus_bytes_per_second * way->share;
}

/* Adds the computed ceiling, once for each problem. */
static enum status add_theory(const struct device *device, const struct copy_path *way, size_t bytes,
                              struct measurement_list *list, struct error *error)
{
    char name[48];
    double rate = theory(device, way, name, sizeof name);
    if (rate <= 0)
        return STATUS_OK;
    struct measurement *ceiling = measurement_list_add(list);
    if (!ceiling)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe(ceiling, device, way, bytes);
    ceiling->kind = MEASURED_PROBE;
    snprintf(ceiling->rung, sizeof ceiling->rung, "%s", name);
    snprintf(ceiling->idea, sizeof ceiling->idea,
             "what it carries in theory, after its line code: computed, not measured");
    snprintf(ceiling->detail, sizeof ceiling->detail, "computed");
    return samples_add(&ceiling->phases[PHASE_COMPUTE], ceiling->bytes / rate * 1e9, 0)
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
}

static bool is_same_problem(const struct copy_path *a, const struct copy_path *b)
{
    return strcmp(a->what, b->what) == 0 && (!a->memory || strcmp(a->memory, b->memory) == 0);
}

/* ---- timing --------------------------------------------------------------------------------------------------- */

/* Runs before and after the timing: the target is overwritten, one copy is made, and every byte is compared. */
static enum status prove(struct copy_buffers *buffers, const struct copy_path *way, double *nanoseconds,
                         struct error *error)
{
    enum status status = way->spoil(buffers, way, error);
    if (status == STATUS_OK)
        status = way->sample(buffers, way, 1, nanoseconds, error);
    return status == STATUS_OK ? way->verify(buffers, way, error) : status;
}

static unsigned batch_for(const struct copy_path *way, double nanoseconds)
{
    unsigned least = strcmp(way->what, "both") == 0 ? BOTH_LEAST : 1;
    double copies = nanoseconds > 0 ? ceil(SAMPLE_NS / nanoseconds) : CARRIER_BATCH_MAX;
    return copies < least ? least : copies > CARRIER_BATCH_MAX ? CARRIER_BATCH_MAX : (unsigned)copies;
}

/* A path that cannot take part is recorded with the reason as its measurement. */
static void enter(struct copy_buffers *buffers, struct figure *figure, const struct error *why_not,
                  struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct error why;
    double nanoseconds = 0;
    if (figure->way->pins && !buffers->staging) {
        conclude_measurement(measurement, VERDICT_SKIP, why_not->text);
        return;
    }
    if (buffers->device->properties.is_cpu && strcmp(figure->way->rung, "ring") == 0) {
        conclude_measurement(measurement, VERDICT_SKIP,
                             N_("the device works in the host's memory: a ring only adds a copy"));
        return;
    }
    enum status status = prove(buffers, figure->way, &nanoseconds, &why);
    if (status == STATUS_OK) /* the first copy of its kind was cold */
        status = figure->way->sample(buffers, figure->way, 1, &nanoseconds, &why);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    figure->active = status == STATUS_OK;
    figure->batch = measurement->batch = batch_for(figure->way, nanoseconds);
}

static void visit(struct copy_buffers *buffers, struct figure *figure, uint32_t round, double seconds,
                  struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    struct error why;
    double nanoseconds = 0;
    enum status status = figure->way->sample(buffers, figure->way, figure->batch, &nanoseconds, &why);
    if (status == STATUS_OK && !samples_add(samples, nanoseconds, round))
        status = fail(&why, STATUS_UNAVAILABLE, "no memory for another sample");
    figure->spent += nanoseconds * figure->batch;
    figure->active = status == STATUS_OK && samples->count < MOST_SAMPLES &&
                     (samples->count < LEAST_SAMPLES || figure->spent < seconds * 1e9);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
}

static void leave(struct copy_buffers *buffers, const struct figure *figure, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct error why;
    double nanoseconds;
    if (measurement->verdict != VERDICT_PASS)
        return;
    enum status status = prove(buffers, figure->way, &nanoseconds, &why);
    if (status != STATUS_OK) {
        fail_in(&why, status, "after the timing");
        conclude_measurement(measurement, verdict_of(status), why.text);
    } else if (!measurement->phases[PHASE_COMPUTE].count) {
        conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
    }
    const struct measurement *ceiling = measurement_ceiling(list, measurement);
    snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", ceiling ? ceiling->rung : "");
}

/* ---- one size, and all ---------------------------------------------------------------------------------------- */

/* An explicit check of free memory: the system overcommits, and ends the process when the pages are written. */
static bool fits_host(size_t bytes)
{
    double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (double)bytes * HOST_ARRAYS < available * PIECE_OF_MEMORY;
}

static enum status begin(const struct device *device, size_t bytes, bool is_smallest, struct figure figures[WAYS_MAX],
                         struct measurement_list *list, struct error *error)
{
    for (size_t w = 0; w < way_count; w++) {
        figures[w] = (struct figure){0};
        if (ways[w].smallest && !is_smallest)
            continue;
        enum status status = w > 0 && is_same_problem(&ways[w - 1], &ways[w])
                                 ? STATUS_OK
                                 : add_theory(device, &ways[w], bytes, list, error);
        struct measurement *measurement = status == STATUS_OK ? measurement_list_add(list) : NULL;
        if (!measurement)
            return status != STATUS_OK ? status : fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        describe(measurement, device, &ways[w], bytes);
        figures[w] = (struct figure){.way = &ways[w], .measurement = list->count - 1};
    }
    return STATUS_OK;
}

static void skip_all(const struct figure *figures, const char *reason, struct measurement_list *list)
{
    for (size_t w = 0; w < way_count; w++)
        if (figures[w].way)
            conclude_measurement(&list->items[figures[w].measurement], VERDICT_SKIP, reason);
}

static void hold_rounds(struct copy_buffers *buffers, struct figure figures[WAYS_MAX], double seconds,
                        struct measurement_list *list)
{
    size_t left = way_count;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        left = 0;
        for (size_t w = 0; w < way_count && !interrupt_requested(); w++) {
            if (figures[w].active)
                visit(buffers, &figures[w], round, seconds, list);
            left += figures[w].active;
        }
    }
}

static enum status measure_size(struct device *device, size_t bytes, const struct bandwidth_options *options,
                                struct measurement_list *list, struct error *error)
{
    struct figure figures[WAYS_MAX];
    struct copy_buffers buffers = {0};
    struct error why, why_not = {""};
    size_t first = list->count;
    enum status status = begin(device, bytes, bytes == options->from, figures, list, error);
    if (status != STATUS_OK)
        return status;
    status = fits_host(bytes) ? copy_buffers_create(device, bytes, &buffers, &why_not, &why)
                              : fail(&why, STATUS_UNAVAILABLE, "the host has no memory free for arrays of this size");
    if (status == STATUS_OK) {
        for (size_t w = 0; w < way_count; w++)
            if (figures[w].way)
                enter(&buffers, &figures[w], &why_not, list);
        hold_rounds(&buffers, figures, options->seconds, list);
        for (size_t w = 0; w < way_count; w++)
            if (figures[w].way)
                leave(&buffers, &figures[w], list);
    } else {
        skip_all(figures, why.text, list);
    }
    copy_buffers_destroy(&buffers);
    for (size_t i = first; options->finished && i < list->count; i++)
        options->finished(options->finished_context, &list->items[i]);
    return STATUS_OK;
}

enum status lab_bandwidth(struct device *device, const struct bandwidth_options *options, struct measurement_list *list,
                          struct error *error)
{
    _Static_assert(WAYS_MAX >= 12, "there is room for every way");
    if (device_is_null(device))
        return fail(error, STATUS_INVALID, "null: a device that does nothing has no bandwidth");
    size_t sizes = 1, done = 0;
    for (size_t bytes = options->from; bytes <= options->to / options->factor; bytes *= options->factor)
        sizes++;
    enum status status = STATUS_OK;
    under_way_begin(UNDER_WAY_DRIVER, device->id, "", device->id);
    for (size_t bytes = options->from; status == STATUS_OK && bytes <= options->to && !interrupt_requested();
         bytes *= options->factor, done++) {
        char text[32];
        if (options->progress)
            options->progress(options->progress_context, text_bytes((double)bytes, text, sizeof text),
                              (double)done / (double)sizes);
        status = measure_size(device, bytes, options, list, error);
        under_way_step();
    }
    under_way_end();
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
