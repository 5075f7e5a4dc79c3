#include "architectures/architectures.h"

#include <string.h>

#include "base/size.h"
#include "base/translation.h"

static const struct source sources[] = {
    [SOURCE_NONE] = {"", "", ""},
#define SOURCE(name, key, title, note) [SOURCE_##name] = {key, title, note},
#include "architectures/sources.def"
#undef SOURCE
};

const struct source *source_of(enum source_id id)
{
    return &sources[id];
}

const struct check_words figure_checks[FIGURE_CHECKS] = {
    [FIGURE_READ] = {"source", "", N_("read in the source")},
    [FIGURE_ELSEWHERE] = {"elsewhere", "~", N_("the source was not at hand; the same figure is found elsewhere")},
    [FIGURE_UNCHECKED] = {"no", "?", N_("not checked against the source")},
};

const char *figure_mark(struct figure figure)
{
    return figure_is_known(figure) ? figure_checks[figure.check].mark : "";
}

#define FIGURE(value, source, check)             \
    {                                            \
        (value), SOURCE_##source, FIGURE_##check \
    }
#define F(value, source) FIGURE(value, source, READ)
#define E(value, source) FIGURE(value, source, ELSEWHERE)
#define N(value, source) FIGURE(value, source, UNCHECKED)
#define UNKNOWN FIGURE(0, NONE, READ)

/* ---- compute capabilities ---- */

const struct column capability_columns[CAPABILITY_COLUMNS] = {
    [CAPABILITY_CORES] = {"cores", N_("cores"), N_("FP32 cores: multiply-adds of floats in a cycle")},
    [CAPABILITY_FP64] = {"fp64_units", "FP64",
                         N_("multiply-adds of doubles in a cycle, on the cards that have the most")},
    [CAPABILITY_LOAD_STORE] = {"load_store_units", "LD/ST", N_("load and store units")},
    [CAPABILITY_SPECIAL] = {"special_function_units", "SFU", N_("special function units (sine, logarithm, root)")},
    [CAPABILITY_TENSOR] = {"tensor_cores", N_("tensor"), N_("tensor cores")},
    [CAPABILITY_SCHEDULERS] = {"warp_schedulers", N_("sched."), N_("warp schedulers")},
    [CAPABILITY_LOCAL] = {"local_kib", N_("local"), N_("local memory, KiB")},
    [CAPABILITY_LOCAL_GROUP] = {"local_group_kib", N_("l./group"), N_("local memory that one group may have, KiB")},
    [CAPABILITY_CACHE] = {"cache_kib", "L1", N_("L1 data cache, KiB; with local memory in 2.x, 3.x and from 7.0 on")},
    [CAPABILITY_REGISTERS] = {"registers_k", N_("regs K"), N_("registers of 32 bits, in units of 1024")},
    [CAPABILITY_GROUPS] = {"groups", N_("groups"), N_("groups resident at once")},
    [CAPABILITY_WARPS] = {"warps", N_("warps"), N_("warps (of 32 items) resident at once")},
    [CAPABILITY_ITEMS] = {"items", N_("items"), N_("items resident at once")},
    [CAPABILITY_GROUP_ITEMS] = {"group_items", N_("it./grp"), N_("most items in a group")},
    [CAPABILITY_ITEM_REGISTERS] = {"item_registers", N_("regs/it"), N_("most registers of one item")},
    [CAPABILITY_GRID] = {"grid_millions", N_("grid M"), N_("most groups along a grid's first dimension, millions")},
    [CAPABILITY_GRIDS] = {"grids", N_("queues"), N_("kernels that run at once (hardware queues)")},
};

const struct capability capabilities[] = {
#define CAPABILITY(version, architecture, examples, ...) {version, architecture, examples, {__VA_ARGS__}},
#include "architectures/capabilities.def"
#undef CAPABILITY
};
const size_t capability_count = COUNT_OF(capabilities);

const struct capability *capability_by_version(const char *version)
{
    for (size_t i = 0; i < capability_count; i++)
        if (strcmp(capabilities[i].version, version) == 0)
            return &capabilities[i];
    return NULL;
}

/* ---- GPUs ---- */

const struct column gpu_columns[GPU_COLUMNS] = {
    [GPU_UNITS] = {"units", N_("units"), N_("multiprocessors")},
    [GPU_CLOCK] = {"clock_mhz", N_("MHz"), N_("the units' clock, boost")},
    [GPU_FP32] = {"fp32_gflops", "FP32", N_("peak of floats, GFLOP/s")},
    [GPU_FP64] = {"fp64_gflops", "FP64", N_("peak of doubles without tensor cores, GFLOP/s")},
    [GPU_TENSOR] = {"bf16_tensor_gflops", "bf16", N_("peak of tensor cores, dense bfloat16 summed in float, GFLOP/s")},
    [GPU_BANDWIDTH] = {"bandwidth_gb_per_s", "GB/s", N_("memory bandwidth")},
    [GPU_BUS] = {"bus_bits", N_("bus"), N_("memory bus, bits")},
    [GPU_MEMORY] = {"memory_gb", N_("GB"), N_("memory")},
    [GPU_L2] = {"l2_kib", N_("L2 KiB"), N_("L2 cache")},
    [GPU_WATTS] = {"watts", N_("W"), N_("power limit of the board, W")},
    [GPU_TRANSISTORS] = {"transistors_thousand_millions", N_("tr. 10^9"), N_("transistors, thousand millions")},
    [GPU_BALANCE] = {"balance_published", N_("publ."), N_("operations for each byte, as published")},
};

const struct gpu gpus[] = {
#define GPU(name, version, ...) {name, version, {__VA_ARGS__}},
#include "architectures/gpus.def"
#undef GPU
};
const size_t gpu_count = COUNT_OF(gpus);

unsigned gpu_partitions(const struct gpu *gpu)
{
    return gpu->version[0] == '1' && gpu->version[1] == '.' ? (unsigned)gpu->figures[GPU_BUS].value / 64 : 0;
}

double gpu_balance(const struct gpu *gpu)
{
    double bandwidth = gpu->figures[GPU_BANDWIDTH].value;
    return bandwidth > 0 ? gpu->figures[GPU_FP32].value / bandwidth : 0;
}

double gpu_doubles_per_watt(const struct gpu *gpu)
{
    double watts = gpu->figures[GPU_WATTS].value;
    return watts > 0 ? gpu->figures[GPU_FP64].value / watts : 0;
}

const struct gpu *gpu_by_device_name(const char *name)
{
    const struct gpu *longest = NULL;
    for (size_t i = 0; i < gpu_count; i++) {
        const char *at = strstr(name, gpus[i].name);
        size_t length = strlen(gpus[i].name);
        bool whole = at && (at == name || at[-1] == ' ') && (!at[length] || at[length] == '-');
        if (whole && (!longest || length > strlen(longest->name)))
            longest = &gpus[i];
    }
    return longest;
}

/* ---- CPUs ---- */

const struct column cpu_columns[CPU_COLUMNS] = {
    [CPU_FLOATS_AVX2] = {"operations_avx2", "AVX2",
                         N_("operations on floats in a cycle with AVX2, two for a multiply-add")},
    [CPU_FLOATS_AVX512] = {"operations_avx512", "AVX-512", N_("operations on floats in a cycle with AVX-512")},
    [CPU_READ_BYTES] = {"read_bytes", N_("read"), N_("most bytes read from L1 in a cycle")},
};

const struct cpu_family cpu_families[] = {
#define CPU(vendor, family, from, to, name, ...) {vendor, family, from, to, name, {__VA_ARGS__}},
#include "architectures/cpus.def"
#undef CPU
};
const size_t cpu_family_count = COUNT_OF(cpu_families);

const struct cpu_family *cpu_family_find(const char *vendor, int family, int model)
{
    for (size_t i = 0; i < cpu_family_count; i++) {
        const struct cpu_family *row = &cpu_families[i];
        if (strcmp(row->vendor, vendor) == 0 && row->family == family && row->model_from <= model &&
            model <= row->model_to)
            return row;
    }
    return NULL;
}
