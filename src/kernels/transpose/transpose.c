#include "kernels/transpose/transpose.h"
#include "kernels/transpose/check.h"
#include "kernels/transpose/inputs.h"

#define LADDER_KERNEL transpose
#include "kernels/ladder.h"

/* ---- the problem ------------------------------------------------------------------------------------------ */

#define SIZE_MAXIMUM ((int64_t)1 << 40)

static const char *const inputs[] = {"numbers", "bits", "structured", NULL}; /* enum transpose_input */

static const struct problem_field fields[] = {
    {.name = "rows", .help = "rows of the input", .kind = FIELD_SIZE, .initial = 4096, .maximum = SIZE_MAXIMUM},
    {.name = "cols", .help = "columns of the input", .kind = FIELD_SIZE, .initial = 4096, .maximum = SIZE_MAXIMUM},
    {.name = "input",
     .help = "numbers: floats are finite and normal; bits: any, among them NaNs of all payloads, -0 and subnormals; "
             "structured: unit, symmetric, constant, sparse and other matrices",
     .kind = FIELD_CHOICE,
     .choices = inputs,
     .host_only = true,
     .omitted_by_default = true},
};

static const char *const shape[] = {"rows", "cols", NULL};

static const enum element_type types[] = {
    ELEMENT_F32, ELEMENT_U8,  ELEMENT_I8,  ELEMENT_U16, ELEMENT_I16, ELEMENT_F16,  ELEMENT_U32,
    ELEMENT_I32, ELEMENT_U64, ELEMENT_I64, ELEMENT_F64, ELEMENT_C64, ELEMENT_C128,
};

/* Small first. Square and not, thinner than a vector, one beyond and one short of a tile; sides that leave 1, 2 and 3
 * behind a multiple of four; long in either direction, beyond 2^16; of any bits, as a transpose moves them, and of
 * normal numbers for libraries that multiply by one. */
static const char *const edge_cases[] = {
    "transpose:rows=0,cols=5",
    "transpose:rows=1,cols=1,input=bits",
    "transpose:rows=31,cols=34,input=bits",
    "transpose:rows=66,cols=129",
    "transpose:rows=2,cols=70,input=bits",
    "transpose:rows=67,cols=130,input=bits",
    "transpose:rows=1,cols=1030,input=bits",
    "transpose:rows=1026,cols=1,input=bits",
    "transpose:rows=6,cols=258,input=bits",
    "transpose:rows=250,cols=10",
    "transpose:rows=128,cols=64,input=bits",
    "transpose:rows=3,cols=70001,input=bits",
    "transpose:rows=70001,cols=5,input=bits",
    "transpose:rows=1,cols=1000003,input=bits",
    "transpose:rows=1000003,cols=1,input=bits",
    "transpose:rows=131074,cols=6,input=bits",
    "transpose:rows=10,cols=131074",
    "transpose:rows=1022,cols=1026,input=bits",
    "transpose:rows=1023,cols=1025,input=bits",
    "transpose:rows=1291,cols=1109,input=bits",
    "transpose:rows=512,cols=512,input=bits",
    "transpose:rows=2048,cols=2048,input=bits",
    "transpose:rows=4097,cols=8191",

    /* Every remainder of 16 along every side. */
    "transpose:rows=16,cols=35,input=bits",
    "transpose:rows=33,cols=56,input=bits",
    "transpose:rows=50,cols=77,input=bits",
    "transpose:rows=19,cols=18,input=bits",
    "transpose:rows=36,cols=39,input=bits",
    "transpose:rows=53,cols=60,input=bits",
    "transpose:rows=22,cols=65,input=bits",
    "transpose:rows=39,cols=22,input=bits",
    "transpose:rows=56,cols=43,input=bits",
    "transpose:rows=25,cols=48,input=bits",
    "transpose:rows=42,cols=69,input=bits",
    "transpose:rows=59,cols=26,input=bits",
    "transpose:rows=28,cols=47,input=bits",
    "transpose:rows=45,cols=52,input=bits",
    "transpose:rows=62,cols=73,input=bits",
    "transpose:rows=31,cols=30,input=bits",
    NULL,
};
#define AWKWARD_SMALL 4

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t rows = (size_t)problem_size(problem, "rows");
    size_t cols = (size_t)problem_size(problem, "cols");
    arrays[0] = (struct array){.name = "in", .direction = ARRAY_IN, .type = problem->type, .rows = rows, .cols = cols};
    arrays[1] =
        (struct array){.name = "out", .direction = ARRAY_OUT, .type = problem->type, .rows = cols, .cols = rows};
    return 2;
}

static double total_bytes(const struct problem *problem)
{
    return (double)problem_size(problem, "rows") * (double)problem_size(problem, "cols") *
           (double)element_info(problem->type)->bytes;
}

static struct cost cost(const struct problem *problem)
{
    double bytes = total_bytes(problem);
    return (struct cost){.bytes_read = bytes, .bytes_written = bytes, .read_streams = 1, .write_streams = 1};
}

/* Bytes read and written. */
static double work(const struct problem *problem)
{
    return 2 * total_bytes(problem);
}

/* Pieces of another seed would destroy a structure. */
static bool mixes(const struct problem *problem)
{
    return problem_size(problem, "input") != TRANSPOSE_INPUT_STRUCTURED;
}

/* ---- the kernel ------------------------------------------------------------------------------------------- */

static const struct ladder_view views[] = {
    {"T7", "uskor sweep transpose:rows=1024,cols=1024 --rung naive --over BX=1..1024 --over BY=1..1024"},
    {NULL, NULL},
};

const struct kernel kernel_transpose = {
    .name = "transpose",
    .heading = "Transpose",
    .title = "B[j][i] = A[i][j]: the columns of a matrix become its rows",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .moves_bits = true,
    .rate_unit = "GB/s",
    .describe = describe,
    .mixes = mixes,
    .cost = cost,
    .work = work,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .views = views,
    .edge_cases = edge_cases,
    .edge_cases_small = AWKWARD_SMALL,
    .bench = "transpose:rows=4096,cols=4096",
    .large = "transpose:rows=46341,cols=46349,input=bits,u8",
    .cpu_opencl_bench = "transpose:rows=1024,cols=1024",
    LAB_ONLY(.fill = transpose_fill, .check = transpose_check, .split = transpose_split, .plain = &transpose_plain)};
