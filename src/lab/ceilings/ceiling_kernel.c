#include <math.h>

#include "base/size.h"
#include "lab/ceilings/ceiling.h"

enum {
    FIELD_WHAT,
    FIELD_BYTES,
    FIELD_READS,
    FIELD_WRITES,
    FIELD_TIMES,
    FIELD_OPERATIONS,
    FIELD_THREADS,
};

static const struct problem_field fields[] = {
    [FIELD_WHAT] = {.name = "what", .help = "the ceiling", .kind = FIELD_CHOICE, .choices = ceiling_names},
    [FIELD_BYTES] = {.name = "bytes", .help = "of each array or working set", .maximum = INT64_MAX},
    [FIELD_READS] = {.name = "reads", .help = "arrays that are read", .maximum = 8},
    [FIELD_WRITES] = {.name = "writes", .help = "arrays that are written", .maximum = 8},
    [FIELD_TIMES] = {.name = "times", .help = "how often they are walked", .maximum = INT64_MAX},
    [FIELD_OPERATIONS] = {.name = "operations", .help = "of one run", .maximum = INT64_MAX},
    [FIELD_THREADS] = {.name = "threads", .help = "of the cpu", .maximum = 65536},
};

static const enum element_type types[] = {ELEMENT_F32, ELEMENT_F64};

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    (void)problem;
    (void)arrays;
    return 0;
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)problem;
    (void)arrays;
    (void)host;
}

static struct cost cost(const struct problem *problem)
{
    double moved = (double)problem->values[FIELD_BYTES].size * fmax(1, (double)problem->values[FIELD_TIMES].size);
    int reads = (int)problem->values[FIELD_READS].size, writes = (int)problem->values[FIELD_WRITES].size;
    return (struct cost){
        .bytes_read = moved * reads,
        .bytes_written = moved * writes,
        .operations = (double)problem->values[FIELD_OPERATIONS].size,
        .read_streams = reads,
        .write_streams = writes,
    };
}

static double work(const struct problem *problem)
{
    enum ceiling_kind kind = (enum ceiling_kind)problem->values[FIELD_WHAT].size;
    struct cost total = cost(problem);
    if (kind == CEILING_CLOCK || kind == CEILING_ISSUE)
        return (double)problem->values[FIELD_TIMES].size;
    return ceiling_is_of_memory(kind) ? total.bytes_read + total.bytes_written : total.operations;
}

const struct kernel ceiling_kernel = {
    .name = CEILING_KERNEL,
    .title = "what a device can do at most",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "GB/s",
    .describe = describe,
    .fill = fill,
    .cost = cost,
    .work = work,
};

struct problem ceiling_problem(enum ceiling_kind kind, const struct ceiling_work *done, unsigned threads,
                               enum element_type type)
{
    struct problem problem = problem_default(&ceiling_kernel);
    problem.type = type;
    problem.values[FIELD_WHAT].size = kind;
    problem.values[FIELD_BYTES].size = (int64_t)done->bytes;
    problem.values[FIELD_READS].size = done->reads;
    problem.values[FIELD_WRITES].size = done->writes;
    problem.values[FIELD_TIMES].size = (int64_t)done->times;
    problem.values[FIELD_OPERATIONS].size = (int64_t)done->operations;
    problem.values[FIELD_THREADS].size = threads;
    return problem;
}
