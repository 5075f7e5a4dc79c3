/* What the C library adds to its rungs on a GPU: a run of a plan on the caller's stream (uskor_run_device), and the
 * same launches made by bare calls of the driver, in turns. The launches are those that the library itself makes: one
 * run is captured as a CUDA graph, whose nodes hold functions, grids and arguments. Both answers are compared with the
 * CPU's.
 *
 * Usage: library-device-times [rounds]   default 200; 0: every run once, verified and not timed (for compute-sanitizer)
 * Build: cc -O3 -I include tools/library-device-times.c -o FILE -L build -luskor -Wl,-rpath,build -ldl -lm
 * No CUDA header is needed: the driver is opened when the program runs. */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uskor.h>

/* ---- the driver's interface, after NVIDIA's "CUDA Driver API" ---------------------------------------------------- */

struct kernel_node { /* CUDA_KERNEL_NODE_PARAMS_v2 */
    void *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
};

struct memset_node { /* CUDA_MEMSET_NODE_PARAMS */
    unsigned long long target;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
};

enum { NODE_KERNEL = 0, NODE_MEMSET = 2, CAPTURE_RELAXED = 2, STREAM_NON_BLOCKING = 1 };

static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*name)(char *, int, int);
    int (*retain)(void **, int);
    int (*use)(void *);
    int (*stream)(void **, unsigned);
    int (*wait)(void *);
    int (*allocate)(unsigned long long *, size_t);
    int (*release)(unsigned long long);
    int (*send)(unsigned long long, const void *, size_t);
    int (*receive)(void *, unsigned long long, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    int (*fill8)(unsigned long long, unsigned char, size_t, void *);
    int (*fill32)(unsigned long long, unsigned, size_t, void *);
    int (*begin_capture)(void *, int);
    int (*end_capture)(void *, void **);
    int (*roots)(void *, void **, size_t *);
    int (*next)(void *, void **, size_t *);
    int (*kind)(void *, int *);
    int (*kernel)(void *, struct kernel_node *);
    int (*memset)(void *, struct memset_node *);
    int (*instantiate)(void **, void *, unsigned long long);
    int (*launch_graph)(void *, void *);
} cu;

static const struct {
    const char *name;
    size_t place;
} functions[] = {
#define F(member, name)                        \
    {                                          \
        name, offsetof(__typeof__(cu), member) \
    }
    F(init, "cuInit"),
    F(device, "cuDeviceGet"),
    F(name, "cuDeviceGetName"),
    F(retain, "cuDevicePrimaryCtxRetain"),
    F(use, "cuCtxSetCurrent"),
    F(stream, "cuStreamCreate"),
    F(wait, "cuStreamSynchronize"),
    F(allocate, "cuMemAlloc_v2"),
    F(release, "cuMemFree_v2"),
    F(send, "cuMemcpyHtoD_v2"),
    F(receive, "cuMemcpyDtoH_v2"),
    F(launch, "cuLaunchKernel"),
    F(fill8, "cuMemsetD8Async"),
    F(fill32, "cuMemsetD32Async"),
    F(begin_capture, "cuStreamBeginCapture_v2"),
    F(end_capture, "cuStreamEndCapture"),
    F(roots, "cuGraphGetRootNodes"),
    F(next, "cuGraphNodeGetDependentNodes"),
    F(kind, "cuGraphNodeGetType"),
    F(kernel, "cuGraphKernelNodeGetParams_v2"),
    F(memset, "cuGraphMemsetNodeGetParams"),
    F(instantiate, "cuGraphInstantiateWithFlags"),
    F(launch_graph, "cuGraphLaunch"),
#undef F
};

static void *stream;
static struct uskor *on_cpu, *on_gpu;

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "library-device-times: %s: %s\n", what, why);
    exit(1);
}

static void demand(int code, const char *what)
{
    char text[32];
    snprintf(text, sizeof text, "the driver's code %d", code);
    if (code)
        give_up(what, text);
}

static void demand_uskor(enum uskor_status status, const struct uskor *uskor)
{
    if (status != USKOR_OK)
        give_up("the library", uskor_message(uskor));
}

/* A copy from ordinary memory may still be under way when it returns, and the stream does not wait for it. */
static void send(void *target, const void *source, size_t bytes)
{
    demand(cu.send((uintptr_t)target, source, bytes), "sending");
    demand(cu.wait(NULL), "waiting");
}

static void start(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
    char name[256] = "";
    int device;
    if (!library)
        give_up("libcuda.so.1", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found)
            give_up(functions[i].name, "the driver has no such function");
        memcpy((char *)&cu + functions[i].place, &found, sizeof found);
    }
    demand(cu.init(0), "cuInit");
    demand(cu.device(&device, 0), "the first device");
    demand(cu.retain(&context, device), "its context");
    demand(cu.use(context), "its context");
    demand(cu.stream(&stream, STREAM_NON_BLOCKING), "a stream");
    cu.name(name, sizeof name, device);
    demand_uskor(uskor_open(&on_cpu, "cpu"), NULL);
    demand_uskor(uskor_open_cuda(&on_gpu, stream), NULL);
    printf("# %s; libuskor %s\n", name, uskor_version());
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

enum operation { TRANSPOSE, SORT, DOT, GEMM, RESIZE };

struct problem {
    const char *name;
    enum operation operation;
    size_t size[3];
    enum uskor_number type;
};

static const struct problem problems[] = {
    {"transpose 64 x 64, f32", TRANSPOSE, {64, 64}, USKOR_FLOAT32},
    {"transpose 512 x 512, f32", TRANSPOSE, {512, 512}, USKOR_FLOAT32},
    {"transpose 8192 x 8192, f32", TRANSPOSE, {8192, 8192}, USKOR_FLOAT32},
    {"sort 2^10, f32", SORT, {1 << 10}, USKOR_FLOAT32},
    {"sort 2^16, u32", SORT, {1 << 16}, USKOR_UINT32},
    {"sort 2^24, f32", SORT, {1 << 24}, USKOR_FLOAT32},
    {"dot 2^10, f32", DOT, {1 << 10}, USKOR_FLOAT32},
    {"dot 2^20, f64", DOT, {1 << 20}, USKOR_FLOAT64},
    {"dot 2^26, f32", DOT, {1 << 26}, USKOR_FLOAT32},
    {"gemm 64, f32", GEMM, {64, 64, 64}, USKOR_FLOAT32},
    {"gemm 1024, f32", GEMM, {1024, 1024, 1024}, USKOR_FLOAT32},
    {"gemm 4096, f32", GEMM, {4096, 4096, 4096}, USKOR_FLOAT32},
    {"gemm 64 x 64 x 4096, f32", GEMM, {64, 64, 4096}, USKOR_FLOAT32},
    {"gemm 4096 x 1 x 4096, f32", GEMM, {4096, 1, 4096}, USKOR_FLOAT32},
    {"gemm 256, f16", GEMM, {256, 256, 256}, USKOR_FLOAT16},
    {"gemm 1024, f16", GEMM, {1024, 1024, 1024}, USKOR_FLOAT16},
    {"gemm 4096, f16", GEMM, {4096, 4096, 4096}, USKOR_FLOAT16},
    {"gemm 4095, f16", GEMM, {4095, 4095, 4095}, USKOR_FLOAT16},
    {"gemm 64 x 64 x 4096, f16", GEMM, {64, 64, 4096}, USKOR_FLOAT16},
    {"resize 64 x 64 by 2", RESIZE, {64, 64}, USKOR_UINT8},
    {"resize 1920 x 1080 by 2", RESIZE, {1920, 1080}, USKOR_UINT8},
};
#define PROBLEMS (sizeof problems / sizeof *problems)
#define SMALL ((size_t)1 << 22) /* elements, at most, of what is not timed */

static size_t bytes_of(enum uskor_number type)
{
    return type == USKOR_FLOAT64 ? 8 : type == USKOR_FLOAT16 ? 2 : type == USKOR_UINT8 ? 1 : 4;
}

/* Target, first, second: bytes of each, 0 where the operation has none. */
static void measure(const struct problem *p, size_t bytes[3])
{
    const size_t *n = p->size, e = bytes_of(p->type);
    const size_t all[][3] = {
        [TRANSPOSE] = {n[0] * n[1] * e, n[0] * n[1] * e, 0},
        [SORT] = {n[0] * e, 0, 0},
        [DOT] = {sizeof(double), n[0] * e, n[0] * e},
        [GEMM] = {n[0] * n[1] * e, n[0] * n[2] * e, n[2] * n[1] * e},
        [RESIZE] = {n[0] * n[1] * 16, n[0] * n[1] * 4, 0},
    };
    memcpy(bytes, all[p->operation], sizeof all[0]);
}

static enum uskor_status make_plan(const struct problem *p, struct uskor *uskor, struct uskor_plan **plan)
{
    const size_t *n = p->size;
    switch (p->operation) {
    case TRANSPOSE:
        return uskor_plan_transpose(uskor, plan, n[0], n[1], bytes_of(p->type));
    case SORT:
        return uskor_plan_sort(uskor, plan, n[0], p->type, 0);
    case DOT:
        return uskor_plan_dot(uskor, plan, n[0], p->type, USKOR_SUM_FAST);
    case GEMM:
        return uskor_plan_gemm(uskor, plan, p->type, p->type, 0, 0, n[0], n[1], n[2], 1, n[2], n[1], 0, n[1], 1);
    case RESIZE:
        return uskor_plan_resize(uskor, plan, 2 * n[0], 2 * n[1], n[0], n[1]);
    }
    return USKOR_INVALID;
}

/* Numbers between 0 and 1, or any bits; half: 1/8 … 1 as bits. */
static void fill(void *data, size_t bytes, enum uskor_number type)
{
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < bytes / bytes_of(type); i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        if (type == USKOR_FLOAT64)
            ((double *)data)[i] = (double)(state >> 11) * 0x1p-53;
        else if (type == USKOR_FLOAT32)
            ((float *)data)[i] = (float)(state >> 40) * 0x1p-24f;
        else if (type == USKOR_FLOAT16)
            ((uint16_t *)data)[i] = (uint16_t)(0x3000 + state % 0x0C00);
        else if (type == USKOR_UINT32)
            ((uint32_t *)data)[i] = (uint32_t)state;
        else
            ((uint8_t *)data)[i] = (uint8_t)state;
    }
}

static double half(uint16_t bits)
{
    return ldexp(1.0 + (bits & 0x3FF) * 0x1p-10, (bits >> 10) - 15); /* positive and normal */
}

/* The largest error that is allowed is 1. */
static double error_of(const struct problem *p, const void *got, const void *expected, size_t bytes)
{
    double worst = 0;
    if (p->operation == TRANSPOSE || p->operation == SORT)
        return memcmp(got, expected, bytes) ? 2 : 0;
    if (p->operation == DOT)
        return fabs(*(const double *)got / *(const double *)expected - 1) / 1e-4;
    for (size_t i = 0; i < bytes / bytes_of(p->type); i++) {
        double a = 0, b = 1, most = 1;
        if (p->operation == RESIZE)
            a = ((const uint8_t *)got)[i], b = ((const uint8_t *)expected)[i];
        else if (p->type == USKOR_FLOAT16)
            a = half(((const uint16_t *)got)[i]), b = half(((const uint16_t *)expected)[i]), most = b / 512;
        else
            a = ((const float *)got)[i], b = ((const float *)expected)[i], most = b * 1e-5;
        const double error = fabs(a - b) / most;
        worst = error > worst || error != error ? error : worst;
    }
    return worst;
}

/* ---- the same launches ------------------------------------------------------------------------------------------- */

#define NODES 64

struct step {
    int kind;
    struct kernel_node kernel;
    struct memset_node memset;
};

static struct step steps[NODES];
static size_t step_count;
static void *ready; /* the captured run, to be launched as it is */

/* Why not, or NULL. */
static const char *capture(struct uskor_plan *plan, void *const there[3])
{
    void *graph = NULL, *node[2];
    size_t count = 2;
    step_count = 0;
    demand(cu.begin_capture(stream, CAPTURE_RELAXED), "beginning a capture");
    const enum uskor_status status = uskor_run_device(plan, there[0], there[1], there[2]);
    if (cu.end_capture(stream, &graph) || status != USKOR_OK)
        return "a run cannot be captured";
    if (cu.instantiate(&ready, graph, 0))
        return "the captured run cannot be made ready";
    if (cu.roots(graph, node, &count) || count != 1)
        return "the captured run has not one beginning";
    while (count == 1 && step_count < NODES) {
        struct step *step = &steps[step_count++];
        if (cu.kind(node[0], &step->kind))
            return "a node's kind";
        if (step->kind == NODE_KERNEL ? cu.kernel(node[0], &step->kernel)
                                      : step->kind != NODE_MEMSET || cu.memset(node[0], &step->memset))
            return "a node that is neither a kernel nor a fill";
        void *from = node[0];
        count = 2;
        if (cu.next(from, node, &count))
            return "the node behind one";
    }
    return count ? "the captured run is no chain" : NULL;
}

static int replay(void)
{
    int code = 0;
    for (size_t i = 0; i < step_count && !code; i++) {
        const struct kernel_node *k = &steps[i].kernel;
        const struct memset_node *m = &steps[i].memset;
        if (steps[i].kind == NODE_KERNEL)
            code = cu.launch(k->function ? k->function : k->kernel, k->grid[0], k->grid[1], k->grid[2], k->block[0],
                             k->block[1], k->block[2], k->shared_bytes, stream, k->parameters, NULL);
        else
            code = m->element_bytes == 4
                       ? cu.fill32(m->target, m->value, m->width * m->height, stream)
                       : cu.fill8(m->target, (unsigned char)m->value, m->width * m->height * m->element_bytes, stream);
    }
    return code;
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

#define ROUNDS_MOST 1000
#define IN_A_ROW 50

enum { FIRST, HOST, WHOLE, ROW, MEASURES };
static const char *const measures[] = {
    [FIRST] = "after a row", [HOST] = "until it returns", [WHOLE] = "until it is done", [ROW] = "in a row"};

/* `AGAIN` are bare launches, too: their difference from `BARE` shows what the measurement cannot tell apart. The graph
 * is verified, not timed. */
enum { LIBRARY, BARE, AGAIN, WAYS, GRAPH = WAYS };
static double samples[MEASURES][WAYS][ROUNDS_MOST];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void run(int way, struct uskor_plan *plan, void *const there[3])
{
    if (way == LIBRARY)
        demand_uskor(uskor_run_device(plan, there[0], there[1], there[2]), on_gpu);
    else
        demand(way == GRAPH ? cu.launch_graph(ready, stream) : replay(), "a launch");
}

static double time_one(int way, struct uskor_plan *plan, void *const there[3], double *returned)
{
    const double begun = now();
    run(way, plan, there);
    *returned = now() - begun;
    demand(cu.wait(stream), "waiting");
    return now() - begun;
}

/* The first run comes after a row of another way's, in whose wait the host's caches and clock went cold. */
static void time_once(int way, int round, int in_a_row, struct uskor_plan *plan, void *const there[3])
{
    demand(cu.wait(stream), "waiting");
    samples[FIRST][way][round] = time_one(way, plan, there, &samples[HOST][way][round]);
    samples[WHOLE][way][round] = time_one(way, plan, there, &samples[HOST][way][round]);
    const double begun = now();
    for (int i = 0; i < in_a_row; i++)
        run(way, plan, there);
    demand(cu.wait(stream), "waiting");
    samples[ROW][way][round] = (now() - begun) / in_a_row;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *values, int count, double share)
{
    static double sorted[ROUNDS_MOST];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted[(int)(share * (count - 1) + 0.5)];
}

static void tell(const struct problem *p, int measure, int rounds)
{
    double differences[2][ROUNDS_MOST];
    for (int round = 0; round < rounds; round++) {
        differences[0][round] = samples[measure][LIBRARY][round] - samples[measure][BARE][round];
        differences[1][round] = samples[measure][AGAIN][round] - samples[measure][BARE][round];
    }
    printf("%-27s %-18s %8zu  %-17s %10.2f %10.2f", p->name, uskor_rung(on_gpu), step_count, measures[measure],
           quantile(samples[measure][LIBRARY], rounds, 0.5), quantile(samples[measure][BARE], rounds, 0.5));
    for (int i = 0; i < 2; i++)
        printf(" %10.2f  %8.2f .. %-8.2f", quantile(differences[i], rounds, 0.5),
               quantile(differences[i], rounds, 0.25), quantile(differences[i], rounds, 0.75));
    printf(" %7d\n", rounds);
}

static void time_problem(const struct problem *p, int rounds, struct uskor_plan *plan, void *const there[3])
{
    const double begun = now();
    time_once(LIBRARY, 0, 1, plan, there);
    time_once(BARE, 0, 1, plan, there);
    const double once = (now() - begun) / 6; /* a long run shows no overhead in a row: fewer of them */
    const int in_a_row = once > 200 ? 4 : IN_A_ROW;
    if (once > 200 && rounds > 50)
        rounds = 50;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < WAYS; i++)
            time_once((round + i) % WAYS, round, in_a_row, plan, there);
    for (int measure = 0; measure < MEASURES; measure++)
        tell(p, measure, rounds);
    fflush(stdout);
}

/* ---- one problem ------------------------------------------------------------------------------------------------- */

static const char *verify(const struct problem *p, int way, struct uskor_plan *plan, void *const there[3],
                          void *const here[3], const void *expected, const size_t bytes[3])
{
    void *got = malloc(bytes[0]);
    if (!got)
        give_up(p->name, "out of memory");
    memset(got, 0xA5, bytes[0]);
    send(there[0], p->operation == SORT ? here[0] : got, bytes[0]);
    run(way, plan, there);
    demand(cu.wait(stream), "waiting");
    demand(cu.receive(got, (uintptr_t)there[0], bytes[0]), "receiving");
    const double error = error_of(p, got, expected, bytes[0]);
    free(got);
    static const char *const wrong[] = {[LIBRARY] = "the answer is wrong",
                                        [BARE] = "the bare launches' answer is wrong",
                                        [GRAPH] = "the graph's answer is wrong"};
    return error <= 1 ? NULL : wrong[way];
}

static int do_problem(const struct problem *p, int rounds)
{
    size_t bytes[3];
    void *here[3] = {NULL}, *there[3] = {NULL}, *expected;
    struct uskor_plan *plan = NULL, *of_cpu = NULL;
    const char *wrong = NULL;
    measure(p, bytes);
    expected = malloc(bytes[0]);
    for (int i = 0; i < 3; i++) {
        unsigned long long address = 0;
        if (!bytes[i])
            continue;
        here[i] = malloc(bytes[i]);
        demand(cu.allocate(&address, bytes[i]), "device memory");
        there[i] = (void *)(uintptr_t)address;
        if (!here[i] || !expected)
            give_up(p->name, "out of memory");
        fill(here[i], bytes[i], p->type);
        send(there[i], here[i], bytes[i]);
    }
    memcpy(expected, here[0], bytes[0]);
    demand_uskor(make_plan(p, on_cpu, &of_cpu), on_cpu);
    demand_uskor(uskor_run(of_cpu, expected, here[1], here[2]), on_cpu);
    if (make_plan(p, on_gpu, &plan) != USKOR_OK)
        wrong = uskor_message(on_gpu);
    if (!wrong)
        wrong = verify(p, LIBRARY, plan, there, here, expected, bytes);
    if (!wrong && rounds > 0) {
        wrong = capture(plan, there);
        for (int replay = 0; !wrong && replay < 2; replay++)
            wrong = verify(p, GRAPH, plan, there, here, expected, bytes);
        if (!wrong)
            wrong = verify(p, BARE, plan, there, here, expected, bytes);
        if (!wrong)
            time_problem(p, rounds, plan, there);
        if (!wrong)
            wrong = verify(p, LIBRARY, plan, there, here, expected, bytes);
    }
    if (wrong || rounds == 0)
        printf("%-27s %-18s %s\n", p->name, wrong ? "" : uskor_rung(on_gpu), wrong ? wrong : "right");
    fflush(stdout);
    uskor_plan_free(plan);
    uskor_plan_free(of_cpu);
    for (int i = 0; i < 3; i++) {
        free(here[i]);
        cu.release((uintptr_t)there[i]);
    }
    free(expected);
    return wrong != NULL;
}

int main(int argc, char **argv)
{
    const int asked = argc > 1 ? atoi(argv[1]) : 200, rounds = asked > ROUNDS_MOST ? ROUNDS_MOST : asked;
    int failed = 0;
    start();
    if (rounds > 0)
        printf(
            "# microseconds, medians of interleaved rounds; %d runs in a row; bare: the same launches by the driver's "
            "own calls\n%-27s %-18s %8s  %-17s %10s %10s %10s  %8s .. %-8s %10s  %8s .. %-8s %7s\n",
            IN_A_ROW, "problem", "rung", "launches", "time of a run", "library", "bare", "difference", "quartile",
            "quartile", "bare again", "quartile", "quartile", "rounds");
    for (size_t i = 0; i < PROBLEMS; i++) {
        size_t bytes[3];
        measure(&problems[i], bytes);
        if (rounds > 0 || bytes[0] + bytes[1] + bytes[2] <= SMALL * 4)
            failed += do_problem(&problems[i], rounds);
    }
    uskor_close(on_gpu);
    uskor_close(on_cpu);
    return failed ? 1 : 0;
}
