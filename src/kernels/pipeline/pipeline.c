/* Sort two vectors, then their dot product: the whole program of a publication, from host memory to one number. */
#include "kernels/pipeline/pipeline.h"

#define LADDER_KERNEL pipeline
#include "kernels/ladder.h"

static const char *const inputs[] = {"unit", "integers", "signed", "wide", NULL}; /* enum pipeline_input */

static const struct problem_field fields[] = {
    {.name = "n", .help = "elements of each vector", .initial = 1 << 20, .maximum = (int64_t)1 << 31},
    {.name = "input",
     .help = "unit: 0 to 1, as the publication has it; integers: every sum is exact; signed: -1 to 1; wide: of every "
             "magnitude, with both zeros",
     .kind = FIELD_CHOICE,
     .choices = inputs,
     .host_only = true},
};

static const char *const shape[] = {"n", NULL};

static const enum element_type types[] = {ELEMENT_F32};

static size_t count_of(const struct problem *problem)
{
    return (size_t)problem->values[0].size;
}

/* The vectors are sorted where they are; only the result is asked back. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t count = count_of(problem);
    arrays[PIPELINE_A] = (struct array){
        .name = "a", .direction = ARRAY_INOUT, .type = ELEMENT_F32, .rows = 1, .cols = count, .interim = true};
    arrays[PIPELINE_B] = arrays[PIPELINE_A];
    arrays[PIPELINE_B].name = "b";
    arrays[PIPELINE_RESULT] =
        (struct array){.name = "result", .direction = ARRAY_OUT, .type = ELEMENT_F64, .rows = 1, .cols = 1};
    return PIPELINE_ARRAYS;
}

static bool mixes(const struct problem *problem)
{
    (void)problem;
    return true;
}

/* Each vector is read and written by a sort and read by the product: the least is reading both once. */
static struct cost cost(const struct problem *problem)
{
    double bytes = (double)count_of(problem) * 2 * sizeof(float);
    return (struct cost){
        .bytes_read = bytes, .bytes_written = bytes, .operations = bytes / 4, .read_streams = 1, .write_streams = 1};
}

static double work(const struct problem *problem)
{
    return 2000 * (double)count_of(problem);
}

static const char *const edge_cases[] = {
    "pipeline:n=0",
    "pipeline:n=1",
    "pipeline:n=8",
    "pipeline:n=1024,input=integers",
    "pipeline:n=1000",
    "pipeline:n=1003,input=integers,seed=2",
    "pipeline:n=100003",
    "pipeline:n=262144",
    "pipeline:n=262146,input=integers",
    "pipeline:n=9,input=wide",
    "pipeline:n=1021,input=signed",
    "pipeline:n=2053,input=wide",
    "pipeline:n=33000,input=wide,seed=2",
    "pipeline:n=131075,input=signed",
    "pipeline:n=300007,input=signed",

    /* Every remainder of 16 along every side. */
    "pipeline:n=512,input=integers",
    "pipeline:n=593,input=integers",
    "pipeline:n=674,input=integers",
    "pipeline:n=755,input=integers",
    "pipeline:n=532,input=integers",
    "pipeline:n=613,input=integers",
    "pipeline:n=694,input=integers",
    "pipeline:n=775,input=integers",
    "pipeline:n=552,input=integers",
    "pipeline:n=633,input=integers",
    "pipeline:n=714,input=integers",
    "pipeline:n=795,input=integers",
    "pipeline:n=572,input=integers",
    "pipeline:n=653,input=integers",
    "pipeline:n=734,input=integers",
    "pipeline:n=815,input=integers",
    NULL,
};

static const char *const parts[] = {"sort", "dot", NULL};

const struct kernel kernel_pipeline = {
    .branches_by_data = true,
    .name = "pipeline",
    .heading = "Sort-and-dot pipeline",
    .title = "the dot product of two sorted vectors",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "Mkeys/s",
    .describe = describe,
    .fill = pipeline_fill,
    .check = pipeline_check,
    .mixes = mixes,
    .cost = cost,
    .work = work,
    .split = pipeline_split,
    .parts = parts,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .edge_cases = edge_cases,
    .edge_cases_small = 6,
    .bench = "pipeline:n=2^18",
    .cpu_opencl_bench = "pipeline:n=2^14",
};
