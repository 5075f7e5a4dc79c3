#include "kernels/resize/resize.h"

#include "base/size.h"
#include "base/translation.h"
#include "kernels/resize/check.h"

#define LADDER_KERNEL resize
#include "kernels/ladder.h"
#include "kernels/streams.h"

#define PADDING_MAXIMUM ((int64_t)1 << 31)

/* ---- the problem ------------------------------------------------------------------------------------------ */

#define SIDE(side, text, ...)                                                                              \
    {                                                                                                      \
        .name = side, .help = text, .kind = FIELD_SIZE, .minimum = 1, .maximum = SIDE_MAXIMUM, __VA_ARGS__ \
    }

#define GAP(side, text)                                                                                         \
    {                                                                                                           \
        .name = side, .help = text, .kind = FIELD_SIZE, .maximum = PADDING_MAXIMUM, .omitted_by_default = true, \
        .unless_taken = N_("knows rows without gaps between them")                                              \
    }

const char *const resize_inputs[] = {"random", "constant", "gradient", "checkerboard", "dots", "structured", NULL};

static const struct problem_field fields[] = {
    SIDE("width", N_("pixels in a row of the source"), .initial = 4096),
    SIDE("height", N_("rows of the source"), .initial = 4096),
    SIDE("out_width", N_("pixels in a row of the target"), .derived = "2 * width"),
    SIDE("out_height", N_("rows of the target"), .derived = "2 * height"),
    {.name = "input",
     .help = "random: bytes; constant: one colour; gradient: each channel its own; checkerboard: 0 and 255; dots: "
             "single bright and dark pixels; structured: rows, columns, diagonals, grey and opaque pictures",
     .kind = FIELD_CHOICE,
     .choices = resize_inputs,
     .host_only = true,
     .omitted_by_default = true},
    {.name = "channels",
     .help = "numbers of a pixel, each for itself",
     .kind = FIELD_SIZE,
     .initial = CHANNELS,
     .minimum = 1,
     .maximum = CHANNELS,
     .omitted_by_default = true,
     .unless_taken = N_("knows pixels of four channels")},
    GAP("in_pad", N_("unused elements behind each row of the source")),
    GAP("out_pad", N_("untouched elements behind each row of the target")),
};

static const char *const shape[] = {"width", "height", NULL};

static const enum element_type types[] = {ELEMENT_U8, ELEMENT_U16, ELEMENT_F32};
#define COMMON_TYPES 1

/* Small first: one pixel, one to many and many to one; odd sizes and those that leave 2 behind a multiple of four; the
 * same size; doubled with a row that no vector divides; other ratios whose weights have few bits, which must be exact.
 * Then larger and smaller by factors that are no powers of two, long and thin, and longer than a float counts exactly
 * in halves. */
static const char *const edge_cases[] = {
    "resize:width=1,height=1,out_width=1,out_height=1",
    "resize:width=1,height=1,out_width=7,out_height=5",
    "resize:width=7,height=5,out_width=1,out_height=1",
    "resize:width=1,height=9,input=checkerboard",
    "resize:width=9,height=1",
    "resize:width=2,height=2",
    "resize:width=17,height=13,out_width=17,out_height=13",
    "resize:width=33,height=31",
    "resize:width=13,height=37,out_width=101,out_height=11",
    "resize:width=34,height=18,out_width=136,out_height=72,input=checkerboard",
    "resize:width=46,height=30,out_width=23,out_height=15",
    "resize:width=66,height=50,input=constant",
    "resize:width=35,height=22,out_width=82,out_height=58,input=constant",
    "resize:width=38,height=26,out_width=90,out_height=70,input=gradient",
    "resize:width=62,height=54,input=dots",
    "resize:width=257,height=255",
    "resize:width=640,height=427,out_width=1001,out_height=998",
    "resize:width=1000,height=701,out_width=333,out_height=128",
    "resize:width=1023,height=769,out_width=2046,out_height=769",
    "resize:width=514,height=386,out_width=2056,out_height=1544",
    "resize:width=3,height=5001,out_width=1027,out_height=64",
    "resize:width=8192,height=7,out_width=12289,out_height=20",
    "resize:width=150001,height=2,out_width=300002,out_height=4",
    "resize:width=150001,height=3,out_width=200003,out_height=2",
    "resize:width=998,height=702,out_width=1234,out_height=1000,input=gradient",
    "resize:width=1000,height=500",

    /* Every remainder of 16 along every side. */
    "resize:width=16,height=19,out_width=39,out_height=21",
    "resize:width=33,height=24,out_width=42,out_height=28",
    "resize:width=18,height=29,out_width=45,out_height=19",
    "resize:width=35,height=18,out_width=32,out_height=26",
    "resize:width=20,height=23,out_width=35,out_height=17",
    "resize:width=37,height=28,out_width=38,out_height=24",
    "resize:width=22,height=17,out_width=41,out_height=31",
    "resize:width=39,height=22,out_width=44,out_height=22",
    "resize:width=24,height=27,out_width=47,out_height=29",
    "resize:width=41,height=32,out_width=34,out_height=20",
    "resize:width=26,height=21,out_width=37,out_height=27",
    "resize:width=43,height=26,out_width=40,out_height=18",
    "resize:width=28,height=31,out_width=43,out_height=25",
    "resize:width=45,height=20,out_width=46,out_height=32",
    "resize:width=30,height=25,out_width=33,out_height=23",
    "resize:width=47,height=30,out_width=36,out_height=30",

    /* Ratios of small numbers along both axes, for which code may have a path of its own; one row or column of many;
     * an odd number of rows, each from two others. */
    "resize:width=21,height=14,out_width=63,out_height=42",
    "resize:width=22,height=18,out_width=33,out_height=27",
    "resize:width=45,height=33,out_width=30,out_height=22",
    "resize:width=51,height=39,out_width=17,out_height=13",
    "resize:width=68,height=36,out_width=17,out_height=9",
    "resize:width=24,height=15,out_width=32,out_height=20",
    "resize:width=36,height=28,out_width=27,out_height=21",
    "resize:width=13,height=10,out_width=65,out_height=50",
    "resize:width=11,height=9,out_width=88,out_height=72",
    "resize:width=88,height=72,out_width=11,out_height=9",
    "resize:width=133,height=97,out_width=11,out_height=7",
    "resize:width=61,height=46,out_width=100,out_height=1",
    "resize:width=61,height=46,out_width=1,out_height=70",
    "resize:width=90,height=701,out_width=61,out_height=333",
    "resize:width=2,height=66001,out_width=3,out_height=70003",

    /* One to three channels; gaps behind rows of the source, of the target; sizes that are doubled, grow and shrink. */
    "resize:width=1,height=1,out_width=1,out_height=1,channels=1,in_pad=1,out_pad=1",
    "resize:width=1,height=5,out_width=9,out_height=3,channels=3,out_pad=2",
    "resize:width=33,height=31,in_pad=5,out_pad=7",
    "resize:width=34,height=18,channels=1,input=checkerboard",
    "resize:width=67,height=35,channels=2,in_pad=1",
    "resize:width=35,height=67,channels=3,out_pad=3,input=gradient",
    "resize:width=35,height=22,out_width=82,out_height=58,channels=3,input=constant",
    "resize:width=101,height=57,out_width=67,out_height=201,channels=1,in_pad=3,out_pad=1",
    "resize:width=201,height=157,out_width=167,out_height=33,channels=2,in_pad=2,out_pad=9",
    "resize:width=130,height=99,out_width=131,out_height=77,channels=3,in_pad=70,out_pad=129,input=dots",
    "resize:width=99,height=130,out_width=77,out_height=131,in_pad=4,out_pad=8,input=structured",
    "resize:width=62,height=54,channels=3,input=dots",
    "resize:width=640,height=427,out_width=1001,out_height=998,channels=3,in_pad=1",
    "resize:width=1000,height=701,out_width=333,out_height=128,channels=1,out_pad=64",
    "resize:width=150001,height=3,out_width=200003,out_height=2,channels=2,in_pad=1,out_pad=1",

    /* Sides of several thousands beside one of 1, for rungs that refuse larger ones. */
    "resize:width=1,height=3999,out_width=3,out_height=6003",
    "resize:width=7999,height=1,out_width=5001,out_height=3",
    NULL,
};
#define AWKWARD_SMALL 9

/* The target is filled, not only poisoned, if its rows are padded: a run must not change the padding. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    const size_t bytes = element_info(problem->type)->bytes;
    arrays[0] = (struct array){.name = "in",
                               .direction = ARRAY_IN,
                               .type = problem->type,
                               .rows = (size_t)r.height,
                               .cols = (size_t)r.in_pitch / bytes};
    arrays[1] = (struct array){.name = "out",
                               .direction = problem->values[RESIZE_OUT_PAD].size ? ARRAY_INOUT : ARRAY_OUT,
                               .type = problem->type,
                               .rows = (size_t)r.out_height,
                               .cols = (size_t)r.out_pitch / bytes};
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
    const double channels = (double)problem->values[RESIZE_CHANNELS].size;
    const double bytes = channels * (double)element_info(problem->type)->bytes;
    struct cost cost = {
        .bytes_read = bytes * in,
        .bytes_written = bytes * out,
        .operations = 3.0 * 3.0 * channels * out,
    };
    cost_choose_streams(&cost);
    return cost;
}

/* Millions of the target's pixels in a second. */
static double work(const struct problem *problem)
{
    return 1e3 * pixels_of(problem, "out_width", "out_height");
}

/* A picture of one kind stays so: pieces of another seed would give a constant one edges. */
static bool mixes(const struct problem *problem)
{
    return problem_size(problem, "input") == 0;
}

/* Of a device's rungs packed alone rounds halves up, as uskor.h promises where both sides are doubled. */
static const char *choose(const struct problem *problem, const struct device *device)
{
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    const bool doubles = r.out_width == 2 * r.width && r.out_height == 2 * r.height;
    return doubles && device->backend->kind != BACKEND_CPU ? "packed" : NULL;
}

/* ---- the kernel ------------------------------------------------------------------------------------------- */

const struct kernel kernel_resize = {
    .name = "resize",
    .heading = "Bilinear resize",
    .title = "a picture in another size, interpolated bilinearly",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .common_types = COMMON_TYPES,
    .rate_unit = "Mpixel/s",
    .describe = describe,
    .mixes = mixes,
    .cost = cost,
    .work = work,
    .choose = choose,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .edge_cases = edge_cases,
    .edge_cases_small = AWKWARD_SMALL,
    .bench = "resize:width=2048,height=2048",
    .large = "resize:width=11586,height=11590,out_width=23171,out_height=23180",
    .cpu_opencl_bench = "resize:width=512,height=512",
    LAB_ONLY(.fill = resize_fill, .check = resize_check, .split = resize_split, .plain = &resize_plain)};
