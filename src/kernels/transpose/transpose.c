#include "kernels/transpose/transpose.h"

#define LADDER_KERNEL transpose
#include "kernels/ladder.h"

/* ---- the problem ------------------------------------------------------------------------------------------ */

#define SIZE_MAXIMUM ((int64_t)1 << 40)

static const char *const inputs[] = {"numbers", "bits", "structured", NULL}; /* enum transpose_input */

static const char *const answers[] = {"no", "yes", NULL};

#define PADDING_MAXIMUM ((int64_t)1 << 31)
#define GROUP_MAXIMUM 65536
#define NO_GAPS N_("knows matrices without gaps in them or between them")
#define OPTION(field, text, usual, least, most, reason)                                                       \
    {                                                                                                         \
        .name = field, .help = text, .kind = FIELD_SIZE, .initial = usual, .minimum = least, .maximum = most, \
        .omitted_by_default = true, .unless_taken = reason                                                    \
    }

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
    OPTION("in_pad", N_("unused elements behind each row of the input"), 0, 0, PADDING_MAXIMUM, NO_GAPS),
    OPTION("out_pad", N_("untouched elements behind each row of the output"), 0, 0, PADDING_MAXIMUM, NO_GAPS),
    OPTION("batch", N_("matrices of the same sizes"), 1, 1, SIZE_MAXIMUM, N_("transposes one matrix, not a batch")),
    OPTION("in_step", N_("from one input to the next, in elements; -1: they follow one another"), -1, -1, SIZE_MAXIMUM,
           NO_GAPS),
    OPTION("out_step", N_("from one output to the next, in elements; -1: they follow one another"), -1, -1,
           SIZE_MAXIMUM, NO_GAPS),
    OPTION("group", N_("so many numbers move as one element"), 1, 1, GROUP_MAXIMUM,
           N_("moves elements of one number each")),
    {.name = "inplace",
     .help = "yes: the output takes the place of the input",
     .kind = FIELD_CHOICE,
     .choices = answers,
     .omitted_by_default = true,
     .unless_taken = N_("needs a target apart from the source")},
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

    /* Gaps behind rows; batches that follow one another, with and without gaps, and that lie side by side; one matrix
     * for several outputs; elements of several numbers; planes and pixels. */
    "transpose:rows=5,cols=7,in_pad=1,out_pad=2,input=bits",
    "transpose:rows=67,cols=131,in_pad=3,out_pad=5,input=bits",
    "transpose:rows=131,cols=67,out_pad=61,input=bits",
    "transpose:rows=340,cols=323,in_pad=9,out_pad=8,input=bits",
    "transpose:rows=3,cols=4,batch=5,input=bits",
    "transpose:rows=4,cols=4,batch=1001,input=bits",
    "transpose:rows=70,cols=33,batch=3,in_pad=1,input=bits",
    "transpose:rows=33,cols=70,batch=4,in_step=2400,out_step=2311,input=bits",
    "transpose:rows=9,cols=5,batch=3,in_pad=11,in_step=5,out_pad=20,out_step=9,input=bits",
    "transpose:rows=6,cols=8,batch=4,in_step=0,input=bits",
    "transpose:rows=160,cols=270,batch=2,out_pad=1,input=bits",
    "transpose:rows=7,cols=9,group=3,input=bits",
    "transpose:rows=65,cols=130,group=3,in_pad=2,out_pad=1,input=bits",
    "transpose:rows=130,cols=65,group=4,in_pad=1,out_pad=3,input=bits",
    "transpose:rows=31,cols=47,group=5,batch=3,out_step=7400,input=bits",
    "transpose:rows=3,cols=2,group=1000,input=bits",
    "transpose:rows=3,cols=10007,input=bits",
    "transpose:rows=10007,cols=3,in_pad=1,input=bits",
    "transpose:rows=4,cols=5003,batch=2,input=bits",

    /* In place. */
    "transpose:rows=0,cols=3,inplace=yes",
    "transpose:rows=1,cols=9,inplace=yes,input=bits",
    "transpose:rows=2,cols=2,inplace=yes,input=bits",
    "transpose:rows=131,cols=131,in_pad=3,out_pad=3,inplace=yes,input=bits",
    "transpose:rows=300,cols=300,inplace=yes,input=bits",
    "transpose:rows=65,cols=65,batch=4,in_step=4300,out_step=4300,inplace=yes,input=bits",
    "transpose:rows=33,cols=33,group=3,inplace=yes,input=bits",
    "transpose:rows=3,cols=2,inplace=yes,input=bits",
    "transpose:rows=8,cols=12,inplace=yes,input=bits",
    "transpose:rows=35,cols=77,batch=6,inplace=yes,input=bits",
    "transpose:rows=60,cols=90,group=3,inplace=yes,input=bits",
    "transpose:rows=257,cols=421,inplace=yes,input=bits",
    "transpose:rows=400,cols=240,inplace=yes,input=bits",
    "transpose:rows=3,cols=40001,inplace=yes,input=bits",
    "transpose:rows=40002,cols=4,inplace=yes,input=bits",

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

static enum status imply(struct problem *problem, const bool *given, struct error *error)
{
    (void)given;
    const struct transpose_layouts l = transpose_layouts_of(problem);
    const bool is_square = l.in.rows == l.out.rows && l.in.pitch == l.out.pitch;
    if (!layout_is_apart(&l.out))
        return fail(error, STATUS_INVALID, "transpose: with out_step=%zu the outputs overlap", l.out.step);
    if (!transpose_is_in_place(problem))
        return STATUS_OK;
    if (!is_square && (l.in.pitch != l.in.cols || l.out.pitch != l.out.cols))
        return fail(error, STATUS_INVALID, "transpose: in place a matrix that is not square has no gaps");
    if (l.in.batch > 1 && (l.in.step != l.out.step || !layout_follows(&l.in)))
        return fail(error, STATUS_INVALID, "transpose: in place in_step and out_step are one, at least a matrix");
    return STATUS_OK;
}

/* The batch as the rows of one matrix where nothing is between. */
static struct array array_of(const char *name, const struct layout *layout, enum element_type type)
{
    const bool is_whole = layout->batch == 1 || layout->step == layout->rows * layout->pitch;
    return (struct array){.name = name,
                          .type = type,
                          .rows = is_whole ? layout->batch * layout->rows : 1,
                          .cols = is_whole ? layout->pitch : layout_elements(layout)};
}

/* The output is filled, not only poisoned, if it has gaps: a run must not change them. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    const struct transpose_layouts l = transpose_layouts_of(problem);
    if (transpose_is_in_place(problem)) {
        arrays[0] = array_of("data", &l.in, problem->type);
        arrays[0].direction = ARRAY_INOUT;
        return 1;
    }
    arrays[0] = array_of("in", &l.in, problem->type);
    arrays[0].direction = ARRAY_IN;
    arrays[1] = array_of("out", &l.out, problem->type);
    arrays[1].direction = layout_has_gaps(&l.out) ? ARRAY_INOUT : ARRAY_OUT;
    return 2;
}

static double total_bytes(const struct problem *problem)
{
    const struct transpose_layouts l = transpose_layouts_of(problem);
    return (double)l.in.batch * (double)l.in.rows * (double)l.in.cols * (double)element_info(problem->type)->bytes;
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
    .imply = imply,
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
