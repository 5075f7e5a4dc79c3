/* uskor explain --advice: what binds a rung, and what would help. */
#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/commands/explain_caches.h"
#include "cli/commands/explain_show.h"
#include "report/terminal/folded.h"

/* What would help against each bound. */
static const char *const remedies[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] =
        N_("nothing in one pass: these are the least bytes of the problem; fewer passes, if it has several"),
    [RESOURCE_CAMPING] =
        N_("groups that run together in different partitions: another order of groups, or rows padded by 256 bytes"),
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

static void print_one(FILE *stream, const struct explanation *explanation)
{
    const struct explain_model *model = &explanation->model;
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
    fprintf(stream, tr(" (counted for %s)\n"), explanation->architecture);
    const char *remedy = explain_cpu_remedy(explanation);
    fprintf(stream, tr("would help: %s\n"), remedy ? remedy : tr(remedies[first]));
}

void explain_print_advice(FILE *out, const struct explain_list *list)
{
    FILE *stream = folded_begin(out, style_for(out));
    for (size_t i = 0; i < list->count; i++) {
        if (list->count > 1)
            fprintf(stream, "%s%s\n", i > 0 ? "\n" : "", list->items[i].rung->name);
        print_one(stream, &list->items[i]);
    }
    folded_end(stream, out);
}
