/* Inputs that each rank makes and judges itself: what is right passes, and one wrong element does not. No MPI: nothing
 * travels in muted groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "distributed/ranks/own_parts.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define SEED 77

/* The whole problem on one rank, made of what all ranks make for themselves; and one rank's own part of it. */
struct fixture {
    struct problem problem;
    struct communication muted;
    struct method_run whole, part;
};

static const struct method *method_named(const char *kernel, const char *name)
{
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel) == 0 && strcmp(methods[i]->name, name) == 0)
            return methods[i];
    fail_msg("no method %s of %s", name, kernel);
    return NULL;
}

static void *room(size_t bytes)
{
    void *memory;
    assert_int_equal(method_allocate(&memory, bytes, NULL), STATUS_OK);
    memset(memory, 0, bytes);
    return memory;
}

/* Copies a rank's rectangle between its part and the whole array. */
static void move(const struct fixture *f, int array, int rank, void *part, bool to_whole)
{
    const struct array *all = &f->whole.arrays[array];
    const struct place place = f->part.method->place(&f->problem, all, array, rank, f->part.ranks.count);
    const size_t bytes = element_info(all->type)->bytes;
    for (size_t row = 0; row < place.rows; row++) {
        char *at = (char *)f->whole.parts[array] + (place_row(&place, row) * all->cols + place.col) * bytes;
        char *own = (char *)part + row * place.cols * bytes;
        memcpy(to_whole ? at : own, to_whole ? own : at, place.cols * bytes);
    }
}

static void set_up(struct fixture *f, const char *text, const char *name, int count, struct device *device)
{
    struct error error;
    memset(f, 0, sizeof *f);
    f->muted.is_muted = true;
    assert_int_equal(problem_parse(text, &f->problem, &error), STATUS_OK);
    f->part = (struct method_run){.method = method_named(f->problem.kernel->name, name),
                                  .problem = &f->problem,
                                  .ranks = {.rank = count > 1, .count = count, .communication = &f->muted},
                                  .device = device};
    assert_int_equal(kernel_describe(&f->problem, f->part.arrays, &f->part.array_count, &error), STATUS_OK);
    f->whole = f->part;
    f->whole.ranks = (struct ranks){.count = 1, .communication = &f->muted};
    for (int i = 0; i < f->part.array_count; i++) {
        f->whole.parts[i] = room(f->whole.arrays[i].bytes);
        f->part.parts[i] = room(own_bytes(&f->part, i, f->part.ranks.rank));
        for (int rank = 0; rank < count && f->whole.arrays[i].direction != ARRAY_OUT; rank++) {
            struct method_run one = f->part;
            one.ranks.rank = rank;
            for (int a = 0; a < one.array_count; a++)
                one.parts[a] = room(own_bytes(&f->part, a, rank));
            assert_int_equal(own_parts_fill(&one, SEED, &error), STATUS_OK);
            move(f, i, rank, one.parts[i], true);
            for (int a = 0; a < one.array_count; a++)
                free(one.parts[a]);
        }
    }
    assert_int_equal(own_parts_fill(&f->part, SEED, &error), STATUS_OK);
    assert_int_equal(method_compute(&f->whole, &f->problem, f->whole.parts, &error), STATUS_OK);
}

static void tear_down(struct fixture *f)
{
    job_finish(&f->whole.job);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        free(f->whole.parts[i]);
        free(f->part.parts[i]);
    }
}

/* The right result passes; with each of some elements changed it does not. */
static void judges(const char *text, const char *name, int count, int result)
{
    struct device *device;
    struct fixture f;
    struct error error;
    double worst;
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    set_up(&f, text, name, count, device);
    move(&f, result, f.part.ranks.rank, f.part.parts[result], false);
    assert_int_equal(own_parts_judge(&f.part, SEED, &worst, &error), STATUS_OK);
    const size_t bytes = own_bytes(&f.part, result, f.part.ranks.rank);
    for (size_t at = 0; at < 3; at++) {
        unsigned char *byte = (unsigned char *)f.part.parts[result] + at * (bytes - 4) / 2 / 4 * 4 + 3;
        *byte ^= 0x11; /* of the exponent */
        assert_int_equal(own_parts_judge(&f.part, SEED, &worst, &error), STATUS_FAILED);
        *byte ^= 0x11;
    }
    assert_int_equal(own_parts_judge(&f.part, SEED + 1, &worst, &error), STATUS_FAILED); /* of other inputs */
    tear_down(&f);
    device_close(device);
}

static void transposes(void **state)
{
    (void)state;
    judges("transpose:rows=37,cols=53", "exchange", 3, 1);
}

static void products(void **state)
{
    (void)state;
    judges("matmul:m=31,n=47,k=29", "summa", 3, 2);
}

static void waves(void **state)
{
    (void)state;
    judges("wave:nx=9,ny=7,nz=41,steps=3,input=random", "halo", 3, 2);
}

/* The order between parts and the sums over all of them travel by MPI: here one rank has all. */
static void sorts(void **state)
{
    (void)state;
    judges("sort:n=1001", "splitters", 1, 0);
    judges("sort:n=1001,f64,input=few", "splitters", 1, 0);
}

/* Blocks of a grid of ranks, along one axis, two, and all; steps that reach into some blocks, and round the field. */
static void blocks(void **state)
{
    (void)state;
    judges("wave:nx=9,ny=41,nz=3,steps=3,input=random", "halo-3d", 3, 2);
    judges("wave:nx=37,ny=29,nz=3,steps=2,input=random", "halo-3d", 4, 2);
    judges("wave:nx=7,ny=7,nz=7,steps=1,input=random", "overlap-3d", 8, 2);
}

/* The whole field grows along its shortest sides. */
static void grows(void **state)
{
    struct problem problem;
    struct error error;
    (void)state;
    assert_int_equal(problem_parse("wave:nx=30,ny=20,nz=10", &problem, &error), STATUS_OK);
    own_parts_grow(&problem, 12); /* 3 along z, 2 along y, 2 along z, x or y: 30 × 40 × 30, then 60 along z */
    assert_int_equal(problem_size(&problem, "nx"), 30);
    assert_int_equal(problem_size(&problem, "ny"), 40);
    assert_int_equal(problem_size(&problem, "nz"), 60);
    assert_int_equal(problem_parse("sort:n=1000", &problem, &error), STATUS_OK);
    own_parts_grow(&problem, 3);
    assert_int_equal(problem_size(&problem, "n"), 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes), cmocka_unit_test(products), cmocka_unit_test(waves),
        cmocka_unit_test(sorts),      cmocka_unit_test(blocks),   cmocka_unit_test(grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
