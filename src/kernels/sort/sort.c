/* The problem: its inputs, its cost, its ladder. */
#include "kernels/sort/sort.h"

#include "base/random.h"
#include "kernels/sort/check.h"

#define LADDER_KERNEL sort
#include "kernels/ladder.h"

#define COUNT_MAXIMUM ((int64_t)1 << 40)

enum input { INPUT_UNIFORM, INPUT_SORTED, INPUT_REVERSED, INPUT_EQUAL, INPUT_FEW, INPUT_SPECIAL };
static const char *const inputs[] = {"uniform", "sorted", "reversed", "equal", "few", "special", NULL};

static const struct field fields[] = {
    {.name = "n", .help = "elements", .kind = FIELD_SIZE, .initial = 1 << 20, .maximum = COUNT_MAXIMUM},
    {.name = "input",
     .help =
         "uniform (floats in [-1, 1), all integers), sorted, reversed, equal, few distinct, or special values among "
         "others (NaN, infinities, -0, the extremes)",
     .kind = FIELD_CHOICE,
     .choices = inputs},
};

static const char *const shape[] = {"n", NULL};

static const enum element_type types[] = {
    ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_U32, ELEMENT_I64, ELEMENT_U64,
};

/* Small first. Nothing, one, two; one beyond and one short of powers of two; each input. */
static const char *const awkward[] = {
    "sort:n=0",
    "sort:n=1",
    "sort:n=2,input=reversed",
    "sort:n=1023,input=special",
    "sort:n=2049",
    "sort:n=33,input=few",
    "sort:n=4096,input=reversed",
    "sort:n=10007,input=special",
    "sort:n=16384,input=special",
    "sort:n=20000,input=equal",
    "sort:n=30011,input=sorted",
    "sort:n=65537,input=few",
    NULL,
};
#define AWKWARD_SMALL 5

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t count = (size_t)problem_size(problem, "n");
    arrays[0] =
        (struct array){.name = "data", .direction = ARRAY_INOUT, .type = problem->type, .rows = 1, .cols = count};
    return 1;
}

/* One read and one write of everything: no sort that looks at every element and puts it elsewhere does with less. */
static struct cost cost(const struct problem *problem)
{
    double bytes = (double)problem_size(problem, "n") * (double)element_info(problem->type)->bytes;
    return (struct cost){.bytes_read = bytes, .bytes_written = bytes, .read_streams = 1, .write_streams = 1};
}

/* Elements; a rate of one per nanosecond is 1000 Mkeys/s. */
static double work(const struct problem *problem)
{
    return 1000 * (double)problem_size(problem, "n");
}

/* ---- filling ---------------------------------------------------------------------------------------------- */

union real {
    float f32;
    double f64;
    uint32_t u32;
    uint64_t u64;
};

/* Floats in [-1, 1): 25 and 54 random bits, neither all zero nor all alike in their exponents. */
static uint64_t uniform_bits(enum element_type type, uint64_t word)
{
    union real real = {.u64 = 0};
    switch (type) {
    case ELEMENT_F32:
        real.f32 = (float)((int64_t)word >> 39) * 0x1p-24f;
        return real.u32;
    case ELEMENT_F64:
        real.f64 = (double)((int64_t)word >> 10) * 0x1p-53;
        return real.u64;
    default:
        return word;
    }
}

/* Element `index` of `count` when the numbers are cut into equal steps, ascending. */
static uint64_t step_bits(const struct problem *problem, const struct key_order *order, uint64_t index, uint64_t count)
{
    size_t bytes = element_info(problem->type)->bytes;
    uint64_t last = order->numbers ? order->numbers - 1 : bytes == 4 ? UINT32_MAX : UINT64_MAX;
    uint64_t step = last / count;
    uint64_t key = index * step + random_word(problem->seed, index) % (step + 1);
    return word_bits(key, order, bytes);
}

/* Every other element is one of these, as bits of the wider type of its kind. */
static uint64_t special_bits(enum element_type type, uint64_t word)
{
    static const uint64_t f32[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff, 0x7fffffff, 0xff800001,
                                   0,          0x80000000, 0x7f800000, 0xff800000, 1,          0x80000001,
                                   0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000};
    static const uint64_t f64[] = {0x7ff8000000000000,
                                   0xfff8000000000000,
                                   0x7ff0000000000001,
                                   UINT64_MAX,
                                   0x7fffffffffffffff,
                                   0xfff0000000000001,
                                   0,
                                   0x8000000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   1,
                                   0x8000000000000001,
                                   0x7fefffffffffffff,
                                   0xffefffffffffffff,
                                   0x3ff0000000000000,
                                   0xbff0000000000000};
    static const uint64_t integers[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, 0x7fffffff, 0x80000000, 7};
    if (word & 1)
        return uniform_bits(type, word);
    if (type == ELEMENT_F32)
        return f32[word / 2 % COUNT_OF(f32)];
    if (type == ELEMENT_F64)
        return f64[word / 2 % COUNT_OF(f64)];
    return integers[word / 2 % COUNT_OF(integers)];
}

static uint64_t element_bits(const struct problem *problem, const struct key_order *order, uint64_t index,
                             uint64_t count)
{
    uint64_t word = random_word(problem->seed, index);
    switch ((enum input)problem_size(problem, "input")) {
    case INPUT_UNIFORM:
        return uniform_bits(problem->type, word);
    case INPUT_SORTED:
        return step_bits(problem, order, index, count);
    case INPUT_REVERSED:
        return step_bits(problem, order, count - 1 - index, count);
    case INPUT_EQUAL:
        return uniform_bits(problem->type, random_word(problem->seed, 0));
    case INPUT_FEW:
        return uniform_bits(problem->type, random_word(problem->seed, word % 7));
    case INPUT_SPECIAL:
        return special_bits(problem->type, word);
    }
    return 0;
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    size_t count = arrays[0].cols, bytes = element_info(problem->type)->bytes;
    struct key_order order = key_order(problem->type);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        word_store(host.data[0], i, element_bits(problem, &order, i, count), bytes);
}

/* ---- the kernel ------------------------------------------------------------------------------------------- */

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    sort_check(problem->type, input.data[0], output.data[0], arrays[0].cols, result);
}

const struct kernel kernel_sort = {
    .name = "sort",
    .heading = "Sort",
    .title = "numbers in ascending order: -0 before +0, NaNs last",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "Mkeys/s",
    .describe = describe,
    .fill = fill,
    .check = check,
    .cost = cost,
    .work = work,
    .split = sort_split,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .awkward = awkward,
    .awkward_small = AWKWARD_SMALL,
    .bench = "sort:n=1048576",
    .rehearsal = "sort:n=2^16",
};
