#include "report/terminal/gantt.h"

#include "base/language.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"

#define MARGIN 13 /* the queue's name on the left */
#define WIDTH_MOST 120

enum phase_kind { WAITING, COPY_IN, COMPUTE, COPY_OUT, KINDS };

static const struct {
    const char *mark, *colour;
} looks[KINDS] = {{"·", "\033[2m"}, {"▸", "\033[34m"}, {"█", "\033[32m"}, {"◂", "\033[33m"}};

static double end_of(const struct timeline *timeline)
{
    double end = 0;
    for (size_t p = 0; p < timeline->count; p++)
        end = timeline->parts[p].out[1] > end ? timeline->parts[p].out[1] : end;
    return end;
}

/* How much of from … to the span covers. */
static double cover(const double span[2], double from, double to)
{
    double begin = span[0] > from ? span[0] : from, end = span[1] < to ? span[1] : to;
    return end > begin ? end - begin : 0;
}

static enum phase_kind longest(const struct timeline *timeline, unsigned queue, double from, double to)
{
    double times[KINDS] = {0};
    for (size_t p = 0; p < timeline->count; p++) {
        const struct timeline_part *part = &timeline->parts[p];
        if (!timeline->by_phase && part->queue != queue)
            continue;
        const double *const spans[KINDS] = {[COPY_IN] = part->in, [COMPUTE] = part->compute, [COPY_OUT] = part->out};
        for (unsigned kind = COPY_IN; kind < KINDS; kind++)
            if (!timeline->by_phase || kind == queue + COPY_IN)
                times[kind] += cover(spans[kind], from, to);
    }
    times[WAITING] = to - from - times[COPY_IN] - times[COMPUTE] - times[COPY_OUT];
    enum phase_kind best = WAITING;
    for (int kind = COPY_IN; kind < KINDS; kind++)
        best = times[kind] > times[best] ? (enum phase_kind)kind : best;
    return best;
}

void gantt_print(FILE *out, const struct timeline *timeline, struct style style)
{
    int columns = (style.width < WIDTH_MOST ? style.width : WIDTH_MOST) - MARGIN;
    double end = end_of(timeline);
    char time[32];
    if (end <= 0)
        return;
    text_duration(end, time, sizeof time);
    FILE *stream = folded_begin(out, style);
    fputs("\n  ", stream);
    if (timeline->by_phase)
        fputs(tr("a queue a phase"), stream);
    else
        fprintf(stream, tr_plural("%u queue", "%u queues", timeline->queues), timeline->queues);
    fprintf(stream, tr(", %zu parts, %s:  ▸ copy in  █ compute  ◂ copy out  · waiting\n"), timeline->count,
            say_quantity(time, sizeof time));
    for (unsigned queue = 0; queue < timeline->queues; queue++) {
        static const char *const phases[] = {N_("copy in"), N_("compute"), N_("copy out")};
        char name[64];
        snprintf(name, sizeof name, tr("queue %u"), queue + 1);
        fputs("  ", stream);
        column_left(stream, timeline->by_phase && queue < COUNT_OF(phases) ? tr(phases[queue]) : name, MARGIN - 4);
        fputs("  ", stream);
        for (int c = 0; c < columns; c++) {
            enum phase_kind kind = longest(timeline, queue, end * c / columns, end * (c + 1) / columns);
            fprintf(stream, "%s%s%s", style.colour ? looks[kind].colour : "", looks[kind].mark, plain(style));
        }
        fputc('\n', stream);
    }
    folded_end(stream, out);
}
