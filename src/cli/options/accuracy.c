#include "cli/options/accuracy.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/accuracy.h"

void accuracy_sizes(struct bench_session *session)
{
    bool is_gpu = false;
    const struct kernel *kernel = session->target_count == 1 && !strchr(session->targets[0], ':')
                                      ? kernel_by_name(session->targets[0], NULL)
                                      : NULL;
    if (!kernel || !kernel->accuracy)
        return;
    for (size_t d = 0; d < session->selection.device_count; d++)
        is_gpu = is_gpu || !session->selection.devices[d]->properties.is_cpu;
    const char *const *sizes = is_gpu ? kernel->accuracy->sizes_gpu : kernel->accuracy->sizes_cpu;
    for (session->target_count = 0; sizes[session->target_count]; session->target_count++)
        session->targets[session->target_count] = sizes[session->target_count];
}

enum status accuracy_candidates(const struct bench_session *session, const struct problem *problem,
                                struct candidate **candidates, size_t *count, struct error *error)
{
    static const struct overrides none;
    const struct selection *selection = &session->selection;
    const struct accuracy_view *view = problem->kernel->accuracy;
    size_t extra_count = 0;
    while (view && view->extra[extra_count])
        extra_count++;
    enum status status = selection_candidates(selection, problem, candidates, count, error);
    if (status != STATUS_OK)
        return status;
    struct candidate *all = realloc(*candidates, (*count + extra_count * selection->device_count + 1) * sizeof *all);
    if (!all) {
        free(*candidates);
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", *count + extra_count);
    }
    *candidates = all;
    for (size_t d = 0; d < selection->device_count; d++)
        for (size_t i = 0; status == STATUS_OK && i < extra_count; i++)
            if (view->extra[i]->backends & selection->devices[d]->backend->kind)
                status = candidate_make(selection->devices[d], view->extra[i], problem, &none, &all[(*count)++], error);
    if (status != STATUS_OK)
        free(all);
    return status;
}

/* "input=…" in the text of any problem that was asked for. */
static bool names_inputs(const struct bench_session *session, const char *field)
{
    for (size_t i = 0; i < session->target_count; i++) {
        const char *at = strstr(session->targets[i], field);
        if (at && at[strlen(field)] == '=')
            return true;
    }
    return false;
}

/* The number of the choice among the field's; 0 when it has none of this name. */
static int64_t choice_number(const struct kernel *kernel, const char *field, const char *choice)
{
    for (size_t i = 0; i < kernel->field_count; i++)
        for (int64_t c = 0; strcmp(kernel->fields[i].name, field) == 0 && kernel->fields[i].choices[c]; c++)
            if (strcmp(kernel->fields[i].choices[c], choice) == 0)
                return c;
    return 0;
}

enum status accuracy_each_input(struct bench_session *session, const struct problem *problem,
                                enum status (*measure)(struct bench_session *, const struct problem *, struct error *),
                                struct error *error)
{
    enum status status = STATUS_OK;
    const struct accuracy_view *view = problem->kernel->accuracy;
    if (!view || names_inputs(session, view->field))
        return measure(session, problem, error);
    for (size_t i = 0; status == STATUS_OK && view->inputs[i]; i++) {
        struct problem each = *problem;
        problem_set_size(&each, view->field, choice_number(problem->kernel, view->field, view->inputs[i]));
        status = measure(session, &each, error);
    }
    return status;
}
