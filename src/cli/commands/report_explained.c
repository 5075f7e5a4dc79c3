#include "cli/commands/report_file.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "cli/commands/explain_place.h"
#include "explain/explain.h"
#include "lab/bench/candidate.h"
#include "report/terminal/progress.h"

#define DEFAULT_ARCHITECTURE "sm_90" /* of devices that the model does not know */
#define SECTIONS_MOST 32

/* ---- which measurements ----------------------------------------------------------------------------------------- */

/* What a section shows: device rungs, or the CPU rungs of this machine's processor. */
struct subject {
    const struct kernel *kernel;
    const struct explain_place *cpu; /* NULL: device rungs */
};

/* The better of two to show a kernel by: on a GPU, then of the default problem, then the newer. */
static bool is_better(const struct measurement *one, const struct measurement *than, const char *bench)
{
    bool is_gpu = gpu_by_device_name(one->device_name) != NULL, was_gpu = gpu_by_device_name(than->device_name) != NULL;
    bool is_bench = strcmp(one->problem, bench) == 0, was_bench = strcmp(than->problem, bench) == 0;
    if (is_gpu != was_gpu)
        return is_gpu;
    return is_bench != was_bench ? is_bench : one->made_at > than->made_at;
}

static bool is_explained(const struct measurement *measurement, const struct subject *subject)
{
    bool is_here = !subject->cpu || (strcmp(measurement->device_name, subject->cpu->device->properties.name) == 0 &&
                                     measurement->threads == (unsigned)omp_get_max_threads());
    return measurement->kind == (subject->cpu ? MEASURED_HOST : MEASURED_DEVICE) && is_here &&
           measurement->verdict == VERDICT_PASS && strcmp(measurement->kernel, subject->kernel->name) == 0;
}

static const struct measurement *choose(const struct measurement_list *list, const struct subject *subject)
{
    const struct measurement *best = NULL;
    struct problem problem;
    char bench[PROBLEM_TEXT_MAX] = "";
    if (problem_parse(subject->kernel->bench, &problem, NULL) == STATUS_OK)
        problem_text(&problem, bench);
    for (size_t i = 0; i < list->count; i++)
        if (is_explained(&list->items[i], subject) && (!best || is_better(&list->items[i], best, bench)))
            best = &list->items[i];
    return best;
}

/* The newest of the rung beside `of`; NULL: it was not measured there. */
static const struct measurement *measured(const struct measurement_list *list, const struct subject *subject,
                                          const struct measurement *of, const char *rung)
{
    const struct measurement *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *item = &list->items[i];
        bool is_it = is_explained(item, subject) && strcmp(item->problem, of->problem) == 0 &&
                     strcmp(item->device, of->device) == 0 && strcmp(item->rung, rung) == 0 && item->cold == of->cold;
        if (is_it && (!found || item->made_at >= found->made_at))
            found = item;
    }
    return found;
}

/* ---- explaining ------------------------------------------------------------------------------------------------- */

/* A GPU has the ceilings that were measured on any machine that has one, then those of the report. */
static enum status find_target(struct store *store, const struct measurement *of, const struct ceiling_list *ceilings,
                               struct explain_target *target, struct error *error)
{
    const struct gpu *gpu = gpu_by_device_name(of->device_name);
    struct explain_place place;
    enum status status = explain_place_open(gpu ? gpu->name : DEFAULT_ARCHITECTURE, &place, error);
    if (status == STATUS_OK)
        status = explain_place_measured(store, &place, error);
    *target = place.target;
    for (size_t c = 0; status == STATUS_OK && gpu && c < ceilings->count; c++)
        if (strcmp(ceilings->items[c].device, of->device) == 0)
            explain_take_ceiling(target, ceiling_by_name(ceilings->items[c].what), ceilings->items[c].rate);
    explain_place_close(&place);
    return status;
}

/* "TILE=32 ROWS=8", as they were measured. */
static enum status read_parameters(const struct rung *rung, const struct problem *problem, const char *text,
                                   struct parameters *parameters, struct error *error)
{
    struct overrides overrides = {.count = 0};
    struct candidate candidate;
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));)
        if (*word && overrides_add(&overrides, word, error) != STATUS_OK)
            return STATUS_INVALID;
    enum status status = candidate_make(NULL, rung, problem, &overrides, &candidate, error);
    *parameters = candidate.parameters;
    return status;
}

static void take_access(const struct explain_access *from, struct explained_access *to)
{
    static const char *const operations[] = {
        [EXPLAIN_LOAD] = N_("load"), [EXPLAIN_STORE] = N_("store"), [EXPLAIN_ATOMIC] = N_("atomic")};
    *to = (struct explained_access){.line = from->line,
                                    .is_shared = from->space == EXPLAIN_SHARED,
                                    .operation = operations[from->operation],
                                    .bytes = from->bytes,
                                    .per_request = from->counts[0].per_request,
                                    .used_percent = from->counts[0].bytes_used_percent,
                                    .conflicts = from->counts[0].conflicts_per_request,
                                    .mask = from->sample.mask};
    _Static_assert(EXPLAINED_LANES == WARP_LANES, "a picture has a warp's lanes");
    memcpy(to->at, from->sample.at, sizeof to->at);
    snprintf(to->file, sizeof to->file, "%s", from->file);
    snprintf(to->array, sizeof to->array, "%s", from->array);
}

static const char *reason_of(const struct explanation *explanation)
{
    return explanation->refusal[0]           ? explanation->refusal
           : explanation->no_accesses[0]     ? explanation->no_accesses
           : explanation->no_caches[0]       ? explanation->no_caches
           : explanation->compiled.reason[0] ? explanation->compiled.reason
                                             : explanation->compiled.no_code;
}

static void take(const struct explanation *before, const struct explanation *explanation, struct explained_rung *rung)
{
    const struct explain_model *model = &explanation->model;
    const struct explain_trace *trace = &explanation->trace;
    snprintf(rung->name, sizeof rung->name, "%s", explanation->rung->name);
    snprintf(rung->reason, sizeof rung->reason, "%s", reason_of(explanation));
    if (!explanation->refusal[0])
        explanation_step(before, explanation, rung->step, sizeof rung->step);
    if (explanation->caches.is_partial) {
        explain(rung->reason, sizeof rung->reason, "no time is predicted: the work of %s is not recorded",
                explanation->caches.outside);
        return;
    }
    rung->predicted = model->predicted_ns;
    for (int r = 0; r < EXPLAIN_RESOURCES && rung->resource_count < EXPLAINED_RESOURCES; r++)
        if (model->is_known[r] && model->ns[r] > 0)
            rung->resources[rung->resource_count++] =
                (struct explained_resource){explain_resource_titles[r], model->ns[r]};
    for (size_t i = 0; i < trace->access_count && rung->access_count < EXPLAINED_ACCESSES; i++)
        take_access(&trace->accesses[i], &rung->accesses[rung->access_count++]);
}

static enum status explain_kernel(const struct measurement_list *list, const struct subject *subject,
                                  const struct measurement *of, const struct explain_target *target,
                                  struct explained_kernel *kernel, struct error *error)
{
    const struct rung *const *rungs;
    struct explanation explanations[2] = {{.rung = NULL}};
    struct problem problem;
    size_t count = 0;
    enum status status = problem_parse(of->problem, &problem, error);
    if (status == STATUS_OK)
        status = kernel_rungs(problem.kernel, &rungs, &count, error);
    kernel->rungs = calloc(count + 1, sizeof *kernel->rungs);
    if (!kernel->rungs)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    struct progress bar = {0};
    for (size_t r = 0; status == STATUS_OK && r < count; r++) {
        const struct measurement *item = measured(list, subject, of, rungs[r]->name);
        struct parameters parameters;
        struct explanation *now = &explanations[kernel->count % 2], *before = &explanations[1 - kernel->count % 2];
        const struct explanation_request request = {
            .problem = &problem, .rung = rungs[r], .parameters = &parameters, .target = target};
        if (!item || rungs[r]->kind != (subject->cpu ? RUNG_HOST : RUNG_DEVICE) ||
            read_parameters(rungs[r], &problem, item->parameters, &parameters, error) != STATUS_OK)
            continue;
        progress_show(&bar, rungs[r]->name, (double)r / (double)count);
        explanation_free(now);
        status = explain_rung(&request, now, error);
        if (status != STATUS_OK)
            break;
        struct explained_rung *rung = &kernel->rungs[kernel->count++];
        take(before->rung ? before : NULL, now, rung);
        bool is_comparable = subject->cpu || gpu_by_device_name(of->device_name);
        rung->measured = is_comparable ? measurement_summary(item, PHASE_COMPUTE).median : 0;
    }
    explanation_free(&explanations[0]);
    explanation_free(&explanations[1]);
    return status;
}

/* A section, if something was measured that it can show. */
static enum status add_section(struct store *store, const struct measurement_list *list,
                               const struct ceiling_list *ceilings, const struct subject *subject,
                               struct explained_list *sections, struct error *error)
{
    const struct measurement *of = choose(list, subject);
    struct explain_target target;
    struct error why;
    if (!of || sections->count == SECTIONS_MOST)
        return STATUS_OK;
    if (subject->cpu)
        target = subject->cpu->target;
    else if (find_target(store, of, ceilings, &target, &why) != STATUS_OK)
        return STATUS_OK;
    struct explained_kernel *kernel = &sections->kernels[sections->count++];
    kernel->is_cpu = subject->cpu != NULL;
    snprintf(kernel->kernel, sizeof kernel->kernel, "%s", of->kernel);
    snprintf(kernel->key, sizeof kernel->key, "%s%s", kernel->kernel, kernel->is_cpu ? "-cpu" : "");
    snprintf(kernel->problem, sizeof kernel->problem, "%s", of->problem);
    snprintf(kernel->target, sizeof kernel->target, "%s", kernel->is_cpu ? of->device_name : target.name);
    return explain_kernel(list, subject, of, &target, kernel, error);
}

enum status report_explained_load(struct store *store, const struct measurement_list *measurements,
                                  const struct ceiling_list *ceilings, struct report_explained *explained,
                                  struct error *error)
{
    struct explain_place cpu;
    *explained = (struct report_explained){.list = {.kernels = calloc(SECTIONS_MOST, sizeof(struct explained_kernel))}};
    explained->chapter = (struct chapter){.id = "why",
                                          .title = tr("Why: counted and predicted"),
                                          .write = chapter_explained,
                                          .context = &explained->list};
    if (!explained->list.kernels)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    enum status status = explain_place_open("this-cpu", &cpu, error);
    if (status == STATUS_OK)
        status = explain_place_measured(store, &cpu, error);
    for (size_t k = 0; status == STATUS_OK && kernels[k]; k++) {
        const struct subject device = {kernels[k], NULL}, host = {kernels[k], &cpu};
        status = add_section(store, measurements, ceilings, &device, &explained->list, error);
        if (status == STATUS_OK)
            status = add_section(store, measurements, ceilings, &host, &explained->list, error);
    }
    explain_place_close(&cpu);
    progress_end();
    return status;
}

void report_explained_free(struct report_explained *explained)
{
    for (size_t k = 0; k < explained->list.count; k++)
        free(explained->list.kernels[k].rungs);
    free(explained->list.kernels);
    explained->list = (struct explained_list){.count = 0};
}
