/* A whole report of measurements that nobody made, without its style, its script and their hashes.
 *
 * transpose at 1000 moves 8 MB: the copy in 10 us is 800 GB/s; naive in 40 us 200 (25 %), tiled in 16 us 500 (62.5 %,
 * 2.5 times naive), cublas in 12.5 us 640 (80 %). At 2000 and 4000 all take 4 and 16 times as long. The quartiles of
 * naive are 4 % to either side of its median, of tiled 1 %. The sweep's cell BX=x BY=y takes 10 (x + y) us. On the CPU
 * serial takes 200 us (40 GB/s). matmul: 2 * 500^3 = 250 M operations on 3 MB, 83.3 a byte, in 1 ms 250 GFLOP/s, in
 * 100 us 2500; its ceilings are 10000 GFLOP/s and 1000 GB/s. Errors as they are given. Ranks: 8, 5 and 4 ms on 1, 2, 4:
 * 1.6 and 2 times, 80 and 50 %. A run of tiled takes 8 mJ in 16 us, 500 W, and 1.5 instructions a cycle. Explained: 16
 * lanes that load every other word touch 4 sectors, of which half is used; 32 lanes that store every 16th word touch
 * two banks, 16 words of each. */
#include "base/size.h"
#include "report/html/chapters.h"
#include "report/html/document.h"
#include "report/model/explained.h"
#include "tables.h"

#define MATMUL "matmul:m=500,n=500,k=500,f32"
#define PARTS "overlap:transpose:rows=1000,cols=1000,f32"

static const char timeline[] =
    "{\"queues\": 2, \"unit\": \"ns\", \"parts\": ["
    "{\"queue\": 0, \"in\": [0, 900], \"compute\": [900, 1300], \"out\": [1300, 2200]},"
    "{\"queue\": 1, \"in\": [900, 1800], \"compute\": [1800, 2200], \"out\": [2200, 3100]}]}";

static const char errors[2][160] = {
    "{\"relative\": 2e-7, \"componentwise\": 3e-8, \"largest\": 1e-4, \"rows\": 64, \"all_rows\": 500}",
    "{\"relative\": 3e-3, \"componentwise\": 1e-4, \"largest\": 1, \"rows\": 64, \"all_rows\": 500}"};

static struct measurement *spread(struct measurement *one, double median, double share)
{
    one->phases[PHASE_COMPUTE].count = 0;
    for (uint32_t i = 0; i < 13; i++) /* the quartiles are the fourth and the tenth of 13 */
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], median * (1 + share * ((double)i - 6) / 3), i));
    return one;
}

static struct measurement *of(struct measurement_list *list, const char *problem, const char *rung,
                              enum measured_kind kind, double nanoseconds, double work)
{
    struct measurement *one = add(list, problem, rung, kind, nanoseconds);
    one->id = (int64_t)list->count;
    one->bytes = one->work = work;
    snprintf(one->idea, sizeof one->idea, "the idea of %s", rung);
    strcpy(one->code_version, "0.1.0");
    if (kind == MEASURED_PROBE)
        one->ceiling[0] = '\0';
    return one;
}

static void transposes(struct measurement_list *list)
{
    for (int size = 1; size <= 4; size *= 2) {
        char problem[64];
        const double times = size * size, bytes = 8e6 * times;
        snprintf(problem, sizeof problem, "transpose:rows=%d,cols=%d,f32", 1000 * size, 1000 * size);
        of(list, problem, "copy", MEASURED_PROBE, 1e4 * times, bytes);
        spread(of(list, problem, "naive", MEASURED_DEVICE, 4e4 * times, bytes), 4e4 * times, 0.04);
        struct measurement *tiled = of(list, problem, "tiled", MEASURED_DEVICE, 1.6e4 * times, bytes);
        spread(tiled, 1.6e4 * times, 0.01);
        tiled->clock_mhz = 1980;
        tiled->joules = 8e-3 * times;
        tiled->cycles = 2e6 * times;
        tiled->instructions = 3e6 * times;
        tiled->throttled = 4;
        of(list, problem, "cublas", MEASURED_VENDOR, 1.25e4 * times, bytes);
        judged(of(list, problem, "wrong", MEASURED_DEVICE, 0, bytes), VERDICT_FAIL, "element 7 is 1, not 2");
        judged(of(list, problem, "absent", MEASURED_VENDOR, 0, bytes), VERDICT_SKIP, "libabsent.so is not here");
        struct measurement *serial = of(list, problem, "serial", MEASURED_HOST, 2e5 * times, bytes);
        strcpy(serial->device, "cpu");
        strcpy(serial->device_name, "A CPU");
        serial->device_is_cpu = true;
        serial->threads = 2;
        strcpy(serial->warnings, "unsteady");
    }
    for (int x = 1; x <= 4; x *= 2)
        for (int y = 1; y <= 2; y++) {
            struct measurement *cell =
                of(list, "transpose:rows=1000,cols=1000,f32", "naive", MEASURED_DEVICE, 1e4 * (x + y), 8e6);
            snprintf(cell->parameters, sizeof cell->parameters, "BX=%d BY=%d", x, y);
            cell->run = 2;
        }
}

static struct measurement *computes(struct measurement *one, double operations)
{
    one->operations = one->work = operations;
    strcpy(one->rate_unit, "GFLOP/s");
    one->ceiling[0] = '\0';
    return one;
}

static void others(struct measurement_list *list, struct report_attachment attachments[3])
{
    computes(of(list, MATMUL, "naive", MEASURED_DEVICE, 1e6, 3e6), 250e6);
    computes(of(list, MATMUL, "tiled", MEASURED_DEVICE, 1e5, 3e6), 250e6);
    for (size_t i = 0; i < 2; i++) {
        struct measurement *one = computes(of(list, "accuracy:matmul:m=500,n=500,k=500,input=wide,f32",
                                              i ? "bf16" : "fp32", MEASURED_DEVICE, i ? 5e4 : 1e5, 3e6),
                                           250e6);
        attachments[i] = (struct report_attachment){one->id, "accuracy", errors[i]};
    }
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        static const double times[] = {0, 8e6, 5e6, 0, 4e6};
        struct measurement *one = of(list, "sort:n=1000000,f32", "sample", MEASURED_HOST, times[ranks], 8e6);
        strcpy(one->kernel, "ranks");
        snprintf(one->parameters, sizeof one->parameters, "ranks=%d", ranks);
        one->ceiling[0] = '\0';
    }
    for (int bytes = 1 << 10; bytes <= 1 << 20; bytes <<= 5) {
        char problem[64];
        snprintf(problem, sizeof problem, "bandwidth:to-device,bytes=%d,pinned", bytes);
        of(list, problem, "queue", MEASURED_VENDOR, 1000 + bytes / 50.0, bytes)->ceiling[0] = '\0';
    }
    struct measurement *parts = of(list, PARTS, "tiled", MEASURED_DEVICE, 3100, 8e6);
    strcpy(parts->parameters, "memory=pinned queues=2 parts=2");
    parts->ceiling[0] = '\0';
    attachments[2] = (struct report_attachment){parts->id, "timeline", timeline};
}

/* Without what lies between these, over and over. */
static void cut(char *text, const char *from, const char *to)
{
    for (char *at = strstr(text, from); at; at = strstr(at, from)) {
        at += strlen(from);
        const char *end = strstr(at, to);
        assert_non_null(end);
        memmove(at, end, strlen(end) + 1);
    }
}

static void explain_rungs(struct explained_rung rungs[2])
{
    strcpy(rungs[0].name, "naive");
    strcpy(rungs[0].step, "the first");
    rungs[0].predicted = 1e4;
    rungs[0].measured = 4e4;
    rungs[0].resources[rungs[0].resource_count++] = (struct explained_resource){"DRAM", 1e4};
    rungs[0].resources[rungs[0].resource_count++] = (struct explained_resource){"L2", 5e3};
    strcpy(rungs[1].name, "tiled");
    strcpy(rungs[1].reason, "an address is not known");
    rungs[1].predicted = 12e3;
    struct explained_access *load = &rungs[0].accesses[rungs[0].access_count++], *store = &rungs[0].accesses[1];
    *load = (struct explained_access){.file = "naive.cl", .array = "in", .line = 7, .operation = "load", .bytes = 4};
    load->per_request = 4;
    load->used_percent = 50;
    load->mask = 0xFFFF;
    *store =
        (struct explained_access){.file = "naive.cl", .array = "tile", .line = 9, .operation = "store", .bytes = 4};
    rungs[0].access_count++;
    store->is_shared = true;
    store->per_request = store->conflicts = 16;
    store->mask = UINT32_MAX;
    for (uint64_t lane = 0; lane < EXPLAINED_LANES; lane++)
        load->at[lane] = 4096 + 8 * lane, store->at[lane] = 64 * lane;
}

static char *page_of(const struct report_source *sources, size_t count)
{
    struct error error = {""};
    char *text = NULL;
    size_t size = 0;
    struct page page = {.stream = open_memstream(&text, &size)};
    assert_non_null(page.stream);
    assert_int_equal(report_document(&page, sources, count, &error), STATUS_OK);
    assert_int_equal(fclose(page.stream), 0);
    cut(text, "<style>", "</style>");
    cut(text, "<script>", "</script>");
    cut(text, "'sha256-", "'");
    return text;
}

static void a_report(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct report_attachment attachments[3];
    struct device_fact facts[] = {{"memory_bytes", "17179869184"}, {"units", "132"}};
    struct machine_device device = {"cuda:0", "A GPU", "550.1", facts, COUNT_OF(facts)};
    const struct machine machine = {.fingerprint = "0123456789abcdef",
                                    .cpu = "A CPU",
                                    .architecture = "x86_64",
                                    .kernel = "Linux 6.1.0",
                                    .os = "Debian",
                                    .cores = 4,
                                    .memory_bytes = 16ull << 30,
                                    .devices = &device,
                                    .device_count = 1};
    struct ceiling ceilings[] = {{.device = "cuda:0", .what = "fma-f32", .rate = 10000, .unit = "GFLOP/s"},
                                 {.device = "cuda:0", .what = "dram-copy", .rate = 1000, .unit = "GB/s"}};
    for (size_t i = 0; i < COUNT_OF(ceilings); i++) {
        strcpy(ceilings[i].device_name, "A GPU");
        strcpy(ceilings[i].driver, "550.1");
    }
    const struct ceiling_list kept = {ceilings, COUNT_OF(ceilings)};
    transposes(&list);
    others(&list, attachments);
    static struct explained_rung rungs[2];
    explain_rungs(rungs);
    struct explained_kernel explained = {"transpose",    "transpose:rows=1000,cols=1000,f32",
                                         "sm_90",        "transpose",
                                         .rungs = rungs, .count = COUNT_OF(rungs)};
    const struct explained_list explanations = {&explained, 1};
    const struct chapter chapter = {"explained", "Explained", chapter_explained, &explanations};
    const struct report_source source = {.measurements = &list,
                                         .machine = &machine,
                                         .ceilings = &kept,
                                         .attachments = attachments,
                                         .attachment_count = COUNT_OF(attachments),
                                         .chapters = &chapter,
                                         .chapter_count = 1,
                                         .code_version = "0.1.0",
                                         .made_at = 1700000000};
    char *text = page_of(&source, 1);
    expect_file("report.html", text);
    free(text);
    measurement_list_free(&list);
}

/* The same rung in 20 us on one machine and in 10 us on the other: twice as fast. */
static void two_machines(void **state)
{
    (void)state;
    struct measurement_list lists[2] = {{0}, {0}};
    const struct machine machines[2] = {{.cpu = "A CPU", .cores = 4}, {.cpu = "Another CPU", .cores = 8}};
    struct report_source sources[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++) {
        struct measurement *one =
            of(&lists[i], "transpose:rows=1000,cols=1000,f32", "simd", MEASURED_HOST, i ? 1e4 : 2e4, 8e6);
        strcpy(one->device, "cpu");
        strcpy(one->device_name, machines[i].cpu);
        one->ceiling[0] = '\0';
        sources[i] = (struct report_source){.measurements = &lists[i],
                                            .machine = &machines[i],
                                            .code_version = "0.1.0",
                                            .made_at = 1700000000 + 86400 * (int64_t)i};
    }
    char *text = page_of(sources, 2);
    expect_file("report-machines.html", text);
    free(text);
    measurement_list_free(&lists[0]);
    measurement_list_free(&lists[1]);
}

/* Nothing to show is said, not shown. */
static void nothing(void **state)
{
    (void)state;
    struct error error = {""};
    const struct measurement_list list = {0};
    const struct report_source source = {.measurements = &list};
    struct page page = {.stream = stderr};
    assert_int_equal(report_document(&page, &source, 1, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "nothing has been measured on this machine yet"));
}

int main(void)
{
    setenv("TZ", "UTC", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report), cmocka_unit_test(two_machines),
                                       cmocka_unit_test(nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
