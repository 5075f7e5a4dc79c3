#include "kernels/resize/resize.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"

#define LADDER_KERNEL resize
#include "kernels/ladder.h"

/* ---- the problem ------------------------------------------------------------------------------------------ */

#define SIDE(side, text, ...)                                                                              \
    {                                                                                                      \
        .name = side, .help = text, .kind = FIELD_SIZE, .minimum = 1, .maximum = SIDE_MAXIMUM, __VA_ARGS__ \
    }

static const struct field fields[] = {
    SIDE("width", N_("pixels in a row of the source"), .initial = 4096),
    SIDE("height", N_("rows of the source"), .initial = 4096),
    SIDE("out_width", N_("pixels in a row of the target"), .derived = "2 * width"),
    SIDE("out_height", N_("rows of the target"), .derived = "2 * height"),
};

static const char *const shape[] = {"width", "height", NULL};

static const enum element_type types[] = {ELEMENT_U8};

/* Small first: one pixel, one to many and many to one; odd sizes; the same size; doubled with a row that no vector
 * divides. Then larger and smaller by factors that are no powers of two, long and thin, and longer than a float counts
 * exactly in halves. */
static const char *const awkward[] = {
    "resize:width=1,height=1,out_width=1,out_height=1",
    "resize:width=1,height=1,out_width=7,out_height=5",
    "resize:width=7,height=5,out_width=1,out_height=1",
    "resize:width=1,height=9",
    "resize:width=9,height=1",
    "resize:width=2,height=2",
    "resize:width=17,height=13,out_width=17,out_height=13",
    "resize:width=33,height=31",
    "resize:width=13,height=37,out_width=101,out_height=11",
    "resize:width=257,height=255",
    "resize:width=640,height=427,out_width=1001,out_height=998",
    "resize:width=1000,height=701,out_width=333,out_height=128",
    "resize:width=1023,height=769,out_width=2046,out_height=769",
    "resize:width=3,height=5001,out_width=1027,out_height=64",
    "resize:width=8192,height=7,out_width=12289,out_height=20",
    "resize:width=150001,height=2,out_width=300002,out_height=4",
    "resize:width=150001,height=3,out_width=200003,out_height=2",
    "resize:width=1000,height=500",
    NULL,
};
#define AWKWARD_SMALL 9

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    arrays[0] = (struct array){
        .name = "in",
        .direction = ARRAY_IN,
        .type = problem->type,
        .rows = (size_t)problem_size(problem, "height"),
        .cols = (size_t)problem_size(problem, "width") * CHANNELS,
    };
    arrays[1] = (struct array){
        .name = "out",
        .direction = ARRAY_OUT,
        .type = problem->type,
        .rows = (size_t)problem_size(problem, "out_height"),
        .cols = (size_t)problem_size(problem, "out_width") * CHANNELS,
    };
    return 2;
}

static double pixels_of(const struct problem *problem, const char *width, const char *height)
{
    return (double)problem_size(problem, width) * (double)problem_size(problem, height);
}

/* How many of `size` rows or columns are looked at: a target of half the size, or less, skips some. */
static double used(int64_t size, int64_t out_size)
{
    return (double)(size <= 2 * out_size ? size : 2 * out_size);
}

/* The source once, the target once. Operations: three interpolations of each channel, a product and two sums each. */
static struct cost cost(const struct problem *problem)
{
    double in = used(problem_size(problem, "width"), problem_size(problem, "out_width")) *
                used(problem_size(problem, "height"), problem_size(problem, "out_height"));
    double out = pixels_of(problem, "out_width", "out_height");
    double writes = out / in + 0.5, reads = in / out + 0.5;
    return (struct cost){
        .bytes_read = CHANNELS * in,
        .bytes_written = CHANNELS * out,
        .operations = 3.0 * 3.0 * CHANNELS * out,
        .read_streams = reads >= 2 ? 2 : 1,
        .write_streams = writes >= 4   ? 4
                         : writes >= 1 ? (int)writes
                                       : 1,
    };
}

/* Millions of the target's pixels in a second. */
static double work(const struct problem *problem)
{
    return 1e3 * pixels_of(problem, "out_width", "out_height");
}

/* ---- filling ---------------------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea and Flood, 2014) as a function of the counter, so that any thread can make any part. Random
 * bytes are the hardest picture: neighbours differ by up to 255, which an error of a weight is multiplied with. */
static inline uint64_t random_word(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed << 32) + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    unsigned char *data = host.data[0];
    size_t words = arrays[0].bytes / sizeof(uint64_t), rest = arrays[0].bytes % sizeof(uint64_t);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < words; i++) {
        uint64_t word = random_word(problem->seed, i);
        memcpy(data + i * sizeof word, &word, sizeof word);
    }
    uint64_t last = random_word(problem->seed, words);
    if (rest != 0)
        memcpy(data + words * sizeof last, &last, rest);
}

/* ---- checking --------------------------------------------------------------------------------------------- */

/* Allowed: one unit from the exact result, rounded. A rung of fixed point with weights of 8 bits or more, or of floats
 * while they can tell neighbouring halves of the coordinates apart, is nearer than one unit before it rounds, and so
 * within one after; whatever takes a wrong pixel of a random picture is not. */
#define UNITS_ALLOWED 1

struct findings {
    size_t wrong, first; /* channels beyond the allowance, and the smallest index of one */
    size_t differing;    /* channels that are not the exact result */
    int worst;           /* units from the exact result */
};

/* The exact value of a channel is sum / whole. */
struct exact {
    int64_t sum, whole;
};

static inline int channel_error(struct exact exact, int64_t value)
{
    int64_t rounded = (exact.sum + exact.whole / 2) / exact.whole;
    return (int)(value > rounded ? value - rounded : rounded - value);
}

/* One row of the target; rows of the source `top` and `bottom`, weighed `down` of `down_whole`. */
struct checked_row {
    const struct resizing *problem;
    const uint8_t *top, *bottom, *actual;
    int64_t down, down_whole;
};

static void check_pixel(const struct checked_row *row, struct place across, int64_t across_whole, int64_t index,
                        size_t first_of_row, struct findings *findings)
{
    for (int c = 0; c < CHANNELS; c++) {
        int64_t left = across.low * CHANNELS + c, right = across.high * CHANNELS + c;
        int64_t top = (across_whole - across.weight) * row->top[left] + across.weight * row->top[right];
        int64_t bottom = (across_whole - across.weight) * row->bottom[left] + across.weight * row->bottom[right];
        struct exact exact = {
            .sum = (row->down_whole - row->down) * top + row->down * bottom,
            .whole = across_whole * row->down_whole,
        };
        int64_t value = row->actual[index * CHANNELS + c];
        /* Most are exact, and a product tells so sooner than a division. */
        int64_t beyond = exact.sum + exact.whole / 2 - value * exact.whole;
        if (beyond >= 0 && beyond < exact.whole)
            continue;
        int error = channel_error(exact, value);
        findings->differing++;
        findings->worst = error > findings->worst ? error : findings->worst;
        if (error > UNITS_ALLOWED && findings->wrong++ == 0)
            findings->first = first_of_row + (size_t)(index * CHANNELS + c);
    }
}

static struct findings check_row(const struct resizing *r, int64_t row_index)
{
    struct place down = place_of(row_index, r->height, r->out_height);
    size_t first_of_row = (size_t)(row_index * r->out_width * CHANNELS);
    struct checked_row row = {
        .problem = r,
        .top = r->in + down.low * r->width * CHANNELS,
        .bottom = r->in + down.high * r->width * CHANNELS,
        .actual = r->out + first_of_row,
        .down = down.weight,
        .down_whole = 2 * r->out_height,
    };
    struct findings findings = {.first = SIZE_MAX};
    for (int64_t i = 0; i < r->out_width; i++)
        check_pixel(&row, place_of(i, r->width, r->out_width), 2 * r->out_width, i, first_of_row, &findings);
    return findings;
}

static struct findings check_all(const struct resizing *r)
{
    size_t wrong = 0, first = SIZE_MAX, differing = 0;
    int worst = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong, differing) reduction(min : first) reduction(max : worst)
    for (int64_t i = 0; i < r->out_height; i++) {
        struct findings row = check_row(r, i);
        wrong += row.wrong;
        differing += row.differing;
        first = row.first < first ? row.first : first;
        worst = row.worst > worst ? row.worst : worst;
    }
    return (struct findings){.wrong = wrong, .first = first, .differing = differing, .worst = worst};
}

/* An output that holds one byte over and over was poisoned and never written. */
static bool untouched(const unsigned char *data, size_t bytes)
{
    return bytes > 1 && memcmp(data, data + 1, bytes - 1) == 0;
}

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    static const char *const names[CHANNELS] = {"red", "green", "blue", "alpha"};
    struct run run = {.problem = problem,
                      .buffers = (struct buffer[]){{.host = input.data[0]}, {.host = output.data[1]}}};
    struct resizing r = resizing_of(&run);
    struct findings findings = check_all(&r);
    *result = (struct check_result){.passed = findings.wrong == 0, .worst = findings.worst};
    if (result->passed)
        return;
    size_t pixel = findings.first / CHANNELS, across = (size_t)r.out_width;
    snprintf(result->where, sizeof result->where, "[%zu][%zu] %s", pixel / across, pixel % across,
             names[findings.first % CHANNELS]);
    explain(result->reason, sizeof result->reason,
            "%zu of %zu channels are more than %d unit from the exact result (by up to %d), the first at %s%s",
            findings.wrong, arrays[1].bytes, UNITS_ALLOWED, findings.worst, result->where,
            untouched(r.out, arrays[1].bytes) ? N_(": the output was never written") : "");
}

/* ---- the kernel ------------------------------------------------------------------------------------------- */

const struct kernel kernel_resize = {
    .name = "resize",
    .heading = "Bilinear resize",
    .title = "a picture of RGBA bytes in another size, interpolated bilinearly",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "Mpixel/s",
    .describe = describe,
    .fill = fill,
    .check = check,
    .cost = cost,
    .work = work,
    .split = resize_split,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .awkward = awkward,
    .awkward_small = AWKWARD_SMALL,
    .bench = "resize:width=2048,height=2048",
    .rehearsal = "resize:width=512,height=512",
};
