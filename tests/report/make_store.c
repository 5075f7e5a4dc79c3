/* Makes a store of measurements that nobody made, for tests of the report: make_store FILE COUNT [hostile].
 *
 * Three devices, seven kernels with sizes, a sweep of group shapes, rungs that were skipped and rungs that were wrong,
 * ceilings, until there are COUNT measurements. "hostile": names, reasons and parameters that try to get out of the
 * markup that they are written in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "base/text.h"
#include "store/database.h"
#include "store/store.h"

#define HOSTILE "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;&#39;]]>"

struct fake_kernel {
    const char *name, *format, *unit;
    double power;         /* work is the size to this power */
    double per_byte;      /* operations for each byte; 0: the size / 6, as of a matrix product; below 0: none */
    const char *rungs[8]; /* the last one is the vendor's */
};

static const struct fake_kernel kernels[] = {
    {"transpose",
     "transpose:rows=%u,cols=%u,f32",
     "GB/s",
     2,
     -1,
     {"serial", "blocked", "parallel", "simd", "openblas"}},
    {"sort", "sort:n=%u,f32", "Mkeys/s", 1, -1, {"bitonic", "qsort", "radix", "simd", "broken", "vqsort"}},
    {"dot", "dot:n=%u,f32", "GB/s", 1, 0.25, {"serial", "parallel", "simd", "compensated", "cblas"}},
    {"matmul",
     "matmul:m=%u,n=%u,k=%u,f32",
     "GFLOP/s",
     3,
     0,
     {"naive", "ikj", "blocked", "packed", "absent", "openblas"}},
    {"resize", "resize:width=%u,height=%u,u8", "Mpixel/s", 2, 1.5, {"parallel", "simd", "opencv"}},
    {"wave", "wave:nx=%u,ny=256,nz=256,f32", "Gpoints/s", 1, 2.1, {"serial", "parallel", "blocked", "fused", "lib"}},
    {"pipeline", "pipeline:n=%u,f32", "Mkeys/s", 1, -1, {"serial", "cpu"}},
};

static const struct {
    const char *id, *name;
    double speed;
    bool is_cpu;
} devices[] = {{"cpu", "A CPU of the test's own", 1, true},
               {"cuda:0", "A GPU of the test's own", 40, false},
               {"opencl:0", "A CPU behind OpenCL", 0.6, true}};

/* Versions of the program, oldest first: the last one measured everything, the others a little of it. */
static const struct {
    const char *name;
    double slower;
} versions[] = {{"0.1.0", 1.6}, {"0.2.0-14-g0a1b2c3", 1.55}, {"0.2.0-31-g4d5e6f7-dirty", 1.1}, {"0.0.0-test", 1}};
static size_t version = COUNT_OF(versions) - 1;

struct making {
    struct store *store;
    int64_t run;
    size_t made, wanted;
    bool hostile;
    struct random random;
};

static void take_samples(struct making *making, struct measurement *measurement, enum phase phase, double time,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples_add(&measurement->phases[phase], time * (1 + 0.08 * random_double(&making->random)), (uint32_t)(i / 3));
}

static void add(struct making *making, struct measurement *measurement)
{
    struct error error;
    if (making->made < making->wanted &&
        store_add(making->store, making->run, measurement, NULL, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    making->made += making->made < making->wanted;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        free(measurement->phases[phase].items);
}

static struct measurement begin(const struct fake_kernel *kernel, size_t device, unsigned size, const char *rung)
{
    struct measurement measurement = {
        .kind = MEASURED_HOST, .batch = 1, .made_at = 1789740800 + 86400 * (int64_t)version};
    double n = size;
    snprintf(measurement.kernel, sizeof measurement.kernel, "%s", kernel->name);
    snprintf(measurement.problem, sizeof measurement.problem, kernel->format, size, size, size);
    snprintf(measurement.rung, sizeof measurement.rung, "%s", rung);
    snprintf(measurement.idea, sizeof measurement.idea,
             "the idea of %s, in a sentence that is as long as such sentences are", rung);
    snprintf(measurement.device, sizeof measurement.device, "%s", devices[device].id);
    snprintf(measurement.device_name, sizeof measurement.device_name, "%s", devices[device].name);
    snprintf(measurement.driver, sizeof measurement.driver, "driver 1.2");
    snprintf(measurement.code_version, sizeof measurement.code_version, "%s", versions[version].name);
    snprintf(measurement.rate_unit, sizeof measurement.rate_unit, "%s", kernel->unit);
    measurement.device_is_cpu = devices[device].is_cpu;
    measurement.work = n;
    for (int power = 1; power < kernel->power; power++)
        measurement.work *= n;
    measurement.bytes = 8 * (kernel->power > 1 ? n * n : n);
    measurement.operations = measurement.bytes * (kernel->per_byte > 0   ? kernel->per_byte
                                                  : kernel->per_byte < 0 ? 0
                                                                         : n / 6);
    return measurement;
}

/* The ceiling's time of a problem; larger problems leave the caches. */
static double least_time(const struct measurement *measurement, size_t device)
{
    double rate = measurement->bytes > 32e6 ? 40 : 90, bytes_time = measurement->bytes / rate;
    double operations_time = measurement->operations / 150;
    return (bytes_time > operations_time ? bytes_time : operations_time) / devices[device].speed + 500;
}

static void add_ceiling(struct making *making, const struct fake_kernel *kernel, size_t device, unsigned size)
{
    bool computes = kernel->per_byte == 0;
    struct measurement measurement = begin(kernel, device, size, computes ? "fma" : "copy");
    measurement.kind = MEASURED_PROBE;
    measurement.work = (computes ? measurement.operations : measurement.bytes);
    take_samples(making, &measurement, PHASE_COMPUTE, least_time(&measurement, device), 15);
    add(making, &measurement);
}

static void add_rung(struct making *making, const struct fake_kernel *kernel, size_t device, unsigned size, size_t rung)
{
    struct measurement measurement = begin(kernel, device, size, kernel->rungs[rung]);
    bool is_last = !kernel->rungs[rung + 1];
    double slower = (1.07 + 30 / (double)((rung + 1) * (rung + 1) * (rung + 1))) * versions[version].slower;
    if (strcmp(kernel->name, "wave") == 0 && !devices[device].is_cpu && !is_last)
        slower *= 0.6; /* several steps in one pass: beyond the ceiling */
    measurement.kind = is_last ? MEASURED_VENDOR : device ? MEASURED_DEVICE : MEASURED_HOST;
    measurement.work = kernel->per_byte == 0                       ? measurement.operations
                       : kernel->per_byte > 0 || kernel->power > 1 ? measurement.bytes
                                                                   : measurement.work * 1000;
    if (making->hostile) {
        snprintf(measurement.idea, sizeof measurement.idea, "%s", HOSTILE);
        snprintf(measurement.warnings, sizeof measurement.warnings, "%s", HOSTILE);
        snprintf(measurement.detail, sizeof measurement.detail, "%s", HOSTILE);
        snprintf(measurement.parameters, sizeof measurement.parameters, "%s", HOSTILE);
        snprintf(measurement.device_name, sizeof measurement.device_name, "%s", HOSTILE);
        text_append(measurement.rung, sizeof measurement.rung, "<b>&'\"");
    }
    if (strcmp(kernel->rungs[rung], "absent") == 0 || strcmp(kernel->rungs[rung], "broken") == 0) {
        measurement.verdict = kernel->rungs[rung][0] == 'a' ? VERDICT_SKIP : VERDICT_FAIL;
        snprintf(measurement.reason, sizeof measurement.reason, "%s",
                 making->hostile ? HOSTILE : "libabsent.so.1 is not here; install what has it");
    } else {
        if (rung == 1 && !making->hostile)
            snprintf(measurement.warnings, sizeof measurement.warnings,
                     "unsteady: half of the samples spread over 14 %%");
        take_samples(making, &measurement, PHASE_COMPUTE, slower * least_time(&measurement, device), 15);
        if (device)
            take_samples(making, &measurement, PHASE_END_TO_END, 3 * slower * least_time(&measurement, device), 5);
        if (!devices[device].is_cpu) {
            measurement.clock_mhz = 1980;
            measurement.joules = 500e-9 * slower * least_time(&measurement, device); /* at 500 W */
        }
    }
    add(making, &measurement);
}

static void add_problem(struct making *making, const struct fake_kernel *kernel, unsigned size)
{
    for (size_t device = 0; device < COUNT_OF(devices); device++) {
        add_ceiling(making, kernel, device, size);
        for (size_t rung = 0; kernel->rungs[rung]; rung++)
            add_rung(making, kernel, device, size, rung);
    }
}

/* The group shapes of transpose: 11 × 11, of which a device allows those of up to 1024 items. */
static void add_sweep(struct making *making)
{
    for (unsigned x = 1; x <= 1024; x *= 2)
        for (unsigned y = 1; y <= 1024; y *= 2) {
            struct measurement measurement = begin(&kernels[0], 1, 1024, "naive");
            measurement.kind = MEASURED_DEVICE;
            measurement.work = measurement.bytes;
            snprintf(measurement.parameters, sizeof measurement.parameters, "BX=%u BY=%u", x, y);
            double slower = 1.2 + (x < 4 ? 8.0 / x : 0) + (double)(x > 64 ? x / 64 : 0) + (y < 4 ? 2.0 / y : 0);
            if (x * y > 1024) {
                measurement.verdict = VERDICT_SKIP;
                snprintf(measurement.reason, sizeof measurement.reason, "a group has at most 1024 items here");
            } else {
                take_samples(making, &measurement, PHASE_COMPUTE, slower * least_time(&measurement, 1), 9);
            }
            add(making, &measurement);
        }
}

/* Rates of copies over sizes, as of the kernel "bandwidth". */
static void add_ways(struct making *making)
{
    static const struct fake_kernel bandwidth = {"bandwidth", "bandwidth:to-device,bytes=%u,pinned", "GB/s", 1, -1,
                                                 {0}};
    for (unsigned bytes = 1024; bytes <= 64 << 20; bytes *= 4) {
        struct measurement measurement = begin(&bandwidth, 1, bytes, "queue");
        measurement.kind = MEASURED_VENDOR;
        measurement.bytes = measurement.work = bytes;
        take_samples(making, &measurement, PHASE_COMPUTE, 1500 + bytes / 50.0, 9);
        add(making, &measurement);
    }
}

/* A job in four parts on two queues, with its timeline. */
static void add_timeline(struct making *making)
{
    static const struct fake_kernel overlap = {"overlap", "overlap:transpose:rows=%u,cols=%u,f32", "GB/s", 2, -1, {0}};
    static const char timeline[] =
        "{\"queues\": 2, \"unit\": \"ns\", \"parts\": ["
        "{\"queue\": 0, \"in\": [0, 900], \"compute\": [900, 1300], \"out\": [1300, 2200]},"
        "{\"queue\": 1, \"in\": [900, 1800], \"compute\": [1800, 2200], \"out\": [2200, 3100]}]}";
    struct measurement measurement = begin(&overlap, 1, 4096, "tiled");
    struct error error;
    int64_t id;
    snprintf(measurement.parameters, sizeof measurement.parameters, "memory=pinned queues=2 parts=2");
    measurement.work = measurement.bytes;
    take_samples(making, &measurement, PHASE_COMPUTE, 3100, 9);
    if (store_add(making->store, making->run, &measurement, &id, &error) != STATUS_OK ||
        store_put_attachment(making->store, id, "timeline", timeline, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    making->made++;
    free(measurement.phases[PHASE_COMPUTE].items);
}

static void start(struct making *making, const char *command)
{
    struct error error;
    const struct run_facts facts = {.command = command, .code_version = versions[version].name};
    if (store_begin_run(making->store, &facts, &making->run, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
}

/* What versions before the last one measured. */
static void add_versions(struct making *making)
{
    for (version = 0; version + 1 < COUNT_OF(versions); version++) {
        start(making, "uskor bench transpose matmul");
        for (size_t device = 0; device < 2; device++)
            for (size_t k = 0; k < COUNT_OF(kernels); k += 3) {
                add_ceiling(making, &kernels[k], device, 8192);
                for (size_t rung = 0; kernels[k].rungs[rung]; rung++)
                    add_rung(making, &kernels[k], device, 8192, rung);
            }
    }
}

int main(int count, char **arguments)
{
    struct error error;
    int64_t wanted;
    if (count < 3 || !text_integer(arguments[2], &wanted) || wanted < 1) {
        fprintf(stderr, "usage: make_store FILE COUNT [hostile]\n");
        return 2;
    }
    static struct making making;
    making = (struct making){.wanted = (size_t)wanted, .hostile = count > 3};
    random_seed(&making.random, 1);
    if (store_open(arguments[1], &making.store, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (database_begin(making.store, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    making.store->in_transaction = true; /* one for all: each measurement's own would be most of the work */
    add_versions(&making);
    start(&making, "uskor lab");
    for (unsigned size = 256; size <= 8192; size *= 2)
        for (size_t k = 0; k < COUNT_OF(kernels); k++)
            add_problem(&making, &kernels[k], size);
    start(&making, "uskor sweep transpose --rung naive --over BX=1..1024 --over BY=1..1024");
    add_sweep(&making);
    add_ways(&making);
    add_timeline(&making);
    for (unsigned size = 1000; making.made < making.wanted; size += 37)
        add_problem(&making, &kernels[size % COUNT_OF(kernels)], size);
    making.store->in_transaction = false;
    enum status status = database_end(making.store, STATUS_OK, &error);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", error.text);
    store_close(making.store);
    return status != STATUS_OK;
}
