#include "explain/what_if.h"

#include <stdlib.h>
#include <string.h>

/* A copy with room for one more; NULL when there is nothing to copy. */
static void *copy(const void *from, size_t count, size_t size, bool *is_good)
{
    void *made = from ? calloc(count + 1, size) : NULL;
    if (made)
        memcpy(made, from, count * size);
    *is_good &= made || !from;
    return made;
}

bool what_if_begin(const struct explanation_request *request, const struct explanation *explanation,
                   struct what_if *what_if)
{
    const struct explain_compiled *compiled = &explanation->compiled;
    bool is_good = true;
    *what_if = (struct what_if){.request = request, .compiled = *compiled, .trace = explanation->trace};
    what_if->trace.accesses =
        copy(explanation->trace.accesses, explanation->trace.access_count, sizeof *what_if->trace.accesses, &is_good);
    what_if->added = what_if->trace.accesses ? &what_if->trace.accesses[what_if->trace.access_count] : NULL;
    what_if->occupancies =
        copy(explanation->occupancies, compiled->kernel_count, sizeof *what_if->occupancies, &is_good);
    what_if->compiled.kernels =
        copy(compiled->kernels, compiled->kernel_count, sizeof *what_if->compiled.kernels, &is_good);
    for (size_t k = 0; what_if->compiled.kernels && k < compiled->kernel_count; k++) {
        const struct explain_kernel *from = &compiled->kernels[k];
        struct explain_kernel *to = &what_if->compiled.kernels[k];
        size_t count = from->instruction_count;
        to->instructions = copy(from->instructions, count, sizeof *to->instructions, &is_good);
        to->executed = copy(from->executed, count, sizeof *to->executed, &is_good);
        to->longest = copy(from->longest, count, sizeof *to->longest, &is_good);
    }
    return is_good;
}

void what_if_end(struct what_if *what_if)
{
    for (size_t k = 0; what_if->compiled.kernels && k < what_if->compiled.kernel_count; k++) {
        free(what_if->compiled.kernels[k].instructions);
        free(what_if->compiled.kernels[k].executed);
        free(what_if->compiled.kernels[k].longest);
    }
    free(what_if->compiled.kernels);
    free(what_if->occupancies);
    free(what_if->trace.accesses);
}

double what_if_time(struct what_if *what_if)
{
    const struct explain_caches none = {.site_count = 0};
    struct explain_model model;
    struct model_request request = {.problem = what_if->request->problem,
                                    .rung = what_if->request->rung,
                                    .target = what_if->request->target,
                                    .compiled = &what_if->compiled,
                                    .occupancies = what_if->occupancies,
                                    .trace = &what_if->trace,
                                    .caches = &none};
    explain_model_make(&request, &model);
    return model.predicted_ns;
}

void what_if_scale(struct explain_kernel *kernel, size_t instruction, double times)
{
    if (kernel->executed) {
        kernel->executed[instruction] *= times;
        kernel->longest[instruction] *= times;
    }
    kernel->instructions[instruction].is_slow_path |= times == 0; /* without executions it counts as not executed */
}

void what_if_thin(struct explain_access *access, double times)
{
    struct explain_counts *counts = &access->counts[0];
    double *const figures[] = {&access->warp_accesses, &access->first_bytes,  &access->lines,
                               &access->l1_passes,     &access->merged_bytes, &counts->requests,
                               &counts->conflicts,     &counts->bytes_moved,  &counts->bytes_used,
                               &counts->transactions,  &access->hottest,      &access->hottest_slice};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        *figures[i] *= times;
}
