/* uskor explain --advice: what binds a rung, and what would help. */
#include <math.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/commands/explain_show.h"
#include "explain/causes.h"
#include "report/terminal/folded.h"

/* What would help against each bound, where no cause is known. */
static const char *const remedies[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] =
        N_("nothing in one pass: these are the least bytes of the problem; fewer passes, if it has several"),
    [RESOURCE_CAMPING] =
        N_("groups that run together in different partitions: another order of groups, or rows padded by 256 bytes"),
    [RESOURCE_ATOMICS] = N_("fewer atomic operations: combine them within each group first"),
    [RESOURCE_L2] = N_("neighbouring items at neighbouring addresses: a tile through local memory, wider accesses"),
    [RESOURCE_L3] = N_("fewer passes over the data: blocks that stay in a nearer cache"),
    [RESOURCE_L1] = N_("fewer memory instructions: wider loads, or values that stay in registers or local memory"),
    [RESOURCE_PAGES] = N_("fewer pages at once: tiles, or large pages"),
    [RESOURCE_SHARED] = N_("fewer passes over the banks: pad the tile's rows, or keep several results in registers"),
    [RESOURCE_FMA] = N_("less arithmetic, or tensor cores: the ordinary units are the limit"),
    [RESOURCE_FP64] = N_("no double precision: constants need an f, and functions their float form"),
    [RESOURCE_TENSOR] = N_("fewer products: tensor cores are the limit"),
    [RESOURCE_INTEGER] = N_("less index arithmetic: move it out of the loop, several elements an item"),
    [RESOURCE_ISSUE] = N_("fewer instructions an element: wider loads, several elements an item, an unrolled loop"),
    [RESOURCE_LATENCY] = N_("more loads at once: more items at work, or several independent loads in each"),
    [RESOURCE_SPECIAL] = N_("fewer roots, divisions and conversions, or their fast forms"),
    [RESOURCE_GROUPS] = N_("fewer groups: larger ones, or several elements an item"),
    [RESOURCE_TAIL] = N_("groups that fill the last wave: smaller ones, or more of them"),
    [RESOURCE_LAUNCH] = N_("fewer or larger launches"),
};

/* ---- causes that the counts show ---- */

enum figures { NO_FIGURES, BEFORE, BEFORE_AFTER, DISTANCE };

/* What is wrong, with the figures that it names, and what would be right. */
static const struct {
    enum figures figures;
    const char *what, *remedy;
} cause_texts[CAUSES] = {
    [CAUSE_UNCOALESCED] =
        {DISTANCE, N_("a request of 32 items moves %s sectors where %s would do: neighbouring items are %s apart"),
         N_("through a tile in shared memory, or with neighbouring items at neighbouring words")},
    [CAUSE_PAGES] = {DISTANCE,
                     N_("a request of 32 items moves %s sectors where %s would do, each in a page of its own: "
                        "neighbouring items are %s apart"),
                     N_("with neighbouring items at neighbouring words")},
    [CAUSE_SCATTERED] = {BEFORE_AFTER,
                         N_("a request of 32 items moves %s sectors where %s would do: what is loaded says where"),
                         N_("with the items in the order of their addresses")},
    [CAUSE_BANKS] = {BEFORE_AFTER, N_("a request takes %s passes over the banks where %s would do"),
                     N_("with the tile's rows padded by a word, or another layout")},
    [CAUSE_FP64] = {NO_FIGURES, N_("arithmetic in double precision in a kernel of floats"),
                    N_("with an f behind its constants, and functions for floats")},
    [CAUSE_SPILLS] = {BEFORE_AFTER, N_("%s bytes an item are spilled, as it may have %s registers"),
                      N_("with fewer values an item, or without a bound on the launch")},
    [CAUSE_LOCAL_ARRAY] =
        {BEFORE, N_("an array of an item lies in memory: %s bytes, as its indices are known only at run time"),
         N_("in registers, by loops that are unrolled, or in shared memory")},
    [CAUSE_RECURSION] = {BEFORE, N_("calls keep a stack in memory: %s bytes an item and call"),
                         N_("without calls: a loop, or functions that are inlined")},
    [CAUSE_ATOMICS] = {BEFORE_AFTER, N_("%s atomic operations wait for each other at one address where %s would do"),
                       N_("combined within each group first")},
    [CAUSE_SHARED_ATOMICS] = {BEFORE_AFTER,
                              N_("atomic operations in shared memory take %s passes a request where %s would do"),
                              N_("with several copies of what is counted, or combined within a warp first")},
    [CAUSE_DIVERGENCE] = {BEFORE, N_("%s %% of a warp's items are at work on average: the others took another branch"),
                          N_("with items of one branch in one warp")},
    [CAUSE_DIVISION] = {NO_FIGURES, N_("divisions of integers by numbers known only at run time"),
                        N_("with a shift, a running index, or one division outside the loop")},
    [CAUSE_NARROW] = {BEFORE_AFTER, N_("accesses of %s bytes where %s would do"),
                      N_("with a vector an access, or several elements an item")},
    [CAUSE_REUSE] = {BEFORE_AFTER, N_("the array is loaded %s times over where %s would do"),
                     N_("through a tile in shared memory, or several results an item")},
    [CAUSE_OCCUPANCY] = {BEFORE_AFTER, N_("%s of %s warps fit on a multiprocessor"),
                         N_("with fewer registers or less shared memory a group")},
    [CAUSE_FEW_ITEMS] = {BEFORE_AFTER, N_("%s items at work where the device has room for %s"),
                         N_("with the work split among more items")},
    [CAUSE_CHAIN] = {NO_FIGURES, N_("each load or result waits for the one before it"),
                     N_("with two independent ones at a time")},
    [CAUSE_BARRIERS] = {BEFORE, N_("%s barriers a warp"), N_("with exchanges within a warp in their place")},
    [CAUSE_SPECIAL] = {NO_FIGURES, N_("roots, exponentials, divisions or conversions"),
                       N_("with half as many, or their fast forms")},
    [CAUSE_GROUPS] = {BEFORE_AFTER, N_("%s groups are started, each with little to do, where %s would do"),
                      N_("with several elements an item")},
    [CAUSE_TAIL] = {BEFORE, N_("%s groups do not divide evenly among the multiprocessors"),
                    N_("with smaller groups, or as many as fill the last wave")},
    [CAUSE_LAUNCH] = {NO_FIGURES, N_("the launches themselves take a good part of the time"),
                      N_("with more work a launch, or fewer launches")},
};

static const char *figure(double value, char text[32])
{
    snprintf(text, 32, value < 10 && fabs(value - round(value)) > 0.05 ? "%.1f" : "%.0f", value);
    return say_number(text);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_cause(FILE *stream, const struct explanation *explanation, const struct explain_cause *cause)
{
    char before[32], after[32], distance[32], time[32], faster[32];
    const enum figures figures = cause_texts[cause->kind].figures;
    const char *what = tr(cause_texts[cause->kind].what);
    if (cause->line > 0)
        fprintf(stream, tr("line %d: "), cause->line);
    if (cause->array[0] && cause->space != EXPLAIN_OWN)
        fprintf(stream, "%s: ", cause->space == EXPLAIN_SHARED ? tr("shared memory") : cause->array);
    figure(cause->before, before);
    figure(cause->after, after);
    text_bytes(cause->distance, distance, sizeof distance);
    if (figures == NO_FIGURES)
        fputs(what, stream);
    else if (figures == BEFORE)
        fprintf(stream, what, before);
    else if (figures == BEFORE_AFTER)
        fprintf(stream, what, before, after);
    else
        fprintf(stream, what, before, after, say_quantity(distance, sizeof distance));
    text_duration(explanation->model.predicted_ns, time, sizeof time);
    text_duration(cause->predicted_ns, faster, sizeof faster);
    fprintf(stream, tr("; %s: %s → %s\n"), tr(cause_texts[cause->kind].remedy), say_quantity(time, sizeof time),
            say_quantity(faster, sizeof faster));
}
#pragma GCC diagnostic pop

static void print_one(FILE *stream, const struct explanation_request *request, const struct explanation *explanation)
{
    const struct explain_model *model = &explanation->model;
    struct explain_cause causes[EXPLAIN_CAUSES_MAX];
    char time[32];
    if (explanation->refusal[0] || model->bound_count == 0) {
        fprintf(stream, tr("not explained: %s\n"),
                explanation->refusal[0] ? say_message(explanation->refusal)
                : explanation->is_wrong ? say_message(explanation->no_accesses)
                                        : tr("nothing could be counted"));
        return;
    }
    enum explain_resource first = model->bound_by[0];
    fprintf(stream, tr("bound by %s: %s"), tr(explain_resource_titles[first]),
            say_quantity((text_duration(model->ns[first], time, sizeof time), time), sizeof time));
    if (model->bound_count > 1)
        fprintf(stream, tr("; then by %s, %.0f %% of that"), tr(explain_resource_titles[model->bound_by[1]]),
                100 * model->ns[model->bound_by[1]] / model->ns[first]);
    fprintf(stream, tr(" (counted for %s)\n"),
            request->target->gpu ? request->target->gpu->name : explanation->architecture);
    size_t count = explain_causes(request, explanation, causes);
    for (size_t i = 0; i < count; i++)
        print_cause(stream, explanation, &causes[i]);
    const char *remedy = count == 0 ? explain_cpu_remedy(explanation) : NULL;
    if (count == 0 && (remedy || remedies[first]))
        fprintf(stream, tr("would help: %s\n"), remedy ? remedy : tr(remedies[first]));
}

void explain_print_advice(FILE *out, const struct explain_list *list)
{
    FILE *stream = folded_begin(out, style_for(out));
    for (size_t i = 0; i < list->count; i++) {
        if (list->count > 1)
            fprintf(stream, "%s%s\n", i > 0 ? "\n" : "", list->items[i].rung->name);
        struct explanation_request request = explain_request_of(list, i);
        print_one(stream, &request, &list->items[i]);
    }
    folded_end(stream, out);
}
