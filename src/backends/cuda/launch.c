
#include "backends/cuda/program.h"

/* Most groups that one launch may have along y and along z, on every device so far. */
#define GRID_YZ_MAX 65535u

/* Where the values of a launch lie, in the form the driver reads them. Drivers that do not tell how many parameters a
 * function has read as many pointers as it has: those behind the last argument lead to zeros, not astray. */
struct values {
    void *pointers[CUDA_PARAMETERS_MAX];
    CUdeviceptr addresses[CUDA_PARAMETERS_MAX];
};

static const size_t argument_bytes[] = {
    [ARGUMENT_BUFFER] = sizeof(CUdeviceptr),    [ARGUMENT_INT] = sizeof(int32_t),
    [ARGUMENT_LONG] = sizeof(int64_t),          [ARGUMENT_FLOAT] = sizeof(float),
    [ARGUMENT_DOUBLE] = sizeof(double),         [ARGUMENT_TEXTURE] = sizeof(CUtexObject),
    [ARGUMENT_TILES] = sizeof(struct tile_map),
};

static enum status check_arguments(const struct cuda_program *program, const struct cuda_function *function,
                                   const struct launch *launch, struct error *error)
{
    size_t count = launch->argument_count;
    if (count > CUDA_PARAMETERS_MAX)
        return fail(error, STATUS_INVALID, "%s: %zu arguments; at most %d are passed on", launch->entry, count,
                    CUDA_PARAMETERS_MAX);
    if (!function->knows_parameters)
        return STATUS_OK;
    if (count != function->parameter_count)
        return fail(error, STATUS_INVALID, "%s in %s takes %zu arguments, and %zu are given", launch->entry,
                    program->name, function->parameter_count, count);
    for (size_t i = 0; i < count; i++)
        if (argument_bytes[launch->arguments[i].kind] != function->parameter_bytes[i])
            return fail(error, STATUS_INVALID, "%s in %s: argument %zu has %zu bytes, and the parameter has %d",
                        launch->entry, program->name, i + 1, argument_bytes[launch->arguments[i].kind],
                        function->parameter_bytes[i]);
    return STATUS_OK;
}

static void lay_out(const struct launch *launch, struct values *values)
{
    static const uint64_t zero[8];
    for (size_t i = 0; i < CUDA_PARAMETERS_MAX; i++)
        values->pointers[i] = (void *)(uintptr_t)zero;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct argument_value *argument = &launch->arguments[i];
        /* Numbers begin where the union does. */
        values->pointers[i] = argument->kind == ARGUMENT_TILES ? (void *)(uintptr_t)argument->tiles
                                                               : (void *)(uintptr_t)&argument->int_value;
        if (argument->kind != ARGUMENT_BUFFER && argument->kind != ARGUMENT_TEXTURE)
            continue;
        values->addresses[i] = argument->kind == ARGUMENT_BUFFER ? argument->buffer->native : argument->texture->native;
        values->pointers[i] = &values->addresses[i];
    }
}

/* The grid for the launch; y goes over y and z where the program is made for that, with as few groups too many as can
 * be. */
static enum status make_grid(const struct cuda_program *program, const struct launch *launch, unsigned grid[3],
                             struct error *error)
{
    const char *entry = launch->entry;
    if (program->folds && launch->rank == 3)
        return fail(error, STATUS_INVALID, "%s in %s was built for two dimensions; build it with USKOR_RANK=3", entry,
                    program->name);
    size_t y = launch->groups[1], z = launch->groups[2];
    if (program->folds && y > GRID_YZ_MAX) {
        z = (y - 1) / GRID_YZ_MAX + 1;
        y = (y - 1) / z + 1;
    }
    if (y > GRID_YZ_MAX || z > GRID_YZ_MAX)
        return fail(error, STATUS_UNAVAILABLE,
                    "%s in %s: a grid of %zu x %zu x %zu groups; CUDA takes %u along y and z", entry, program->name,
                    launch->groups[0], launch->groups[1], launch->groups[2], GRID_YZ_MAX);
    grid[0] = (unsigned)launch->groups[0];
    grid[1] = (unsigned)y;
    grid[2] = (unsigned)z;
    return STATUS_OK;
}

/* A kernel with more shared memory than every device has, static memory included, needs an attribute, set once per
 * function. */
static enum status ask_local(struct cuda_program *program, struct cuda_function *function, const struct launch *launch,
                             struct error *error)
{
    const struct device *device = program->base.device;
    if (launch->local_bytes <= function->local_bytes_asked ||
        launch->local_bytes + function->local_bytes_static <= device->properties.local_bytes_per_group)
        return STATUS_OK;
    CUresult result = cuda.FuncSetAttribute(function->handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                            (int)launch->local_bytes);
    if (result == CUDA_SUCCESS)
        function->local_bytes_asked = launch->local_bytes;
    return cuda_device_check(device, result, error, "%s in %s: asking for %zu bytes of local memory for a group",
                             launch->entry, program->name, launch->local_bytes);
}

/* The driver's answer to a group that does not fit is one code for registers and memory alike. */
static enum status fail_resources(const struct cuda_program *program, const struct cuda_function *function,
                                  const struct launch *launch, CUresult result, struct error *error)
{
    int registers = 0, most_items = 0, local = 0;
    cuda.FuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function->handle);
    cuda.FuncGetAttribute(&most_items, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function->handle);
    cuda.FuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->handle);
    size_t items = launch->group[0] * launch->group[1] * launch->group[2];
    return cuda_device_check(program->base.device, result, error,
                             "launching %s in %s with %zu items in a group (it takes at most %d, of %d registers each) "
                             "and %d + %zu bytes of local memory",
                             launch->entry, program->name, items, most_items, registers, local, launch->local_bytes);
}

/* After the launch before, or while that one ends. */
static CUresult start(const struct cuda_program *program, const struct cuda_function *function,
                      const struct launch *launch, const unsigned grid[3], void **parameters)
{
    CUstream stream = cuda_device_of(program->base.device)->stream;
    const unsigned x = (unsigned)launch->group[0], y = (unsigned)launch->group[1], z = (unsigned)launch->group[2];
    if (!launch->follows || !program->waits)
        return cuda.LaunchKernel(function->handle, grid[0], grid[1], grid[2], x, y, z, (unsigned)launch->local_bytes,
                                 stream, parameters, NULL);
    const struct cuda_launch_attribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                                .allowed = 1};
    const struct cuda_launch_config how = {
        .groups = {grid[0], grid[1], grid[2]},
        .group = {x, y, z},
        .local_bytes = (unsigned)launch->local_bytes,
        .stream = stream,
        .attributes = &early,
        .attribute_count = 1,
    };
    return cuda.LaunchKernelEx(&how, function->handle, parameters, NULL);
}

enum status cuda_launch(struct program *program, const struct launch *launch, struct error *error)
{
    struct cuda_program *own = (struct cuda_program *)program;
    struct cuda_function *function = NULL;
    struct values values;
    unsigned grid[3] = {1, 1, 1};
    enum status status = cuda_use(program->device, error);
    if (status == STATUS_OK)
        status = cuda_program_function(own, launch->entry, &function, error);
    if (status == STATUS_OK)
        status = check_arguments(own, function, launch, error);
    if (status == STATUS_OK)
        status = make_grid(own, launch, grid, error);
    if (status == STATUS_OK)
        status = ask_local(own, function, launch, error);
    if (status != STATUS_OK)
        return status;
    lay_out(launch, &values);
    const CUresult result = start(own, function, launch, grid, values.pointers);
    if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
        return fail_resources(own, function, launch, result, error);
    return cuda_device_check(program->device, result, error, "launching %s in %s", launch->entry, own->name);
}
