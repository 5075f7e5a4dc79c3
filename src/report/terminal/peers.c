#include "report/terminal/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figures.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"

#define DEVICES_MAX 16
#define CELL 10

struct subject {
    char what[16], from[32], to[32]; /* "one-way", "cuda:0", "cuda:1"; "all" has no devices */
    unsigned devices;
};

static bool read_subject(const struct measurement *measurement, struct subject *subject)
{
    *subject = (struct subject){.devices = 0};
    const char *text = measurement->problem;
    return strcmp(measurement->kernel, "peers") == 0 &&
           (sscanf(text, "peers:%15[^,],from=%31[^,],to=%31[^,]", subject->what, subject->from, subject->to) == 3 ||
            sscanf(text, "peers:%15[^,],devices=%u", subject->what, &subject->devices) == 2);
}

struct names {
    char ids[DEVICES_MAX][32];
    size_t count;
};

static void add_name(struct names *names, const char *id)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->ids[i], id) == 0)
            return;
    if (*id && names->count < DEVICES_MAX)
        snprintf(names->ids[names->count++], sizeof names->ids[0], "%s", id);
}

/* The newest. In a matrix of both ways either direction is meant. */
static const struct measurement *find(const struct measurement_list *list, const char *what, const char *rung,
                                      const char *from, const char *to)
{
    struct subject subject;
    for (size_t i = list->count; i-- > 0;) {
        const struct measurement *one = &list->items[i];
        if (one->kind == MEASURED_PROBE || strcmp(one->rung, rung) != 0 || !read_subject(one, &subject) ||
            strcmp(subject.what, what) != 0)
            continue;
        bool same = strcmp(subject.from, from) == 0 && strcmp(subject.to, to) == 0;
        bool turned = strcmp(what, "both") == 0 && strcmp(subject.from, to) == 0 && strcmp(subject.to, from) == 0;
        if (same || turned)
            return one;
    }
    return NULL;
}

/* ---- a matrix ------------------------------------------------------------------------------------------------- */

/* `place`: 0 the best, 1 the worst. Background colours, or a character behind the figure. */
static void print_shaded(FILE *stream, const char *text, double place, struct style style)
{
    static const int colours[] = {22, 28, 64, 100, 136, 130, 124, 88, 52};
    static const char *const shades[] = {"·", "░", "░", "▒", "▒", "▓", "▓", "█", "█"};
    size_t shade = (size_t)lround(fmin(fmax(place, 0), 1) * 8);
    if (style.colour)
        fprintf(stream, "\033[48;5;%dm\033[97m", colours[shade]);
    column_right(stream, text, CELL - 1);
    fputs(style.colour ? " \033[0m" : shades[shade], stream);
}

/* 0: noise voids it. */
static double value_of(const struct measurement *measurement, bool is_time)
{
    const struct summary time = measurement_summary(measurement, PHASE_COMPUTE);
    return is_time ? summary_figure(&time) : figures_rate(measurement);
}

static void print_cell(FILE *stream, const struct measurement *measurement, double low, double high, bool is_time,
                       struct style style)
{
    char text[32];
    double value = measurement && measurement->verdict == VERDICT_PASS ? value_of(measurement, is_time) : 0;
    if (value <= 0) {
        const bool is_void = measurement && measurement->verdict == VERDICT_PASS;
        column_right(stream, is_void ? tr("noisy") : measurement ? say_verdict(measurement->verdict) : "–", CELL);
        return;
    }
    if (is_time)
        text_duration(value, text, sizeof text), say_quantity(text, sizeof text);
    else
        snprintf(text, sizeof text, "%.*f", value >= 99.95 ? 0 : 1, value), say_number(text);
    /* A tenth of the best is the worst there is. */
    double place = is_time ? (low > 0 ? log10(value / low) : 0) : (high > 0 ? -log10(value / high) : 0);
    print_shaded(stream, text, place, style);
}

static void print_matrix(FILE *stream, const struct measurement_list *list, const struct names *names, const char *what,
                         const char *rung, double low, double high, struct style style)
{
    bool is_time = strcmp(what, "latency") == 0;
    for (size_t i = 0; i < names->count; i++) {
        columns_print(stream, "  <14>9", i == 0 ? rung : "", names->ids[i]);
        for (size_t j = 0; j < names->count; j++) {
            if (i == j)
                column_right(stream, "", CELL);
            else
                print_cell(stream, find(list, what, rung, names->ids[i], names->ids[j]), low, high, is_time, style);
        }
        fputc('\n', stream);
    }
}

/* The rungs in the order in which they were measured. */
static size_t collect_rungs(const struct measurement_list *list, const char *what, const char *rungs[DEVICES_MAX])
{
    size_t count = 0;
    struct subject subject;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *one = &list->items[i];
        bool known = one->kind == MEASURED_PROBE || !read_subject(one, &subject) || strcmp(subject.what, what) != 0;
        for (size_t r = 0; r < count; r++)
            known = known || strcmp(rungs[r], one->rung) == 0;
        if (!known && count < DEVICES_MAX)
            rungs[count++] = one->rung;
    }
    return count;
}

static void print_head(FILE *stream, const struct names *names, const char *title, const char *unit, struct style style)
{
    columns_print(stream, "\n%  %\n  <14>9", faint(style), title, unit, tr("from"));
    for (size_t j = 0; j < names->count; j++)
        column_right(stream, names->ids[j], CELL);
    fprintf(stream, "%s\n", plain(style));
}

static void print_matrices(FILE *stream, const struct measurement_list *list, const struct names *names,
                           const char *what, const char *title, struct style style)
{
    const char *rungs[DEVICES_MAX];
    size_t count = collect_rungs(list, what, rungs);
    bool is_time = strcmp(what, "latency") == 0;
    double low = 0, high = 0;
    struct subject subject;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *one = &list->items[i];
        if (one->kind == MEASURED_PROBE || one->verdict != VERDICT_PASS || !read_subject(one, &subject) ||
            strcmp(subject.what, what) != 0)
            continue;
        double value = value_of(one, is_time);
        low = low == 0 || value < low ? value : low;
        high = fmax(high, value);
    }
    if (!count)
        return;
    print_head(stream, names, title, is_time ? tr("time") : say_unit("GB/s"), style);
    for (size_t r = 0; r < count; r++)
        print_matrix(stream, list, names, what, rungs[r], low, high, style);
}

/* ---- all with all, the best, reasons --------------------------------------------------------------------------- */

static void print_all(FILE *stream, const struct measurement_list *list, struct style style)
{
    struct subject subject;
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *one = &list->items[i];
        if (one->kind == MEASURED_PROBE || !read_subject(one, &subject) || strcmp(subject.what, "all") != 0)
            continue;
        if (!any)
            fprintf(stream, tr("\n%s  all to all, %u devices: GB/s that each receives%s\n"), faint(style),
                    subject.devices, plain(style));
        any = true;
        fputs("  ", stream);
        column_left(stream, one->rung, 14);
        if (one->verdict == VERDICT_PASS)
            column_number(stream, "%8.0f", figures_rate(one));
        else
            column_right(stream, say_verdict(one->verdict), 8);
        fputc('\n', stream);
    }
}

/* Each pattern's best means, and its share of what the link carries in theory. */
static void print_best(FILE *stream, const struct measurement_list *list, const char *what, const char *title)
{
    const struct measurement *best = NULL;
    struct subject subject;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *one = &list->items[i];
        if (one->kind != MEASURED_PROBE && one->verdict == VERDICT_PASS && read_subject(one, &subject) &&
            strcmp(subject.what, what) == 0 && (!best || figures_rate(one) > figures_rate(best)))
            best = one;
    }
    const struct measurement *ceiling = NULL;
    double share = best ? figures_share(list, best, &ceiling).value : 0;
    if (!best)
        return;
    fputs("  ", stream);
    column_left(stream, title, 14);
    column_number(stream, "%8.0f", figures_rate(best));
    fprintf(stream, "  %-14s", best->rung);
    if (ceiling && share > 0) {
        column_number(stream, "%6.1f %%", 100 * share);
        fprintf(stream, tr(" of %s"), ceiling->rung);
        fputs(" (", stream);
        column_number(stream, "%.0f", figures_rate(ceiling));
        fputs(")", stream);
    }
    fputc('\n', stream);
}

/* Each reason once. */
static void print_reasons(FILE *stream, const struct measurement_list *list)
{
    struct subject subject;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *one = &list->items[i];
        bool told = one->verdict == VERDICT_PASS || !read_subject(one, &subject);
        for (size_t j = 0; j < i && !told; j++)
            told = strcmp(list->items[j].reason, one->reason) == 0 && strcmp(list->items[j].rung, one->rung) == 0;
        if (!told)
            fprintf(stream, "  %s (%s): %s\n", say_verdict(one->verdict), one->rung, say_message(one->reason));
    }
}

void report_peers(FILE *out, const struct measurement_list *list, struct style style)
{
    struct names names = {.count = 0};
    const struct measurement *first = NULL;
    struct subject subject;
    for (size_t i = 0; i < list->count; i++)
        if (read_subject(&list->items[i], &subject)) {
            first = first ? first : &list->items[i];
            add_name(&names, subject.from);
            add_name(&names, subject.to);
        }
    if (!first)
        return;
    FILE *stream = folded_begin(out, style);
    fprintf(stream, "\n%s%s … %s — %s%s\n", strong(style), names.ids[0], names.ids[names.count - 1], first->device_name,
            plain(style));
    print_matrices(stream, list, &names, "one-way", tr("one way"), style);
    print_matrices(stream, list, &names, "both", tr("both ways at once, bytes of both"), style);
    print_matrices(stream, list, &names, "latency", tr("a copy of 16 bytes, waited for"), style);
    print_all(stream, list, style);
    fprintf(stream, "\n%s%s%s\n", faint(style), tr("  best          GB/s"), plain(style));
    print_best(stream, list, "one-way", tr("one way"));
    print_best(stream, list, "both", tr("both ways"));
    print_best(stream, list, "all", tr("all to all"));
    print_reasons(stream, list);
    fputc('\n', stream);
    columns_note(stream, style, "%s",
                 tr("GB/s: 10^9 bytes per second, medians, by the host's clock; every byte compared before and after "
                    "the timing. More: docs/many-devices.md"));
    folded_end(stream, out);
}
