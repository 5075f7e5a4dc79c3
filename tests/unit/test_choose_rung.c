/* Which rung serves a problem: on the CPU, on PoCL, on CUDA and on OpenCL GPUs, whose properties are written down here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "base/size.h"
#include "choice/choose_rung.h"
#include "choice/tuned.h"

#define GPU_PROPERTIES                                                                                        \
    .local_bytes_per_group = 48 << 10, .warp_items = 32, .group_items = 1024, .group_size = {1024, 1024, 64}, \
    .has_double = true, .has_images = true, .units = 132

static struct device cpu = {.backend = &backend_cpu, .id = "cpu", .properties = {.is_cpu = true, .has_double = true}};
static struct device hopper = {
    .backend = &backend_cuda,
    .id = "cuda:0",
    .properties = {GPU_PROPERTIES, .local_bytes_per_group_limit = 227 << 10, .version = "9.0"}};
static struct device pascal = {
    .backend = &backend_cuda,
    .id = "cuda:0",
    .properties = {GPU_PROPERTIES, .local_bytes_per_group_limit = 48 << 10, .version = "6.1"}};
static struct device opencl = {.backend = &backend_opencl,
                               .id = "opencl:0",
                               .properties = {GPU_PROPERTIES, .local_bytes_per_group_limit = 48 << 10}};
static struct device pocl = {.backend = &backend_opencl,
                             .id = "opencl:0",
                             .properties = {GPU_PROPERTIES, .local_bytes_per_group_limit = 48 << 10, .is_cpu = true}};

static const char *chosen_with(const char *text, const struct device *device, const struct rung_times *times)
{
    struct error error = {{0}};
    struct problem problem;
    struct rung_choice choice = {0};
    if (problem_parse(text, &problem, &error) != STATUS_OK ||
        choose_rung(&problem, device, times, &choice, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    return choice.rung->name;
}

static const char *chosen(const char *text, const struct device *device)
{
    return chosen_with(text, device, NULL);
}

struct expected {
    const char *problem;
    const struct device *device;
    const char *rung;
};

static void expect(const struct expected *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *rung = chosen(cases[i].problem, cases[i].device);
        if (strcmp(rung, cases[i].rung) != 0)
            FAIL_WITH("%s on %s: %s, not %s\n", cases[i].problem, cases[i].device->id, rung, cases[i].rung);
    }
}

/* share/uskor/tuned/nvidia-h200.jsonl: vector where rows are whole words; where they are not, it moves single elements,
 * and shifted is faster. Of 4096 x 128 a launch is most of the time. */
static void transposes_on_a_gpu(void **state)
{
    (void)state;
    static const char *const types[] = {"u8", "u16", "f32", "f64", "u64", "i32"};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        static const char *const whole[] = {"4096x4096", "4096x128", "1024x1048576"};
        for (size_t s = 0; s < COUNT_OF(whole); s++) {
            char text[64];
            snprintf(text, sizeof text, "transpose:%s,%s", whole[s], types[i]);
            const char *rung = chosen(text, &hopper);
            const bool wide = strstr(types[i], "64") != NULL; /* where four are equally fast */
            const bool is_small = strcmp(whole[s], "4096x128") == 0 && strcmp(rung, "naive") == 0;
            if (strcmp(rung, "vector") != 0 && !(wide && strstr("slanted strips shifted", rung)) && !is_small)
                FAIL_WITH("%s: %s\n", text, rung);
        }
    }
    static const struct expected cases[] = {
        {"transpose:4097x8191,u8", &hopper, "shifted"},  {"transpose:4100x4100,u8", &hopper, "shifted"},
        {"transpose:4097x8191,u16", &hopper, "shifted"}, {"transpose:4097x8191,f32", &hopper, "shifted"},
        {"transpose:65x63,f32", &hopper, "vector"},      {"transpose:4096x4096,u8", &pascal, "vector"},
        {"transpose:4096x4096,f32", &opencl, "vector"},  {"transpose:4096x4096,u8", &opencl, "vector"},
        {"transpose:4097x8191,f32", &opencl, "shifted"}, {"transpose:4097x8191,u8", &opencl, "shifted"},
    };
    expect(cases, COUNT_OF(cases));
}

static void everything_else_on_a_gpu(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        {"sort:n=1000,u32", &hopper, "bitonic-registers"}, /* one launch, as bitonic-local */
        {"sort:n=1000000,f64", &hopper, "onesweep"},
        {"sort:n=16777216,i64", &hopper, "onesweep"},
        {"sort:n=16777216,f32", &pascal, "bitonic-registers"}, /* onesweep needs compute capability 7.0 */
        {"sort:n=16777216,f32", &opencl, "bitonic-registers"}, /* a power of two: nothing is padded */
        {"sort:n=17000000,f32", &opencl, "radix-local"},
        {"sort:n=2896,f32", &hopper, "bitonic-registers"}, /* one launch */
        {"sort:n=8192,f32", &hopper, "bitonic-registers"},
        {"sort:n=20000,f32", &hopper, "onesweep"}, /* by the kernel's rule, against older lines */
        {"sort:n=16384,u64", &hopper, "bitonic-registers"},
        {"sort:n=65536,f64", &hopper, "onesweep"},
        {"dot:n=137,f32", &hopper, "wide"},
        {"dot:n=134217728,f32", &hopper, "wide"},
        {"dot:n=67108864,f64", &hopper, "wide"},
        {"dot:n=67108864,f32", &opencl, "wide"},
        {"resize:1024x1024,u8", &hopper, "packed"},
        {"resize:width=1024,height=1024,out_width=3072,out_height=1024", &hopper, "rows"}, /* packed only doubles */
        {"resize:width=1024,height=1024,out_width=3072,out_height=1024", &opencl, "rows"},
        {"wave:512x256x256,steps=4", &hopper, "temporal-async"},
        {"wave:512x256x256,steps=4", &pascal, "temporal"},
        {"wave:512x256x256,steps=3", &hopper, "streaming"}, /* the others take two steps at a time */
        {"wave:512x256x256,steps=4", &opencl, "temporal"},
        {"wave:91x91x91,steps=1", &hopper,
         "tiled"}, /* small fields, and a tall picture: results/h200/shapes-shipped.txt */
        {"wave:395x33x53,steps=1", &hopper, "naive"},
        {"resize:width=182,height=7294,out_width=505,out_height=20227", &hopper, "rows"},
        {"matmul:300,f64", &hopper, "tiled-unrolled"}, /* double-buffered and the tensor rungs work on float */
        {"matmul:960,f32", &pascal, "tiled-unrolled"},
        {"matmul:4096,f32", &pascal, "double-buffered"},
        {"matmul:4096,f32", &opencl, "double-buffered"},
    };
    expect(cases, COUNT_OF(cases));
}

static void on_the_cpu(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        {"transpose:4096x4096,u8", &cpu, "simd"},
        {"transpose:4097x8191,f64", &cpu, "simd"},
        {"sort:n=1000,f32", &cpu, "simd"},
        {"sort:n=16777216,i64", &cpu, "simd"},
        {"dot:n=1000,f32", &cpu, "simd"}, /* threads cost more than they bring */
        {"dot:n=1000000,f32", &cpu, "parallel-simd"},
        {"matmul:1024,f32", &cpu, "packed"},
        {"matmul:37x2049x511,f64,transa=t", &cpu, "packed"},
        {"resize:width=640,height=480,out_width=1920,out_height=1080", &cpu, "simd"},
        {"wave:2048x1024x1024,steps=4", &cpu, "fused"}, /* whatever this machine's cache holds */
    };
    expect(cases, COUNT_OF(cases));
}

/* Strips of 32 and 64 rows leave one of two threads idle where there are 27 rows; planes do not. */
static void by_the_threads_shares(void **state)
{
    (void)state;
    const struct rung *rungs[KERNEL_RUNGS_MAX];
    struct prediction predictions[KERNEL_RUNGS_MAX];
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse("wave:4854x27x47,steps=3", &problem, &error), STATUS_OK);
    const size_t count = kernel_host_rungs(problem.kernel, rungs);
    assert_true(predict(&problem, &cpu, 2, rungs, count, LINES_ALL, predictions) > 0);
    assert_string_equal(predictions[0].rung->name, "parallel");
    assert_true(predict(&problem, &cpu, 1, rungs, count, LINES_ALL, predictions) > 0);
    assert_string_equal(predictions[0].rung->name, "simd");
}

/* PoCL has a ranking of its own: a GPU's would use local memory, which is ordinary memory on a CPU. */
static void on_pocl(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        {"transpose:1024x1024,f32", &pocl, "naive"},   {"sort:n=65536,f32", &pocl, "radix-local"},
        {"dot:n=1048576,f32", &pocl, "wide"},          {"resize:512x512", &pocl, "packed"},
        {"wave:128x64x64,steps=4", &pocl, "temporal"}, {"matmul:192,f32", &pocl, "double-buffered"},
        {"matmul:301x33x77,f32", &pocl, "naive"}, /* as 568x37x142 is: rows that are no whole words do not matter */
    };
    expect(cases, COUNT_OF(cases));
}

/* Whatever the problem, what is chosen can run, is of the right kind and has the parameters it has by default. */
static void what_is_chosen_can_run(void **state)
{
    (void)state;
    const struct device *const devices[] = {&cpu, &hopper, &pascal, &opencl, &pocl};
    for (size_t k = 0; kernels[k]; k++)
        for (size_t e = 0; kernels[k]->edge_cases[e]; e++)
            for (size_t t = 0; t < kernels[k]->type_count; t++)
                for (size_t d = 0; d < COUNT_OF(devices); d++) {
                    char text[PROBLEM_TEXT_MAX], reason[512];
                    struct problem problem;
                    struct rung_choice choice;
                    struct parameters defaults;
                    struct error error;
                    snprintf(text, sizeof text, "%s,%s", kernels[k]->edge_cases[e],
                             element_info(kernels[k]->types[t])->name);
                    if (problem_parse(text, &problem, &error) != STATUS_OK ||
                        choose_rung(&problem, devices[d], NULL, &choice, &error) != STATUS_OK)
                        continue; /* no rung there runs it */
                    assert_null(
                        rung_refuses(choice.rung, &problem, devices[d], &choice.parameters, reason, sizeof reason));
                    assert_int_equal(choice.rung->kind, d == 0 ? RUNG_HOST : RUNG_DEVICE);
                    assert_int_equal(rung_defaults(choice.rung, &problem, &defaults, &error), STATUS_OK);
                    assert_memory_equal(&choice.parameters, &defaults, sizeof defaults);
                }
}

/* ---- the other two sources --------------------------------------------------------------------------------------- */

struct known {
    const char *rung;
    double nanoseconds;
};

static double look_up(void *context, const struct problem *problem, const struct device *device,
                      const struct rung *rung)
{
    (void)problem;
    (void)device;
    for (const struct known *known = context; known->rung; known++)
        if (strcmp(known->rung, rung->name) == 0)
            return known->nanoseconds;
    return 0;
}

static void own_measurements_come_last_and_decide(void **state)
{
    (void)state;
    const char *text = "transpose:4096x4096,f32";
    struct known faster[] = {{"vector", 40e3}, {"strips", 30e3}, {"padded", 35e3}, {NULL, 0}};
    struct known slower[] = {{"vector", 40e3}, {"strips", 50e3}, {NULL, 0}};
    struct known without_the_first[] = {{"naive", 1e3}, {NULL, 0}};           /* no figure of vector */
    struct known library[] = {{"vector", 40e3}, {"cublas", 10e3}, {NULL, 0}}; /* never substituted */
    assert_string_equal(chosen_with(text, &hopper, &(struct rung_times){look_up, faster}), "strips");
    assert_string_equal(chosen_with(text, &hopper, &(struct rung_times){look_up, slower}), "vector");
    assert_string_equal(chosen_with(text, &hopper, &(struct rung_times){look_up, without_the_first}), "vector");
    assert_string_equal(chosen_with(text, &hopper, &(struct rung_times){look_up, library}), "vector");
    struct known refused[] = {{"single-steps", 9}, {"streaming", 40e3}, {"temporal", 10e3}, {NULL, 0}};
    assert_string_equal(chosen_with("wave:512x256x256,steps=3", &hopper, &(struct rung_times){look_up, refused}),
                        "streaming");
}

static const char *own_rule;

static const char *choose(const struct problem *problem, const struct device *device)
{
    (void)problem;
    (void)device;
    return own_rule;
}

static void a_kernels_rule_is_asked_first(void **state)
{
    (void)state;
    struct error error;
    struct problem problem;
    struct rung_choice choice;
    assert_int_equal(problem_parse("transpose:4096x4096,u8", &problem, &error), STATUS_OK);
    static struct kernel kernel; /* ladders are known by their kernel's address */
    kernel = *problem.kernel;
    kernel.choose = choose;
    problem.kernel = &kernel;
    static const struct {
        const char *rule, *rung;
    } cases[] = {{"strips", "strips"}, {"cublas", "shifted"}, {"nothing of the kind", "shifted"}, {NULL, "shifted"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        own_rule = cases[i].rule; /* a kernel of which nothing was measured: after the rule comes the ladder's last */
        assert_int_equal(choose_rung(&problem, &hopper, NULL, &choice, &error), STATUS_OK);
        assert_string_equal(choice.rung->name, cases[i].rung);
    }
}

static void a_reason_when_all_refuse(void **state)
{
    (void)state;
    struct error error;
    struct problem problem;
    struct rung_choice choice;
    assert_int_equal(problem_parse("pipeline:n=1024", &problem, &error), STATUS_OK);
    static struct kernel kernel; /* ladders are known by their kernel's address */
    kernel = *problem.kernel;
    kernel.ladder_count = 0;
    problem.kernel = &kernel;
    assert_int_equal(choose_rung(&problem, &cpu, NULL, &choice, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "cannot run on cpu: the ladder has no rung for it"));
}

/* Every shipped line is of a problem and of rungs that this program has. */
static void shipped_lines_are_of_this_program(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t k = 0; kernels[k]; k++)
        count += tuned_entries(kernels[k], TUNED_CPU).count + tuned_entries(kernels[k], TUNED_CUDA).count;
    assert_string_equal(tuned_complaint(), "");
    assert_true(count > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes_on_a_gpu),
        cmocka_unit_test(everything_else_on_a_gpu),
        cmocka_unit_test(on_the_cpu),
        cmocka_unit_test(by_the_threads_shares),
        cmocka_unit_test(on_pocl),
        cmocka_unit_test(what_is_chosen_can_run),
        cmocka_unit_test(own_measurements_come_last_and_decide),
        cmocka_unit_test(a_kernels_rule_is_asked_first),
        cmocka_unit_test(a_reason_when_all_refuse),
        cmocka_unit_test(shipped_lines_are_of_this_program),
    };
    setenv("USKOR_TUNED", "none", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
