#include "cli/commands/try_job.h"
#include "cli/options/outcome.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"
#include "base/translation.h"
#include "files/output.h"
#include "kernels/kernel.h"

/* What CUDA C says for the words of OpenCL's skeletons. */
static const char *const cuda_words[][2] = {
    {"__kernel void", "extern \"C\" __global__ void"},
    {"static int", "static __device__ int"},
    {"__global ", ""},
    {"__local ", "__shared__ "},
    {"uchar", "unsigned char"},
    {"get_global_id(0)", "blockIdx.x * blockDim.x + threadIdx.x"},
    {"get_global_id(1)", "blockIdx.y * blockDim.y + threadIdx.y"},
    {"get_global_id(2)", "blockIdx.z * blockDim.z + threadIdx.z"},
    {"get_local_id(0)", "threadIdx.x"},
    {"get_local_size(0)", "blockDim.x"},
    {"barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()"},
    {"barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()"},
};

static const struct skeleton_form {
    const char *ending, *source;   /* of the file, and of the skeleton that it comes from */
    const char *const (*words)[2]; /* exchanged on the way */
    size_t word_count;
} forms[] = {
    {".cl", ".cl", NULL, 0},
    {".cu", ".cl", cuda_words, COUNT_OF(cuda_words)},
    {".c", ".c.txt", NULL, 0},
};

static const struct skeleton_form *form_of(const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; ending && i < COUNT_OF(forms); i++)
        if (strcmp(ending, forms[i].ending) == 0)
            return &forms[i];
    return NULL;
}

static enum status write_text(struct output *output, const char *text, const struct skeleton_form *form,
                              struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && *text) {
        const char *next = text + strlen(text), *instead = "";
        size_t length = 0; /* of the next word to exchange; 0: none is left */
        for (size_t i = 0; i < form->word_count; i++) {
            const char *at = strstr(text, form->words[i][0]);
            if (at && at < next) {
                next = at;
                length = strlen(form->words[i][0]);
                instead = form->words[i][1];
            }
        }
        status = output_write(output, text, (size_t)(next - text), error);
        if (status == STATUS_OK)
            status = output_write(output, instead, strlen(instead), error);
        text = next + length;
    }
    return status;
}

enum status try_skeleton_write(const char *kernel_name, const char *path, bool is_simple, bool force,
                               struct error *error)
{
    const struct kernel *kernel = kernel_by_name(kernel_name, error);
    const struct skeleton_form *form = form_of(path);
    char name[128];
    if (!kernel)
        return STATUS_INVALID;
    if (!form)
        return fail(error, STATUS_INVALID,
                    "--new needs -o FILE.cl (OpenCL C), -o FILE.cu (CUDA C) or -o FILE.c (C for the CPU)");
    snprintf(name, sizeof name, "kernels/%s/skeleton%s%s", kernel->name, is_simple ? "_simple" : "", form->source);
    const struct embedded_file *skeleton = embedded_find(name);
    if (!skeleton && is_simple)
        return fail(error, STATUS_INVALID, "%s has no skeleton with one size for all: leave out --simple",
                    kernel->name);
    if (!skeleton)
        return fail(error, STATUS_INVALID, "%s has no skeleton", kernel->name);
    struct output *output;
    enum status status = output_create(path, force, &output, error);
    if (status != STATUS_OK)
        return status;
    status = write_text(output, skeleton->text, form, error);
    if (status == STATUS_OK)
        return output_finish(output, error);
    output_abandon(output);
    return status;
}

int try_skeleton(const char *kernel, const char *path, bool is_simple, bool force)
{
    struct error error;
    enum status status = try_skeleton_write(kernel, path, is_simple, force, &error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    printf(tr("%s is right as it is. Judge it: uskor try %s %s\n"), path, kernel, path);
    return said_all(EXIT_DONE);
}
