#include "distributed/peer_bandwidth.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/translation.h"
#include "distributed/peer_exchange.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 50
#define SAMPLE_NS 4e6 /* minimum length of a sample; shorter exchanges are timed in batches */
#define BATCH_MOST 64
#define LATENCY_BYTES ((size_t)16)
#define TRANSFERS_MAX (GROUP_MAX * GROUP_MAX)

struct peer_options peer_defaults(void)
{
    return (struct peer_options){.bytes = (size_t)1 << 28, .seconds = 0.05};
}

/* One pattern of exchanges that run at the same time. */
struct pattern {
    char text[96];      /* "one-way,from=cuda:0,to=cuda:1,bytes=268435456" */
    const char *device; /* the device that the measurement belongs to */
    struct peer_transfer transfers[TRANSFERS_MAX];
    size_t count;
    double moved;      /* bytes counted in the rate */
    double link_share; /* ratio of these to the bytes that cross a link in one direction */
    bool is_latency;   /* the host waits for each exchange */
    struct peer_link link;
};

struct figure {
    size_t measurement;
    unsigned batch;
    double spent;
    bool active;
};

/* ---- measurements --------------------------------------------------------------------------------------------- */

static struct measurement *describe(const struct device_group *group, const struct pattern *pattern, const char *rung,
                                    const char *idea, struct measurement_list *list)
{
    struct measurement *made = measurement_list_add(list);
    if (!made)
        return NULL;
    snprintf(made->kernel, sizeof made->kernel, "%s", PEER_KERNEL);
    snprintf(made->problem, sizeof made->problem, "%s:%s", PEER_KERNEL, pattern->text);
    snprintf(made->rung, sizeof made->rung, "%s", rung);
    snprintf(made->idea, sizeof made->idea, "%s", idea);
    describe_device(made, group->devices[0]);
    snprintf(made->device, sizeof made->device, "%s", pattern->device);
    snprintf(made->rate_unit, sizeof made->rate_unit, "GB/s");
    made->kind = MEASURED_VENDOR;
    made->batch = 1;
    made->bytes = made->work = pattern->moved;
    return made;
}

static enum status add_theory(const struct device_group *group, const struct pattern *pattern,
                              struct measurement_list *list, struct error *error)
{
    if (pattern->is_latency || pattern->link.bytes_per_second <= 0)
        return STATUS_OK;
    struct measurement *ceiling =
        describe(group, pattern, pattern->link.name, "what the link carries in theory: computed, not measured", list);
    if (!ceiling)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    ceiling->kind = MEASURED_PROBE;
    snprintf(ceiling->detail, sizeof ceiling->detail, "computed");
    double rate = pattern->link.bytes_per_second * pattern->link_share;
    return samples_add(&ceiling->phases[PHASE_COMPUTE], pattern->moved / rate * 1e9, 0)
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
}

/* ---- timing --------------------------------------------------------------------------------------------------- */

static enum status sample(struct peer_exchange *exchange, const struct pattern *pattern, enum peer_means means,
                          unsigned batch, double *nanoseconds, struct error *error)
{
    enum status status = STATUS_OK;
    int64_t start = clock_now();
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++) {
        status = peer_exchange_enqueue(exchange, means, pattern->transfers, pattern->count, error);
        if (status == STATUS_OK && (pattern->is_latency || i + 1 == batch))
            status = peer_exchange_finish(exchange, means, pattern->transfers, pattern->count, error);
    }
    *nanoseconds = (double)(clock_now() - start) / batch;
    return status;
}

static void enter(struct peer_exchange *exchange, const struct pattern *pattern, enum peer_means means,
                  struct figure *figure, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct error why;
    double nanoseconds = 0;
    enum status status = peer_exchange_verify(exchange, means, pattern->transfers, pattern->count, &why);
    if (status == STATUS_OK)
        status = sample(exchange, pattern, means, 1, &nanoseconds, &why);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    figure->active = status == STATUS_OK;
    double exchanges = nanoseconds > 0 ? ceil(SAMPLE_NS / nanoseconds) : BATCH_MOST;
    figure->batch = measurement->batch = exchanges > BATCH_MOST ? BATCH_MOST : (unsigned)exchanges;
}

static void visit(struct peer_exchange *exchange, const struct pattern *pattern, enum peer_means means,
                  struct figure *figure, uint32_t round, double seconds, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    struct error why;
    double nanoseconds = 0;
    enum status status = sample(exchange, pattern, means, figure->batch, &nanoseconds, &why);
    if (status == STATUS_OK && !samples_add(samples, nanoseconds, round))
        status = fail(&why, STATUS_UNAVAILABLE, "no memory for another sample");
    figure->spent += nanoseconds * figure->batch;
    figure->active = status == STATUS_OK && samples->count < MOST_SAMPLES &&
                     (samples->count < LEAST_SAMPLES || figure->spent < seconds * 1e9);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
}

static void leave(struct peer_exchange *exchange, const struct pattern *pattern, enum peer_means means,
                  const struct figure *figure, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[figure->measurement];
    struct error why;
    if (measurement->verdict != VERDICT_PASS)
        return;
    enum status status = peer_exchange_verify(exchange, means, pattern->transfers, pattern->count, &why);
    if (status != STATUS_OK) {
        fail_in(&why, status, "after the timing");
        conclude_measurement(measurement, verdict_of(status), why.text);
    } else if (!measurement->phases[PHASE_COMPUTE].count) {
        conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
    }
    const struct measurement *ceiling = measurement_ceiling(list, measurement);
    snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", ceiling ? ceiling->rung : "");
}

static enum status measure(struct peer_exchange *exchange, const struct pattern *pattern,
                           const struct peer_options *options, struct measurement_list *list, struct error *error)
{
    struct figure figures[PEER_MEANS_COUNT] = {{0}};
    size_t first = list->count, left = PEER_MEANS_COUNT;
    enum status status = add_theory(exchange->group, pattern, list, error);
    for (int means = 0; status == STATUS_OK && means < PEER_MEANS_COUNT; means++) {
        if (!describe(exchange->group, pattern, peer_means_names[means], peer_means_ideas[means], list))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        figures[means].measurement = list->count - 1;
    }
    if (status != STATUS_OK)
        return status;
    for (int means = 0; means < PEER_MEANS_COUNT; means++)
        enter(exchange, pattern, (enum peer_means)means, &figures[means], list);
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        left = 0;
        for (int means = 0; means < PEER_MEANS_COUNT && !interrupt_requested(); means++) {
            if (figures[means].active)
                visit(exchange, pattern, (enum peer_means)means, &figures[means], round, options->seconds, list);
            left += figures[means].active;
        }
    }
    for (int means = 0; means < PEER_MEANS_COUNT; means++)
        leave(exchange, pattern, (enum peer_means)means, &figures[means], list);
    for (size_t i = first; options->finished && i < list->count; i++)
        options->finished(options->finished_context, &list->items[i]);
    return STATUS_OK;
}

/* ---- patterns ------------------------------------------------------------------------------------------------- */

static struct pattern pattern_pair(const struct device_group *group, const char *word, size_t from, size_t to,
                                   size_t bytes)
{
    struct pattern pattern = {.device = group->labels[from], .count = 1, .moved = (double)bytes, .link_share = 1};
    pattern.transfers[0] = (struct peer_transfer){.from = from, .to = to, .bytes = bytes};
    snprintf(pattern.text, sizeof pattern.text, "%s,from=%s,to=%s,bytes=%zu", word, group->labels[from],
             group->labels[to], bytes);
    peer_link_find(group->devices[from], group->devices[to], &pattern.link);
    return pattern;
}

static struct pattern pattern_both(const struct device_group *group, size_t a, size_t b, size_t bytes)
{
    struct pattern pattern = pattern_pair(group, "both", a, b, bytes);
    pattern.transfers[1] = (struct peer_transfer){.from = b, .to = a, .bytes = bytes};
    pattern.count = 2;
    pattern.moved *= 2;
    pattern.link_share = 2;
    return pattern;
}

/* Every device sends a piece of its buffer to every other device; the rate is that received by one device. */
static struct pattern pattern_all(const struct device_group *group, size_t bytes)
{
    size_t others = group->count > 2 ? group->count - 1 : 1, piece = bytes / (others + 1) / 16 * 16;
    struct pattern pattern = {.device = group->name, .moved = (double)(piece * others), .link_share = 1};
    for (size_t step = 1; step < group->count; step++)
        for (size_t from = 0; from < group->count; from++) {
            size_t to = (from + step) % group->count;
            pattern.transfers[pattern.count++] = (struct peer_transfer){
                .from = from, .to = to, .source_offset = to * piece, .target_offset = from * piece, .bytes = piece};
        }
    snprintf(pattern.text, sizeof pattern.text, "all,devices=%zu,bytes=%zu", group->count, piece * (group->count - 1));
    pattern.link.bytes_per_second = group_link(group, pattern.link.name, sizeof pattern.link.name);
    return pattern;
}

struct progress_state {
    const struct peer_options *options;
    size_t done, all;
};

static enum status step(struct peer_exchange *exchange, const struct pattern *pattern, struct progress_state *progress,
                        struct measurement_list *list, struct error *error)
{
    const struct peer_options *options = progress->options;
    if (interrupt_requested())
        return fail(error, STATUS_INTERRUPTED, "interrupted");
    if (options->progress)
        options->progress(options->progress_context, pattern->text, (double)progress->done / (double)progress->all);
    progress->done++;
    return measure(exchange, pattern, options, list, error);
}

enum status peer_bandwidth(const struct device_group *group, const struct peer_options *options,
                           struct measurement_list *list, struct error *error)
{
    struct peer_exchange exchange;
    struct progress_state progress = {options, 0, group->count * (group->count - 1) * 5 / 2 + 1};
    if (group->count < 2)
        return fail(
            error, STATUS_UNAVAILABLE,
            "one device has no peer: --peers needs two CUDA devices in one machine; 'uskor devices' shows them");
    enum status status = peer_exchange_create(group, options->bytes / 16 * 16, &exchange, error);
    for (size_t a = 0; a < group->count; a++)
        for (size_t b = 0; status == STATUS_OK && b < group->count; b++) {
            if (a == b)
                continue;
            struct pattern way = pattern_pair(group, "one-way", a, b, exchange.bytes);
            struct pattern small = pattern_pair(group, "latency", a, b, LATENCY_BYTES);
            small.is_latency = true;
            status = step(&exchange, &way, &progress, list, error);
            if (status == STATUS_OK)
                status = step(&exchange, &small, &progress, list, error);
        }
    for (size_t a = 0; a < group->count; a++)
        for (size_t b = a + 1; status == STATUS_OK && b < group->count; b++) {
            struct pattern both = pattern_both(group, a, b, exchange.bytes);
            status = step(&exchange, &both, &progress, list, error);
        }
    if (status == STATUS_OK) {
        struct pattern all = pattern_all(group, exchange.bytes);
        status = step(&exchange, &all, &progress, list, error);
    }
    peer_exchange_destroy(&exchange);
    return status;
}
