/* Default parameters, scratch memory, and every reason for which a rung refuses to run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_kernel.h"
#include "kernels/rung_header.h"
#include "parsed.h"

#include <cmocka.h>

static const struct kernel kernel_mover = {.name = "mover", .title = "moves", .moves_bits = true, MIX_MEMBERS};
const struct kernel *const kernels[] = {&kernel_mix, &kernel_mover, NULL};

static const struct backend opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA};
static const struct backend cpu = {.name = "cpu", .kind = BACKEND_CPU};

#define LIMITS                                                                                                         \
    .group_items = 256, .group_size = {256, 128, 64}, .grid_groups = {0, 65535, 65535}, .local_bytes_per_group = 1024, \
    .local_bytes_per_group_limit = 2048

static const struct device small = {.backend = &opencl, .id = "opencl:0", .properties = {LIMITS}};
static const struct device able = {
    .backend = &cuda, .id = "cuda:1", .properties = {LIMITS, .version = "9.0", .has_double = true, .has_images = true}};
static const struct device host = {.backend = &cpu, .id = "cpu"};

static struct rung *read_rung(const char *path, const char *text, const struct rung *host_half)
{
    struct rung *rung;
    struct error error = {{0}};
    if (device_rung_read(&kernel_mix, path, text, host_half, &rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return rung;
}

/* ---- parameters ----------------------------------------------------------------------------------------------- */

static enum status default_of(const char *initial, int64_t *value, struct error *error)
{
    struct rung rung = {
        .name = "r", .tunable_count = 1, .tunables = {{.name = "T", .values = {16, 2, 64, 4, 8}, .value_count = 5}}};
    snprintf(rung.tunables[0].initial, sizeof rung.tunables[0].initial, "%s", initial);
    struct problem problem = parsed("mix:rows=9,cols=10");
    struct parameters parameters;
    enum status status = rung_defaults(&rung, &problem, &parameters, error);
    *value = parameters.values[0];
    return status;
}

static void defaults(void **state)
{
    (void)state;
    static const struct {
        const char *initial;
        int64_t value;
    } cases[] = {
        {"16", 16}, {"min(16, rows)", 8}, {"rows / 3", 2},     {"element_bytes", 4},
        {"0", 2},   {"1000", 64},         {"cols * rows", 64}, {"ceil(log2(cols))", 4},
    };
    struct error error = {{0}};
    int64_t value;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (default_of(cases[i].initial, &value, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(value, cases[i].value);
    }
    assert_int_equal(default_of("rows - 10", &value, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "r: the default of T: \"rows - 10\" is -1"));
    assert_int_equal(default_of("T", &value, &error), STATUS_INVALID);
}

static void parameters_by_name(void **state)
{
    (void)state;
    struct rung rung = {.tunable_count = 2, .tunables = {{.name = "A"}, {.name = "B"}}};
    struct run run = {.rung = &rung, .parameters = {{5, 6}}};
    assert_int_equal(run_parameter(&run, "A"), 5);
    assert_int_equal(run_parameter(&run, "B"), 6);
}

static void free_tunable(void **state)
{
    (void)state;
    struct rung *rung =
        read_rung("r.cl", "// rung: r\n// idea: i\n// tune: N = rows * 3\n// group: 1\n// groups: N\n", NULL);
    struct problem problem = parsed("mix:rows=9");
    struct parameters parameters;
    char reason[256];
    assert_int_equal(rung_defaults(rung, &problem, &parameters, NULL), STATUS_OK);
    assert_int_equal(parameters.values[0], 27);
    assert_null(rung_refuses(rung, &problem, &small, &parameters, reason, sizeof reason));
    parameters.values[0] = -1;
    assert_string_equal(rung_refuses(rung, &problem, &small, &parameters, reason, sizeof reason), "N=-1 is below 0");
    device_rung_free(rung);
}

/* ---- scratch -------------------------------------------------------------------------------------------------- */

static void scratch(void **state)
{
    (void)state;
    struct rung none = {.name = "none"};
    struct rung *rung = read_rung(
        "r.cl", "// rung: r\n// idea: i\n// group: 1\n// groups: 1\n// scratch: 3 * rows / (cols - 48)\n", NULL);
    struct problem problem = parsed("mix:rows=6,cols=50");
    struct parameters parameters = {{0}};
    struct error error = {{0}};
    size_t bytes = 77;
    assert_int_equal(rung_scratch(&none, &problem, &small, &parameters, &bytes, &error), STATUS_OK);
    assert_int_equal(bytes, 0);
    assert_int_equal(rung_scratch(rung, &problem, &small, &parameters, &bytes, &error), STATUS_OK);
    assert_int_equal(bytes, 9);
    problem = parsed("mix:rows=0,cols=50");
    assert_int_equal(rung_scratch(rung, &problem, &small, &parameters, &bytes, &error), STATUS_OK);
    assert_int_equal(bytes, 1); /* there is always a buffer to pass */
    problem = parsed("mix:rows=1,cols=48");
    assert_int_equal(rung_scratch(rung, &problem, &small, &parameters, &bytes, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "r.cl: scratch: "));
    device_rung_free(rung);
}

/* ---- refusing ------------------------------------------------------------------------------------------------- */

#define START "// rung: r\n// idea: i\n"
#define PLAIN START "// group: 8\n// groups: rows\n"

static const char *half_supports(const struct problem *problem, const struct device *device,
                                 const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (problem_size(problem, "rows") != 13)
        return NULL;
    snprintf(reason, size, "thirteen rows");
    return reason;
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *problem;
        const struct device *device;
        const char *reason; /* NULL: it runs */
    } cases[] = {
        {"r.cl", PLAIN, "mix", &small, NULL},
        {"r.cl", PLAIN, "mix", &able, NULL},
        {"r.cl", PLAIN, "mix", &host, "runs on opencl and cuda, this is cpu"},
        {"r.cu", PLAIN, "mix", &small, "runs on cuda, this is opencl"},
        {"r.cu", PLAIN, "mix", &able, NULL},
        {"r.cl", PLAIN "// needs: double\n", "mix", &small, "needs double precision, which opencl:0 does not have"},
        {"r.cl", PLAIN "// needs: double\n", "mix", &able, NULL},
        {"r.cl", PLAIN "// needs: images\n", "mix", &small, "needs images, which opencl:0 does not have"},
        {"r.cl", PLAIN "// needs: images\n", "mix", &able, NULL},
        {"r.cl", PLAIN, "mix:f64", &small, "needs double precision, which opencl:0 does not have"},
        {"r.cl", PLAIN, "mix:f64", &able, NULL},
        {"r.cl", PLAIN, "mover:f64", &small, NULL},
        {"r.cl", PLAIN "// require: rows % 4 == 0, the rows come in fours\n", "mix:rows=6", &small,
         "the rows come in fours"},
        {"r.cl", PLAIN "// require: rows % 4 == 0, the rows come in fours\n", "mix:rows=8", &small, NULL},
        {"r.cl", PLAIN "// require: 1, one\n// require: alpha != 0, alpha is 0\n", "mix:alpha=0", &small, "alpha is 0"},
        {"r.cl", PLAIN "// require: mode == 0, only plain\n", "mix:mode=mirrored", &small, "only plain"},
        {"r.cl", PLAIN "// require: 1 % (rows - 6) == 0, x\n", "mix:rows=6", &small,
         "require: \"1 % (rows - 6) == 0\": division by zero at character 3"},
        {"r.cu", PLAIN "// require: compute >= 9, it is for newer devices\n", "mix", &able, NULL},
        {"r.cu", PLAIN "// require: compute >= 10, it is for newer devices\n", "mix", &able, "it is for newer devices"},
        {"r.cl", PLAIN "// require: compute == 0, not CUDA\n", "mix", &small, NULL},
        {"r.cl", PLAIN "// require: local_bytes >= 1024, no room\n", "mix", &small, NULL},
        {"r.cl", PLAIN "// require: local_bytes > 1024, no room\n", "mix", &small, "no room"},
        {"r.cl", START "// group: 257\n// groups: 1\n", "mix", &small,
         "mix: a group of 257 x 1 x 1 = 257 items; opencl:0 takes at most 256"},
        {"r.cl", START "// group: 16, 32\n// groups: 1, 1\n", "mix", &small,
         "mix: a group of 16 x 32 x 1 = 512 items; opencl:0 takes at most 256"},
        {"r.cl", START "// group: 1, 256\n// groups: 1, 1\n", "mix", &small,
         "mix: a group of 256 items along dimension 1; opencl:0 takes at most 128"},
        {"r.cl", START "// group: 1, 128\n// groups: 1, 1\n", "mix", &small, NULL},
        {"r.cl", START "// group: rows\n// groups: 1\n", "mix:rows=0", &small,
         "mix: the group has no items along dimension 0"},
        {"r.cl", START "// group: 1, 1\n// groups: 1, rows\n", "mix:rows=65536", &small,
         "mix: 65536 groups along dimension 1; opencl:0 takes at most 65535"},
        {"r.cl", START "// group: 1, 1\n// groups: 1, rows\n", "mix:rows=65535", &small, NULL},
        {"r.cl", START "// group: 8\n// groups: rows / 8\n", "mix:rows=9", &small,
         "r.cl: groups: \"rows / 8\" is 1.125, which is not an integer; ceil() or floor() makes it one"},
        {"r.cl", START "// group: 8\n// groups: rows * rows * rows\n", "mix:rows=1000000", &small,
         "r.cl: groups: \"rows * rows * rows\" is 1e+18; an integer from 0 to 2^53 is needed"},
        {"r.cl", PLAIN "// args: a, int(rows * rows)\n", "mix:rows=100000", &small,
         "r.cl: args: rows * rows is 1e+10, which is no int of 32 bits"},
        {"r.cu", PLAIN "// local: 32 * rows\n", "mix:rows=64", &able, NULL},
        {"r.cu", PLAIN "// local: 32 * rows\n", "mix:rows=65", &able,
         "mix: 2080 bytes of local memory for a group; cuda:1 has at most 2048"},
        {"r.cl", PLAIN, "mix:rows=13", &small, "thirteen rows"},
    };
    const struct rung half = {.supports = half_supports};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct rung *rung = read_rung(cases[i].path, cases[i].text, &half);
        struct problem problem = parsed(cases[i].problem);
        struct parameters parameters = {{0}};
        char reason[256];
        const char *refused = rung_refuses(rung, &problem, cases[i].device, &parameters, reason, sizeof reason);
        if (cases[i].reason ? !refused || strcmp(refused, cases[i].reason) != 0 : refused != NULL)
            fail_msg("case %zu: \"%s\", not \"%s\"", i, refused ? refused : "runs",
                     cases[i].reason ? cases[i].reason : "runs");
        device_rung_free(rung);
    }
}

static void values_outside_the_list(void **state)
{
    (void)state;
    struct rung *rung =
        read_rung("r.cl", START "// tune: A = 1 in 1 2; B = 8 in 4 8\n// group: B\n// groups: 1\n", NULL);
    struct problem problem = parsed("mix");
    struct parameters parameters = {{2, 16}};
    char reason[256], tiny[8];
    assert_string_equal(rung_refuses(rung, &problem, &small, &parameters, reason, sizeof reason),
                        "B=16 is not one of 4 8");
    assert_string_equal(rung_refuses(rung, &problem, &host, &parameters, reason, sizeof reason),
                        "runs on opencl and cuda, this is cpu");
    parameters.values[1] = 4;
    assert_null(rung_refuses(rung, &problem, &small, &parameters, reason, sizeof reason));
    assert_non_null(rung_refuses(rung, &problem, &host, &parameters, tiny, sizeof tiny));
    assert_string_equal(tiny, "runs on");
    device_rung_free(rung);
}

static void rungs_in_c(void **state)
{
    (void)state;
    const struct rung rung = {.name = "c", .backends = BACKEND_CPU, .supports = half_supports};
    struct problem problem = parsed("mix:rows=13");
    struct parameters parameters = {{0}};
    char reason[256];
    assert_string_equal(rung_refuses(&rung, &problem, &small, &parameters, reason, sizeof reason),
                        "runs on cpu, this is opencl");
    assert_string_equal(rung_refuses(&rung, &problem, &host, &parameters, reason, sizeof reason), "thirteen rows");
    problem = parsed("mix:rows=14");
    assert_null(rung_refuses(&rung, &problem, &host, &parameters, reason, sizeof reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),   cmocka_unit_test(parameters_by_name), cmocka_unit_test(free_tunable),
        cmocka_unit_test(scratch),    cmocka_unit_test(refusals),           cmocka_unit_test(values_outside_the_list),
        cmocka_unit_test(rungs_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
