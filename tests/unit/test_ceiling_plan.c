/* The work of each ceiling's probe, worked out by hand. A run of arithmetic takes 2 ms: of 132 multiprocessors at 1980
 * MHz 522.72 M cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/backend.h"
#include "base/size.h"
#include "lab/ceilings/ceiling.h"
#include "lab/ceilings/probes.h"

#include <cmocka.h>

#define CYCLES 522720000.0
#define MIB 1048576.0

static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA},
                            opencl = {.name = "opencl", .kind = BACKEND_OPENCL},
                            cpu = {.name = "cpu", .kind = BACKEND_CPU};

static struct device gpu_of(const struct backend *backend)
{
    return (struct device){.backend = backend,
                           .properties = {.name = "A GPU",
                                          .version = "9.0",
                                          .units = 132,
                                          .clock_mhz = 1980,
                                          .cache_bytes = 60 << 20,
                                          .memory_bytes = 150000000000,
                                          .has_double = true}};
}

struct wanted {
    enum ceiling_kind kind;
    const struct rung *rung;
    double read, written, operations;
    enum element_type type;
    const char *refusal;
};

static void expect(const struct device *device, unsigned threads, const struct wanted *rows, size_t count)
{
    struct ceiling_plan plans[CEILING_KINDS];
    ceiling_plan(device, threads, plans);
    for (size_t i = 0; i < count; i++) {
        const struct ceiling_plan *plan = &plans[rows[i].kind];
        const struct cost cost = ceiling_kernel.cost(&plan->problem);
        assert_int_equal(plan->kind, rows[i].kind);
        assert_int_equal(plan->threads, threads);
        assert_ptr_equal(plan->rung, rows[i].rung);
        assert_true(cost.bytes_read == rows[i].read);
        assert_true(cost.bytes_written == rows[i].written);
        assert_true(cost.operations == rows[i].operations);
        assert_int_equal(plan->problem.type, rows[i].type);
        assert_string_equal(plan->refusal, rows[i].refusal ? rows[i].refusal : "");
    }
}

/* 4 GiB for each array; all of 28610 MiB, a fifth of the memory, to read. Of 60 MiB of L2 a quarter is 15: 8 MiB, read
 * ceil(64 * CYCLES / 8 MiB) = 3989 times. */
static void of_a_gpu(void **state)
{
    (void)state;
    const struct device device = gpu_of(&cuda);
    const struct wanted rows[] = {
        {CEILING_FMA_F32, &probe_fma, 0, 0, 256 * CYCLES, ELEMENT_F32, NULL},
        {CEILING_FMA_F64, &probe_fma, 0, 0, 32 * CYCLES, ELEMENT_F64, NULL},
        {CEILING_TENSOR_BF16, &probe_tensor[0], 0, 0, 4096 * CYCLES, ELEMENT_F32, NULL},
        {CEILING_DRAM_COPY, &probe_copy, 4096 * MIB, 4096 * MIB, 0, ELEMENT_F32, NULL},
        {CEILING_DRAM_TRIAD, &probe_streams, 8192 * MIB, 4096 * MIB, 0, ELEMENT_F32, NULL},
        {CEILING_DRAM_READ, &probe_streams, 28610 * MIB, 0, 0, ELEMENT_F32, NULL},
        {CEILING_L1_READ, &ceiling_cache, 3989 * 8 * MIB, 0, 0, ELEMENT_F32,
         "local memory, of the same unit, stands for it"},
        {CEILING_L2_READ, &ceiling_cache, 3989 * 8 * MIB, 0, 0, ELEMENT_F32, NULL},
        {CEILING_L3_READ, &ceiling_cache, 3989 * 8 * MIB, 0, 0, ELEMENT_F32, "a GPU has no third cache"},
        {CEILING_LOCAL_READ, &ceiling_local, 128 * CYCLES, 0, 0, ELEMENT_F32, NULL},
        {CEILING_CLOCK, &ceiling_clock, 0, 0, 0, ELEMENT_F32, "measured on the device 'cpu' only"},
        {CEILING_ISSUE, &ceiling_issue, 0, 0, 0, ELEMENT_F32, "measured on the device 'cpu' only"},
    };
    expect(&device, 0, rows, COUNT_OF(rows));
}

/* Through OpenCL, with 6 GB, no doubles, and a clock, units and caches that it does not tell: 256 MiB are a 24th of its
 * memory, 1144 MiB a fifth; a clock of 1 GHz and one unit are 2 M cycles. Its copy's arrays are the readers', too. */
static void of_a_small_gpu(void **state)
{
    (void)state;
    struct device device = gpu_of(&opencl);
    device.properties.has_double = false;
    device.properties.units = device.properties.clock_mhz = 0;
    device.properties.cache_bytes = 0;
    device.properties.memory_bytes = 6442450944; /* 6 GiB */
    const struct wanted rows[] = {
        {CEILING_FMA_F32, &probe_fma, 0, 0, 256 * 2e6, ELEMENT_F32, NULL},
        {CEILING_FMA_F64, &probe_fma, 0, 0, 32 * 2e6, ELEMENT_F64, "the device has no double precision"},
        {CEILING_TENSOR_BF16, &probe_tensor[0], 0, 0, 4096 * 2e6, ELEMENT_F32,
         "tensor cores are reached through CUDA only"},
        {CEILING_DRAM_COPY, &probe_copy, 256 * MIB, 256 * MIB, 0, ELEMENT_F32, NULL},
        {CEILING_DRAM_READ, &probe_streams, 1228 * MIB, 0, 0, ELEMENT_F32, NULL},
        {CEILING_L2_READ, &ceiling_cache, 0, 0, 0, ELEMENT_F32, "the device does not tell the size of its cache"},
    };
    expect(&device, 0, rows, COUNT_OF(rows));
    device.properties.cache_bytes = 512 << 10; /* a quarter is 128 KiB: enough */
    const struct wanted enough[] = {
        {CEILING_L2_READ, &ceiling_cache, 977 * MIB / 8, 0, 0, ELEMENT_F32, NULL}, /* 128e6 / 131072 = 976.6 */
    };
    expect(&device, 0, enough, COUNT_OF(enough));
    device.properties.cache_bytes = 511 << 10;
    const struct wanted less[] = {
        {CEILING_L2_READ, &ceiling_cache, 1954 * MIB / 16, 0, 0, ELEMENT_F32,
         "the device does not tell the size of its cache"},
    };
    expect(&device, 0, less, COUNT_OF(less));
}

/* OpenCL on a CPU: four times the cache, not the GPUs' 4 GiB. */
static void of_opencl_on_a_cpu(void **state)
{
    (void)state;
    struct device device = gpu_of(&opencl);
    device.properties.is_cpu = true;
    const struct wanted rows[] = {
        {CEILING_DRAM_COPY, &probe_copy, 240 * MIB, 240 * MIB, 0, ELEMENT_F32, NULL},
        {CEILING_DRAM_READ, &probe_streams, 240 * MIB, 0, 0, ELEMENT_F32, NULL},
        {CEILING_LOCAL_READ, &ceiling_local, 128 * CYCLES, 0, 0, ELEMENT_F32,
         "a cpu has no local memory: it is ordinary memory there"},
        {CEILING_L2_READ, &ceiling_cache, 3989 * 8 * MIB, 0, 0, ELEMENT_F32,
         "a cpu's caches are measured on the device 'cpu'"},
    };
    expect(&device, 0, rows, COUNT_OF(rows));
    device.properties.cache_bytes = 1 << 20;
    const struct wanted least[] = {{CEILING_DRAM_COPY, &probe_copy, 64 * MIB, 64 * MIB, 0, ELEMENT_F32, NULL}};
    expect(&device, 0, least, COUNT_OF(least));
    device.properties.memory_bytes = 0; /* not told */
    device.properties.cache_bytes = 60 << 20;
    expect(&device, 0, least, COUNT_OF(least));
}

/* Three threads: 4e8 operations of floats each, half of them of doubles. */
static void of_the_cpu(void **state)
{
    (void)state;
    struct device device = gpu_of(&cpu);
    device.properties.is_cpu = true;
    const struct wanted rows[] = {
        {CEILING_FMA_F32, &probe_fma, 0, 0, 12e8, ELEMENT_F32, NULL},
        {CEILING_FMA_F64, &probe_fma, 0, 0, 6e8, ELEMENT_F64, NULL},
        {CEILING_CLOCK, &ceiling_clock, 0, 0, 0, ELEMENT_F32, NULL},
        {CEILING_ISSUE, &ceiling_issue, 0, 0, 0, ELEMENT_F32, NULL},
    };
    struct ceiling_plan plans[CEILING_KINDS];
    expect(&device, 3, rows, COUNT_OF(rows));
    ceiling_plan(&device, 3, plans);
    assert_true(ceiling_kernel.work(&plans[CEILING_CLOCK].problem) == 8e6);
    assert_true(ceiling_kernel.work(&plans[CEILING_ISSUE].problem) == 4e6);
    assert_true(ceiling_kernel.work(&plans[CEILING_FMA_F64].problem) == 6e8);
    assert_true(ceiling_kernel.work(&plans[CEILING_DRAM_COPY].problem) == 480 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_gpu), cmocka_unit_test(of_a_small_gpu),
                                       cmocka_unit_test(of_opencl_on_a_cpu), cmocka_unit_test(of_the_cpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
