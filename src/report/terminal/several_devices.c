#include "report/terminal/report.h"

#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"

#define NAME_WIDTH 16
#define PAYS 1.05 /* less of a speed-up than this is none */

/* Work per time, of this over that of one device. */
static double speed_up(const struct measurement *one, const struct measurement *many)
{
    double base = figures_rate(one);
    return base > 0 ? figures_rate(many) / base : 0;
}

static bool is_rung(const struct measurement *measurement, unsigned devices)
{
    return measurement->kind != MEASURED_PROBE && parameter_of(measurement, "devices=") == devices;
}

/* The parts have a speed-up, as if the exchange took no time; the links have none. */
static void print_probe(FILE *stream, const struct measurement *one, const struct measurement *probe)
{
    if (strcmp(probe->rung, "parts") != 0) {
        fprintf(stream, "%s\n", tr("   the links alone: the bytes that must cross them"));
        return;
    }
    column_right(stream, "", 11);
    if (speed_up(one, probe) > 0)
        column_number(stream, "%8.2f×", speed_up(one, probe));
    fprintf(stream, "%s\n", tr("   the parts alone: no exchange"));
}

static void print_row(FILE *stream, const struct measurement_list *list, const struct measurement *one,
                      const struct measurement *measurement)
{
    struct figures figures = figures_of(measurement);
    bool is_probe = measurement->kind == MEASURED_PROBE;
    fprintf(stream, "  %3u  ", parameter_of(measurement, "devices="));
    column_left(stream, measurement->rung, NAME_WIDTH);
    if (measurement->verdict != VERDICT_PASS || figures.time.median <= 0) {
        fprintf(stream, "%s  %s\n", say_verdict(measurement->verdict), say_message(measurement->reason));
        return;
    }
    if (figures.is_void) {
        column_right(stream, tr("—, too noisy"), 10 + 8);
    } else {
        column_time(stream, figures.time.median, 10);
        column_number(stream, " ±%4.1f%%", 100 * figures.spread);
    }
    if (is_probe) {
        print_probe(stream, one, measurement);
        return;
    }
    if (figures.rate > 0)
        column_number(stream, figures.rate >= 100 ? "%11.0f" : "%11.3f", figures.rate);
    else
        column_right(stream, "—", 11); /* void: figures.h says when */
    if (speed_up(one, measurement) > 0)
        column_number(stream, "%8.2f×", speed_up(one, measurement));
    else
        column_right(stream, "—", 9);
    const struct measurement *ceiling = NULL;
    double share = figures_share(list, measurement, &ceiling).value;
    if (ceiling && share > 0)
        column_number(stream, "%8.1f%%", 100 * share);
    else
        column_right(stream, "—", 9);
    column_time(stream, measurement->predicted, 10);
    if (measurement->predicted > 0 && !figures.is_void)
        column_number(stream, "%7.2f×", measurement->predicted / figures.time.median);
    else
        column_right(stream, "—", 8);
    fprintf(stream, "  %s", say_verdict(measurement->verdict));
    if (measurement->detail[0])
        fprintf(stream, "  %s", tr(measurement->detail));
    fputc('\n', stream);
}

/* The fastest of the rungs on so many devices. */
static const struct measurement *best_of(const struct measurement_list *list, size_t begin, size_t end,
                                         unsigned devices)
{
    const struct measurement *best = NULL;
    for (size_t i = begin; i < end; i++)
        if (is_rung(&list->items[i], devices) && figures_rate(&list->items[i]) > (best ? figures_rate(best) : 0))
            best = &list->items[i];
    return best;
}

static void print_verdict(FILE *stream, const struct measurement_list *list, const struct measurement *one,
                          const struct measurement *best)
{
    const struct measurement *ceiling = NULL;
    unsigned devices = parameter_of(best, "devices=");
    double times = speed_up(one, best), share = figures_share(list, best, &ceiling).value;
    char links[32] = "", alone[32];
    fputs("  ", stream);
    text_duration(figures_of(one).time.median, alone, sizeof alone);
    if (ceiling) {
        text_duration(figures_of(ceiling).time.median, links, sizeof links);
        say_quantity(links, sizeof links);
    }
    char ratio[16];
    snprintf(ratio, sizeof ratio, "%.2f", times);
    say_number(ratio);
    if (times >= PAYS)
        fprintf(stream, tr("%u devices: %s × one device by %s"), devices, ratio, best->rung);
    else
        fprintf(stream, tr("%u devices do not pay: %s × one device at best (%s)"), devices, ratio, best->rung);
    if (ceiling && times < PAYS)
        fprintf(stream, tr("; the links alone take %s, one device %s for everything"), links,
                say_quantity(alone, sizeof alone));
    else if (ceiling && share > 0) {
        char percent[16];
        snprintf(percent, sizeof percent, "%.0f", 100 * share);
        fprintf(stream, tr("; the links alone would take %s %% of its time"), say_number(percent));
    }
    fputc('\n', stream);
}

static void print_group(FILE *stream, const struct measurement_list *list, size_t begin, size_t end, bool weak,
                        struct style style)
{
    const struct measurement *one = &list->items[begin];
    char title[HEADING_BYTES];
    fprintf(stream, "\n%s%s%s%s — %s\n", strong(style), problem_title(one->problem, title),
            weak ? tr(", for each device") : "", plain(style), one->device_name);
    fprintf(stream, "%s  %3s  ", faint(style), "n");
    columns_print(stream, "<*>10 ±     >11>9>9>10>8  %%\n", NAME_WIDTH, tr("rung"), tr("median"),
                  say_unit(one->rate_unit), tr("× one"), tr("of links"), tr("predicted"), tr("of it"), tr("verdict"),
                  plain(style));
    for (size_t i = begin; i < end; i++)
        print_row(stream, list, one, &list->items[i]);
    fputc('\n', stream);
    unsigned told = 1;
    for (size_t i = begin + 1; i < end; i++) {
        unsigned devices = parameter_of(&list->items[i], "devices=");
        const struct measurement *best = devices > told ? best_of(list, begin, end, devices) : NULL;
        if (best && figures_rate(one) > 0)
            print_verdict(stream, list, one, best);
        told = devices > told ? devices : told;
    }
}

void report_several_devices(FILE *out, const struct measurement_list *list, bool weak, struct style style)
{
    FILE *stream = folded_begin(out, style);
    for (size_t begin = 0, end; begin < list->count; begin = end) {
        for (end = begin + 1; end < list->count && parameter_of(&list->items[end], "devices=") != 1; end++)
            continue;
        print_group(stream, list, begin, end, weak, style);
    }
    fputc('\n', stream);
    columns_note(
        stream, style, "%s",
        tr("n: devices; × one: work per time over one device's by its best rung; of links: the time of the bytes that "
           "must cross the links, over the rung's; predicted: one device's time × the share of the work, and the "
           "links' time (the longer one where they overlap); of it: predicted over median. Every element checked "
           "before and after the timing, by the host's clock. More: docs/many-devices.md"));
    folded_end(stream, out);
}
