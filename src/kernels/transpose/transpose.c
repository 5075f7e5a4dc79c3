#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/random.h"
#include "base/translation.h"
#include "kernels/kernel.h"
#include "kernels/transpose/transpose.h"

#define LADDER_KERNEL transpose
#include "kernels/ladder.h"

/* ---- the problem ------------------------------------------------------------------------------------------ */

#define SIZE_MAXIMUM ((int64_t)1 << 40)

static const char *const inputs[] = {"numbers", "bits", NULL}; /* enum transpose_input */

static const struct problem_field fields[] = {
    {.name = "rows", .help = "rows of the input", .kind = FIELD_SIZE, .initial = 4096, .maximum = SIZE_MAXIMUM},
    {.name = "cols", .help = "columns of the input", .kind = FIELD_SIZE, .initial = 4096, .maximum = SIZE_MAXIMUM},
    {.name = "input",
     .help = "numbers: floats are finite and normal; bits: any, among them NaNs of all payloads, -0 and subnormals",
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
    "transpose:rows=512,cols=512,input=bits",
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

/* ---- filling ---------------------------------------------------------------------------------------------- */

/* Floating-point elements have all their bits random but the exponent's upper two, which become 01: finite, normal
 * numbers, so that a library that multiplies by one on the way gives the same bits. */
struct exponent_bits {
    uint64_t clear, set;
};

static struct exponent_bits exponent_bits(enum element_type type)
{
    switch (type) {
    case ELEMENT_F16:
        return (struct exponent_bits){0x4000400040004000u, 0x2000200020002000u};
    case ELEMENT_F32:
    case ELEMENT_C64:
        return (struct exponent_bits){0x4000000040000000u, 0x2000000020000000u};
    case ELEMENT_F64:
    case ELEMENT_C128:
        return (struct exponent_bits){0x4000000000000000u, 0x2000000000000000u};
    default:
        return (struct exponent_bits){0, 0};
    }
}

/* Of 16 elements one is special: a NaN, quiet or signalling, of either sign, with a payload; a zero; a subnormal
 * number; an infinity. All other bits are random, so that NaNs and subnormals also come by themselves. */
static void specialize(enum element_type type, uint64_t word, unsigned char *element)
{
    const bool is_half = type == ELEMENT_F16, is_double = type == ELEMENT_F64 || type == ELEMENT_C128;
    const int bits = is_half ? 16 : is_double ? 64 : 32, fraction = is_half ? 10 : is_double ? 52 : 23;
    uint64_t payload = (word >> 8) & ((UINT64_C(1) << fraction) - 1), one = 1;
    uint64_t infinity = ((one << (bits - 1 - fraction)) - 1) << fraction, value = word >> 7 & 1 ? one << (bits - 1) : 0;
    switch (word >> 4 & 7) {
    case 0:
    case 1:
        value |= infinity | (payload & ~(one << (fraction - 1))) | 1; /* signalling */
        break;
    case 2:
        value |= infinity | payload | one << (fraction - 1); /* quiet */
        break;
    case 3:
    case 4:
        break; /* a zero */
    case 5:
    case 6:
        value |= payload | 1; /* subnormal */
        break;
    default:
        value |= infinity;
        break;
    }
    memcpy(element, &value, (size_t)bits / 8); /* little-endian */
}

static bool is_float(enum element_type type)
{
    return type == ELEMENT_F16 || type == ELEMENT_F32 || type == ELEMENT_F64 || type == ELEMENT_C64 ||
           type == ELEMENT_C128;
}

/* Integers are given the specials of the float of their size, if there is one: they are the same bits. */
static void fill_specials(const struct problem *problem, const struct array *array, unsigned char *data)
{
    size_t bytes = element_info(problem->type)->bytes, count = array->rows * array->cols;
    enum element_type type = problem->type;
    if (!is_float(type))
        type = bytes == 2 ? ELEMENT_F16 : bytes == 4 ? ELEMENT_F32 : ELEMENT_F64;
    if (bytes == 1)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_word(problem->seed ^ 0x5eed5eed, i);
        if (word % 16 == 0)
            specialize(type, word, data + i * bytes);
    }
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    unsigned char *data = host.data[0];
    size_t bytes = arrays[0].bytes;
    size_t words = bytes / sizeof(uint64_t);
    uint64_t seed = problem->seed;
    bool any = problem_size(problem, "input") == TRANSPOSE_INPUT_BITS;
    struct exponent_bits exponent = any ? (struct exponent_bits){0, 0} : exponent_bits(problem->type);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < words; i++) {
        uint64_t word = (random_word(seed, i) & ~exponent.clear) | exponent.set;
        memcpy(data + i * sizeof word, &word, sizeof word);
    }
    uint64_t last = (random_word(seed, words) & ~exponent.clear) | exponent.set;
    if (bytes % sizeof last != 0)
        memcpy(data + words * sizeof last, &last, bytes % sizeof last);
    if (any)
        fill_specials(problem, &arrays[0], data);
}

static bool mixes(const struct problem *problem)
{
    (void)problem;
    return true;
}

/* ---- checking --------------------------------------------------------------------------------------------- */

#define CHECK_TILE 64 /* elements along each side: two lines of the caches or more, even for bytes */

/* What was found wrong: how many elements, and the smallest index into the output. */
struct findings {
    size_t wrong, first;
};

/* Writes the tile of the input that begins at (row, col), transposed, into `expected`: one row per column. */
static FOR_EACH_SIZE void expect(const struct transposition *t, size_t row, size_t col, size_t height, size_t width,
                                 unsigned char *expected, size_t bytes)
{
    for (size_t i = 0; i < height; i++)
        for (size_t j = 0; j < width; j++)
            memcpy(expected + (j * CHECK_TILE + i) * bytes, t->in + ((row + i) * t->cols + col + j) * bytes, bytes);
}

static struct findings check_tile(const struct transposition *t, size_t row, size_t col)
{
    unsigned char expected[CHECK_TILE * CHECK_TILE * 16];
    size_t height = t->rows - row < CHECK_TILE ? t->rows - row : CHECK_TILE;
    size_t width = t->cols - col < CHECK_TILE ? t->cols - col : CHECK_TILE;
    CALL_FOR_SIZE(t->bytes, expect, t, row, col, height, width, expected);

    struct findings findings = {.wrong = 0, .first = SIZE_MAX};
    for (size_t j = 0; j < width; j++) {
        size_t at = (col + j) * t->rows + row;
        struct comparison comparison;
        comparator_compare_bits(t->out + at * t->bytes, expected + j * CHECK_TILE * t->bytes, height, t->bytes,
                                &comparison);
        if (comparison.wrong > 0 && findings.first == SIZE_MAX)
            findings.first = at + comparison.first_wrong;
        findings.wrong += comparison.wrong;
    }
    return findings;
}

static struct findings check_all(const struct transposition *t)
{
    size_t wrong = 0, first = SIZE_MAX;
    size_t tiles_down = t->rows / CHECK_TILE + (t->rows % CHECK_TILE != 0);
    size_t tiles_across = t->cols / CHECK_TILE + (t->cols % CHECK_TILE != 0);
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : wrong) reduction(min : first)
    for (size_t down = 0; down < tiles_down; down++)
        for (size_t across = 0; across < tiles_across; across++) {
            struct findings tile = check_tile(t, down * CHECK_TILE, across * CHECK_TILE);
            wrong += tile.wrong;
            first = tile.first < first ? tile.first : first;
        }
    return (struct findings){wrong, first};
}

/* An output that holds one byte over and over was poisoned and never written. */
static bool untouched(const unsigned char *data, size_t bytes)
{
    return bytes > 1 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* What should be there and what is; in bits where both would be written alike, as NaNs are. */
static void describe_first(const struct transposition *t, enum element_type type, const struct findings *findings,
                           struct check_result *result)
{
    const size_t right = findings->first % t->rows * t->cols + findings->first / t->rows;
    char expected[ELEMENT_TEXT_BYTES], actual[ELEMENT_TEXT_BYTES];
    element_text(type, t->in, right, expected);
    element_text(type, t->out, findings->first, actual);
    if (strcmp(expected, actual) == 0) {
        element_bits_text(type, t->in, right, expected);
        element_bits_text(type, t->out, findings->first, actual);
    }
    explain(result->reason, sizeof result->reason,
            "%zu of %zu elements are wrong, the first at %s: expected %s, got %s", findings->wrong, t->rows * t->cols,
            result->where, expected, actual);
}

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct transposition t = {
        .in = input.data[0],
        .out = output.data[1],
        .rows = arrays[0].rows,
        .cols = arrays[0].cols,
        .bytes = element_info(problem->type)->bytes,
    };
    struct findings findings = check_all(&t);
    *result = (struct check_result){.passed = findings.wrong == 0, .worst = (double)findings.wrong};
    if (result->passed)
        return;
    snprintf(result->where, sizeof result->where, "[%zu][%zu]", findings.first / t.rows, findings.first % t.rows);
    if (untouched(t.out, arrays[1].bytes))
        explain(result->reason, sizeof result->reason, "%zu of %zu elements are wrong, the first at %s%s",
                findings.wrong, t.rows * t.cols, result->where, N_(": the output was never written"));
    else
        describe_first(&t, problem->type, &findings, result);
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
    .fill = fill,
    .mixes = mixes,
    .check = check,
    .cost = cost,
    .work = work,
    .split = transpose_split,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .views = views,
    .edge_cases = edge_cases,
    .edge_cases_small = AWKWARD_SMALL,
    .bench = "transpose:rows=4096,cols=4096",
    .large = "transpose:rows=46341,cols=46349,input=bits,u8",
    .cpu_opencl_bench = "transpose:rows=1024,cols=1024",
};
