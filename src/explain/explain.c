#include "explain/explain.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "architectures/allocation.h"
#include "base/message.h"
#include "explain/accesses_of_code.h"
#include "explain/cache/geometry.h"
#include "explain/compiled/host_code.h"
#include "explain/model/look_back.h"

const struct explain_kernel *explanation_main_kernel(const struct explanation *explanation)
{
    const struct explain_kernel *most = NULL;
    for (size_t i = 0; i < explanation->compiled.kernel_count; i++) {
        const struct explain_kernel *kernel = &explanation->compiled.kernels[i];
        if (!most || explain_kernel_warps(kernel) > explain_kernel_warps(most))
            most = kernel;
    }
    return most;
}

/* Code that stands in may have more registers of an item than the architecture has: its compiler would have spilled. */
static int registers_of(const struct explanation_request *request, const struct explanation *explanation,
                        const struct explain_kernel *kernel)
{
    const struct allocation *allocation = allocation_of(request->target->compute);
    bool is_beyond =
        explanation->compiled.stands_in[0] && allocation && kernel->registers > allocation->registers_of_item;
    return is_beyond ? allocation->registers_of_item : kernel->registers;
}

static enum status find_occupancies(const struct explanation_request *request, struct explanation *explanation,
                                    struct error *error)
{
    const struct explain_compiled *compiled = &explanation->compiled;
    if (request->rung->kind != RUNG_DEVICE || compiled->kernel_count == 0 || request->target->compute == 0)
        return STATUS_OK;
    explanation->occupancies = calloc(compiled->kernel_count, sizeof *explanation->occupancies);
    if (!explanation->occupancies)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its occupancy", request->rung->name);
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        const struct explain_kernel *kernel = &compiled->kernels[i];
        struct occupancy_request one = {
            .compute = request->target->compute,
            .items = explain_kernel_items(kernel),
            .registers = registers_of(request, explanation, kernel),
            .shared_bytes = (size_t)kernel->shared_bytes,
            .groups = (size_t)explain_kernel_groups(kernel),
            .units = request->target->units,
        };
        occupancy_of(&one, &explanation->occupancies[i]);
    }
    return STATUS_OK;
}

/* A rung that cannot be traced gets the reason instead. A time of one that goes wrong would mean nothing. */
static void trace(const struct explanation_request *request, struct explanation *explanation)
{
    struct memory_rules rules;
    struct error why;
    if (request->rung->kind != RUNG_DEVICE)
        return;
    if (!request->target->capability) {
        explain(explanation->no_accesses, sizeof explanation->no_accesses,
                "accesses are counted for GPUs with CUDA (--for sm_90) and for CPU rungs (--for this-cpu)");
        return;
    }
    const char *capability = request->target->capability->version;
    enum status status = memory_rules_of(capability, L1_DEFAULT, false, &rules, &why);
    if (status == STATUS_OK && request->target->gpu)
        rules.partitions = gpu_partitions(request->target->gpu);
    struct explain_request one = {.rung = request->rung,
                                  .problem = request->problem,
                                  .parameters = explanation->parameters,
                                  .capability = capability,
                                  .local_bytes_per_group = request->target->properties.local_bytes_per_group,
                                  .rules = &rules,
                                  .rule_count = 1};
    if (status == STATUS_OK)
        status = explain_trace_run(&one, &explanation->trace, &why);
    if (status == STATUS_OK) {
        explain_take_accesses(&explanation->compiled, true, &explanation->trace);
        if (explanation->trace.access_count == 0 && explanation->trace.groups > 0)
            explain(explanation->no_accesses, sizeof explanation->no_accesses,
                    "no access to an array is left: the compiler removed what has no effect");
    } else {
        explain(explanation->no_accesses, sizeof explanation->no_accesses, "%s", why.text);
        explanation->is_wrong = status == STATUS_FAILED;
        if (!explanation->is_wrong)
            explain_take_accesses(&explanation->compiled, false, &explanation->trace);
    }
    explain_trace_look_back(&explanation->compiled, explanation->occupancies, request->target->units,
                            &explanation->trace);
}

/* Of the loops in its code, a CPU rung's inner one is that which was executed most. */
static void choose_loops(const struct explain_caches *caches, struct explain_compiled *compiled)
{
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        struct explain_kernel *kernel = &compiled->kernels[k];
        double *times = calloc(kernel->instruction_count + 1, sizeof *times), all = 0;
        for (size_t i = 0; times && i < kernel->instruction_count; i++)
            all += times[i] = explain_caches_times(caches, kernel->at + kernel->instructions[i].offset);
        if (all > 0)
            explain_kernel_count_loop(kernel, times);
        free(times);
    }
}

/* A CPU rung is simulated on the caches of this machine or of the named CPU, with that machine's number of threads. */
static void trace_caches(const struct explanation_request *request, struct explanation *explanation)
{
    struct cache_geometry geometry;
    struct error why;
    int threads = omp_get_max_threads();
    if (request->rung->kind != RUNG_HOST)
        return;
    if (request->target->caches)
        cache_geometry_of(request->target->caches, threads, &geometry);
    else
        cache_geometry_here(threads, &geometry);
    if (!request->target->caches)
        geometry.core_share = cache_core_share(geometry.core, request->target->ceilings[EXPLAIN_CLOCK],
                                               request->target->ceilings[EXPLAIN_ISSUE]);
    struct cache_trace_request one = {.rung = request->rung,
                                      .problem = request->problem,
                                      .parameters = &explanation->parameters,
                                      .geometry = &geometry,
                                      .threads = threads,
                                      .start = request->code,
                                      .folder = request->code ? "" : NULL};
    if (explain_caches_trace(&one, &explanation->caches, &why) != STATUS_OK)
        explain(explanation->no_caches, sizeof explanation->no_caches, "%s", why.text);
    else
        choose_loops(&explanation->caches, &explanation->compiled);
}

static void make_model(const struct explanation_request *request, struct explanation *explanation)
{
    struct model_request model = {.problem = request->problem,
                                  .rung = request->rung,
                                  .target = request->target,
                                  .compiled = &explanation->compiled,
                                  .occupancies = explanation->occupancies,
                                  .trace = &explanation->trace,
                                  .caches = &explanation->caches};
    explain_model_make(&model, &explanation->model);
}

/* Device rungs need a GPU as target, CPU rungs a CPU. */
static bool belongs(const struct explanation_request *request, struct explanation *explanation)
{
    bool on_cpu = request->target->kind == BACKEND_CPU;
    if (request->rung->kind == RUNG_DEVICE && !on_cpu)
        return true;
    if (request->rung->kind == RUNG_HOST && on_cpu)
        return true;
    char *refusal = explanation->refusal;
    if (request->rung->kind == RUNG_VENDOR)
        explain(refusal, EXPLAIN_REASON_MAX, "a vendor's library is not explained");
    else if (on_cpu)
        explain(refusal, EXPLAIN_REASON_MAX,
                "it runs on a GPU or through OpenCL; for example, --for sm_90 or --for opencl:0");
    else
        explain(refusal, EXPLAIN_REASON_MAX, "it runs on the CPU: --for this-cpu");
    return false;
}

enum status explain_rung(const struct explanation_request *request, struct explanation *explanation,
                         struct error *error)
{
    *explanation = (struct explanation){.rung = request->rung};
    enum status status = STATUS_OK;
    if (request->parameters)
        explanation->parameters = *request->parameters;
    else
        status = rung_defaults(request->rung, request->problem, &explanation->parameters, error);
    if (status != STATUS_OK || !belongs(request, explanation))
        return status;
    if (request->code)
        host_code_read_at(request->code, "", explanation->architecture, &explanation->compiled);
    else
        explain_compile(request->problem, request->rung, &explanation->parameters, request->target,
                        explanation->architecture, &explanation->compiled);
    if (explanation->compiled.is_refused) {
        snprintf(explanation->refusal, sizeof explanation->refusal, "%s", explanation->compiled.reason);
        explain_compiled_free(&explanation->compiled);
        return STATUS_OK;
    }
    status = find_occupancies(request, explanation, error);
    if (status == STATUS_OK) {
        trace(request, explanation);
        trace_caches(request, explanation);
        if (!explanation->is_wrong && !explanation->compiled.is_broken)
            make_model(request, explanation);
    } else {
        explanation_free(explanation);
    }
    return status;
}

void explanation_free(struct explanation *explanation)
{
    explain_compiled_free(&explanation->compiled);
    explain_trace_free(&explanation->trace);
    explain_caches_free(&explanation->caches);
    free(explanation->occupancies);
    *explanation = (struct explanation){.rung = explanation->rung};
}
