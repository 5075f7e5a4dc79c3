/* The machine code that an OpenCL runtime on a processor makes of a kernel. A child process builds the program and
 * launches it, since the code of some runtimes is made for the group's size, at the launch. */
#pragma once

#include "backends/backend.h"
#include "base/child_process.h"
#include "base/elf.h"

#define KERNEL_CODE_ARGUMENTS_MOST 32
#define KERNEL_CODE_FUNCTIONS_MOST 4

/* An argument: a value, a buffer of `bytes` bytes, or a texture. Buffers and textures are not filled. */
struct kernel_code_argument {
    enum argument_kind kind;
    uint64_t value;
    uint64_t bytes;
    size_t width, height;
};

struct kernel_code_request {
    const char *device, *device_name;    /* "opencl:0", and the name that it has there */
    const struct program_source *source; /* OpenCL C */
    const char *entry;
    int rank;
    size_t group[3], groups[3];
    const struct kernel_code_argument *arguments;
    size_t argument_count;
};

enum kernel_code_origin {
    KERNEL_CODE_LOADED, /* a shared object that the runtime loaded for the launch (PoCL) */
    KERNEL_CODE_BINARY, /* CL_PROGRAM_BINARIES has an object with the code (Intel's runtime) */
};

struct kernel_code {
    enum kernel_code_origin origin;
    void *image; /* malloc()ed; the functions point into it */
    size_t bytes;
    struct elf_function functions[KERNEL_CODE_FUNCTIONS_MOST];
    size_t function_count; /* at least 1 */
};

/* The caller frees code->image. STATUS_UNAVAILABLE: the runtime does not give its code, there are no child processes,
 * or the launch is refused, as the message says. The launch itself is cut off when its code is there. */
enum status kernel_code_get(const struct kernel_code_request *request, struct kernel_code *code, struct error *error);

/* The functions of kernel `entry` in an object of a runtime's. Returns their number. */
size_t kernel_code_functions(const void *image, size_t bytes, const char *entry,
                             struct elf_function functions[KERNEL_CODE_FUNCTIONS_MOST]);

/* The child's entry: "kernel-code". */
int kernel_code_child(struct child_link *parent, int argc, char **argv);
