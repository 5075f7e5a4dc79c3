#include <jansson.h>
#include <stdio.h>

#include "base/size.h"
#include "cli/commands/explain_show.h"
#include "explain/causes.h"
#include "explain/model/look_back.h"
#include "report/export/json.h"

/* null where the count is unknown. */
static json_t *whole(int64_t value)
{
    return value < 0 ? json_null() : json_integer(value);
}

static json_t *reason(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

/* ---- compiled ---- */

static json_t *class_counts(const int *counts)
{
    json_t *object = json_object();
    for (int class = 0; class < CODE_CLASSES; class ++)
        if (counts[class] > 0)
            json_object_set_new(object, code_classes[class].key, json_integer(counts[class]));
    return object;
}

static json_t *width_counts(const int *counts)
{
    json_t *object = json_object();
    for (int i = 0; i < CODE_WIDTHS; i++) {
        char bits[8];
        snprintf(bits, sizeof bits, "%d", 8 << i);
        if (counts[i] > 0)
            json_object_set_new(object, bits, json_integer(counts[i]));
    }
    return object;
}

static json_t *fp64_lines(const struct explain_kernel *kernel)
{
    json_t *list = json_array();
    for (size_t i = 0; i < kernel->fp64_line_count; i++)
        json_array_append_new(
            list, json_pack("{s:i, s:i}", "line", kernel->fp64_lines[i].line, "count", kernel->fp64_lines[i].count));
    return list;
}

static json_t *sizes(const size_t values[3], int rank)
{
    json_t *list = json_array();
    for (int i = 0; i < rank; i++)
        json_array_append_new(list, json_integer((json_int_t)values[i]));
    return list;
}

static void add_code(json_t *object, const struct explain_kernel *kernel)
{
    static const char *const counts[] = {"instructions",      "innermost_loop",   "global_load_bits",
                                         "global_store_bits", "shared_load_bits", "shared_store_bits",
                                         "fp64_lines"};
    for (size_t i = 0; i < COUNT_OF(counts) && !kernel->is_disassembled; i++)
        json_object_set_new(object, counts[i], json_null());
    if (!kernel->is_disassembled)
        return;
    json_object_set_new(object, "instructions", class_counts(kernel->counts));
    json_object_set_new(object, "innermost_loop", class_counts(kernel->loop_counts));
    json_object_set_new(object, "global_load_bits", width_counts(kernel->loads));
    json_object_set_new(object, "global_store_bits", width_counts(kernel->stores));
    json_object_set_new(object, "shared_load_bits", width_counts(kernel->shared_loads));
    json_object_set_new(object, "shared_store_bits", width_counts(kernel->shared_stores));
    json_object_set_new(object, "fp64_lines", fp64_lines(kernel));
    if (kernel->is_of_cpu)
        json_object_set_new(object, "arithmetic_bits", width_counts(kernel->arithmetic));
}

static json_t *kernel_object(const struct explain_kernel *kernel)
{
    json_t *object = json_pack("{s:s, s:s, s:I}", "kernel", kernel->name, "file", kernel->file, "launches",
                               (json_int_t)kernel->launches);
    if (kernel->rank > 0) {
        json_object_set_new(object, "group", sizes(kernel->group, kernel->rank));
        json_object_set_new(object, "groups", sizes(kernel->groups, kernel->rank));
    }
    if (kernel->is_of_cpu) {
        json_object_set_new(object, "vector_bits", json_integer(kernel->vector_bits));
    } else {
        json_object_set_new(object, "registers", json_integer(kernel->registers));
        json_object_set_new(object, "stack_bytes", json_integer(kernel->stack_bytes));
        json_object_set_new(object, "shared_bytes", json_integer(kernel->shared_bytes));
    }
    json_object_set_new(object, "spill_store_bytes", whole(kernel->spill_store_bytes));
    json_object_set_new(object, "spill_load_bytes", whole(kernel->spill_load_bytes));
    add_code(object, kernel);
    return object;
}

static json_t *compiled_object(const struct explain_compiled *compiled)
{
    struct explain_totals totals = explain_totals_of(compiled);
    json_t *list = json_array();
    if (compiled->kernel_count == 0) {
        json_decref(list);
        return json_null();
    }
    for (size_t i = 0; i < compiled->kernel_count; i++)
        json_array_append_new(list, kernel_object(&compiled->kernels[i]));
    return json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "registers",
                     whole(totals.registers > 0 ? totals.registers : -1), "spill_bytes", whole(totals.spill_bytes),
                     "stack_bytes", totals.stack_bytes, "shared_bytes", totals.shared_bytes, "fp64_instructions",
                     whole(totals.fp64_instructions), "stands_in", reason(compiled->stands_in), "read_from",
                     compiled->read_from ? json_string(compiled->read_from) : json_null(), "kernels", list);
}

/* ---- the rest ---- */

static json_t *accesses_array(const struct explanation *explanation)
{
    json_t *list = json_array();
    for (size_t i = 0; i < explanation->trace.access_count; i++) {
        const struct explain_access *access = &explanation->trace.accesses[i];
        const struct explain_counts *counts = &access->counts[0];
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
                      "s:f}",
                      "file", access->file, "kernel", access->kernel, "line", access->line, "array", access->array,
                      "space", explain_space_name(access->space), "operation",
                      explain_operation_name(access->operation), "bytes", (int)access->bytes, "requests",
                      counts->requests, "transactions", counts->transactions, "per_request", counts->per_request,
                      "bytes_used_percent", counts->bytes_used_percent, "conflicts_per_request",
                      counts->conflicts_per_request, "instructions", access->warp_accesses, "first_bytes",
                      access->first_bytes, "bytes_moved", counts->bytes_moved, "lines", access->lines, "l1_passes",
                      access->l1_passes, "conflicts", counts->conflicts, "array_bytes", access->array_bytes));
    }
    return list;
}

static json_t *occupancy_object(const struct explanation *explanation)
{
    const struct explain_kernel *kernel = explanation_main_kernel(explanation);
    if (!kernel || !explanation->occupancies)
        return json_null();
    const struct explain_occupancy *one = &explanation->occupancies[kernel - explanation->compiled.kernels];
    return json_pack("{s:i, s:i, s:s, s:o, s:i, s:s}", "warps", one->warps, "warps_max", one->warps_max, "limited_by",
                     occupancy_limit_keys[one->limited_by], "waves",
                     one->waves > 0 ? json_real(one->waves) : json_null(), "groups", one->groups, "kernel",
                     kernel->name);
}

/* What each kernel does in all its launches: what the model is made of. */
static json_t *work_array(const struct explanation *explanation)
{
    json_t *list = json_array();
    for (size_t i = 0; i < explanation->compiled.kernel_count; i++) {
        struct kernel_work work;
        const struct explain_occupancy *one = explanation->occupancies ? &explanation->occupancies[i] : NULL;
        const struct explain_kernel *kernel = &explanation->compiled.kernels[i];
        if (!explain_kernel_work(&explanation->compiled, i, &explanation->trace,
                                 explanation->rung->tensor_products ? 0 : explanation->model.operations,
                                 explain_groups_at_once(kernel, one, explanation->model.units), &work))
            continue;
        json_t *pipes = json_object();
        for (int p = 0; p < CODE_PIPES; p++)
            json_object_set_new(pipes, code_pipe_keys[p], json_real(work.pipes[p]));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:o}", "kernel", kernel->name,
                            "file", kernel->file, "share", explain_kernel_share(&explanation->compiled, i), "launches",
                            (json_int_t)kernel->launches, "warps", work.warps, "instructions", work.issued, "barriers",
                            work.barriers, "alone_l2", work.alone_l2, "alone_dram", work.alone_dram, "resident_groups",
                            one ? one->groups : 0, "resident_warps", one ? one->warps : 0, "units", pipes));
    }
    return list;
}

static json_t *resources_array(const struct explain_model *model)
{
    json_t *list = json_array();
    for (int r = 0; r < EXPLAIN_RESOURCES; r++)
        if (model->is_known[r])
            json_array_append_new(list, json_pack("{s:s, s:f}", "name", explain_resource_keys[r], "ns", model->ns[r]));
    return list;
}

static json_t *advice_array(const struct explanation_request *request, const struct explanation *explanation)
{
    struct explain_cause causes[EXPLAIN_CAUSES_MAX];
    size_t count = explain_causes(request, explanation, causes);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:s, s:f, s:f, s:f, s:f}", "cause", explain_cause_keys[causes[i].kind],
                            "kernel", explanation->compiled.kernels[causes[i].kernel].name, "line", causes[i].line,
                            "array", causes[i].array, "before", causes[i].before, "after", causes[i].after,
                            "predicted_ns", causes[i].predicted_ns, "gain", causes[i].gain));
    return list;
}

static json_t *rung_object(const struct explanation_request *request, const struct explanation *explanation)
{
    const struct explain_target *target = request->target;
    const struct explain_model *model = &explanation->model;
    json_t *object = json_pack("{s:s, s:s, s:o}", "rung", explanation->rung->name, "target", target->name, "refused",
                               reason(explanation->refusal));
    json_object_set_new(object, "architecture", reason(explanation->architecture));
    json_object_set_new(object, "compiled", compiled_object(&explanation->compiled));
    json_object_set_new(object, "not_compiled", reason(explanation->compiled.reason));
    json_object_set_new(object, "no_code", reason(explanation->compiled.no_code));
    json_object_set_new(object, "accesses", accesses_array(explanation));
    json_object_set_new(object, "accesses_of",
                        explanation->trace.access_count == 0 ? json_null()
                        : explanation->trace.is_of_code      ? json_string("machine code")
                                                             : json_string("source"));
    json_object_set_new(object, "no_accesses", reason(explanation->no_accesses));
    json_object_set_new(object, "trace", explain_findings_json(&explanation->trace));
    json_object_set_new(object, "caches", explain_caches_json(explanation));
    json_object_set_new(object, "no_caches", reason(explanation->no_caches));
    json_object_set_new(object, "occupancy", occupancy_object(explanation));
    json_object_set_new(object, "work", work_array(explanation));
    json_object_set_new(object, "resources", resources_array(model));
    json_object_set_new(object, "partitions",
                        model->partitions ? json_pack("{s:i, s:f}", "count", (int)model->partitions, "imbalance",
                                                      model->partition_imbalance)
                                          : json_null());
    json_object_set_new(object, "advice", advice_array(request, explanation));
    json_object_set_new(object, "own_memory", explain_stack_json(model));
    json_object_set_new(object, "bound_by",
                        model->bound_count > 0 ? json_string(explain_resource_keys[model->bound_by[0]]) : json_null());
    json_object_set_new(object, "intensity", model->intensity > 0 ? json_real(model->intensity) : json_null());
    json_object_set_new(object, "predicted_ns", model->predicted_ns > 0 ? json_real(model->predicted_ns) : json_null());
    json_object_set_new(object, "measured_ns",
                        explanation->measured_ns > 0 ? json_real(explanation->measured_ns) : json_null());
    return object;
}

static json_t *item_object(const struct explain_list *list, size_t item)
{
    struct explanation_request request = explain_request_of(list, item);
    return rung_object(&request, &list->items[item]);
}

bool explain_json(FILE *stream, const struct explain_list *list)
{
    char text[PROBLEM_TEXT_MAX];
    json_t *rungs = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(rungs, item_object(list, i));
    return report_json_write(stream, "uskor.explanation/1",
                             json_pack("{s:s, s:o}", "problem", problem_text(list->problem, text), "rungs", rungs));
}

bool explain_balance_json(FILE *stream)
{
    json_t *list = json_array();
    for (size_t i = 0; i < gpu_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f}", "name", gpus[i].name, "compute_capability",
                                              gpus[i].version, "fp32_gflops", gpus[i].figures[GPU_FP32].value,
                                              "bandwidth_gb_per_s", gpus[i].figures[GPU_BANDWIDTH].value, "balance",
                                              gpu_balance(&gpus[i])));
    return report_json_write(stream, "uskor.balance/1", json_pack("{s:o}", "gpus", list));
}
