#include "explain/compiled/host_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/message.h"
#include "explain/compiled/decoder.h"
#include "explain/compiled/host_walk.h"
#include "explain/compiled/x86_read.h"

static bool can_execute(const struct explain_kernel *kernel)
{
#if defined __x86_64__
    return kernel->vector_bits <= 128 || (kernel->vector_bits == 256 && __builtin_cpu_supports("avx2")) ||
           __builtin_cpu_supports("avx512f");
#else
    (void)kernel;
    return false;
#endif
}

static enum status add_kernel(void *context, const struct host_function *function, struct error *error)
{
    struct explain_compiled *compiled = context;
    struct explain_kernel kernel = {.launches = 1, .at = function->address};
    snprintf(kernel.name, sizeof kernel.name, "%s", function->name);
    snprintf(kernel.file, sizeof kernel.file, "%s", function->file);
    if (!x86_read((const void *)function->address, function->bytes, &kernel))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", kernel.name);
    bool is_left_out = !can_execute(&kernel);
    if (!is_left_out && array_grow(&compiled->kernels, compiled->kernel_count, sizeof *compiled->kernels)) {
        compiled->kernels[compiled->kernel_count++] = kernel;
        return STATUS_OK;
    }
    free(kernel.instructions);
    free(kernel.loops);
    return is_left_out ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: no memory", function->name);
}

/* If some function has a loop, functions without one are left out. */
static void keep_loops(struct explain_compiled *compiled)
{
    size_t with = 0, kept = 0;
    for (size_t i = 0; i < compiled->kernel_count; i++)
        with += compiled->kernels[i].loop_count > 0;
    for (size_t i = 0; with > 0 && i < compiled->kernel_count; i++) {
        struct explain_kernel *kernel = &compiled->kernels[i];
        if (kernel->loop_count > 0) {
            compiled->kernels[kept++] = *kernel;
        } else {
            free(kernel->instructions);
            free(kernel->loops);
        }
    }
    if (with > 0)
        compiled->kernel_count = kept;
}

void host_code_read_at(const void *start, const char *folder, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                       struct explain_compiled *compiled)
{
    struct error why;
    enum status status = decoder_open(&why);
    if (status == STATUS_OK)
        status = host_walk(&start, 1, folder, add_kernel, compiled, &why);
    if (status == STATUS_OK && compiled->kernel_count == 0)
        status = fail(&why, STATUS_UNAVAILABLE, "this processor executes none of its functions");
    snprintf(architecture, EXPLAIN_ARCHITECTURE_MAX, "x86-64");
    if (status == STATUS_OK) {
        keep_loops(compiled);
    } else {
        explain_compiled_free(compiled);
        explain(compiled->reason, sizeof compiled->reason, "%s", why.text);
    }
}

void host_code_read(const struct kernel *kernel, const struct rung *rung, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                    struct explain_compiled *compiled)
{
    char folder[64];
    enum status (*start)(struct run *, struct error *) = rung->enqueue;
    const void *address;
    memcpy(&address, &start, sizeof address);
    snprintf(folder, sizeof folder, "/kernels/%s/", kernel->name);
    host_code_read_at(address, folder, architecture, compiled);
}
