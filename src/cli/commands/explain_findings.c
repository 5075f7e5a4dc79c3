#include "cli/commands/explain_show.h"

#include "base/language.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"

#define ROW_MAX 512

static bool is_traced(const struct explain_trace *trace)
{
    return trace->access_count > 0 && !trace->is_of_code;
}

static void print_sample(FILE *stream, const struct explain_trace *trace)
{
    char text[ROW_MAX] = "";
    if (trace->groups_traced < trace->groups)
        text_append(text, sizeof text, tr("%llu of %llu groups; they stand for the others"),
                    (unsigned long long)trace->groups_traced, (unsigned long long)trace->groups);
    if (trace->data_decides)
        text_append(text, sizeof text, "%s%s", text[0] ? "; " : "", tr("other data give other counts"));
    if (trace->data_decides && !trace->saw_all_data)
        text_append(text, sizeof text, "; %s", tr("too large to run whole: later launches read unfinished results"));
    if (text[0])
        explain_row(stream, tr("traced"), text);
}

void explain_print_findings(FILE *stream, const struct explain_trace *trace)
{
    char text[ROW_MAX];
    if (!is_traced(trace))
        return;
    print_sample(stream, trace);
    for (size_t i = 0; i < trace->race_count; i++) {
        const struct explain_race *race = &trace->races[i];
        snprintf(text, sizeof text, tr("lines %d and %d touch the same bytes of %s without a barrier between them"),
                 race->lines[0], race->lines[1], race->array);
        explain_row(stream, tr("race"), text);
    }
    if (trace->barrier_missed[0]) {
        snprintf(text, sizeof text, tr("some items of a group of %s miss a barrier that others wait at"),
                 trace->barrier_missed);
        explain_row(stream, tr("barrier"), text);
    }
}

void explain_print_stack(FILE *stream, const struct explain_model *model)
{
    const struct explain_stack *stack = &model->stack;
    const double figures[] = {stack->loaded, stack->stored, stack->l2, stack->dram};
    char text[ROW_MAX], bytes[COUNT_OF(figures)][64];
    if (stack->loaded + stack->stored == 0)
        return;
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        text_bytes(figures[i], bytes[i], sizeof bytes[i]);
        say_quantity(bytes[i], sizeof bytes[i]);
    }
    snprintf(text, sizeof text, tr("local arrays and spills load %s and store %s; L2 has %s of it, DRAM %s"), bytes[0],
             bytes[1], bytes[2], bytes[3]);
    explain_row(stream, tr("own memory"), text);
}

json_t *explain_stack_json(const struct explain_model *model)
{
    double issued = 0;
    for (int class = 0; class < CODE_CLASSES; class ++)
        issued += model->executed[class];
    if (issued == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f}", "loaded_bytes", model->stack.loaded, "stored_bytes", model->stack.stored,
                     "l2_bytes", model->stack.l2, "dram_bytes", model->stack.dram);
}

json_t *explain_findings_json(const struct explain_trace *trace)
{
    if (!is_traced(trace))
        return json_null();
    json_t *races = json_array();
    for (size_t i = 0; i < trace->race_count; i++)
        json_array_append_new(races, json_pack("{s:s, s:[i, i], s:s}", "file", trace->races[i].file, "lines",
                                               trace->races[i].lines[0], trace->races[i].lines[1], "array",
                                               trace->races[i].array));
    return json_pack("{s:I, s:I, s:I, s:b, s:b, s:o, s:o}", "launches", (json_int_t)trace->launches, "groups",
                     (json_int_t)trace->groups, "groups_traced", (json_int_t)trace->groups_traced, "data_decides",
                     trace->data_decides, "saw_all_data", trace->saw_all_data, "races", races, "barrier_missed",
                     trace->barrier_missed[0] ? json_string(trace->barrier_missed) : json_null());
}
