/* The wave's judge: a plane wave's development is the scheme's own, of the order it claims, and planted errors are
 * caught. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/size.h"
#include "kernels/wave/check.h"
#include "kernels/wave/fused_piece.h"
#include "kernels/wave/plane_wave.h"
#include "kernels/wave/row.h"

#include <cmocka.h>

#include "verdicts.h"

/* A problem, its inputs, and a result made with the plainest code. */
struct setting {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays input, output;
    struct wave_grid grid;
    size_t count;
};

static void set_up(struct setting *s, const char *text)
{
    struct error error;
    int array_count;
    memset(s, 0, sizeof *s);
    assert_int_equal(problem_parse(text, &s->problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&s->problem, s->arrays, &array_count, &error), STATUS_OK);
    s->grid = wave_grid_of(&s->problem);
    s->count = s->arrays[0].rows * s->arrays[0].cols;
    float *fields[4];
    for (int i = 0; i < 4; i++) {
        fields[i] = malloc(s->arrays[0].bytes);
        assert_non_null(fields[i]);
    }
    s->input.data[WAVE_PREVIOUS] = fields[0];
    s->input.data[WAVE_CURRENT] = fields[1];
    s->problem.kernel->fill(&s->problem, s->arrays, s->input);
    struct wave_row_weights weights = wave_row_weights_of(s->grid.courant);
    for (size_t index = 0; index < s->grid.steps; index++) {
        struct wave_turn turn = wave_turn(index, s->grid.steps);
        assert_int_not_equal(turn.here, turn.next);
        struct wave_step step = {
            fields[turn.before], fields[turn.here], fields[turn.next], s->grid.nx, s->grid.ny, s->grid.nz, false};
        for (size_t z = 0; z < s->grid.nz; z++)
            wave_step_rows(&step, &weights, wave_row_plain, z, 0, s->grid.ny);
    }
    s->output.data[WAVE_RESULT] = fields[2];
    free(fields[3]);
}

static void tear_down(struct setting *s)
{
    free(s->input.data[WAVE_PREVIOUS]);
    free(s->input.data[WAVE_CURRENT]);
    free(s->output.data[WAVE_RESULT]);
}

static struct check_result judge(const struct setting *s)
{
    struct check_result result = {0};
    wave_check(&s->problem, s->arrays, s->input, s->output, &result);
    return result;
}

static const char *const problems[] = {
    "wave:nx=48,ny=20,nz=24,steps=5",
    "wave:nx=48,ny=20,nz=24,steps=4,input=random",
    "wave:nx=64,ny=32,nz=16,steps=40,courant=0.5",
};

static void right_answers_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(problems); i++) {
        struct setting s;
        set_up(&s, problems[i]);
        struct check_result result = judge(&s);
        expect_right(result);
        assert_true(result.worst < 0.5);
        tear_down(&s);
    }
}

/* Each spoils the result in its own way. */
static void no_number(float *field, const struct setting *s)
{
    field[s->count - 1] = NAN;
}

static void one_point(float *field, const struct setting *s)
{
    field[s->count / 3] += s->grid.steps > 10 ? 0.003F : 0.001F;
}

static void first_point(float *field, const struct setting *s)
{
    (void)s;
    field[0] += 0.003F;
}

static void one_row_on(float *field, const struct setting *s)
{
    memmove(field, field + s->grid.nx, (s->count - s->grid.nx) * sizeof *field);
}

static void one_point_on(float *field, const struct setting *s)
{
    memmove(field + 1, field, (s->count - 1) * sizeof *field);
}

static void no_last_step(float *field, const struct setting *s)
{
    memcpy(field, s->input.data[WAVE_CURRENT], s->count * sizeof *field);
}

static void untouched_plane(float *field, const struct setting *s)
{
    memset(field + s->count / 2, 0xa5, s->grid.nx * s->grid.ny * sizeof *field);
}

static void planted_errors_fail(void **state)
{
    (void)state;
    static void (*const spoil[])(float *, const struct setting *) = {
        first_point, no_number, one_point, one_row_on, one_point_on, no_last_step, untouched_plane};
    for (size_t p = 0; p < COUNT_OF(problems); p++)
        for (size_t i = 0; i < COUNT_OF(spoil); i++) {
            struct setting s;
            set_up(&s, problems[p]);
            spoil[i](s.output.data[WAVE_RESULT], &s);
            struct check_result result = judge(&s);
            expect_wrong(result);
            assert_true(strlen(result.reason) > 0 && strlen(result.where) > 0);
            tear_down(&s);
        }
}

/* After a thousand steps rounding is still far from what a field is. */
static void long_runs_are_judged(void **state)
{
    (void)state;
    static const char *const texts[] = {"wave:nx=32,ny=24,nz=40,steps=1000",
                                        "wave:nx=24,ny=32,nz=16,steps=1000,input=random"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct setting s;
        set_up(&s, texts[i]);
        float *field = s.output.data[WAVE_RESULT], most = 0;
        for (size_t at = 0; at < s.count; at++)
            most = fmaxf(most, fabsf(field[at]));
        expect_right(judge(&s));
        assert_true(judge(&s).worst < 0.5);
        field[s.count / 3] += most / 4;
        expect_wrong(judge(&s));
        field[s.count / 3] -= most / 4;
        s.problem.values[3].size--; /* as if a step were missing, or one too many */
        expect_wrong(judge(&s));
        tear_down(&s);
    }
}

/* The equation's frequency is r |k|; the scheme's error falls with the fourth power of k while the time step is short
 * beside it, and with the second when both shrink together. */
static double frequency_error(double k, double courant)
{
    const double numbers[3] = {k, 0.7 * k, 0.3 * k};
    double length = k * sqrt(1 + 0.49 + 0.09);
    return fabs(plane_wave_frequency(numbers, courant) / (courant * length) - 1);
}

static void the_scheme_has_its_order(void **state)
{
    (void)state;
    double in_space = log2(frequency_error(0.4, 0.001) / frequency_error(0.2, 0.001));
    double in_time = log2(frequency_error(0.4, 0.5) / frequency_error(0.2, 0.5));
    assert_true(in_space > 3.8 && in_space < 4.2);
    assert_true(in_time > 1.8 && in_time < 2.2);
}

static void every_set_makes_the_same_rows(void **state)
{
    (void)state;
    const enum cpu_isa best = cpu_isa();
    const enum cpu_isa sets[] = {CPU_ISA_BASE, best == CPU_ISA_AVX512 ? CPU_ISA_AVX2 : best, best};
    struct setting s;
    set_up(&s, "wave:nx=83,ny=5,nz=3,steps=1,input=random");
    struct wave_row_weights weights = wave_row_weights_of(s.grid.courant);
    float *made = malloc(s.arrays[0].bytes);
    assert_non_null(made);
    for (size_t nx = 1; nx <= s.grid.nx; nx++)
        for (size_t i = 0; i < COUNT_OF(sets); i++) {
            struct wave_step step = {s.input.data[0], s.input.data[1], made, nx, 5, 3, true};
            struct wave_row row = wave_step_row(&step, 2, 1);
            wave_row_vectors(sets[i])(&row, &weights);
            for (size_t x = 0; x < nx; x++)
                assert_true(fabsf(row.next[x] - wave_row_point(&row, &weights, x)) < 1e-5F);
        }
    free(made);
    tear_down(&s);
}

/* Rows of nx values, each moved on by one place; the last value becomes the first. */
static void turn_rows(const float *from, float *to, size_t nx, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t x = 0; x < nx; x++)
            to[row * nx + (x + 1) % nx] = from[row * nx + x];
}

/* A field may be divided along x, and the bits stay. */
static void bits_do_not_depend_on_the_place(void **state)
{
    (void)state;
    const enum cpu_isa best = cpu_isa();
    const enum cpu_isa sets[] = {CPU_ISA_BASE, best == CPU_ISA_AVX512 ? CPU_ISA_AVX2 : best, best};
    struct setting s;
    set_up(&s, "wave:nx=83,ny=5,nz=3,steps=1,input=random");
    struct wave_row_weights weights = wave_row_weights_of(s.grid.courant);
    float *memory[4];
    for (size_t i = 0; i < COUNT_OF(memory); i++) {
        memory[i] = malloc(s.arrays[0].bytes);
        assert_non_null(memory[i]);
    }
    for (size_t nx = 1; nx <= s.grid.nx; nx++)
        for (size_t i = 0; i < COUNT_OF(sets); i++) {
            turn_rows(s.input.data[0], memory[0], nx, 15);
            turn_rows(s.input.data[1], memory[1], nx, 15);
            struct wave_step step = {s.input.data[0], s.input.data[1], memory[2], nx, 5, 3, true};
            struct wave_step turned = {memory[0], memory[1], memory[3], nx, 5, 3, true};
            struct wave_row row = wave_step_row(&step, 2, 1), other = wave_step_row(&turned, 2, 1);
            wave_row_vectors(sets[i])(&row, &weights);
            wave_row_vectors(sets[i])(&other, &weights);
            for (size_t x = 0; x < nx; x++)
                assert_memory_equal(&row.next[x], &other.next[(x + 1) % nx], sizeof(float));
        }
    for (size_t i = 0; i < COUNT_OF(memory); i++)
        free(memory[i]);
    tear_down(&s);
}

/* Two pieces of a grid, or four, by every set of instructions; the memory begins with what is not a number. */
static void make_in_pieces(const struct setting *s, enum cpu_isa isa, size_t rows, size_t slabs, float *made,
                           float *last_but_one)
{
    struct wave_pass pass = {
        .grid = s->grid,
        .weights = wave_row_weights_of(s->grid.courant),
        .function = wave_row_vectors(isa),
        .pairs = wave_pair_vectors(isa, s->grid.nx),
        .copy = copy_part_streaming(isa),
        .before = s->input.data[WAVE_PREVIOUS],
        .here = s->input.data[WAVE_CURRENT],
        .last_but_one = last_but_one,
        .last = made,
        .steps = s->grid.steps,
        .rows = rows,
    };
    size_t floats = wave_piece_floats(&pass);
    float *memory = aligned_alloc(64, (floats * sizeof *memory + 63) / 64 * 64);
    assert_non_null(memory);
    memset(made, 0xff, s->count * sizeof *made);
    for (size_t part = 0; part < 2 * slabs; part++) {
        size_t half = part % 2, slab = part / 2, ny = s->grid.ny, nz = s->grid.nz;
        struct wave_piece piece = {half ? ny / 2 : 0, half ? ny : ny / 2, nz / slabs * slab,
                                   slab + 1 == slabs ? nz : nz / slabs, memory};
        memset(memory, 0xff, floats * sizeof *memory);
        wave_make_piece(&pass, &piece);
    }
    free(memory);
}

static void set_up_steps(struct setting *s, const char *grid, size_t steps)
{
    char text[96];
    snprintf(text, sizeof text, "%s,steps=%zu,input=random", grid, steps);
    set_up(s, text);
}

static void assert_same(const float *made, const struct setting *s)
{
    for (size_t k = 0; k < s->count; k++)
        assert_true(fabsf(made[k] - ((const float *)s->output.data[WAVE_RESULT])[k]) < 1e-4F);
}

/* The last step and, where a pass follows, the last but one. */
static void pieces_make_every_step(void **state)
{
    (void)state;
    static const char *const grids[] = {"wave:nx=1,ny=1,nz=1", "wave:nx=3,ny=2,nz=5", "wave:nx=64,ny=40,nz=7",
                                        "wave:nx=32,ny=75,nz=6", "wave:nx=37,ny=19,nz=11"};
    const enum cpu_isa best = cpu_isa();
    const enum cpu_isa sets[] = {CPU_ISA_BASE, best == CPU_ISA_AVX512 ? CPU_ISA_AVX2 : best, best};
    enum { STEPS = 6 };
    for (size_t i = 0; i < COUNT_OF(grids) * STEPS; i++) {
        size_t steps = i % STEPS + 1;
        struct setting s, earlier;
        set_up_steps(&s, grids[i / STEPS], steps);
        set_up_steps(&earlier, grids[i / STEPS], steps > 1 ? steps - 1 : 1);
        float *made = malloc(2 * s.arrays[0].bytes), *before = made + s.count;
        assert_non_null(made);
        for (size_t set = 0; set < COUNT_OF(sets); set++)
            for (size_t rows = 1; rows <= 64; rows *= 4) {
                make_in_pieces(&s, sets[set], rows, rows == 4 ? 2 : 1, made, steps > 1 ? before : NULL);
                assert_same(made, &s);
                if (steps > 1)
                    assert_same(before, &earlier);
            }
        free(made);
        tear_down(&s);
        tear_down(&earlier);
    }
}

static void unstable_is_refused(void **state)
{
    (void)state;
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse("wave:courant=0.51", &problem, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "outside 0 … 0.5"));
    assert_int_equal(problem_parse("wave:courant=0.5", &problem, &error), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass),
        cmocka_unit_test(planted_errors_fail),
        cmocka_unit_test(long_runs_are_judged),
        cmocka_unit_test(the_scheme_has_its_order),
        cmocka_unit_test(every_set_makes_the_same_rows),
        cmocka_unit_test(bits_do_not_depend_on_the_place),
        cmocka_unit_test(pieces_make_every_step),
        cmocka_unit_test(unstable_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
