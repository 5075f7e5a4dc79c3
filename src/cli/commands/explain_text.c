/* An explanation as people read it: a row for each part, in lines of at most 80 letters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/commands/explain_show.h"
#include "report/terminal/cells.h"

#define TEXT_MAX 1024

/* With the language's point: "12.5" of a format. */
__attribute__((format(printf, 3, 0))) static const char *number(char *text, size_t size, const char *format,
                                                                double value)
{
    snprintf(text, size, format, value);
    return say_number(text);
}

static const char *duration(double ns, char *text, size_t size)
{
    text_duration(ns, text, size);
    return say_quantity(text, size);
}

static const char *bytes_of(double bytes, char *text, size_t size)
{
    text_bytes(bytes, text, size);
    return say_quantity(text, size);
}

/* ---- compiled ---- */

static void add_widths(char *text, size_t size, const int counts[CODE_WIDTHS])
{
    const char *before = "";
    for (int i = 0; i < CODE_WIDTHS; i++)
        if (counts[i] > 0) {
            text_append(text, size, tr("%s%d of %d bits"), before, counts[i], 8 << i);
            before = ", ";
        }
}

static void print_resources_of_item(FILE *stream, const struct explain_kernel *kernel, bool names_it,
                                    const char *stands_in)
{
    char text[TEXT_MAX] = "", bytes[32];
    if (kernel->rank == 0)
        text_append(text, sizeof text, "%s, %s: ", kernel->name, kernel->file);
    else if (names_it)
        text_append(text, sizeof text, tr_plural("%s, %zu launch: ", "%s, %zu launches: ", kernel->launches),
                    kernel->name, kernel->launches);
    if (stands_in[0])
        text_append(text, sizeof text, tr("for %s, the oldest that this NVRTC knows: "), stands_in);
    if (!kernel->is_of_cpu)
        text_append(text, sizeof text, tr("%d registers"), kernel->registers);
    else if (kernel->vector_bits > 0)
        text_append(text, sizeof text, tr("vectors of %d bits"), kernel->vector_bits);
    else
        text_append(text, sizeof text, "%s", tr("no vectors"));
    if (kernel->spill_store_bytes > 0 || kernel->spill_load_bytes > 0)
        text_append(text, sizeof text, tr("; spills: %d bytes stored, %d loaded"), kernel->spill_store_bytes,
                    kernel->spill_load_bytes);
    else if (kernel->spill_store_bytes == 0)
        text_append(text, sizeof text, "%s", tr("; no spills"));
    if (kernel->stack_bytes > 0)
        text_append(text, sizeof text, tr("; %d bytes of stack an item"), kernel->stack_bytes);
    if (kernel->shared_bytes > 0)
        text_append(text, sizeof text, tr("; %s of local memory a group"),
                    bytes_of(kernel->shared_bytes, bytes, sizeof bytes));
    explain_row(stream, tr("compiled"), text);
}

static void print_classes(FILE *stream, const char *label, const int counts[CODE_CLASSES])
{
    char text[TEXT_MAX] = "";
    int all = 0;
    for (int class = 0; class < CODE_CLASSES; class ++)
        all += counts[class];
    if (all == 0)
        return;
    text_append(text, sizeof text, "%d: ", all);
    const char *before = "";
    for (int class = 0; class < CODE_CLASSES; class ++)
        if (counts[class] > 0) {
            text_append(text, sizeof text, "%s%s — %d", before, tr(code_classes[class].title), counts[class]);
            before = "; ";
        }
    explain_row(stream, label, text);
}

static void print_doubles(FILE *stream, const struct explain_kernel *kernel)
{
    char text[TEXT_MAX] = "";
    if (kernel->counts[CODE_FP64] == 0 || kernel->rank == 0)
        return;
    text_append(text, sizeof text, tr("%d instructions in double precision:"), kernel->counts[CODE_FP64]);
    for (size_t i = 0; i < kernel->fp64_line_count; i++) {
        const struct explain_line_count *line = &kernel->fp64_lines[i];
        if (line->line > 0)
            text_append(text, sizeof text, tr(" %s line %d (%d)"), kernel->file, line->line, line->count);
        else
            text_append(text, sizeof text, tr(" elsewhere (%d)"), line->count);
    }
    explain_row(stream, "FP64", text);
}

static void print_widths(FILE *stream, const struct explain_kernel *kernel)
{
    const struct {
        const char *label;
        const int *counts;
    } rows[] = {{N_("arithmetic"), kernel->arithmetic},
                {N_("loads"), kernel->loads},
                {N_("stores"), kernel->stores},
                {N_("loc. loads"), kernel->shared_loads},
                {N_("loc.stores"), kernel->shared_stores}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT_MAX] = "";
        add_widths(text, sizeof text, rows[i].counts);
        if (text[0])
            explain_row(stream, tr(rows[i].label), text);
    }
}

static void print_compiled(FILE *stream, const struct explanation *explanation)
{
    const struct explain_compiled *compiled = &explanation->compiled;
    if (compiled->reason[0])
        explain_row(stream, tr("compiled"), say_message(compiled->reason));
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        const struct explain_kernel *kernel = &compiled->kernels[i];
        print_resources_of_item(stream, kernel, compiled->kernel_count > 1, compiled->stands_in);
        print_classes(stream, tr("code"), kernel->counts);
        print_classes(stream, tr("inner loop"), kernel->loop_counts);
        print_widths(stream, kernel);
        print_doubles(stream, kernel);
    }
    if (compiled->read_from && compiled->kernel_count > 0)
        explain_row(stream, tr("read from"), tr(compiled->read_from));
    if (compiled->no_code[0])
        explain_row(stream, tr("code"), say_message(compiled->no_code));
}

/* ---- memory ---- */

static const char *const operations[] = {
    [EXPLAIN_LOAD] = N_("load"), [EXPLAIN_STORE] = N_("store"), [EXPLAIN_ATOMIC] = N_("atomic")};

/* The group's memory by its language's word. */
static const char *group_memory(const struct explain_access *access)
{
    const char *dot = strrchr(access->file, '.');
    return dot && strcmp(dot, ".cu") == 0 ? tr("shared") : tr("local");
}

static void print_access(FILE *stream, const struct explain_access *access)
{
    const struct explain_counts *counts = &access->counts[0];
    char text[64];
    bool is_shared = access->space == EXPLAIN_SHARED;
    fprintf(stream, "  %6d  ", access->line);
    columns_print(stream, "<10 <8 <10", access->array, tr(operations[access->operation]),
                  is_shared                      ? group_memory(access)
                  : access->space == EXPLAIN_OWN ? tr("own")
                                                 : tr("global"));
    column_right(stream, number(text, sizeof text, counts->requests < 1e9 ? "%.0f" : "%.4g", counts->requests), 10);
    column_right(stream, number(text, sizeof text, "%.2f", counts->per_request), 11);
    if (is_shared)
        column_right(stream, number(text, sizeof text, "%.2f", counts->conflicts_per_request), 18);
    else
        column_right(stream, number(text, sizeof text, "%.0f %%", counts->bytes_used_percent), 8);
    fputc('\n', stream);
}

static void print_head(FILE *stream)
{
    columns_print(stream, "  >6  <10 <8 <10>10>11>8>10\n", tr("line"), tr("array"), tr("access"), tr("memory"),
                  tr("requests"), tr("each"), tr("used"), tr("conflicts"));
}

static void print_accesses(FILE *stream, const struct explanation *explanation, const struct explain_target *target)
{
    const struct explain_trace *trace = &explanation->trace;
    if (trace->access_count == 0) {
        if (explanation->no_accesses[0])
            explain_row(stream, tr("memory"), say_message(explanation->no_accesses));
        return;
    }
    if (trace->is_of_code) {
        explain_row(stream, tr("memory"), say_message(explanation->no_accesses));
        explain_row(stream, "", tr("counted by executing the machine code"));
    } else if (target->compute >= 70) {
        explain_row(stream, tr("memory"),
                    tr("counted from the source: what is loaded decides, or the machine code could not be executed"));
    }
    print_head(stream);
    for (size_t i = 0; i < trace->access_count; i++)
        print_access(stream, &trace->accesses[i]);
    explain_print_findings(stream, trace);
}

/* ---- occupancy ---- */

static void print_better(FILE *stream, const struct explanation *explanation, const struct explain_target *target,
                         const struct explain_kernel *kernel)
{
    struct occupancy_request request = {.compute = target->compute,
                                        .items = kernel->group[0] * kernel->group[1] * kernel->group[2],
                                        .registers = kernel->registers,
                                        .shared_bytes = (size_t)kernel->shared_bytes};
    size_t items[4], count = occupancy_better_sizes(&request, items, 4);
    char text[TEXT_MAX] = "";
    (void)explanation;
    for (size_t i = 0; i < count; i++)
        text_append(text, sizeof text, "%s%zu", i > 0 ? ", " : "", items[i]);
    if (count > 0) {
        char line[TEXT_MAX];
        snprintf(line, sizeof line, tr("more warps fit with groups of %s items"), text);
        explain_row(stream, "", line);
    }
}

/* Of the kernel that takes most of the time, which is named where there are several. */
static void print_occupancy(FILE *stream, const struct explanation *explanation, const struct explain_target *target)
{
    char text[TEXT_MAX] = "", waves[32], tail[32];
    if (explanation->compiled.kernel_count == 0 || !explanation->occupancies)
        return;
    const struct explain_kernel *kernel = &explanation->compiled.kernels[explanation->model.longest];
    const struct explain_occupancy *one = &explanation->occupancies[explanation->model.longest];
    if (explanation->compiled.kernel_count > 1)
        text_append(text, sizeof text, "%s: ", kernel->name);
    if (one->limited_by == OCCUPANCY_IMPOSSIBLE)
        text_append(text, sizeof text, tr("none of %d warps: a group does not fit a multiprocessor"), one->warps_max);
    else if (one->limited_by == OCCUPANCY_BY_WARPS)
        text_append(text, sizeof text, tr("%d of %d warps: all that fit"), one->warps, one->warps_max);
    else
        text_append(text, sizeof text, tr("%d of %d warps; limited by %s"), one->warps, one->warps_max,
                    tr(occupancy_limit_titles[one->limited_by]));
    if (one->limited_by == OCCUPANCY_BY_REGISTERS && explanation->compiled.stands_in[0])
        text_append(text, sizeof text, tr(" of the code for %s"), explanation->compiled.stands_in);
    if (one->waves > 0)
        text_append(text, sizeof text, tr("; %s waves, the last fills %s %% of the device"),
                    number(waves, sizeof waves, one->waves < 10 ? "%.2g" : "%.0f", one->waves),
                    number(tail, sizeof tail, "%.0f", 100 * one->tail));
    explain_row(stream, tr("occupancy"), text);
    print_better(stream, explanation, target, kernel);
}

/* ---- the model ---- */

static void print_partitions(FILE *stream, const struct explain_model *model)
{
    char text[TEXT_MAX] = "", times[32];
    if (model->partitions == 0)
        return;
    text_append(text, sizeof text, tr("%u of 256-byte blocks; the busiest takes %s times as long as an even share"),
                model->partitions, number(times, sizeof times, "%.2f", model->partition_imbalance));
    explain_row(stream, tr("partitions"), text);
}

static void print_model(FILE *stream, const struct explanation *explanation, const struct explain_target *target)
{
    const struct explain_model *model = &explanation->model;
    char text[TEXT_MAX] = "", time[32];
    const char *before = "";
    print_partitions(stream, model);
    for (int r = 0; r < EXPLAIN_RESOURCES; r++)
        if (model->is_known[r] && model->ns[r] > 0) {
            text_append(text, sizeof text, "%s%s %s", before, tr(explain_resource_titles[r]),
                        duration(model->ns[r], time, sizeof time));
            before = ", ";
        }
    if (text[0])
        explain_row(stream, tr("resources"), text);
    else if (explanation->is_wrong || (target->compute && explanation->compiled.kernel_count == 0))
        return; /* a row above tells why */
    else if (target->gpu || target->kind == BACKEND_CPU || !target->compute)
        explain_row(stream, tr("resources"),
                    tr("no ceilings are stored for this device; 'uskor ceilings' measures them"));
    else
        explain_row(stream, tr("resources"), tr("no rates are published here for a GPU of this architecture"));
}

static void print_prediction(FILE *stream, const struct explanation *explanation)
{
    const struct explain_model *model = &explanation->model;
    char text[TEXT_MAX] = "", time[32];
    if (model->predicted_ns <= 0)
        return;
    text_append(text, sizeof text, tr("%s; bound by %s"), duration(model->predicted_ns, time, sizeof time),
                tr(explain_resource_titles[model->bound_by[0]]));
    for (int i = 1; i < model->bound_count; i++)
        text_append(text, sizeof text, i == 1 ? tr(", then by %s") : tr(" and %s"),
                    tr(explain_resource_titles[model->bound_by[i]]));
    explain_row(stream, tr("predicted"), text);
    if (explanation->measured_ns > 0) {
        char share[32];
        snprintf(text, sizeof text, tr("%s; the prediction is %s %% of it"),
                 duration(explanation->measured_ns, time, sizeof time),
                 number(share, sizeof share, "%.0f", 100 * model->predicted_ns / explanation->measured_ns));
        explain_row(stream, tr("measured"), text);
    }
}

/* ---- all ---- */

static void print_one(FILE *stream, const struct explanation *before, const struct explanation *explanation,
                      const struct explain_target *target)
{
    char step[TEXT_MAX];
    fprintf(stream, "\n%s", explanation->rung->name);
    for (size_t i = 0; i < explanation->rung->tunable_count && !explanation->refusal[0]; i++)
        fprintf(stream, "  %s=%ld", explanation->rung->tunables[i].name, (long)explanation->parameters.values[i]);
    fprintf(stream, "  %s\n", explanation->architecture);
    if (explanation->refusal[0]) {
        explain_row(stream, "SKIP", say_message(explanation->refusal));
        return;
    }
    print_compiled(stream, explanation);
    print_accesses(stream, explanation, target);
    explain_print_caches(stream, explanation);
    explain_print_stack(stream, &explanation->model);
    print_occupancy(stream, explanation, target);
    print_model(stream, explanation, target);
    print_prediction(stream, explanation);
    if (explanation_step(before, explanation, step, sizeof step)[0])
        explain_row(stream, tr("step"), step);
}

/* The rung before this one that was explained, too. */
static const struct explanation *previous(const struct explain_list *list, size_t index)
{
    if (list->has_against)
        return index + 1 < list->count ? &list->items[list->count - 1] : NULL;
    for (size_t i = index; i-- > 0;)
        if (!list->items[i].refusal[0] && list->targets[i] == list->targets[index])
            return &list->items[i];
    return NULL;
}

struct explanation_request explain_request_of(const struct explain_list *list, size_t item)
{
    return (struct explanation_request){.problem = list->problem,
                                        .rung = list->items[item].rung,
                                        .parameters = &list->items[item].parameters,
                                        .target = list->targets[item]};
}

void explain_print(FILE *stream, const struct explain_list *list)
{
    char text[PROBLEM_TEXT_MAX], heading[PROBLEM_TEXT_MAX + TEXT_MAX];
    snprintf(heading, sizeof heading, "%s", problem_heading(list->problem, text));
    if (list->count > 0)
        text_append(heading, sizeof heading, tr(", for %s"), list->targets[0]->name);
    columns_wrapped(stream, heading, 0, 2, EXPLAIN_WIDTH);
    for (size_t i = 0; i < list->count; i++)
        print_one(stream, previous(list, i), &list->items[i], list->targets[i]);
}

#define NAME_WIDTH 20

void explain_print_brief(FILE *stream, const struct explain_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct explanation *explanation = &list->items[i];
        char step[TEXT_MAX], text[TEXT_MAX] = "", time[32];
        column_left(stream, explanation->rung->name, NAME_WIDTH - 1);
        fputc(' ', stream);
        if (explanation->model.predicted_ns > 0)
            text_append(text, sizeof text, "%s; ", duration(explanation->model.predicted_ns, time, sizeof time));
        explanation_step(previous(list, i), explanation, step, sizeof step);
        text_append(text, sizeof text, "%s",
                    explanation->refusal[0] ? say_message(explanation->refusal)
                    : explanation->is_wrong ? say_message(explanation->no_accesses)
                                            : step);
        columns_wrapped(stream, text, NAME_WIDTH, NAME_WIDTH, EXPLAIN_WIDTH);
    }
}

void explain_balance_print(FILE *stream)
{
    char text[32];
    fprintf(stream, "%s\n\n  ", tr("FLOP:byte balance: float operations for each byte of memory traffic"));
    column_left(stream, "GPU", 26);
    fprintf(stream, "%s", tr("cc      GFLOP/s       GB/s  FLOP:byte  published\n"));
    for (size_t i = 0; i < gpu_count; i++) {
        const struct figure published = gpus[i].figures[GPU_BALANCE];
        columns_print(stream, "  <26<5", gpus[i].name, gpus[i].version);
        column_right(stream, number(text, sizeof text, "%.0f", gpus[i].figures[GPU_FP32].value), 10);
        column_right(stream, number(text, sizeof text, "%.0f", gpus[i].figures[GPU_BANDWIDTH].value), 11);
        column_right(stream, number(text, sizeof text, "%.1f", gpu_balance(&gpus[i])), 11);
        if (figure_is_known(published))
            column_right(stream, number(text, sizeof text, "%.1f", published.value), 11);
        fputc('\n', stream);
    }
    fprintf(stream, "\n%s",
            tr("A kernel with fewer operations for each byte waits for memory. The sources\n"
               "of the figures are in 'uskor architectures'.\n"));
}
