/* The probe, the memory and the duration of each ceiling. */
#include <math.h>
#include <stdio.h>

#include "backends/cpu/cpu.h"
#include "base/translation.h"
#include "lab/ceilings/ceiling.h"
#include "lab/ceilings/probes.h"

#define MIB 1048576.0

/* The approximate time of one run of a probe of arithmetic or of a cache. */
#define RUN_SECONDS 2e-3
/* The work of one CPU core in that time, with wide vectors assumed. */
#define CPU_OPERATIONS 4e8
#define CPU_CACHE_BYTES (256 * MIB)
#define CPU_ADDITIONS 8e6
#define CPU_ISSUED 4e6
/* Per multiprocessor and cycle. On a GPU with fewer units the run only takes longer. */
#define UNIT_FLOATS 128
#define UNIT_TENSOR 2048 /* multiply-adds of bfloat16 */
#define DOUBLE_SHARE 8   /* consumer GPUs have few units for doubles */
#define UNIT_LOCAL_BYTES 128
#define UNIT_CACHE_BYTES 64

/* An array is this many times as large as the last-level cache, as STREAM asks, and at least DRAM_LEAST (on a GPU,
 * whose memory is faster, DRAM_LEAST_GPU). The five arrays of copy and triad exist at once, in a fifth of the memory.
 * The read-only probe has one array, on a GPU of a fifth of the memory: start and end of a launch cost an H200 2 % of
 * the rate at 4 GiB. */
#define DRAM_CACHES 4
#define DRAM_LEAST (64 * MIB)
#define DRAM_LEAST_GPU (4096 * MIB)
#define DRAM_SHARE 24
#define DRAM_READ_MOST (32768 * MIB)
#define DRAM_READ_SHARE 5

static double dram_read_bytes(const struct device *device, double least)
{
    double most = fmin(DRAM_READ_MOST, (double)device->properties.memory_bytes / DRAM_READ_SHARE);
    return device->properties.is_cpu ? least : fmax(least, floor(most / MIB) * MIB);
}

static double dram_bytes(const struct device *device)
{
    const struct device_properties *properties = &device->properties;
    double wanted =
        fmax(DRAM_CACHES * (double)properties->cache_bytes, properties->is_cpu ? DRAM_LEAST : DRAM_LEAST_GPU);
    double most = properties->memory_bytes ? (double)properties->memory_bytes / DRAM_SHARE : DRAM_LEAST;
    return floor(fmin(wanted, most) / MIB) * MIB;
}

static void refuse(struct ceiling_plan *plan, const char *reason)
{
    snprintf(plan->refusal, sizeof plan->refusal, "%s", reason);
}

static double cycles(const struct device *device)
{
    double mhz = device->properties.clock_mhz ? device->properties.clock_mhz : 1000;
    return (device->properties.units ? device->properties.units : 1) * mhz * 1e6 * RUN_SECONDS;
}

static void plan_arithmetic(const struct device *device, unsigned threads, bool is_double, struct ceiling_plan *plan)
{
    bool on_cpu = device->backend->kind == BACKEND_CPU;
    struct ceiling_work work = {.operations = on_cpu ? CPU_OPERATIONS * threads : 2 * UNIT_FLOATS * cycles(device)};
    if (is_double)
        work.operations /= on_cpu ? 2 : DOUBLE_SHARE;
    plan->rung = &probe_fma;
    plan->problem = ceiling_problem(plan->kind, &work, threads, is_double ? ELEMENT_F64 : ELEMENT_F32);
    if (is_double && !device->properties.has_double)
        refuse(plan, N_("the device has no double precision"));
}

static void plan_tensor(const struct device *device, struct ceiling_plan *plan)
{
    struct ceiling_work work = {.operations = 2 * UNIT_TENSOR * cycles(device)};
    plan->rung = &probe_tensor[0];
    plan->problem = ceiling_problem(plan->kind, &work, 0, ELEMENT_F32);
    if (device->backend->kind != BACKEND_CUDA)
        refuse(plan, N_("tensor cores are reached through CUDA only"));
    else
        plan->rung->supports(&plan->problem, device, NULL, plan->refusal, sizeof plan->refusal);
}

static void plan_memory(const struct device *device, unsigned threads, struct ceiling_plan *plan)
{
    struct ceiling_work work = {.bytes = dram_bytes(device), .times = 1, .reads = 1};
    if (plan->kind == CEILING_DRAM_READ)
        work.bytes = dram_read_bytes(device, work.bytes);
    work.reads += plan->kind == CEILING_DRAM_TRIAD;
    work.writes = plan->kind != CEILING_DRAM_READ;
    plan->rung = plan->kind == CEILING_DRAM_COPY ? &probe_copy : &probe_streams;
    plan->problem = ceiling_problem(plan->kind, &work, threads, ELEMENT_F32);
}

/* The bytes of a CPU's cache that one of `threads` threads reads; 0, with the reason, when there is no such cache. The
 * working set is half of the L1 cache or a quarter of a shared one, which leaves room for everything else. It is
 * more than twice the cache before it, so that this one cannot serve it. */
#define CPU_LAST_CACHE 3

static double cpu_working_set(int level, unsigned threads, struct ceiling_plan *plan)
{
    struct cpu_cache cache, before;
    if (!cpu_cache_level(level, &cache)) {
        refuse(plan, N_("the system tells of no such cache"));
        return 0;
    }
    if (level == CPU_LAST_CACHE && cache.bytes > cpu_cache_bytes()) /* a virtual machine may own only part of it */
        cache.bytes = cpu_cache_bytes();
    double sharers = fmin(threads, cache.sharers);
    double share = (double)cache.bytes / sharers, set = level < 3 ? share / 2 : share / 4;
    if (level > 1 && cpu_cache_level(level - 1, &before)) {
        set = fmax(set, 2 * (double)before.bytes);
        share += (double)before.bytes;
    }
    if (set > 0.9 * share) {
        refuse(plan, N_("a thread's share of it is hardly larger than the cache before it"));
        return 0;
    }
    return floor(set / CPU_READ_UNIT) * CPU_READ_UNIT;
}

static void plan_cpu_cache(unsigned threads, struct ceiling_plan *plan)
{
    double set = cpu_working_set(plan->kind - CEILING_L1_READ + 1, threads, plan);
    struct ceiling_work work = {.bytes = set * threads, .reads = 1, .times = set > 0 ? ceil(CPU_CACHE_BYTES / set) : 1};
    plan->rung = &ceiling_cache;
    plan->problem = ceiling_problem(plan->kind, &work, threads, ELEMENT_F32);
}

/* A power of two within a quarter of L2: on some GPUs L2 has two partitions, and data that both use is cached in each.
 */
static void plan_gpu_cache(const struct device *device, struct ceiling_plan *plan)
{
    double cache = (double)device->properties.cache_bytes;
    double set = cache > 0 ? exp2(floor(log2(cache / 4))) : 0;
    struct ceiling_work work = {
        .bytes = set, .reads = 1, .times = set > 0 ? ceil(UNIT_CACHE_BYTES * cycles(device) / set) : 1};
    plan->rung = &ceiling_cache;
    plan->problem = ceiling_problem(plan->kind, &work, 0, ELEMENT_F32);
    if (plan->kind != CEILING_L2_READ)
        refuse(plan, plan->kind == CEILING_L1_READ ? N_("local memory, of the same unit, stands for it")
                                                   : N_("a GPU has no third cache"));
    else if (set < MIB / 8)
        refuse(plan, N_("the device does not tell the size of its cache"));
}

static void plan_local(const struct device *device, struct ceiling_plan *plan)
{
    struct ceiling_work work = {.bytes = UNIT_LOCAL_BYTES * cycles(device), .reads = 1, .times = 1};
    plan->rung = &ceiling_local;
    plan->problem = ceiling_problem(plan->kind, &work, 0, ELEMENT_F32);
}

/* The clock, or what is issued in it: instructions of each thread. */
static void plan_instructions(unsigned threads, struct ceiling_plan *plan)
{
    bool is_clock = plan->kind == CEILING_CLOCK;
    struct ceiling_work work = {.times = is_clock ? CPU_ADDITIONS : CPU_ISSUED};
    plan->rung = is_clock ? &ceiling_clock : &ceiling_issue;
    plan->problem = ceiling_problem(plan->kind, &work, threads, ELEMENT_F32);
}

static void plan_cache(const struct device *device, unsigned threads, struct ceiling_plan *plan)
{
    if (device->backend->kind == BACKEND_CPU)
        plan_cpu_cache(threads, plan);
    else
        plan_gpu_cache(device, plan);
    if (device->backend->kind != BACKEND_CPU && device->properties.is_cpu)
        refuse(plan, N_("a cpu's caches are measured on the device 'cpu'"));
}

void ceiling_plan(const struct device *device, unsigned threads, struct ceiling_plan plans[CEILING_KINDS])
{
    bool on_cpu = device->backend->kind == BACKEND_CPU;
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        struct ceiling_plan *plan = &plans[kind];
        *plan = (struct ceiling_plan){.kind = (enum ceiling_kind)kind, .threads = threads};
        if (kind == CEILING_CLOCK || kind == CEILING_ISSUE)
            plan_instructions(threads, plan);
        else if (kind == CEILING_TENSOR_BF16)
            plan_tensor(device, plan);
        else if (ceiling_is_of_arithmetic(plan->kind))
            plan_arithmetic(device, threads, kind == CEILING_FMA_F64, plan);
        else if (kind == CEILING_LOCAL_READ)
            plan_local(device, plan);
        else if (kind >= CEILING_L1_READ && kind <= CEILING_L3_READ)
            plan_cache(device, threads, plan);
        else
            plan_memory(device, threads, plan);
        if ((kind == CEILING_CLOCK || kind == CEILING_ISSUE) && !on_cpu)
            refuse(plan, N_("measured on the device 'cpu' only"));
        if (kind == CEILING_LOCAL_READ && device->properties.is_cpu)
            refuse(plan, N_("a cpu has no local memory: it is ordinary memory there"));
        if (device_is_null(device))
            refuse(plan, N_("the null device does nothing"));
    }
}
