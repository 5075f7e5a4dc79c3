/* Wrong wave rungs: each is refused, on inputs of its kind, and the right one passes on all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/size.h"
#include "kernels/wave/wave.h"
#include "parsed.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* How a field is kept between steps. */
typedef float keep_function(float value);

enum boundary { PERIODIC, CLAMPED, ZERO };

struct implementation {
    const char *name;
    double centre_factor, near_factor, far_factor; /* of r²; the right ones are -7.5, 4/3, -1/12 */
    double square_factor;                          /* of r² itself; 0: 1 */
    keep_function *keep;
    enum boundary boundary;
    size_t steps_left_out;
    void (*spoil)(float *result, const struct wave_grid *grid);
};

static float as_it_is(float value)
{
    return value;
}

/* 10 bits behind the leading one, as in f16, with any exponent. */
static float in_half(float value)
{
    int exponent;
    float fraction = frexpf(value, &exponent);
    return ldexpf(nearbyintf(fraction * 2048), exponent - 11);
}

static float in_f16_range(float value)
{
    return fabsf(value) > 65504 ? copysignf(INFINITY, value) : value;
}

static float flushed(float value)
{
    return fabsf(value) < 0x1p-126F ? 0 : value;
}

static void one_point_off(float *result, const struct wave_grid *grid)
{
    size_t at = grid->nx * grid->ny * grid->nz / 2;
    float step = fabsf(result[at]) * 1e-3F;
    result[at] += step > 0 ? step : 1e-3F;
}

static void last_bit_off(float *result, const struct wave_grid *grid)
{
    size_t at = grid->nx * grid->ny * grid->nz - 1;
    result[at] = nextafterf(result[at], INFINITY);
}

static void last_plane_missing(float *result, const struct wave_grid *grid)
{
    size_t plane = grid->nx * grid->ny;
    memset(result + plane * (grid->nz - 1), 0xff, plane * sizeof *result);
}

static void all_a_little_off(float *result, const struct wave_grid *grid)
{
    for (size_t i = 0; i < grid->nx * grid->ny * grid->nz; i++)
        result[i] += i % 2 ? 1e-3F : -1e-3F;
}

#define RIGHT -7.5, 4.0 / 3, -1.0 / 12

static float value_at(const float *field, const struct wave_grid *grid, enum boundary boundary, ptrdiff_t x,
                      ptrdiff_t y, ptrdiff_t z)
{
    ptrdiff_t at[3] = {x, y, z};
    const ptrdiff_t sides[3] = {(ptrdiff_t)grid->nx, (ptrdiff_t)grid->ny, (ptrdiff_t)grid->nz};
    for (int i = 0; i < 3; i++) {
        if (boundary == ZERO && (at[i] < 0 || at[i] >= sides[i]))
            return 0;
        if (boundary == CLAMPED)
            at[i] = at[i] < 0 ? 0 : at[i] >= sides[i] ? sides[i] - 1 : at[i];
        at[i] = (at[i] % sides[i] + sides[i]) % sides[i];
    }
    return field[(at[2] * sides[1] + at[1]) * sides[0] + at[0]];
}

static float point(const struct implementation *how, const struct wave_grid *grid, const float *before,
                   const float *here, size_t x, size_t y, size_t z)
{
    double square = grid->courant * grid->courant * (how->square_factor != 0 ? how->square_factor : 1);
    float centre = (float)(2 + how->centre_factor * square), sums[2] = {0, 0};
    for (int distance = 1; distance <= 2; distance++)
        for (int sign = -1; sign <= 1; sign += 2) {
            ptrdiff_t by = (ptrdiff_t)sign * distance, i = (ptrdiff_t)x, j = (ptrdiff_t)y, k = (ptrdiff_t)z;
            sums[distance - 1] += value_at(here, grid, how->boundary, i + by, j, k) +
                                  value_at(here, grid, how->boundary, i, j + by, k) +
                                  value_at(here, grid, how->boundary, i, j, k + by);
        }
    size_t at = (z * grid->ny + y) * grid->nx + x;
    return centre * here[at] - before[at] + (float)(how->near_factor * square) * sums[0] +
           (float)(how->far_factor * square) * sums[1];
}

/* The three fields take turns; returns the one that holds the result. */
static float *develop(const struct implementation *how, const struct wave_grid *grid, float *fields[3])
{
    for (size_t step = how->steps_left_out; step < grid->steps; step++) {
        for (size_t z = 0; z < grid->nz; z++)
            for (size_t y = 0; y < grid->ny; y++)
                for (size_t x = 0; x < grid->nx; x++)
                    fields[2][(z * grid->ny + y) * grid->nx + x] =
                        how->keep(point(how, grid, fields[0], fields[1], x, y, z));
        float *free_field = fields[0];
        fields[0] = fields[1], fields[1] = fields[2], fields[2] = free_field;
    }
    if (how->spoil)
        how->spoil(fields[1], grid);
    return fields[1];
}

static struct check_result judged(const struct implementation *how, const char *text)
{
    struct problem problem = parsed(text);
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays input = {{0}}, output = {{0}};
    struct wave_grid grid = wave_grid_of(&problem);
    struct check_result result = {0};
    struct error error;
    int count;
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    float *memory = malloc(5 * arrays[0].bytes), *fields[5];
    assert_non_null(memory);
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        fields[i] = memory + i * arrays[0].bytes / sizeof *memory;
    input.data[WAVE_PREVIOUS] = fields[3];
    input.data[WAVE_CURRENT] = fields[4];
    problem.kernel->fill(&problem, arrays, input);
    memcpy(fields[0], fields[3], 2 * arrays[0].bytes);
    output.data[WAVE_RESULT] = develop(how, &grid, fields);
    problem.kernel->check(&problem, arrays, input, output, &result);
    free(memory);
    return result;
}

#define EXACT "wave:nx=18,ny=10,nz=6,steps=3,input=dyadic"
#define RANDOM "wave:nx=18,ny=10,nz=6,steps=4,input=random"
#define LONG "wave:nx=18,ny=16,nz=15,steps=100,input=random,courant=0.4330127"
#define LONG_EXACT "wave:nx=18,ny=16,nz=15,steps=101,input=dyadic"
#define PLANE "wave:nx=24,ny=20,nz=16,steps=6"
#define TINY "wave:nx=18,ny=10,nz=6,steps=2,input=tiny"
#define HUGE_VALUES "wave:nx=18,ny=10,nz=6,steps=2,input=huge"
#define WIDE "wave:nx=18,ny=10,nz=6,steps=1,input=wide"

static void the_right_one_passes(void **state)
{
    (void)state;
    static const struct implementation right = {.name = "right", RIGHT, .keep = as_it_is};
    static const char *const texts[] = {EXACT,
                                        RANDOM,
                                        LONG,
                                        LONG_EXACT,
                                        "wave:nx=5,ny=7,nz=3,steps=9,input=dyadic",
                                        "wave:nx=2,ny=1,nz=4,steps=4000,input=dyadic",
                                        PLANE,
                                        TINY,
                                        HUGE_VALUES,
                                        WIDE,
                                        "wave:nx=1,ny=1,nz=1,steps=2,input=dyadic",
                                        "wave:nx=2,ny=3,nz=1,steps=30,input=random"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct check_result result = judged(&right, texts[i]);
        if (!result.passed)
            fail_msg("%s: %s", texts[i], result.reason);
    }
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct implementation how;
        const char *text, *reason;
    } cases[] = {
        {{.name = "second order", -6, 1, 0, .keep = as_it_is}, EXACT, "where nothing is rounded"},
        {{.name = "second order", -6, 1, 0, .keep = as_it_is}, PLANE, "times what rounding allows"},
        {{.name = "second order", -6, 1, 0, .keep = as_it_is}, WIDE, "times what rounding allows"},
        {{.name = "edges held", RIGHT, .keep = as_it_is, .boundary = CLAMPED}, EXACT, "where nothing is rounded"},
        {{.name = "edges held", RIGHT, .keep = as_it_is, .boundary = CLAMPED}, LONG, "times what rounding allows"},
        {{.name = "zero beyond", RIGHT, .keep = as_it_is, .boundary = ZERO}, RANDOM, "times what rounding allows"},
        {{.name = "one point off", RIGHT, .keep = as_it_is, .spoil = one_point_off}, RANDOM, "1 of 1080 points"},
        {{.name = "one point off", RIGHT, .keep = as_it_is, .spoil = one_point_off}, LONG, "1 of 4320 points"},
        {{.name = "last bit off", RIGHT, .keep = as_it_is, .spoil = last_bit_off}, EXACT, "1 of 1080 points"},
        {{.name = "last bit off", RIGHT, .keep = as_it_is, .spoil = last_bit_off}, LONG_EXACT, "1 of 4320 points"},
        {{.name = "edges held", RIGHT, .keep = as_it_is, .boundary = CLAMPED}, LONG_EXACT, "where nothing is rounded"},
        {{.name = "second order", -6, 1, 0, .keep = as_it_is}, LONG_EXACT, "where nothing is rounded"},
        {{.name = "f16 between steps", RIGHT, .keep = in_half}, LONG_EXACT, "where nothing is rounded"},
        {{.name = "r² to 20 bits", RIGHT, .square_factor = 1 + 0x1p-20, .keep = as_it_is}, LONG_EXACT, "nothing"},
        {{.name = "a step fewer", RIGHT, .keep = as_it_is, .steps_left_out = 1}, LONG_EXACT, "nothing is rounded"},
        {{.name = "a plane missing", RIGHT, .keep = as_it_is, .spoil = last_plane_missing}, EXACT, "180 of 1080"},
        {{.name = "f16 between steps", RIGHT, .keep = in_half}, EXACT, "where nothing is rounded"},
        {{.name = "f16 between steps", RIGHT, .keep = in_half}, RANDOM, "times what rounding allows"},
        {{.name = "f16 between steps", RIGHT, .keep = in_half}, LONG, "times what rounding allows"},
        {{.name = "f16 between steps", RIGHT, .keep = in_half}, PLANE, "times what rounding allows"},
        {{.name = "f16's range", RIGHT, .keep = in_f16_range}, HUGE_VALUES, "times what rounding allows"},
        {{.name = "subnormals flushed", RIGHT, .keep = flushed}, TINY, "times what rounding allows"},
        {{.name = "r² to 3 digits", RIGHT, .square_factor = 0.188 / 0.1875, .keep = as_it_is}, EXACT, "nothing"},
        {{.name = "r² to 11 bits", RIGHT, .square_factor = 1 + 0x1p-12, .keep = as_it_is}, RANDOM, "allows"},
        {{.name = "r² to 11 bits", RIGHT, .square_factor = 1 + 0x1p-12, .keep = as_it_is}, PLANE, "allows"},
        {{.name = "a step fewer", RIGHT, .keep = as_it_is, .steps_left_out = 1}, EXACT, "where nothing is rounded"},
        {{.name = "a step fewer", RIGHT, .keep = as_it_is, .steps_left_out = 1}, LONG, "times what rounding allows"},
        {{.name = "a little off", RIGHT, .keep = as_it_is, .spoil = all_a_little_off}, LONG, "rounding allows"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct check_result result = judged(&cases[i].how, cases[i].text);
        if (result.passed || !strstr(result.reason, cases[i].reason) || result.where[0] == '\0')
            fail_msg("%s on %s: %s, \"%s\"", cases[i].how.name, cases[i].text, result.passed ? "passed" : "refused",
                     result.reason);
    }
}

static void exact_inputs_choose_their_courant_number(void **state)
{
    (void)state;
    struct problem problem = parsed("wave:nx=8,ny=8,nz=8,input=dyadic");
    double courant = problem_real(&problem, "courant");
    struct error error;
    assert_true(fabs(courant * courant - 3.0 / 16) < 1e-15);
    assert_int_equal(problem_parse("wave:courant=0.3,input=dyadic", &problem, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "its square is 3/16"));
    char text[PROBLEM_TEXT_MAX];
    problem = parsed("wave:nx=8,ny=8,nz=8,input=dyadic");
    struct problem again = parsed(problem_text(&problem, text));
    assert_memory_equal(problem.values, again.values, sizeof problem.values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_one_passes),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(exact_inputs_choose_their_courant_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
