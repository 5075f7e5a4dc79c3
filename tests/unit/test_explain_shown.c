/* Explanations that nobody made, as people and programs read them: of two rungs of a GPU and of two of a CPU.
 *
 * naive stores 32 sectors a request (4096 requests of 128 bytes: 131072 sectors, 4 MiB moved, an eighth used); tiled
 * stores 4. naive is predicted to take 40 us, tiled 10, and 20 was measured: half. serial brings 1000 lines into L1
 * (64 kB moved, half used), simd 250; serial takes 8 times the instructions, at 0.25 clocks where simd takes 0.5; 500
 * of its 80000 are mispredicted branches. */
#include <string.h>

#include "base/size.h"
#include "cli/commands/explain_show.h"
#include "explain/cache/geometry.h"
#include "tables.h"

static struct problem problem;
static struct explain_target gpu, cpu;
static struct explain_access accesses[2][3];
static struct explain_kernel codes[4];
static struct explain_occupancy occupancies[2];
static struct cache_site sites[2][2];
static struct explain_race race = {"tiled.cl", {7, 9}, "tile", false};

static const struct rung *rung(const char *kernel, const char *name)
{
    struct error error = {""};
    const struct rung *found = rung_by_name(kernel_by_name(kernel, &error), name, &error);
    assert_non_null(found);
    return found;
}

static void name_access(struct explain_access *access, int line, const char *array, enum explain_space space,
                        enum explain_operation operation)
{
    *access = (struct explain_access){.line = line, .space = space, .operation = operation, .bytes = 4};
    strcpy(access->file, "transpose/tiled.cl");
    strcpy(access->kernel, "transpose");
    strcpy(access->array, array);
}

static void trace(struct explain_access three[3], double stored)
{
    name_access(&three[0], 12, "in", EXPLAIN_GLOBAL, EXPLAIN_LOAD);
    three[0].counts[0] = (struct explain_counts){4096, 16384, 4, 524288, 524288, 100, 0, 0};
    name_access(&three[1], 14, "out", EXPLAIN_GLOBAL, EXPLAIN_STORE);
    three[1].counts[0] =
        (struct explain_counts){4096, 4096 * stored, stored, 131072 * stored, 524288, 400 / stored, 0, 0};
    name_access(&three[2], 13, "tile", EXPLAIN_SHARED, EXPLAIN_STORE);
    three[2].counts[0] = (struct explain_counts){4096, 8192, 2, 0, 0, 0, 4096, 1};
}

static void compile(struct explain_kernel *kernel, const char *name, int registers)
{
    *kernel = (struct explain_kernel){.launches = 1,
                                      .rank = 2,
                                      .group = {32, 8, 1},
                                      .groups = {32, 32, 1},
                                      .registers = registers,
                                      .stack_bytes = 16,
                                      .spill_store_bytes = 8,
                                      .spill_load_bytes = 12,
                                      .shared_bytes = 4224,
                                      .is_disassembled = true,
                                      .fp64_line_count = 2,
                                      .fp64_lines = {{14, 3}, {0, 1}}};
    strcpy(kernel->name, name);
    strcpy(kernel->file, "tiled.cl");
    kernel->counts[CODE_FMA] = 5;
    kernel->counts[CODE_LOAD] = 2;
    kernel->counts[CODE_FP64] = 4;
    kernel->loop_counts[CODE_FMA] = 4;
    kernel->loads[2] = 1;
    kernel->loads[4] = 3;
    kernel->stores[0] = 2;
    kernel->shared_stores[3] = 1;
}

static void bound(struct explain_model *model, double dram, double l2, double predicted)
{
    model->ns[RESOURCE_DRAM] = dram;
    model->ns[RESOURCE_L2] = l2;
    model->is_known[RESOURCE_DRAM] = model->is_known[RESOURCE_L2] = true;
    model->bound_by[0] = dram > l2 ? RESOURCE_DRAM : RESOURCE_L2;
    model->bound_by[1] = dram > l2 ? RESOURCE_L2 : RESOURCE_DRAM;
    model->bound_count = 2;
    model->predicted_ns = predicted;
    model->dram_bytes = 8e6;
    model->intensity = 0.25;
    model->units = 10;
}

static void of_gpu(struct explanation items[2])
{
    for (size_t i = 0; i < 2; i++) {
        items[i] = (struct explanation){.rung = rung("transpose", i ? "tiled" : "naive")};
        strcpy(items[i].architecture, "sm_90");
        compile(&codes[i], i ? "tiled" : "naive", i ? 40 : 24);
        items[i].compiled.kernels = &codes[i];
        items[i].compiled.kernel_count = 1;
        trace(accesses[i], i ? 4 : 32);
        items[i].trace = (struct explain_trace){.accesses = accesses[i],
                                                .access_count = i ? 3 : 2,
                                                .launches = 1,
                                                .groups = 1024,
                                                .groups_traced = i ? 1024 : 64,
                                                .saw_all_data = true};
        if (i == 0) {
            codes[0].spill_store_bytes = codes[0].spill_load_bytes = codes[0].stack_bytes = 0;
            codes[0].counts[CODE_FP64] = 0;
        }
        occupancies[i] = (struct explain_occupancy){.warps = i ? 48 : 64,
                                                    .warps_max = 64,
                                                    .groups = i ? 6 : 8,
                                                    .limited_by = i ? OCCUPANCY_BY_REGISTERS : OCCUPANCY_BY_WARPS,
                                                    .waves = i ? 17 : 1.25,
                                                    .tail = 0.25};
        items[i].occupancies = &occupancies[i];
        bound(&items[i].model, i ? 9e3 : 20e3, i ? 4500 : 38e3, i ? 1e4 : 4e4);
    }
    items[0].trace.data_decides = true;
    items[0].trace.saw_all_data = false;
    items[1].trace.races = &race;
    items[1].trace.race_count = 1;
    strcpy(items[1].trace.barrier_missed, "tiled");
    items[1].model.partitions = 8;
    items[1].model.partition_imbalance = 1.5;
    items[1].model.stack = (struct explain_stack){2048, 1024, 1024, 512};
    items[1].model.executed[CODE_FMA] = 10;
    items[1].measured_ns = 2e4;
}

static struct cache_site site(const char *array, enum cache_access kind, int line, uint64_t misses)
{
    struct cache_site one = {.line = line, .kind = kind, .bytes = 4, .is_array = kind == CACHE_LOAD};
    strcpy(one.file, "serial.c");
    strcpy(one.array, array);
    one.counts = (struct cache_counts){.accesses = 16000,
                                       .bytes = 64000,
                                       .misses = {misses, misses / 2, misses / 4},
                                       .streamed = {misses / 5, 3, 2},
                                       .page_misses = {20, 10},
                                       .bypassed = kind == CACHE_BYPASS ? 640 : 0,
                                       .used = 32 * misses,
                                       .lines = 1000,
                                       .pages = 16};
    return one;
}

static void of_cpu(struct explanation items[2])
{
    for (size_t i = 0; i < 2; i++) {
        struct explain_caches *caches = &items[i].caches;
        items[i] = (struct explanation){.rung = rung("transpose", i ? "simd" : "serial")};
        strcpy(items[i].architecture, "x86-64");
        codes[2 + i] = (struct explain_kernel){.is_of_cpu = true,
                                               .vector_bits = i ? 512 : 0,
                                               .is_disassembled = true,
                                               .spill_store_bytes = -1,
                                               .spill_load_bytes = -1,
                                               .arithmetic = {[6] = i ? 7 : 0}};
        strcpy(codes[2 + i].name, i ? "simd" : "serial");
        strcpy(codes[2 + i].file, "serial.c");
        items[i].compiled.kernels = &codes[2 + i];
        items[i].compiled.kernel_count = 1;
        sites[i][0] = site("in", CACHE_LOAD, 20, i ? 250 : 1000);
        sites[i][1] = site("out", i ? CACHE_BYPASS : CACHE_STORE, 21, i ? 0 : 8);
        cache_geometry_of(cpu_caches_by_name("Zen 3"), 2, &caches->geometry);
        caches->sites = sites[i];
        caches->site_count = 2;
        caches->threads = i ? 2 : 1;
        caches->accesses = caches->simulated = 32000;
        caches->page_bytes = 4096;
        caches->traffic.fills[0] = i ? 250 : 1008;
        caches->traffic.fills[1] = caches->traffic.fills[2] = 100;
        caches->traffic.writes[2] = 16;
        caches->traffic.bypassed = i ? 640 : 0;
        caches->all.instructions = caches->busiest.instructions = i ? 1e4 : 8e4;
        caches->all.classes[CODE_INTEGER] = 5;
        caches->busiest.core_clocks = i ? 5e3 : 2e4;
        caches->busiest.mispredicted = i ? 0 : 500;
        caches->most.page_misses = i ? 50 : 100;
        caches->most.stalls[1] = i ? 30 : 90;
        bound(&items[i].model, i ? 1e3 : 9e3, 500, i ? 1200 : 1e4);
        items[i].model.ns[RESOURCE_ISSUE] = items[i].model.ns[RESOURCE_PAGES] = items[i].model.ns[RESOURCE_LATENCY] =
            2e3;
        items[i].model.dram_bytes = i ? 2e6 : 8e6;
    }
    items[0].caches.is_sampled = items[0].caches.is_cut = true;
    items[0].caches.unrecorded = 3;
    strcpy(items[0].caches.outside, "memcpy");
    items[0].caches.divisions[0] = (struct cache_division){"serial.c", 22, 64};
    items[0].caches.division_count = 1;
}

static void begin(struct explain_list *list, struct explanation items[2], bool is_cpu)
{
    static const struct explain_target *targets[2];
    struct error error = {""};
    assert_int_equal(problem_parse("transpose:rows=1024,cols=1024", &problem, &error), STATUS_OK);
    assert_int_equal(explain_target_parse("H200", &gpu, &error), STATUS_OK);
    cpu = (struct explain_target){.name = "this CPU", .kind = BACKEND_CPU};
    if (is_cpu)
        of_cpu(items);
    else
        of_gpu(items);
    targets[0] = targets[1] = is_cpu ? &cpu : &gpu;
    *list = (struct explain_list){&problem, items, targets, 2, false};
}

static void a_gpu_s(void **state)
{
    (void)state;
    static struct explanation items[2];
    struct explain_list list;
    begin(&list, items, false);
    SHOWS("explain", explain_print(stream, &list));
    SHOWS("explain-brief", explain_print_brief(stream, &list));
    SHOWS("explain-advice", explain_print_advice(stream, &list));
    WRITES("explain.json", explain_json(stream, &list));
}

static void a_cpu_s(void **state)
{
    (void)state;
    static struct explanation items[2];
    struct explain_list list;
    begin(&list, items, true);
    SHOWS("explain-cpu", explain_print(stream, &list));
    SHOWS("explain-cpu-brief", explain_print_brief(stream, &list));
    SHOWS("explain-cpu-advice", explain_print_advice(stream, &list));
    WRITES("explain-cpu.json", explain_json(stream, &list));
}

/* What could not be had says why; the last rung is what the others are set against. */
static void parts_that_are_missing(void **state)
{
    (void)state;
    static struct explanation items[2];
    struct explain_list list;
    begin(&list, items, false);
    list.has_against = true;
    items[0].trace = (struct explain_trace){.access_count = 0};
    strcpy(items[0].no_accesses, "an address is not known");
    items[0].compiled = (struct explain_compiled){.reason = "no NVRTC", .no_code = "no nvdisasm"};
    items[0].occupancies = NULL;
    items[0].model = (struct explain_model){.bound_count = 0};
    SHOWS("explain-missing", explain_print(stream, &list); explain_print_brief(stream, &list);
          explain_print_advice(stream, &list));
    strcpy(items[0].refusal, "needs doubles");
    items[1].is_wrong = true;
    strcpy(items[1].no_accesses, "out of bounds");
    items[1].model = (struct explain_model){.bound_count = 0};
    SHOWS("explain-refused", explain_print(stream, &list); explain_print_brief(stream, &list);
          explain_print_advice(stream, &list); assert_true(explain_json(stream, &list)));
}

/* The bound says what would help, with most of each line used, and with less than half. */
static void print_remedies(FILE *stream)
{
    static const enum explain_resource bounds[] = {RESOURCE_DRAM, RESOURCE_PAGES, RESOURCE_LATENCY, RESOURCE_ISSUE};
    static struct explanation items[2];
    struct explain_list list;
    for (size_t i = 0; i < 2 * COUNT_OF(bounds); i++) {
        begin(&list, items, true);
        for (size_t r = 0; r < 2; r++) {
            items[r].model.bound_by[0] = bounds[i / 2];
            items[r].model.bound_by[1] = RESOURCE_L2;
            sites[r][0].counts.used = (i % 2 ? 64 : 31) * sites[r][0].counts.misses[0];
        }
        explain_print_advice(stream, &list);
    }
}

static void remedies_of_a_cpu(void **state)
{
    (void)state;
    SHOWS("explain-remedies", print_remedies(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_s),
        cmocka_unit_test(a_cpu_s),
        cmocka_unit_test(parts_that_are_missing),
        cmocka_unit_test(remedies_of_a_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
