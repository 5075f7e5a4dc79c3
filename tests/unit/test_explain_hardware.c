/* What is explained without a GPU is what the driver says on one: registers, local memory and resident groups of every
 * device rung. Skipped, with the reason, where there is no GPU. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/program.h"
#include "base/size.h"
#include "explain/compiled/compiled.h"
#include "explain/compiled/recorder.h"
#include "explain/occupancy/occupancy.h"

#include <cmocka.h>

typedef CUresult most_groups(int *groups, CUfunction function, int items, size_t dynamic_bytes);

static struct device *device;
static most_groups *ask_groups;

static const struct explain_kernel *kernel_of(const struct explain_compiled *compiled,
                                              const struct recorded_launch *launch)
{
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        const struct explain_kernel *kernel = &compiled->kernels[i];
        if (strcmp(kernel->name, launch->entry) == 0 &&
            memcmp(kernel->group, launch->group, sizeof launch->group) == 0 &&
            memcmp(kernel->groups, launch->groups, sizeof launch->groups) == 0)
            return kernel;
    }
    fail_msg("%s is not among what was compiled", launch->entry);
    return NULL;
}

static int attribute(const struct cuda_function *function, CUfunction_attribute which)
{
    int value = -1;
    assert_int_equal(cuda.FuncGetAttribute(&value, which, function->handle), CUDA_SUCCESS);
    return value;
}

static void compare_groups(const struct explain_kernel *kernel, const struct recorded_launch *launch,
                           const struct cuda_function *function)
{
    int groups = -1;
    struct occupancy_request request = {.compute = 0,
                                        .items = launch->group[0] * launch->group[1] * launch->group[2],
                                        .registers = kernel->registers,
                                        .shared_bytes = (size_t)kernel->shared_bytes};
    struct explain_target target;
    struct explain_occupancy occupancy;
    explain_target_of_device(device, &target);
    request.compute = target.compute;
    if (launch->local_bytes > 48 << 10)
        cuda.FuncSetAttribute(function->handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              (int)launch->local_bytes);
    assert_int_equal(ask_groups(&groups, function->handle, (int)request.items, launch->local_bytes), CUDA_SUCCESS);
    assert_true(occupancy_of(&request, &occupancy));
    assert_int_equal(occupancy.groups, groups);
}

static void compare_launch(const struct recording *recording, const struct recorded_launch *launch,
                           const struct explain_compiled *compiled)
{
    const struct recorded_program *record = &recording->programs[launch->program];
    const struct program_source source = {record->name, record->text, record->language,
                                          (const char *const *)record->defines, record->define_count};
    const struct explain_kernel *kernel = kernel_of(compiled, launch);
    struct error error = {{0}};
    struct program *program;
    struct cuda_function *function;
    if (program_build(device, &source, &program, &error) != STATUS_OK ||
        cuda_program_function((struct cuda_program *)program, launch->entry, &function, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(kernel->registers, attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS));
    assert_int_equal(kernel->stack_bytes, attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    assert_int_equal(kernel->shared_bytes - (int)launch->local_bytes,
                     attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    compare_groups(kernel, launch, function);
    program_discard(program);
}

static void compare_rung(const struct problem *problem, const struct rung *rung)
{
    struct explain_target target;
    struct parameters parameters;
    struct recording recording;
    struct explain_compiled compiled;
    struct error error = {{0}};
    char architecture[EXPLAIN_ARCHITECTURE_MAX];
    explain_target_of_device(device, &target);
    assert_int_equal(rung_defaults(rung, problem, &parameters, &error), STATUS_OK);
    if (recording_make(problem, rung, &parameters, &target, &recording, &error) != STATUS_OK)
        return; /* it does not run here */
    explain_compile(problem, rung, &parameters, &target, architecture, &compiled);
    if (compiled.kernel_count == 0)
        fail_msg("%s: %s", rung->name, compiled.reason);
    for (size_t i = 0; i < recording.launch_count; i++)
        compare_launch(&recording, &recording.launches[i], &compiled);
    explain_compiled_free(&compiled);
    recording_free(&recording);
}

static void test_as_the_driver_says(void **state)
{
    (void)state;
    struct error error = {{0}};
    if (device_open("cuda:0", &device, &error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    assert_non_null(driver);
    void *symbol = dlsym(driver, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    assert_non_null(symbol);
    memcpy(&ask_groups, &symbol, sizeof ask_groups);
    size_t compared = 0;
    for (size_t k = 0; kernels[k]; k++) {
        struct problem problem = problem_default(kernels[k]);
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, &error), STATUS_OK);
        for (size_t r = 0; r < count; r++)
            if (rungs[r]->kind == RUNG_DEVICE) {
                print_message("%s %s\n", kernels[k]->name, rungs[r]->name);
                compare_rung(&problem, rungs[r]);
                compared++;
            }
    }
    assert_true(compared > 0);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_the_driver_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
