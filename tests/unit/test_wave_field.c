/* The field that uskor wave begins with: a bump at rest in the middle of the grid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#undef fail

#include "file_jobs/wave_field.h"
#include "kernels/wave/wave.h"

enum { NX = 64, NY = 80, NZ = 96 };

static float field_at(const float *field, int x, int y, int z)
{
    return field[((size_t)z * NY + (size_t)y) * NX + (size_t)x];
}

/* The second derivatives' sum, of fourth order. */
static double laplacian(const float *field, int x, int y, int z)
{
    const double near = 4.0 / 3, far = -1.0 / 12;
    double sum = -7.5 * (double)field_at(field, x, y, z);
    for (int side = -1; side <= 1; side += 2) {
        sum += near * ((double)field_at(field, x + side, y, z) + (double)field_at(field, x, y + side, z) +
                       (double)field_at(field, x, y, z + side));
        sum += far * ((double)field_at(field, x + 2 * side, y, z) + (double)field_at(field, x, y + 2 * side, z) +
                      (double)field_at(field, x, y, z + 2 * side));
    }
    return sum;
}

static void a_bump_at_rest(void **state)
{
    (void)state;
    static const int64_t sides[3] = {NX, NY, NZ};
    static const int places[][3] = {{32, 40, 48}, {36, 40, 48}, {32, 36, 48}, {35, 44, 48}, {30, 41, 50}, {40, 46, 40}};
    const double courant = 0.5;
    struct wave_fields fields = {0};
    for (int i = 0; i < 2; i++) {
        fields.data[i] = calloc((size_t)NX * NY * NZ, sizeof(float));
        assert_non_null(fields.data[i]);
    }
    wave_fields_pulse(&fields, sides, courant);
    const float *before = fields.data[WAVE_PREVIOUS], *here = fields.data[WAVE_CURRENT];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int x = places[i][0], y = places[i][1], z = places[i][2];
        const double square = pow(x - NX / 2, 2) + pow(y - NY / 2, 2) + pow(z - NZ / 2, 2);
        const double right = exp(-square / (2 * 4 * 4)); /* a sixteenth of 64 */
        assert_true(fabs((double)field_at(here, x, y, z) - right) < 1e-6);
        /* A step back is a step forth. */
        const double back = (double)field_at(here, x, y, z) + courant * courant / 2 * laplacian(here, x, y, z);
        assert_true(fabs((double)field_at(before, x, y, z) - back) < 1e-6);
    }
    for (int i = 0; i < 2; i++)
        free(fields.data[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_bump_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
