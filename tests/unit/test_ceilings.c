/* Ceilings: the plan of a device, a measurement of each kind, what is steady, and when a kept one stands for a ceiling.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "backends/cpu/cpu.h"
#include "lab/bench/bench.h"
#include "lab/ceilings/ceiling.h"
#include "lab/ceilings/datasheet.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/stored_ceiling.h"
#include "report/terminal/ceilings.h"
#include "report/terminal/roofline.h"
#include "store/ceiling.h"
#include "store/noise.h"

static struct device *device_called(const char *id)
{
    struct device *device;
    struct error error;
    if (device_open(id, &device, &error) != STATUS_OK)
        FAIL_WITH("%s\n", error.text);
    return device;
}

static void test_names_are_found_again(void **state)
{
    (void)state;
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        assert_int_equal(ceiling_by_name(ceiling_info((enum ceiling_kind)kind)->name), kind);
        assert_string_equal(ceiling_names[kind], ceiling_info((enum ceiling_kind)kind)->name);
        assert_true(strcmp(ceiling_info((enum ceiling_kind)kind)->unit, "GB/s") == 0
                        ? ceiling_is_of_memory((enum ceiling_kind)kind)
                        : !ceiling_is_of_memory((enum ceiling_kind)kind));
    }
    assert_null(ceiling_names[CEILING_KINDS]);
    assert_int_equal(ceiling_by_name("dram"), CEILING_KINDS);
}

/* Working sets of caches: in the cache, out of the one before it. */
static void test_the_cpus_plan_fits_its_caches(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct ceiling_plan plans[CEILING_KINDS];
    ceiling_plan(cpu, 2, plans);
    for (int level = 1; level <= 3; level++) {
        const struct ceiling_plan *plan = &plans[CEILING_L1_READ + level - 1];
        struct cpu_cache cache, before;
        if (plan->refusal[0])
            continue;
        assert_true(cpu_cache_level(level, &cache));
        double set = (double)problem_size(&plan->problem, "bytes") / 2;
        assert_true(set > 0 && fmod(set, CPU_READ_UNIT) == 0);
        assert_true(set <= (double)cache.bytes + (level > 1 ? 2e9 : 0));
        if (level > 1 && cpu_cache_level(level - 1, &before))
            assert_true(set >= 2 * (double)before.bytes);
    }
    assert_true(plans[CEILING_LOCAL_READ].refusal[0] != 0);
    assert_true(problem_size(&plans[CEILING_DRAM_COPY].problem, "bytes") >= 4 * (int64_t)cpu_cache_bytes() ||
                cpu->properties.memory_bytes < 100 * cpu_cache_bytes());
    device_close(cpu);
}

static void count_it(void *context, struct measurement *measurement)
{
    (void)measurement;
    ++*(size_t *)context;
}

static void test_every_ceiling_is_measured_or_refused(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list list = {0};
    struct error error;
    size_t finished = 0;
    cpu->properties.memory_bytes = (uint64_t)2
                                   << 30; /* arrays of 85 MiB, also where a server's whole cache is reported */
    const struct ceiling_options options = {.seconds = 1e-4, .finished = count_it, .finished_context = &finished};
    assert_int_equal(lab_ceilings(cpu, &options, &list, &error), STATUS_OK);
    assert_int_equal(finished, list.count);
    assert_int_equal(list.count % CEILING_KINDS, 0);
    for (size_t i = 0; i < list.count; i++) {
        struct ceiling ceiling;
        const struct measurement *measurement = &list.items[i];
        assert_string_equal(measurement->kernel, CEILING_KERNEL);
        assert_int_equal(measurement->kind, MEASURED_PROBE);
        assert_true(measurement->threads > 0);
        if (measurement_is_void(measurement)) { /* a busy machine */
            assert_false(ceiling_of(measurement, &ceiling));
        } else if (measurement->verdict == VERDICT_PASS) {
            assert_true(ceiling_of(measurement, &ceiling));
            assert_true(ceiling.rate > 0 && ceiling.threads == measurement->threads);
        } else {
            assert_false(ceiling_of(measurement, &ceiling));
            assert_true(measurement->reason[0] != 0);
        }
    }
    assert_null(ceiling_find(&list, "cpu", cpu->properties.name, "another", 0, CEILING_FMA_F32));
    measurement_list_free(&list);
    device_close(cpu);
}

static struct measurement *add_ceiling(struct measurement_list *list, const struct device *device, const char *what,
                                       double work)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    snprintf(measurement->kernel, sizeof measurement->kernel, CEILING_KERNEL);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", what);
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "GB/s");
    snprintf(measurement->device, sizeof measurement->device, "%s", device->id);
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", device->properties.name);
    snprintf(measurement->driver, sizeof measurement->driver, "%s", device->properties.driver);
    measurement->threads = 1;
    measurement->kind = MEASURED_PROBE;
    measurement->work = work;
    return measurement;
}

/* Half of the samples ten times as long: neither stored nor used for a prediction. */
static void test_noise_voids_a_ceiling(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list list = {0};
    struct ceiling made;
    for (int is_void = 0; is_void < 2; is_void++) {
        struct measurement *ceiling = add_ceiling(&list, cpu, "clock", 100);
        ceiling->verdict = VERDICT_PASS;
        ceiling->made_at = 1 + is_void;
        for (uint32_t i = 0; i < 40; i++)
            assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], is_void && i % 2 ? 1000 : 100, i));
        assert_int_equal(ceiling_serves(ceiling), !is_void);
        assert_int_equal(ceiling_of(ceiling, &made), !is_void);
    }
    const struct measurement *found =
        ceiling_find(&list, "cpu", cpu->properties.name, cpu->properties.driver, 0, CEILING_CLOCK);
    assert_ptr_equal(found, &list.items[0]); /* the older one */
    measurement_list_free(&list);
    device_close(cpu);
}

/* Samples of 100 to 148: not void, and not steady. Other programs make a difference; the run that measured it may use
 * it. */
static void test_a_disturbed_ceiling_does_not_last(void **state)
{
    (void)state;
    static const struct {
        const char *warnings;
        double step;
        bool lasts;
    } rows[] = {
        {"", 0.02, true},
        {"noisy: other programs used 1.7 CPUs", 0.02, true},
        {"not steady: nine tenths of the samples spread over 40 %", 1.2, true},
        {"noisy: other programs used 1.7 CPUs", 1.2, false},
        {"noisy: OpenMP binds 2 threads to fewer CPUs: 1", 1.2, false},
        {"noisy: the CPU quota (1.5 CPUs) stopped the program in 9 periods", 1.2, false},
    };
    struct device *cpu = device_called("cpu");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct measurement_list list = {0};
        struct measurement *ceiling = add_ceiling(&list, cpu, "clock", 100);
        ceiling->verdict = VERDICT_PASS;
        snprintf(ceiling->warnings, sizeof ceiling->warnings, "%s", rows[r].warnings);
        for (uint32_t i = 0; i < 40; i++)
            assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], 100 + i * rows[r].step, i));
        assert_true(ceiling_serves(ceiling));
        assert_int_equal(ceiling_lasts(ceiling), rows[r].lasts);
        for (int64_t id = 0; id < 2; id++) { /* measured by this run, and out of the store */
            ceiling->id = id;
            const bool is_found =
                ceiling_find(&list, "cpu", cpu->properties.name, cpu->properties.driver, 0, CEILING_CLOCK) != NULL;
            assert_int_equal(is_found, rows[r].lasts || id == 0);
        }
        measurement_list_free(&list);
    }
    device_close(cpu);
}

static void test_steady_is_nine_tenths_within_five_per_cent(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list list = {0};
    struct measurement *ceiling = add_ceiling(&list, cpu, "dram-copy", 100);
    double spread;
    for (uint32_t i = 0; i < 40; i++)
        assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], i == 7 ? 300 : 100 + i * 0.1, i));
    assert_true(ceiling_is_steady(ceiling, &spread)); /* one wild sample in forty does not count */
    assert_true(spread > 0.03 && spread < 0.04);
    for (uint32_t i = 0; i < 10; i++)
        assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], 170, i));
    assert_false(ceiling_is_steady(ceiling, NULL));
    struct ceiling kept;
    assert_true(ceiling_of(ceiling, &kept));
    assert_true(fabs(kept.rate - 100 / 102.5) < 0.02);
    measurement_list_free(&list);
    device_close(cpu);
}

static void test_probes_know_their_ceiling(void **state)
{
    (void)state;
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse("matmul:m=8,n=8,k=8,f64", &problem, &error), STATUS_OK);
    assert_int_equal(stored_ceiling_kind(&probe_fma, &problem), CEILING_FMA_F64);
    assert_int_equal(stored_ceiling_kind(&probe_tensor[0], &problem), CEILING_TENSOR_BF16);
    assert_int_equal(stored_ceiling_kind(&probe_tensor[5], &problem), CEILING_TENSOR_BF16);
    assert_int_equal(problem_parse("transpose:rows=8,cols=8", &problem, &error), STATUS_OK);
    assert_int_equal(stored_ceiling_kind(&probe_copy, &problem), CEILING_DRAM_COPY);
    assert_int_equal(stored_ceiling_kind(&probe_streams, &problem), CEILING_KINDS);
}

/* A bench of one rung beside a ceiling that the probe meets, or does not. */
static const struct measurement *ceiling_beside(struct measurement_list *list, struct device *cpu,
                                                const struct measurement_list *ceilings)
{
    struct problem problem;
    struct candidate candidate;
    struct error error;
    struct bench_options options = bench_defaults();
    options.seconds = 1e-4;
    options.ceilings = ceilings;
    assert_int_equal(problem_parse("transpose:rows=64,cols=64", &problem, &error), STATUS_OK);
    const struct rung *serial = rung_by_name(problem.kernel, "serial", &error);
    assert_int_equal(candidate_make(cpu, serial, &problem, NULL, &candidate, &error), STATUS_OK);
    assert_int_equal(lab_bench(&problem, &candidate, 1, &options, list, &error), STATUS_OK);
    const struct measurement *ceiling = measurement_ceiling(list, &list->items[list->count - 1]);
    assert_non_null(ceiling);
    return ceiling;
}

static void test_a_ceiling_that_is_not_met_is_not_used(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list ceilings = {0}, list = {0};
    struct measurement *ceiling = add_ceiling(&ceilings, cpu, "dram-copy", 1e9); /* 1e9 bytes a nanosecond */
    ceiling->threads = (unsigned)cpu->properties.units;
    assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], 1, 0));
    const struct measurement *beside = ceiling_beside(&list, cpu, &ceilings);
    assert_null(strstr(beside->detail, "stored"));
    assert_true(beside->phases[PHASE_COMPUTE].items[0].round != UINT32_MAX); /* a stored one */
    measurement_list_free(&list);
    measurement_list_free(&ceilings);
    device_close(cpu);
}

static void test_datasheets_of_a_gpu(void **state)
{
    (void)state;
    static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA};
    struct device gpu = {
        .backend = &cuda,
        .properties = {
            .version = "9.0", .units = 132, .clock_mhz = 1980, .memory_clock_mhz = 3201, .memory_bus_bits = 6016}};
    assert_true(fabs(datasheet_of(&gpu, CEILING_FMA_F32, 0, 0).rate - 66908) < 1);
    assert_true(fabs(datasheet_of(&gpu, CEILING_FMA_F64, 0, 0).rate - 33454) < 1);
    assert_true(fabs(datasheet_of(&gpu, CEILING_DRAM_READ, 0, 0).rate - 4814) < 1);
    assert_true(fabs(datasheet_of(&gpu, CEILING_LOCAL_READ, 0, 0).rate - 33454) < 1);
    assert_true(datasheet_of(&gpu, CEILING_L2_READ, 0, 0).rate == 0);
    strcpy(gpu.properties.version, "99.9");
    assert_true(datasheet_of(&gpu, CEILING_FMA_F32, 0, 0).rate == 0);
}

static void test_tensor_cores_have_a_ceiling_on_cuda(void **state)
{
    (void)state;
    static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA};
    static const struct backend opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
    struct device gpu = {.backend = &cuda,
                         .properties = {.name = "NVIDIA H200", .version = "9.0", .units = 132, .clock_mhz = 1980}};
    struct ceiling_plan plans[CEILING_KINDS];
    struct ceiling_plan *plan = &plans[CEILING_TENSOR_BF16];
    ceiling_plan(&gpu, 0, plans);
    assert_string_equal(plan->refusal, "");
    assert_ptr_equal(plan->rung, &probe_tensor[0]);
    assert_true(ceiling_kernel.work(&plan->problem) > 1e12);
    assert_true(datasheet_of(&gpu, CEILING_TENSOR_BF16, 0, 0).rate == 989000);
    assert_string_equal(datasheet_of(&gpu, CEILING_TENSOR_BF16, 0, 0).how,
                        "H200: 989~ TFLOP/s of dense bfloat16, as published");
    strcpy(gpu.properties.name, "NVIDIA H200 NVL");
    assert_true(datasheet_of(&gpu, CEILING_TENSOR_BF16, 0, 0).rate == 0);
    strcpy(gpu.properties.version, "7.5");
    ceiling_plan(&gpu, 0, plans);
    assert_non_null(strstr(plan->refusal, "compute capability 8.0"));
    gpu.backend = &opencl;
    ceiling_plan(&gpu, 0, plans);
    assert_non_null(strstr(plan->refusal, "through CUDA only"));
}

static void test_tensor_cores_have_a_roof_of_their_own(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list list = {0};
    struct roof_mark mark;
    assert_true(samples_add(&add_ceiling(&list, cpu, "dram-read", 50)->phases[PHASE_COMPUTE], 1, 0));
    assert_true(samples_add(&add_ceiling(&list, cpu, "fma-f32", 200)->phases[PHASE_COMPUTE], 1, 0));
    assert_true(samples_add(&add_ceiling(&list, cpu, "tensor-bf16", 3000)->phases[PHASE_COMPUTE], 1, 0));
    struct measurement *point = add_ceiling(&list, cpu, "split", 0);
    assert_true(samples_add(&point->phases[PHASE_COMPUTE], 10, 0));
    point->kind = MEASURED_DEVICE;
    point->operations = 4000;
    point->bytes = 100;
    const struct measurement *const ceilings[] = {&list.items[0], &list.items[1], &list.items[2]};
    const struct roof_chart chart = {.ceilings = ceilings, .ceiling_count = 3};
    assert_true(roof_mark_make(&chart, NULL, point, &mark));
    assert_true(mark.tensor_products == 0 && mark.roof == 200);
    strcpy(point->ceiling, "tensor-6");
    assert_true(roof_mark_make(&chart, NULL, point, &mark));
    assert_true(mark.tensor_products == 6 && mark.roof == 500 && !mark.by_memory);
    measurement_list_free(&list);
    device_close(cpu);
}

static void test_ceilings_of_tensor_cores_are_known_by_name(void **state)
{
    static const char *const others[] = {"",          "tensor",    "tensor-", "tensor-0",
                                         "tensor-66", "tensor-6x", "fma",     "tensor-bf16"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(tensor_products_of(others[i]), 0);
    assert_int_equal(tensor_products_of("tensor-1"), 1);
    assert_int_equal(tensor_products_of("tensor-9"), 9);
}

static void test_the_roof_is_the_lower_of_two(void **state)
{
    (void)state;
    struct device *cpu = device_called("cpu");
    struct measurement_list list = {0};
    struct roof_mark mark;
    assert_true(samples_add(&add_ceiling(&list, cpu, "dram-read", 50)->phases[PHASE_COMPUTE], 1, 0));
    assert_true(samples_add(&add_ceiling(&list, cpu, "dram-copy", 40)->phases[PHASE_COMPUTE], 1, 0));
    assert_true(samples_add(&add_ceiling(&list, cpu, "fma-f32", 200)->phases[PHASE_COMPUTE], 1, 0));
    struct measurement *point = add_ceiling(&list, cpu, "simd", 0);
    assert_true(samples_add(&point->phases[PHASE_COMPUTE], 10, 0));
    point->kind = MEASURED_HOST;
    point->operations = 100;
    point->bytes = 100;
    const struct measurement *const ceilings[] = {&list.items[0], &list.items[1], &list.items[2]};
    const struct roof_chart chart = {.ceilings = ceilings, .ceiling_count = 3};
    assert_true(roof_mark_make(&chart, NULL, point, &mark));
    assert_true(mark.by_memory && mark.roof == 50 && mark.intensity == 1 && mark.rate == 10);
    point->operations = 1000;
    assert_true(roof_mark_make(&chart, NULL, point, &mark));
    assert_true(!mark.by_memory && mark.roof == 200 && mark.rate == 100);
    assert_false(roof_mark_make(&chart, NULL, &list.items[0], &mark));
    measurement_list_free(&list);
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_found_again),
        cmocka_unit_test(test_the_cpus_plan_fits_its_caches),
        cmocka_unit_test(test_every_ceiling_is_measured_or_refused),
        cmocka_unit_test(test_noise_voids_a_ceiling),
        cmocka_unit_test(test_a_disturbed_ceiling_does_not_last),
        cmocka_unit_test(test_steady_is_nine_tenths_within_five_per_cent),
        cmocka_unit_test(test_probes_know_their_ceiling),
        cmocka_unit_test(test_a_ceiling_that_is_not_met_is_not_used),
        cmocka_unit_test(test_datasheets_of_a_gpu),
        cmocka_unit_test(test_tensor_cores_have_a_ceiling_on_cuda),
        cmocka_unit_test(test_tensor_cores_have_a_roof_of_their_own),
        cmocka_unit_test(test_ceilings_of_tensor_cores_are_known_by_name),
        cmocka_unit_test(test_the_roof_is_the_lower_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
