/* The problem: its fields, its cost, its ladder. */
#include "kernels/wave/wave.h"

#include "kernels/wave/check.h"
#include "kernels/wave/inputs.h"

#define LADDER_KERNEL wave
#include "kernels/ladder.h"

#define SIDE_MAXIMUM ((int64_t)1 << 20)
#define STEPS_MAXIMUM 1000000

static const struct problem_field fields[] = {
    {.name = "nx",
     .help = "points along x, which runs fastest",
     .kind = FIELD_SIZE,
     .initial = 512,
     .minimum = 1,
     .maximum = SIDE_MAXIMUM},
    {.name = "ny", .help = "points along y", .kind = FIELD_SIZE, .initial = 256, .minimum = 1, .maximum = SIDE_MAXIMUM},
    {.name = "nz",
     .help = "points along z, which runs slowest",
     .kind = FIELD_SIZE,
     .initial = 256,
     .minimum = 1,
     .maximum = SIDE_MAXIMUM},
    {.name = "steps", .help = "time steps", .kind = FIELD_SIZE, .initial = 4, .minimum = 1, .maximum = STEPS_MAXIMUM},
    {.name = "courant",
     .help = "Courant number, speed · time step / spacing; up to 0.5, where the scheme ceases to be stable",
     .kind = FIELD_REAL,
     .initial_real = 0.4,
     .minimum_real = 0,
     .maximum_real = WAVE_COURANT_MAXIMUM},
    {.name = "input",
     .help = "plane: a plane wave, whose exact solution is known; random: two fields in [-1, 1); dyadic: r² = 3/16, up "
             "to 3 steps round nothing; tiny: about 2^-127; huge: about 2^120; wide: 2^-40 to 2^40; structured: fields "
             "that are constant, constant along lines, sparse or single points",
     .kind = FIELD_CHOICE,
     .choices = wave_inputs,
     .host_only = true},
};

static const char *const shape[] = {"nx", "ny", "nz", NULL};

static const enum element_type types[] = {ELEMENT_F32};

/* Small first. One point, lines, sides shorter than the stencil; sides that no tile and no vector divides, and that
 * leave 1, 2 and 3 behind a multiple of four; more steps than a pass fuses, and odd numbers of them; each kind of
 * input. Then larger fields and long runs. */
static const char *const edge_cases[] = {
    "wave:nx=1,ny=1,nz=1,steps=2,input=random",
    "wave:nx=3,ny=2,nz=4,steps=3,input=dyadic",
    "wave:nx=37,ny=7,nz=5,steps=2,input=dyadic",
    "wave:nx=36,ny=13,nz=11,steps=4,input=random,courant=0.5",
    "wave:nx=70,ny=10,nz=6,steps=2,input=tiny",
    "wave:nx=23,ny=14,nz=9,steps=3,input=random,courant=0.1618033988749895",
    "wave:nx=22,ny=9,nz=14,steps=1,input=dyadic",
    "wave:nx=66,ny=34,nz=18,steps=3,input=dyadic",
    "wave:nx=1,ny=5,nz=33,steps=5,input=random",
    "wave:nx=97,ny=1,nz=1,steps=1,input=wide",
    "wave:nx=34,ny=6,nz=10,steps=2,input=huge",
    "wave:nx=33,ny=35,nz=21,steps=6,input=wide",
    "wave:nx=30,ny=18,nz=26,steps=3,input=tiny",
    "wave:nx=18,ny=22,nz=30,steps=12,input=huge",
    "wave:nx=40,ny=26,nz=22,steps=300,input=dyadic",
    "wave:nx=128,ny=67,nz=40,steps=9,input=random",
    "wave:nx=130,ny=66,nz=35,steps=7",
    "wave:nx=64,ny=64,nz=64,steps=8,courant=0.25",
    "wave:nx=258,ny=130,nz=70,steps=2,input=dyadic",
    "wave:nx=514,ny=75,nz=67,steps=3,input=dyadic",
    "wave:nx=257,ny=129,nz=131,steps=14,input=random",
    "wave:nx=62,ny=50,nz=46,steps=400,input=random",
    "wave:nx=64,ny=32,nz=10,steps=3,input=dyadic",
    "wave:nx=2,ny=130,nz=3,steps=5,input=random,courant=0",
    "wave:nx=2,ny=23,nz=3,steps=3,input=dyadic",
    "wave:nx=25,ny=2,nz=4,steps=2,input=dyadic",
    "wave:nx=3,ny=21,nz=2,steps=3,input=dyadic",
    "wave:nx=4,ny=3,nz=22,steps=2,input=dyadic",
    "wave:nx=26,ny=4,nz=3,steps=1,input=dyadic",
    "wave:nx=66003,ny=1,nz=1,steps=1,input=dyadic",
    "wave:nx=1,ny=66005,nz=1,steps=2,input=dyadic",
    "wave:nx=1,ny=2,nz=40007,steps=1,input=dyadic",
    /* Every remainder of 16 along every side. */
    "wave:nx=16,ny=19,nz=23,steps=1,input=dyadic",
    "wave:nx=33,ny=24,nz=26,steps=2,input=dyadic",
    "wave:nx=50,ny=29,nz=29,steps=3,input=dyadic",
    "wave:nx=19,ny=18,nz=32,steps=1,input=dyadic",
    "wave:nx=36,ny=23,nz=19,steps=2,input=dyadic",
    "wave:nx=53,ny=28,nz=22,steps=3,input=dyadic",
    "wave:nx=22,ny=17,nz=25,steps=1,input=dyadic",
    "wave:nx=39,ny=22,nz=28,steps=2,input=dyadic",
    "wave:nx=56,ny=27,nz=31,steps=3,input=dyadic",
    "wave:nx=25,ny=32,nz=18,steps=1,input=dyadic",
    "wave:nx=42,ny=21,nz=21,steps=2,input=dyadic",
    "wave:nx=59,ny=26,nz=24,steps=3,input=dyadic",
    "wave:nx=28,ny=31,nz=27,steps=1,input=dyadic",
    "wave:nx=45,ny=20,nz=30,steps=2,input=dyadic",
    "wave:nx=62,ny=25,nz=17,steps=3,input=dyadic",
    "wave:nx=31,ny=30,nz=20,steps=1,input=dyadic",
    NULL,
};
#define AWKWARD_SMALL 6

struct wave_grid wave_grid_of(const struct problem *problem)
{
    return (struct wave_grid){
        .nx = (size_t)problem_size(problem, "nx"),
        .ny = (size_t)problem_size(problem, "ny"),
        .nz = (size_t)problem_size(problem, "nz"),
        .steps = (size_t)problem_size(problem, "steps"),
        .courant = problem_real(problem, "courant"),
    };
}

struct wave_weights wave_weights_of(double courant)
{
    double square = courant * courant;
    return (struct wave_weights){.centre = 2 - 7.5 * square, .near = square * 4 / 3, .far = -square / 12};
}

struct wave_turn wave_turn(size_t step, size_t steps)
{
    enum wave_field even = steps % 2 == 0 ? WAVE_FIELD_SCRATCH : WAVE_FIELD_RESULT; /* what steps 0, 2, 4 … write */
    enum wave_field odd = steps % 2 == 0 ? WAVE_FIELD_RESULT : WAVE_FIELD_SCRATCH;
    if (step == 0)
        return (struct wave_turn){WAVE_FIELD_PREVIOUS, WAVE_FIELD_CURRENT, even};
    if (step == 1)
        return (struct wave_turn){WAVE_FIELD_CURRENT, even, odd};
    return step % 2 == 0 ? (struct wave_turn){even, odd, even} : (struct wave_turn){odd, even, odd};
}

static double points(const struct problem *problem)
{
    struct wave_grid grid = wave_grid_of(problem);
    return (double)grid.nx * (double)grid.ny * (double)grid.nz;
}

size_t wave_turn_scratch(const struct problem *problem, const struct device *device,
                         const struct parameters *parameters)
{
    (void)device, (void)parameters;
    struct wave_grid grid = wave_grid_of(problem);
    return grid.steps > 1 ? grid.nx * grid.ny * grid.nz * element_info(problem->type)->bytes : 0;
}

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    static const struct {
        const char *name;
        enum direction direction;
    } names[] = {
        [WAVE_PREVIOUS] = {"previous", ARRAY_IN},
        [WAVE_CURRENT] = {"current", ARRAY_IN},
        [WAVE_RESULT] = {"result", ARRAY_OUT},
    };
    struct wave_grid grid = wave_grid_of(problem);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        arrays[i] = (struct array){.name = names[i].name,
                                   .direction = names[i].direction,
                                   .type = problem->type,
                                   .rows = grid.nz * grid.ny, /* at most 2^40 */
                                   .cols = grid.nx};
    return COUNT_OF(names);
}

/* Step by step, two fields are read and one is written each time: 12 bytes per point and step. Rungs that do several
 * steps in one pass move less. A point takes 13 additions and 3 multiplications. */
static struct cost cost(const struct problem *problem)
{
    double steps = (double)wave_grid_of(problem).steps;
    double bytes = points(problem) * steps * (double)element_info(problem->type)->bytes;
    return (struct cost){
        .bytes_read = 2 * bytes,
        .bytes_written = bytes,
        .operations = 16 * points(problem) * steps,
        .read_streams = 2,
        .write_streams = 1,
        .passes = (int)steps,
    };
}

/* Points that make a step: one per nanosecond is one Gpoint/s. */
static double work(const struct problem *problem)
{
    return points(problem) * (double)wave_grid_of(problem).steps;
}

/* Pieces of two plane waves make none. */
static bool mixes(const struct problem *problem)
{
    return problem_size(problem, "input") == WAVE_INPUT_RANDOM;
}

const struct kernel kernel_wave = {
    .name = "wave",
    .heading = "Wave equation",
    .title = "time steps of the wave equation in 3D: a 13-point stencil",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "Gpoints/s",
    .describe = describe,
    .imply = wave_imply,
    .fill = wave_fill,
    .mixes = mixes,
    .check = wave_check,
    .cost = cost,
    .work = work,
    .split = wave_split,
    .plain = &wave_plain,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .edge_cases = edge_cases,
    .edge_cases_small = AWKWARD_SMALL,
    .bench = "wave:nx=512,ny=256,nz=256,steps=4",
    .large = "wave:nx=1291,ny=1291,nz=1291,steps=2",
    .cpu_opencl_bench = "wave:nx=128,ny=64,nz=64,steps=4",
};
