/* The time of one kernel's launches: each resource's own time, and their combination. */
#include "explain/model/kernel_time.h"

#include <math.h>
#include <string.h>

#include "base/size.h"

#define WARP 32
#define SECTOR 32           /* bytes */
#define SECTORS_PER_CLOCK 4 /* sectors from a first cache: 128 bytes */
/* Clocks between the starts of two groups, of a whole device: 132000 empty groups of 32 to 256 items take 80 us on an
 * H200 (results/h200/explain-latencies.txt). */
#define GROUP_CLOCKS 1.2
/* What products of single warps reach on 9.0 of the products of warp groups, by which its ceiling is measured: 649 of
 * 965 TFLOP/s on an H200 (src/lab/ceilings/tensor.cu). */
#define WARP_PRODUCTS (649.0 / 965)
/* Resources overlap, but contend when several are busy: times combine as a norm with this exponent. */
#define OVERLAP 3

/* Operations of a multiprocessor per clock, by compute capability: the guides' table of arithmetic throughput (10:
 * table 3; 13.0: section 5.4.1). `issued` are a scheduler's instructions per clock: a warp's takes four clocks in 1.x
 * and two in 2.x; 2.1 and 3.x issue two at once (4.2: F.3.1, F.4.1, F.5.1). */
struct rate {
    int compute, integers, special;
    double issued;
};

static struct rate rate_of(int compute)
{
    static const struct rate rows[] = {{120, 64, 16, 1}, {100, 64, 16, 1}, {70, 64, 16, 1},  {61, 128, 32, 1},
                                       {60, 64, 16, 1},  {50, 128, 32, 1}, {30, 160, 32, 2}, {21, 48, 8, 1},
                                       {20, 32, 4, 0.5}, {10, 8, 2, 0.25}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (compute >= rows[i].compute)
            return rows[i];
    return rows[COUNT_OF(rows) - 1];
}

static bool is_of_multiprocessors(enum explain_resource resource)
{
    return resource != RESOURCE_DRAM && resource != RESOURCE_CAMPING && resource != RESOURCE_L2 &&
           resource != RESOURCE_GROUPS && resource != RESOURCE_TENSOR && resource != RESOURCE_ATOMICS;
}

static void set(struct kernel_time *time, enum explain_resource resource, double work, double rate)
{
    if (rate <= 0)
        return;
    time->ns[resource] = work / rate;
    time->is_known[resource] = true;
}

/* ---- memory ---- */

/* L2 takes stores at a lower rate than it gives loads: each goes to both of its halves. A sector that is written in
 * part is read, changed and written. In loads that take as long, on an H200 (results/h200/explain-atomics.txt: 57 to 96
 * partial sectors a nanosecond, 265 are loaded). */
#define WHOLE_STORE 1.5
/* Of stores to the sectors that the warp's store before went to, such as the next byte of each pixel, so many go on to
 * L2: its counters on an H200 say 0.21 to 0.28. */
#define MERGED_STORE 0.25
#define PARTIAL_STORE 4.2

struct traffic {
    double l1_passes, sectors, passes; /* in the first caches and their banks */
    double l2_bytes, dram_bytes, dram_written;
    double own_loaded, own_stored; /* bytes of the items' own memory */
};

/* 1.x has no caches for global memory: all that is moved comes from DRAM. */
static bool has_caches(const struct explain_target *target)
{
    return target->compute == 0 || target->compute >= 20;
}

static bool is_same_array(const struct kernel_time_request *request, const struct explain_access *one,
                          const struct explain_access *other)
{
    return other->space == EXPLAIN_GLOBAL && explain_is_access_of(other, request->kernel) &&
           strcmp(other->array, one->array) == 0 &&
           (other->operation == EXPLAIN_LOAD) == (one->operation == EXPLAIN_LOAD);
}

/* Several accesses may read or write one buffer. `index` is the buffer's first access; later ones return 0. A launch
 * moves each byte once, and a sector again for each group that comes when L2 has given it up. *filled are bytes that
 * are read because groups write parts of sectors. */
static double bytes_of_array(const struct kernel_time_request *request, size_t index, double *filled)
{
    const struct explain_trace *trace = request->trace;
    const struct explain_access *one = &trace->accesses[index];
    const struct revisit_launch *launch = revisits_of(&trace->revisits, request->kernel->name);
    double bytes = 0, times = 1, launches = (double)request->kernel->launches;
    bool is_partial = false;
    *filled = 0;
    for (size_t a = 0; a < trace->access_count; a++) {
        bool is_same = is_same_array(request, one, &trace->accesses[a]);
        if (is_same && a < index)
            return 0;
        bytes += is_same ? request->share * trace->accesses[a].first_bytes : 0;
    }
    if (launch && request->l2_cache > 0)
        times =
            revisits_from_memory(launch, one->argument, one->operation != EXPLAIN_LOAD, request->l2_cache, &is_partial);
    double most = one->array_bytes * launches * times;
    bytes = most > 0 ? fmin(bytes, most) : bytes;
    *filled = is_partial ? bytes : 0;
    return bytes;
}

/* A group's first touch of a sector is served by L2. An array that every group reads whole is fetched once per
 * multiprocessor: its groups share it. */
static double from_l2(const struct explain_access *access, double share, double groups, double together)
{
    double bytes = share * access->first_bytes;
    bool is_shared = access->array_bytes > 0 && bytes / groups >= access->array_bytes / 2;
    return is_shared && together > 1 ? bytes / together : bytes;
}

void explain_share_dram(const struct kernel_time_request *request, struct explain_trace *trace)
{
    for (size_t a = 0; a < trace->access_count; a++) {
        struct explain_access *access = &trace->accesses[a];
        double touched = 0, filled = 0, bytes = 0;
        if (access->space != EXPLAIN_GLOBAL || !explain_is_access_of(access, request->kernel))
            continue;
        for (size_t b = 0; b < trace->access_count; b++)
            if (is_same_array(request, access, &trace->accesses[b])) {
                touched += request->share * trace->accesses[b].first_bytes;
                bytes += bytes_of_array(request, b, &filled);
            }
        access->dram_share = touched > 0 && has_caches(request->target) ? fmin(1, bytes / touched) : 1;
    }
}

/* Bytes that would be loaded from L2 in the time that these stores take. */
static double stored_bytes(const struct explain_access *access, double share)
{
    double moved = share * (access->counts[0].bytes_moved - (1 - MERGED_STORE) * access->merged_bytes);
    double used = share * access->counts[0].bytes_used;
    return used * WHOLE_STORE + fmax(0, moved - used) * PARTIAL_STORE;
}

/* A sector a clock leaves the first cache. */
static double passes_of(const struct kernel_time_request *request, const struct explain_access *access)
{
    if (request->target->compute < 70)
        return access->lines;
    return access->operation == EXPLAIN_STORE ? fmax(access->l1_passes, access->counts[0].bytes_moved / SECTOR)
                                              : access->l1_passes;
}

static void add_global(const struct kernel_time_request *request, size_t index, struct traffic *traffic)
{
    const struct explain_access *access = &request->trace->accesses[index];
    const struct explain_counts *counts = &access->counts[0];
    double filled = 0, share = request->share;
    double bytes = has_caches(request->target) ? bytes_of_array(request, index, &filled) : share * counts->bytes_moved;
    traffic->l1_passes += share * passes_of(request, access);
    traffic->sectors += share * counts->bytes_moved / SECTOR;
    if (access->operation == EXPLAIN_LOAD)
        traffic->l2_bytes += from_l2(access, share, request->groups, request->together);
    else if (access->operation == EXPLAIN_STORE)
        traffic->l2_bytes += stored_bytes(access, share);
    traffic->dram_bytes += bytes + filled;
    traffic->dram_written += access->operation == EXPLAIN_LOAD ? 0 : bytes;
}

static struct traffic traffic_of(const struct kernel_time_request *request)
{
    struct traffic traffic = {.l1_passes = 0};
    const struct explain_trace *trace = request->trace;
    for (size_t a = 0; a < trace->access_count; a++) {
        const struct explain_access *access = &trace->accesses[a];
        double moved = request->share * access->counts[0].bytes_moved;
        if (!explain_is_access_of(access, request->kernel))
            continue;
        if (access->space == EXPLAIN_SHARED)
            traffic.passes += request->share * access->counts[0].transactions;
        else if (access->space == EXPLAIN_GLOBAL)
            add_global(request, a, &traffic);
        else {
            traffic.l1_passes += request->share * passes_of(request, access);
            *(access->operation == EXPLAIN_LOAD ? &traffic.own_loaded : &traffic.own_stored) += moved;
        }
    }
    return traffic;
}

/* The share of accesses that miss a cache whose lines are replaced at random, by what is walked through again and
 * again: a line survives the m F misses until its next use with a chance of exp(-m F / C), so 1 - m = exp(-m F / C). */
static double misses_of(double footprint, double cache)
{
    double misses = 1;
    if (footprint <= cache || cache <= 0)
        return footprint > cache;
    for (int i = 0; i < 60; i++)
        misses = 1 - exp(-misses * footprint / cache);
    return misses;
}

/* Items' own memory: every store goes on to L2, loads where the first cache has no room for all resident items, and
 * both to DRAM where L2 has none. */
static void add_stack(const struct kernel_time_request *request, struct traffic *traffic, struct explain_stack *stack)
{
    const struct explain_kernel *kernel = request->kernel;
    const struct explain_target *target = request->target;
    const struct kernel_work *work = request->work;
    bool is_counted = traffic->own_loaded + traffic->own_stored > 0;
    stack->loaded = is_counted ? traffic->own_loaded : work ? work->stack_loaded : 0;
    stack->stored = is_counted ? traffic->own_stored : work ? work->stack_stored : 0;
    if (stack->loaded + stack->stored == 0)
        return;
    double resident = request->together * (double)explain_kernel_items(kernel) * kernel->stack_bytes;
    double first = target->capability ? target->capability->figures[CAPABILITY_CACHE].value * 1024 : 0;
    bool is_shared = target->compute < 50 || target->compute >= 70; /* with local memory */
    double room = fmax(0, first - (is_shared ? request->together * kernel->shared_bytes : 0));
    double missed = stack->loaded * misses_of(resident, room);
    stack->l2 = stack->stored + missed;
    if (request->l2_cache > 0)
        stack->dram = stack->l2 * misses_of(resident * fmax(1, target->units), request->l2_cache);
    traffic->l2_bytes += stack->stored * WHOLE_STORE + missed;
    traffic->dram_bytes += stack->dram;
    traffic->dram_written += stack->dram;
}

/* Clocks of L2 for an operation on the address that the one before it changed, of integers and of floats; for a request
 * to the 512 bytes that lie in one slice of it; and what a swap takes more. Bytes of the requests that it takes at
 * most, as a part of what it loads. An H200: results/h200/explain-atomics.txt, 0.75, 1.77 and 0.68 ns at 1.98 GHz. */
#define INTEGER_CLOCKS 1.48
#define FLOAT_CLOCKS 3.5
#define SLICE_CLOCKS 1.35
#define SWAP 1.5
#define SLICES_SHARE 1.25 /* where several are used, two may have one slice */
#define REQUESTS 0.3

static void time_atomics(const struct kernel_time_request *request, struct kernel_time *time)
{
    const struct explain_trace *trace = request->trace;
    double clocks = 0, bytes = 0, clock = request->target->ceilings[EXPLAIN_CLOCK];
    for (size_t a = 0; a < trace->access_count; a++) {
        const struct explain_access *access = &trace->accesses[a];
        if (access->space != EXPLAIN_GLOBAL || access->operation != EXPLAIN_ATOMIC ||
            !explain_is_access_of(access, request->kernel))
            continue;
        bytes += request->share * access->counts[0].transactions * SECTOR;
        double of_address = access->hottest * (access->is_float_atomic ? FLOAT_CLOCKS : INTEGER_CLOCKS);
        double of_slice = access->hottest_slice * SLICE_CLOCKS * (access->is_swap ? SWAP : 1) *
                          (access->hottest_slice < 0.9 * access->counts[0].transactions ? SLICES_SHARE : 1);
        clocks = fmax(clocks, request->share * fmax(of_address, of_slice));
    }
    if (bytes == 0)
        return;
    set(time, RESOURCE_ATOMICS, clocks, clock);
    if (request->target->ceilings[EXPLAIN_L2_READ] > 0)
        time->ns[RESOURCE_ATOMICS] =
            fmax(time->ns[RESOURCE_ATOMICS], bytes / (REQUESTS * request->target->ceilings[EXPLAIN_L2_READ]));
}

static void time_memory(const struct kernel_time_request *request, struct kernel_time *time)
{
    const double *ceilings = request->target->ceilings;
    struct traffic traffic = traffic_of(request);
    double clocks = request->target->units * ceilings[EXPLAIN_CLOCK];
    add_stack(request, &traffic, &time->stack);
    time->dram_bytes = request->fits_l2 ? time->stack.dram : traffic.dram_bytes;
    if (request->trace->access_count == 0)
        return;
    set(time, RESOURCE_DRAM, time->dram_bytes,
        traffic.dram_written > 0.01 * traffic.dram_bytes ? ceilings[EXPLAIN_DRAM_COPY] : ceilings[EXPLAIN_DRAM_READ]);
    set(time, RESOURCE_L2, traffic.l2_bytes, ceilings[EXPLAIN_L2_READ]);
    double data = traffic.sectors / SECTORS_PER_CLOCK;
    if (traffic.passes > 0)
        set(time, RESOURCE_SHARED, (traffic.passes + data) * 128 * (request->target->compute < 20 ? 0.5 : 1),
            ceilings[EXPLAIN_LOCAL_READ]);
    time_atomics(request, time);
    if (time->is_known[RESOURCE_DRAM] && request->imbalance > 0)
        set(time, RESOURCE_CAMPING, time->ns[RESOURCE_DRAM] * request->imbalance, 1);
    if (has_caches(request->target))
        set(time, RESOURCE_L1, fmax(traffic.l1_passes, data), clocks);
}

/* ---- arithmetic ---- */

static void time_arithmetic(const struct kernel_time_request *request, struct kernel_time *time)
{
    const struct explain_target *target = request->target;
    const double *pipes = request->work->pipes, *ceilings = target->ceilings;
    double clocks = target->units * ceilings[EXPLAIN_CLOCK];
    struct rate rate = rate_of(target->compute);
    double schedulers = target->capability ? target->capability->figures[CAPABILITY_SCHEDULERS].value : 0;
    set(time, RESOURCE_FMA, (pipes[PIPE_FMA] + pipes[PIPE_HEAVY]) * 2 * WARP, ceilings[EXPLAIN_FMA_F32]);
    if (clocks > 0)
        time->ns[RESOURCE_FMA] = fmax(time->ns[RESOURCE_FMA], pipes[PIPE_HEAVY] * WARP / (clocks * rate.integers));
    set(time, RESOURCE_FP64, pipes[PIPE_FP64] * 2 * WARP, ceilings[EXPLAIN_FMA_F64]);
    set(time, RESOURCE_INTEGER, pipes[PIPE_ALU] * WARP, clocks * rate.integers);
    set(time, RESOURCE_SPECIAL, pipes[PIPE_XU] * WARP, clocks * rate.special);
    set(time, RESOURCE_ISSUE, request->work->issued, clocks * schedulers * rate.issued);
    if (has_caches(target) && pipes[PIPE_LSU] > clocks * time->ns[RESOURCE_L1])
        set(time, RESOURCE_L1, pipes[PIPE_LSU], clocks);
}

/* A kernel's products are all of one kind. */
static double tensor_rate(const struct kernel_time_request *request)
{
    const struct explain_kernel *kernel = request->kernel;
    double rate = request->target->ceilings[EXPLAIN_TENSOR_BF16];
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].is_of_a_warp && request->target->compute == 90)
            return rate * WARP_PRODUCTS;
    return rate;
}

static void time_latency(const struct kernel_time_request *request, struct kernel_time *time)
{
    double alone = request->fits_l2 ? request->work->alone_l2 : request->work->alone_dram;
    double clock = request->target->ceilings[EXPLAIN_CLOCK];
    if (alone > 0 && request->together > 0)
        set(time, RESOURCE_LATENCY, alone * request->rounds / request->together, clock);
    set(time, RESOURCE_GROUPS, request->groups * GROUP_CLOCKS, clock);
}

/* ---- together ---- */

static double add_up(const struct kernel_time *time, double stretch)
{
    double sum = 0;
    for (int r = 0; r < RESOURCE_TAIL; r++) {
        if (r == RESOURCE_DRAM && time->ns[RESOURCE_CAMPING] > 0)
            continue; /* the busiest partition's time includes it */
        bool stretches = is_of_multiprocessors((enum explain_resource)r) && r != RESOURCE_LATENCY;
        sum += pow(time->ns[r] * (stretches ? stretch : 1), OVERLAP);
    }
    return pow(sum, 1.0 / OVERLAP);
}

void explain_kernel_time(const struct kernel_time_request *request, struct kernel_time *time)
{
    *time = (struct kernel_time){.all_ns = 0};
    time_memory(request, time);
    if (request->work) {
        time_arithmetic(request, time);
        time_latency(request, time);
    }
    if (request->tensor_operations > 0)
        set(time, RESOURCE_TENSOR, request->tensor_operations, tensor_rate(request));
    if (request->least_bytes > 0)
        set(time, RESOURCE_DRAM, request->least_bytes, request->target->ceilings[EXPLAIN_DRAM_COPY]);
    time->all_ns = add_up(time, request->stretch);
    if (time->all_ns > 0)
        set(time, RESOURCE_TAIL, time->all_ns - add_up(time, 1), 1);
}
