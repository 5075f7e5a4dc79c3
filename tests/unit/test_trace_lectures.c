/* Kernels of a first course, in CUDA C and OpenCL C: what the trace counts, against a second count made here. Each
 * kernel is written once more as a loop over its warps, and sectors and banks are counted by their definition. */
#include "base/size.h"
#include "traced.h"

#define LANES 32
enum { NONE = -1 };

/* One array's loads, stores or atomic operations, by the rules of 9.0 and (lines) by those of 2.0. */
struct sum {
    const char *array;
    enum explain_operation operation;
    bool is_shared;
    int bytes; /* of an access */
    double requests, transactions, lines;
};

static struct sum sums[8];
static size_t sum_count;

static struct sum *sum_of(const char *array, enum explain_operation operation, bool is_shared, int bytes)
{
    for (size_t i = 0; i < sum_count; i++)
        if (strcmp(sums[i].array, array) == 0 && sums[i].operation == operation)
            return &sums[i];
    assert_true(sum_count < COUNT_OF(sums));
    sums[sum_count] = (struct sum){.array = array, .operation = operation, .is_shared = is_shared, .bytes = bytes};
    return &sums[sum_count++];
}

/* How many different units the lanes' elements lie in. */
static int count_units(const long at[LANES], int bytes, int unit)
{
    int count = 0;
    for (int i = 0; i < LANES; i++) {
        bool is_new = at[i] != NONE;
        for (int j = 0; j < i; j++)
            is_new &= at[j] == NONE || at[j] * bytes / unit != at[i] * bytes / unit;
        count += is_new;
    }
    return count;
}

/* Words of the busiest of 32 banks: different ones, or for atomic operations all. */
static int count_passes(const long at[LANES], bool is_atomic)
{
    int most = 0;
    for (int bank = 0; bank < 32; bank++) {
        int words = 0;
        for (int i = 0; i < LANES; i++) {
            bool counts = at[i] != NONE && at[i] % 32 == bank;
            for (int j = 0; j < i && !is_atomic; j++)
                counts &= at[j] != at[i];
            words += counts;
        }
        most = words > most ? words : most;
    }
    return most;
}

/* A warp's access to these elements; NONE: the lane takes no part. */
static void touch(struct sum *sum, const long at[LANES])
{
    int active = 0;
    for (int i = 0; i < LANES; i++)
        active += at[i] != NONE;
    if (active == 0)
        return;
    sum->requests++;
    sum->transactions +=
        sum->is_shared ? count_passes(at, sum->operation == EXPLAIN_ATOMIC) : count_units(at, sum->bytes, 32);
    for (int part = 0, lanes = sum->bytes == 16 ? 8 : 32; part < LANES; part += lanes) {
        long own[LANES];
        for (int i = 0; i < LANES; i++)
            own[i] = i >= part && i < part + lanes ? at[i] : NONE;
        sum->lines += count_units(own, sum->bytes, sum->operation == EXPLAIN_LOAD ? 128 : 32);
    }
}

/* EACH(array, operation, is_shared, bytes, condition, index): an access of the warp whose first item is `first`, where
 * `item` is an item of the group. */
#define EACH(array, operation, is_shared, bytes, condition, index)        \
    do {                                                                  \
        long at_[LANES];                                                  \
        for (long lane_ = 0; lane_ < LANES; lane_++) {                    \
            long item = first + lane_;                                    \
            (void)item;                                                   \
            at_[lane_] = (condition) ? (long)(index) : NONE;              \
        }                                                                 \
        touch(sum_of(array, EXPLAIN_##operation, is_shared, bytes), at_); \
    } while (0)
#define WARPS(items) for (long first = 0; first < (items); first += LANES)
#define GLOBAL(array, operation, condition, index) EACH(array, operation, false, 4, condition, index)
#define SHARED(array, operation, condition, index) EACH(array, operation, true, 4, condition, index)

/* The data of a problem's first array, as the lab fills it. */
static const unsigned *data_of(const char *text)
{
    static unsigned data[8192];
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays host = {{NULL}};
    int count;
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    assert_true(arrays[0].bytes == sizeof data);
    host.data[0] = data;
    problem.kernel->fill(&problem, arrays, host);
    return data;
}

/* ---- the kernels ------------------------------------------------------------------------------------------------ */

static void histogram(void)
{
    const unsigned *data = data_of("sort:n=8192,u32");
    for (long group = 0; group < 4; group++)
        WARPS(256)
        {
            SHARED("part", STORE, true, item);
            for (long i = group * 256; i < 8192; i += 1024) {
                GLOBAL("data", LOAD, true, i + item);
                SHARED("part", ATOMIC, true, data[i + item] & 255);
            }
            SHARED("part", LOAD, true, item);
            GLOBAL("bins", ATOMIC, true, item);
        }
}

static void scan(void)
{
    for (long base = 0; base < 2048; base += 512) {
        long reach = 1;
        WARPS(256)
        {
            for (int k = 0; k < 2; k++) {
                GLOBAL("in", LOAD, true, base + 2 * item + k);
                SHARED("sums", STORE, true, 2 * item + k);
                SHARED("sums", LOAD, true, 2 * item + k);
                GLOBAL("out", STORE, true, base + 2 * item + k);
            }
            SHARED("sums", STORE, item == 0, 511);
        }
        for (long active = 256; active > 0; active /= 2, reach *= 2)
            WARPS(256)
            { /* up: left and right are read, right is written; down, with the same shapes: both are written */
                SHARED("sums", LOAD, item < active, reach * (2 * item + 1) - 1);
                SHARED("sums", LOAD, item < active, reach * (2 * item + 2) - 1);
                SHARED("sums", STORE, item < active, reach * (2 * item + 2) - 1);
                SHARED("sums", LOAD, item < active, reach * (2 * item + 1) - 1);
                SHARED("sums", LOAD, item < active, reach * (2 * item + 2) - 1);
                SHARED("sums", STORE, item < active, reach * (2 * item + 1) - 1);
                SHARED("sums", STORE, item < active, reach * (2 * item + 2) - 1);
            }
    }
}

static void spmv(void)
{
    for (long base = 0; base < 1024; base += 128)
        WARPS(128)
        {
            for (long round = 0; round < 8; round++) { /* rows that have ended wait for the others */
                GLOBAL("values", LOAD, round < (base + item) % 9, 8 * (base + item) + round);
                GLOBAL("x", LOAD, round < (base + item) % 9, (8 * (base + item) + round) * 7919 % 8192);
            }
            GLOBAL("y", STORE, true, base + item);
        }
}

#define TX (item % 16)
#define TY (item / 16)
static void stencil(void)
{
    const long rows = 64, cols = 48;
    for (long y = 0; y < rows; y += 16)
        for (long x = 0; x < cols; x += 16)
            WARPS(256)
            {
#define INNER (x + TX > 0 && y + TY > 0 && x + TX + 1 < cols && y + TY + 1 < rows)
#define BOTH(condition, dy, dx)                                            \
    GLOBAL("in", LOAD, condition, (y + TY + (dy)) * cols + x + TX + (dx)); \
    SHARED("tile", STORE, condition, (TY + 1 + (dy)) * 18 + TX + 1 + (dx))
                BOTH(true, 0, 0);
                BOTH(TX == 0 && x > 0, 0, -1);
                BOTH(TX == 15 && x + 16 < cols, 0, 1);
                BOTH(TY == 0 && y > 0, -1, 0);
                BOTH(TY == 15 && y + 16 < rows, 1, 0);
                SHARED("tile", LOAD, INNER, (TY + 1) * 18 + TX + 1);
                SHARED("tile", LOAD, INNER, TY * 18 + TX + 1);
                SHARED("tile", LOAD, INNER, (TY + 2) * 18 + TX + 1);
                SHARED("tile", LOAD, INNER, (TY + 1) * 18 + TX);
                SHARED("tile", LOAD, INNER, (TY + 1) * 18 + TX + 2);
                GLOBAL("out", STORE, INNER, (y + TY) * cols + x + TX);
            }
}

static void padded(void)
{
    const long rows = 70, cols = 50;
    for (long y = 0; y < rows; y += 32)
        for (long x = 0; x < cols; x += 32)
            for (long j = 0; j < 32; j++) { /* a warp has one row of the tile */
                const long first = 0;
                GLOBAL("in", LOAD, x + item < cols && y + j < rows, (y + j) * cols + x + item);
                SHARED("tile", STORE, x + item < cols && y + j < rows, 33 * j + item);
                SHARED("tile", LOAD, y + item < rows && x + j < cols, 33 * item + j);
                GLOBAL("out", STORE, y + item < rows && x + j < cols, (x + j) * rows + y + item);
            }
}

static void reduce(void)
{
    for (long group = 0; group < 4; group++)
        WARPS(256)
        {
            for (long i = group * 256; i < 8192; i += 1024) {
                GLOBAL("a", LOAD, true, i + item);
                GLOBAL("b", LOAD, true, i + item);
            }
            SHARED("sums", STORE, item % 32 == 0, item / 32);
            SHARED("sums", LOAD, item < 8, item);
            GLOBAL("partial", STORE, item == 0, group);
        }
}

static void product(void)
{
    const long n = 64;
    for (long row = 0; row < n; row += 16)
        for (long col = 0; col < n; col += 16)
            WARPS(256)
            {
                for (long t = 0; t < n; t += 16) {
                    GLOBAL("a", LOAD, true, (row + TY) * n + t + TX);
                    GLOBAL("b", LOAD, true, (t + TY) * n + col + TX);
                    SHARED("as", STORE, true, item);
                    SHARED("bs", STORE, true, item);
                    for (long i = 0; i < 16; i++) {
                        SHARED("as", LOAD, true, 16 * TY + i);
                        SHARED("bs", LOAD, true, 16 * i + TX);
                    }
                }
                GLOBAL("c", STORE, true, (row + TY) * n + col + TX);
            }
}

static int rounds_of_point(long x, long y, long side)
{
    volatile float re = 3.0f * (float)x / (float)side - 2, im = 3.0f * (float)y / (float)side - 1.5f;
    volatile float zr = 0, zi = 0, rr, ii, next, product_; /* volatile: every operation is rounded by itself */
    int round = 0;
    for (; round < 256; round++) {
        rr = zr * zr;
        ii = zi * zi;
        if (rr + ii >= 4)
            break;
        next = rr - ii;
        product_ = 2 * zr * zi;
        zi = product_ + im;
        zr = next + re;
    }
    return round;
}

/* Rounds of the loop by warps: each warp has as many as its longest lane. */
static double mandelbrot_rounds;

static void mandelbrot(void)
{
    const long side = 64;
    mandelbrot_rounds = 0;
    for (long y = 0; y < side; y += 16)
        for (long x = 0; x < side; x += 16)
            WARPS(256)
            {
                int most = 0;
                for (long item = first; item < first + LANES; item++) {
                    int own = rounds_of_point(x + TX, y + TY, side);
                    most = own > most ? own : most;
                }
                mandelbrot_rounds += most;
                GLOBAL("out", STORE, true, (y + TY) * side + x + TX);
            }
}

static void gather(void)
{
    WARPS(8192)
    {
        GLOBAL("table", LOAD, true, item * 7919 % 8192);
        GLOBAL("picked", STORE, true, item);
    }
}

static void saxpy(void)
{
    WARPS(2048)
    {
        EACH("x", LOAD, false, 16, true, item);
        EACH("y", LOAD, false, 16, true, item);
        EACH("y", STORE, false, 16, true, item);
    }
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static const struct lecture {
    const char *name, *problem;
    void (*count)(void);
} lectures[] = {
    {"histogram", "sort:n=8192,u32", histogram},
    {"scan", "dot:n=2048,f32", scan},
    {"spmv", "dot:n=8192,f32", spmv},
    {"stencil", "transpose:rows=64,cols=48,f32", stencil},
    {"padded", "transpose:rows=70,cols=50,f32", padded},
    {"reduce", "dot:n=8192,f32", reduce},
    {"product", "matmul:m=64,n=64,k=64,f32", product},
    {"mandelbrot", "transpose:rows=64,cols=64,f32", mandelbrot},
    {"gather", "dot:n=8192,f32", gather},
    {"saxpy", "dot:n=8192,f32", saxpy},
};

static char *read_lecture(const char *name, const char *ending)
{
    static char text[8192];
    char path[512];
    snprintf(path, sizeof path, "%s/explain/lectures/%s.%s", USKOR_TEST_DATA, name, ending);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void compare(const struct lecture *lecture, const char *ending)
{
    size_t matched = 0;
    for (size_t s = 0; s < sum_count; s++) {
        double requests = 0, transactions = 0, lines = 0;
        for (size_t a = 0; a < trace.access_count; a++) {
            const struct explain_access *one = &trace.accesses[a];
            if (strcmp(one->array, sums[s].array) != 0 || one->operation != sums[s].operation)
                continue;
            matched++;
            requests += one->warp_accesses;
            transactions += one->counts[BY_9_0].transactions;
            lines += one->counts[BY_2_0].transactions;
        }
        if (requests != sums[s].requests || transactions != sums[s].transactions ||
            (!sums[s].is_shared && lines != sums[s].lines))
            fail_msg("%s.%s, %s %s: %g requests, %g transactions, %g of 2.0; expected %g, %g, %g", lecture->name,
                     ending, explain_operation_name(sums[s].operation), sums[s].array, requests, transactions, lines,
                     sums[s].requests, sums[s].transactions, sums[s].lines);
    }
    assert_int_equal(matched, trace.access_count); /* nothing is counted that is not there */
    assert_int_equal(trace.groups_traced, trace.groups);
    assert_int_equal(trace.race_count, 0);
}

static void trace_lecture(const struct lecture *lecture, const char *ending)
{
    char path[64];
    snprintf(path, sizeof path, "lectures/%s.%s", lecture->name, ending);
    expect_ok(trace_file(lecture->problem, path, read_lecture(lecture->name, ending)));
}

static void lectures_in(const char *ending)
{
    for (size_t i = 0; i < COUNT_OF(lectures); i++) {
        sum_count = 0;
        lectures[i].count();
        trace_lecture(&lectures[i], ending);
        compare(&lectures[i], ending);
    }
}

static void in_cuda(void **state)
{
    (void)state;
    lectures_in("cu");
}

static void in_opencl(void **state)
{
    (void)state;
    lectures_in("cl");
}

/* The other compiler counts the same: scan reads words that it then writes. */
static void with_clang(void **state)
{
    (void)state;
    if (system("clang++ --version >/dev/null 2>&1") != 0)
        skip();
    assert_int_equal(setenv("USKOR_CXX", "clang++", 1), 0);
    sum_count = 0;
    lectures[1].count();
    trace_lecture(&lectures[1], "cl");
    compare(&lectures[1], "cl");
    assert_int_equal(unsetenv("USKOR_CXX"), 0);
}

/* The loop of Mandelbrot's set neither loads nor stores: its line tells its rounds. */
static void lines_of_loops(void **state)
{
    (void)state;
    const struct lecture *lecture = &lectures[7];
    lecture->count();
    for (int language = 0; language < 2; language++) {
        double warps = 0;
        trace_lecture(lecture, language ? "cl" : "cu");
        for (size_t i = 0; i < trace.line_count; i++)
            if (trace.lines[i].line == 12) /* while */
                warps = trace.lines[i].warps;
        /* Each of 128 warps may have a look that ends the loop besides, or its first round outside of the loop. */
        if (warps < mandelbrot_rounds - 128 || warps > mandelbrot_rounds + 128)
            fail_msg("%g rounds, expected %g", warps, mandelbrot_rounds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_cuda),
        cmocka_unit_test(in_opencl),
        cmocka_unit_test(with_clang),
        cmocka_unit_test(lines_of_loops),
    };
    if (!has_compiler()) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
