/* Runs one wrong kernel on the first OpenCL device, so tests/oclgrind.sh can check that the simulated device detects
 * its fault. planted race | bounds | reads | barrier | nothing: the last one is right. The array
 * is as the lab's. */
#include <stdio.h>
#include <string.h>

#include "lab/verification/canaries.h"

#define ITEMS 64

/* Each writes or reads `a` of ITEMS ints. `race`: neighbours are read without a barrier after the writes. */
static const char text[] = "__kernel void race(__global int *a)\n"
                           "{\n"
                           "    __local int tile[64];\n"
                           "    int i = get_local_id(0);\n"
                           "    tile[i] = i;\n"
                           "    a[i] = tile[63 - i];\n"
                           "}\n"
                           "__kernel void bounds(__global int *a) { a[get_global_id(0) + 1] = 1; }\n"
                           "__kernel void reads(__global int *a) { a[0] = a[get_global_id(0) + 1] < 1; }\n"
                           "__kernel void barrier_in_a_branch(__global int *a)\n"
                           "{\n"
                           "    if (get_local_id(0) < 32)\n"
                           "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    a[get_local_id(0)] = 1;\n"
                           "}\n"
                           "__kernel void nothing(__global int *a)\n"
                           "{\n"
                           "    __local int tile[64];\n"
                           "    int i = get_local_id(0);\n"
                           "    tile[i] = i;\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    a[i] = tile[63 - i];\n"
                           "}\n";

static enum status run(const char *entry, struct error *error)
{
    static const struct program_source source = {"planted.cl", text, LANGUAGE_OPENCL_C, NULL, 0};
    struct device *device;
    struct guarded array = {0};
    struct program *program = NULL;
    enum status status = device_open("opencl:0", &device, error);
    if (status != STATUS_OK)
        return status;
    if (strncmp(device->properties.vendor, "Oclgrind", 8) != 0)
        status = fail(error, STATUS_UNAVAILABLE, "opencl:0 is %s, not the simulated device", device->properties.name);
    if (status == STATUS_OK)
        status = guarded_allocate(device, MEMORY_PAGEABLE, ITEMS * sizeof(int), &array, error);
    if (status == STATUS_OK)
        status = program_build(device, &source, &program, error);
    struct argument_value argument = {ARGUMENT_BUFFER, {.buffer = &array.payload}};
    const struct launch launch = {.entry = entry,
                                  .rank = 1,
                                  .group = {ITEMS, 1, 1},
                                  .groups = {1, 1, 1},
                                  .arguments = &argument,
                                  .argument_count = 1};
    if (status == STATUS_OK)
        status = program_launch(program, &launch, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error);
    program_discard(program);
    guarded_release(&array);
    device_close(device);
    return status;
}

int main(int count, char **arguments)
{
    struct error error = {""};
    const char *entry = count == 2 ? arguments[1] : "nothing";
    if (run(strcmp(entry, "barrier") == 0 ? "barrier_in_a_branch" : entry, &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "planted: %s\n", error.text);
    return 1;
}
