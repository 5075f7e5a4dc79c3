/* The problem: its inputs, its cost, its ladder. */
#include "kernels/sort/sort.h"

#include "base/translation.h"
#include "kernels/sort/check.h"
#include "kernels/sort/inputs.h"

#define LADDER_KERNEL sort
#include "kernels/ladder.h"

#define COUNT_MAXIMUM ((int64_t)1 << 40)

const char *const sort_inputs[] = {"uniform", "sorted",   "reversed",  "equal",      "few",
                                   "special", "sawtooth", "organ",     "killer",     "tiny",
                                   "wide",    "mostly",   "displaced", "structured", NULL};

const char sort_inputs_help[] =
    N_("uniform: floats in [-1, 1), all integers; sorted, reversed, equal, sawtooth: as named; few: few values; "
       "special: NaN, infinities, -0, the extremes; organ: rising, then falling; killer: of quicksorts by the median "
       "of three; tiny: subnormals; wide: all magnitudes; mostly: three of four elements are equal; displaced: sorted "
       "but for one element; structured: two runs, two values, blocks in reverse, and others that are nearly in order");

static const char *const answers[] = {"no", "yes", NULL};
static const char *const places[] = {"last", "first", NULL};
static const char *const orders[] = {"ascending", "descending", NULL};
static const char *const moved[] = {"none", "u32", "u64", "index32", "index64", NULL}; /* enum sort_values */

/* enum sort_field */
static const struct problem_field fields[] = {
    {.name = "n", .help = "elements", .kind = FIELD_SIZE, .initial = 1 << 20, .maximum = COUNT_MAXIMUM},
    {.name = "input", .help = sort_inputs_help, .kind = FIELD_CHOICE, .choices = sort_inputs, .host_only = true},
    {.name = "order",
     .help = "ascending or descending; NaNs are last in both",
     .kind = FIELD_CHOICE,
     .choices = orders,
     .omitted_by_default = true,
     .unless_taken = N_("sorts in ascending order")},
    {.name = "values",
     .help = "u32, u64: a value of this type moves with each element, and equal elements keep their order; index32, "
             "index64: the elements stay, and their order is written as indices of so many bits",
     .kind = FIELD_CHOICE,
     .choices = moved,
     .omitted_by_default = true,
     .unless_taken = N_("moves no values with the elements, and makes no indices")},
    {.name = "top",
     .help = "so many elements, the first in the order, are put first and sorted; the others follow in any order. Of "
             "indices no others are made. 0: all",
     .kind = FIELD_SIZE,
     .maximum = COUNT_MAXIMUM,
     .omitted_by_default = true,
     .unless_taken = N_("sorts all elements")},
    {.name = "unique",
     .help = "yes: equal elements are kept once, and those that are left are counted; all NaNs are equal",
     .kind = FIELD_CHOICE,
     .choices = answers,
     .omitted_by_default = true,
     .unless_taken = N_("keeps equal elements")},
    {.name = "nans",
     .help = "where NaNs are, in either order: last or first",
     .kind = FIELD_CHOICE,
     .choices = places,
     .omitted_by_default = true,
     .unless_taken = N_("puts NaNs last")},
    {.name = "partition",
     .help =
         "so many elements, the first in the order, are put first, the last of them in its place, the others in any "
         "order; 0: all are sorted",
     .kind = FIELD_SIZE,
     .maximum = COUNT_MAXIMUM,
     .omitted_by_default = true,
     .unless_taken = N_("sorts all elements")},
    {.name = "batch",
     .help = "lines (times stride): sorted each for itself",
     .kind = FIELD_SIZE,
     .initial = 1,
     .minimum = 1,
     .maximum = COUNT_MAXIMUM,
     .omitted_by_default = true,
     .unless_taken = N_("sorts one line")},
    {.name = "stride",
     .help = "from one element of a line to the next: so many lines lie side by side",
     .kind = FIELD_SIZE,
     .initial = 1,
     .minimum = 1,
     .maximum = COUNT_MAXIMUM,
     .omitted_by_default = true,
     .unless_taken = N_("sorts one line")},
};

static const char *const shape[] = {"n", NULL};

static const enum element_type types[] = {
    ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_U32, ELEMENT_I64, ELEMENT_U64,
    ELEMENT_U8,  ELEMENT_I8,  ELEMENT_U16, ELEMENT_I16, ELEMENT_F16, ELEMENT_BF16,
};
#define COMMON_TYPES 6

/* Small first. Nothing, one, two; one beyond and one short of powers of two, 2 behind a multiple of four; each input,
 * and each once more beyond the 2^16 elements of one block, digit count or queue. */
static const char *const edge_cases[] = {
    "sort:n=0",
    "sort:n=1",
    "sort:n=2,input=reversed",
    "sort:n=1022,input=special",
    "sort:n=2049,input=wide",
    "sort:n=33,input=few",
    "sort:n=2050,input=tiny",
    "sort:n=4096,input=reversed",
    "sort:n=10006,input=special",
    "sort:n=16384,input=special",
    "sort:n=20000,input=equal",
    "sort:n=30011,input=sorted",
    "sort:n=12346,input=killer",
    "sort:n=40002,input=organ",
    "sort:n=65537,input=few",
    "sort:n=65538,input=sawtooth",
    "sort:n=70001,input=killer",
    "sort:n=131074,input=few",
    "sort:n=200003,input=organ",
    "sort:n=262143,input=wide",
    "sort:n=1000006,input=few",
    "sort:n=1048576,input=few,seed=4",
    "sort:n=80001,input=mostly",
    "sort:n=66001,input=displaced",
    "sort:n=131073,input=equal",
    "sort:n=131075,input=reversed",
    "sort:n=140002,input=special",
    "sort:n=150001,input=sorted",
    "sort:n=160003,input=tiny",
    "sort:n=262147,input=mostly",
    "sort:n=270002,input=displaced",
    "sort:n=524290",
    "sort:n=1100009",
    "sort:n=150007,input=structured,seed=9",
    "sort:n=150011,input=structured,seed=10",

    /* Few elements, where networks and insertion end, and few values: two, three, 256. */
    "sort:n=3,input=reversed",
    "sort:n=4,input=killer",
    "sort:n=5,input=organ",
    "sort:n=6",
    "sort:n=7,input=special",
    "sort:n=8,input=reversed",
    "sort:n=15",
    "sort:n=31,input=organ",
    "sort:n=255,input=few,seed=2",
    "sort:n=257,input=few,seed=3",
    "sort:n=5003,input=few,seed=2",
    "sort:n=7001,input=few,seed=4",
    "sort:n=102,input=reversed",
    "sort:n=1040,input=sorted",
    "sort:n=2006,input=sorted",
    "sort:n=1501,input=structured,seed=8",
    "sort:n=9001,input=structured",

    /* Descending; with values, and as indices, every kind of data that tells an order that is not stable. */
    "sort:n=0,order=descending",
    "sort:n=1,values=index32",
    "sort:n=2,input=reversed,order=descending",
    "sort:n=777,input=special,order=descending",
    "sort:n=1023,input=wide,order=descending",
    "sort:n=4099,input=few,order=descending",
    "sort:n=30013,input=tiny,order=descending",
    "sort:n=65539,input=special,order=descending",
    "sort:n=100003,input=sorted,order=descending",
    "sort:n=131077,input=structured,order=descending,seed=8",
    "sort:n=262151,order=descending",
    "sort:n=0,values=u64",
    "sort:n=1,values=u32",
    "sort:n=2,input=reversed,values=u32",
    "sort:n=301,input=special,values=u32",
    "sort:n=1025,input=few,values=u64,order=descending",
    "sort:n=5001,input=equal,values=u32",
    "sort:n=40009,input=mostly,values=u64",
    "sort:n=70003,input=special,values=u64,order=descending",
    "sort:n=131079,input=structured,values=u32,seed=10",
    "sort:n=2,input=reversed,values=index64",
    "sort:n=303,input=special,values=index32,order=descending",
    "sort:n=1027,input=few,values=index64",
    "sort:n=5003,input=equal,values=index32,order=descending",
    "sort:n=40011,input=mostly,values=index32",
    "sort:n=65541,input=special,values=index32",
    "sort:n=100005,input=tiny,values=index64,order=descending",
    "sort:n=131081,input=structured,values=index32,seed=9",
    "sort:n=200011,values=index64",
    "sort:n=262153,input=special,values=index32,order=descending",
    "sort:n=300009,input=wide,values=index64,order=descending",
    "sort:n=140009,input=displaced,values=index32",

    /* A long run of keys that are alike in their leading half. */
    "sort:n=300013,input=structured,seed=11",
    "sort:n=290021,input=structured,values=u64,seed=11",
    "sort:n=280001,input=structured,values=u32,order=descending,seed=11",
    "sort:n=270001,input=structured,values=index32,seed=11",

    /* The first of them, and equal ones once. */
    "sort:n=1,top=1",
    "sort:n=100,top=1,input=special",
    "sort:n=1000,top=999,order=descending",
    "sort:n=5007,top=10,input=few",
    "sort:n=30017,top=15000,input=tiny,order=descending",
    "sort:n=65543,top=100,input=special",
    "sort:n=100007,top=64,input=equal",
    "sort:n=200009,top=3000,input=structured,seed=10",
    "sort:n=262157,top=131072,input=wide,order=descending",
    "sort:n=70009,top=5,input=killer",
    "sort:n=0,unique=yes",
    "sort:n=1,unique=yes,input=special",
    "sort:n=1000,unique=yes,input=few",
    "sort:n=4001,unique=yes,input=special,order=descending",
    "sort:n=65547,unique=yes,input=mostly",
    "sort:n=70011,unique=yes",
    "sort:n=100009,unique=yes,input=equal",
    "sort:n=131085,unique=yes,input=few,seed=6,order=descending",
    "sort:n=9001,unique=yes,input=sorted",
    "sort:n=131086,values=u32,top=77,input=few",
    "sort:n=2,values=index32,top=1,input=reversed",
    "sort:n=1009,values=index64,top=1000,input=special",
    "sort:n=5011,values=index32,top=5010,input=wide",
    "sort:n=40013,values=index32,top=2048,input=equal",
    "sort:n=65551,values=index64,top=100,input=special,order=descending",
    "sort:n=131087,values=index32,top=1,input=killer",
    "sort:n=150015,values=index64,top=777,input=mostly,order=descending",
    "sort:n=200013,values=index32,top=2047,input=few,seed=3",
    "sort:n=1048583,values=index64,top=100",
    "sort:n=300011,values=index32,top=64,input=tiny",

    /* NaNs first; the first of them in any order; lines, of neighbours and of elements far apart. */
    "sort:n=1,nans=first,input=special",
    "sort:n=2000,nans=first,input=special",
    "sort:n=65549,nans=first,input=special,order=descending",
    "sort:n=5009,nans=first,input=special,values=index32",
    "sort:n=4003,nans=first,input=special,values=u64,order=descending",
    "sort:n=3001,nans=first,input=special,unique=yes",
    "sort:n=3003,nans=first,input=special,top=100",
    "sort:n=1,partition=1",
    "sort:n=2,partition=1,input=reversed",
    "sort:n=1001,partition=500,input=special",
    "sort:n=70013,partition=35000",
    "sort:n=70015,partition=70015,input=few",
    "sort:n=100011,partition=1,input=killer,order=descending",
    "sort:n=131089,partition=77,input=equal",
    "sort:n=150013,partition=140000,input=special,nans=first",
    "sort:n=9,batch=5",
    "sort:n=7,stride=3,input=special",
    "sort:n=1000,batch=70,input=few,order=descending",
    "sort:n=129,stride=65,input=special,nans=first",
    "sort:n=33,batch=3,stride=17,input=reversed",
    "sort:n=40013,batch=3",
    "sort:n=50021,stride=2,input=killer",
    "sort:n=2,batch=301,input=reversed",
    "sort:n=257,batch=4,stride=5,values=index32,input=few",
    "sort:n=301,stride=33,values=u64,input=few,order=descending",
    "sort:n=77,batch=30,values=u32",
    "sort:n=65,batch=9,stride=2,unique=yes,input=few",
    "sort:n=500,batch=7,top=20,input=mostly",
    "sort:n=400,stride=19,partition=200,input=wide",

    /* Every remainder of 16 along every side. */
    "sort:n=1008,input=tiny",
    "sort:n=1121,input=reversed",
    "sort:n=1234,input=wide",
    "sort:n=1347,input=killer",
    "sort:n=1092,input=tiny",
    "sort:n=1205,input=reversed",
    "sort:n=1318,input=wide",
    "sort:n=1063,input=killer",
    "sort:n=1176,input=tiny",
    "sort:n=1289,input=reversed",
    "sort:n=1034,input=wide",
    "sort:n=1147,input=killer",
    "sort:n=1260,input=tiny",
    "sort:n=1373,input=reversed",
    "sort:n=1118,input=wide",
    "sort:n=1231,input=killer",
    NULL,
};
#define AWKWARD_SMALL 5

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    /* A line, or all of them. */
    const size_t n = (size_t)problem->values[SORT_N].size, lines = sort_line_count(problem);
    const size_t batch = (size_t)problem->values[SORT_BATCH].size,
                 count = n * (size_t)problem->values[SORT_STRIDE].size;
    const bool is_argsort = sort_is_argsort(problem);
    const enum element_type value_type = sort_value_bytes(problem) == 4 ? ELEMENT_U32 : ELEMENT_U64;
    arrays[0] = (struct array){.name = "data",
                               .direction = is_argsort ? ARRAY_IN : ARRAY_INOUT,
                               .type = problem->type,
                               .rows = batch,
                               .cols = count};
    arrays[1] =
        (struct array){.name = is_argsort ? "indices" : "values",
                       .direction = is_argsort ? ARRAY_OUT : ARRAY_INOUT,
                       .type = value_type,
                       .rows = batch,
                       .cols = is_argsort ? sort_top(problem) * (size_t)problem->values[SORT_STRIDE].size : count};
    if (sort_is_unique(problem))
        arrays[1] =
            (struct array){.name = "distinct", .direction = ARRAY_OUT, .type = ELEMENT_U64, .rows = 1, .cols = lines};
    return sort_value_bytes(problem) || sort_is_unique(problem) ? 2 : 1;
}

static enum status imply(struct problem *problem, const bool *given, struct error *error)
{
    (void)given;
    const bool has_values = problem->values[SORT_VALUES].size != 0, has_top = problem->values[SORT_TOP].size != 0;
    const bool has_part = problem->values[SORT_PARTITION].size != 0;
    if (sort_is_unique(problem) && (has_values || has_top || has_part))
        return fail(error, STATUS_INVALID, "sort: unique=yes goes without values, top and partition");
    if (has_part && has_top)
        return fail(error, STATUS_INVALID, "sort: partition goes without top");
    if (sort_is_argsort(problem) && has_top && sort_line_count(problem) > 1)
        return fail(error, STATUS_INVALID, "sort: the first indices of an order are of one line: batch=1, stride=1");
    return STATUS_OK;
}

/* One read and one write of everything: no sort that looks at every element and puts it elsewhere does with less. */
/* A sort that finds everything in order has nothing to write. */
static bool is_in_order(const struct problem *problem)
{
    const int64_t input = problem->values[SORT_INPUT].size;
    if (sort_is_descending(problem))
        return input == SORT_INPUT_REVERSED || input == SORT_INPUT_EQUAL;
    return input == SORT_INPUT_SORTED || input == SORT_INPUT_EQUAL || input == SORT_INPUT_DISPLACED;
}

static struct cost cost(const struct problem *problem)
{
    const double count = (double)problem->values[SORT_N].size * (double)sort_line_count(problem),
                 values = count * (double)sort_value_bytes(problem);
    const double keys = count * (double)element_info(problem->type)->bytes;
    if (sort_is_argsort(problem) && sort_top(problem) < (size_t)problem->values[SORT_N].size)
        return (struct cost){.bytes_read = keys, .read_streams = 1};
    const bool writes = !is_in_order(problem);
    if (sort_is_unique(problem) || sort_partition(problem) > 0 ||
        sort_top(problem) < (size_t)problem->values[SORT_N].size)
        return (struct cost){.bytes_read = keys + values, .read_streams = 1};
    if (sort_is_argsort(problem))
        return (struct cost){.bytes_read = keys, .bytes_written = values, .read_streams = 1, .write_streams = 1};
    return (struct cost){.bytes_read = keys + values,
                         .bytes_written = writes ? keys + values : 0,
                         .read_streams = 1,
                         .write_streams = writes};
}

/* Elements; a rate of one per nanosecond is 1000 Mkeys/s. */
static double work(const struct problem *problem)
{
    return 1000 * (double)problem->values[SORT_N].size * (double)sort_line_count(problem);
}

/* Pieces of another seed would destroy an order, or add values to few distinct ones. */
static bool mixes(const struct problem *problem)
{
    int64_t input = problem_size(problem, "input");
    return input == SORT_INPUT_UNIFORM || input == SORT_INPUT_SPECIAL;
}

/* ---- the kernel ------------------------------------------------------------------------------------------- */

__attribute__((unused)) /* in the library */
static void
check(const struct problem *problem, const struct array *arrays, struct host_arrays input, struct host_arrays output,
      struct check_result *result)
{
    (void)arrays;
    sort_check_options(problem, input, output, result);
}

/* So many keys are one block of bitonic-registers (its GROUP) and one launch; bitonic-local needs three or six. More on
   CUDA, and keys of 8 bytes: results/h200/sort-sweeps.txt. */
static const char *choose(const struct problem *problem, const struct device *device)
{
    const bool is_gpu = device->backend->kind != BACKEND_CPU && !device->properties.is_cpu;
    const bool is_cuda = device->backend->kind == BACKEND_CUDA, is_wide = element_info(problem->type)->bytes == 8;
    const int64_t count = problem_size(problem, "n");
    if (sort_is_argsort(problem) && (int64_t)sort_top(problem) < count)
        return is_gpu ? "select" : NULL;
    if (sort_is_unique(problem) || sort_value_bytes(problem))
        return is_cuda ? "onesweep" : NULL;
    if (!is_wide && is_gpu && count > 1024 && count <= 4096)
        return "bitonic-registers";
    if (!is_cuda || count <= 2048)
        return NULL;
    return count <= (is_wide ? 40000 : 16384) ? "bitonic-registers" : "onesweep";
}

const struct kernel kernel_sort = {.name = "sort",
                                   .branches_by_data = true,
                                   .heading = "Sort",
                                   .title = "numbers in ascending order: -0 before +0, NaNs last",
                                   .fields = fields,
                                   .field_count = COUNT_OF(fields),
                                   .shape = shape,
                                   .types = types,
                                   .type_count = COUNT_OF(types),
                                   .common_types = COMMON_TYPES,
                                   .rate_unit = "Mkeys/s",
                                   .describe = describe,
                                   .imply = imply,
                                   .mixes = mixes,
                                   .cost = cost,
                                   .work = work,
                                   .choose = choose,
                                   .ladder = ladder,
                                   .ladder_count = COUNT_OF(ladder),
                                   .edge_cases = edge_cases,
                                   .edge_cases_small = AWKWARD_SMALL,
                                   .bench = "sort:n=1048576",
                                   .large = "sort:n=2147483659,u32",
                                   .cpu_opencl_bench = "sort:n=2^16",
                                   LAB_ONLY(.fill = sort_fill, .structures = sort_structures, .check = check,
                                            .split = sort_split, .plain = &sort_plain)};
