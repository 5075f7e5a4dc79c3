/* Tables of technologies. Devices are columns in the order of the publications: CUDA, OpenCL, OpenGL. */
#include "report/terminal/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "publications/publication.h"
#include "report/model/command.h"
#include "report/model/heading.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "store/noise.h"

#define DEVICES_MOST 8
#define RUNG_WIDTH 19
#define RATE_WIDTH 11
#define RATIO_WIDTH 16
#define RATIO_OF_IDS_WIDTH 21 /* "opencl:0 : opencl:1" */

/* The contents of a list of measurements: devices, rungs and problems in the order of first occurrence. */
struct extent {
    const struct measurement_list *list;
    const struct measurement *devices[DEVICES_MOST];
    size_t device_count;
    const struct measurement **rungs;
    size_t rung_count;
    const struct measurement **problems;
    size_t problem_count;
    int ratio_width;
};

static bool is_of_device(const struct measurement *measurement)
{
    return measurement->kind != MEASURED_PROBE && technology_of_device(measurement->device) != TECHNOLOGY_CPU;
}

static void add_device(struct extent *extent, const struct measurement *measurement)
{
    for (size_t d = 0; d < extent->device_count; d++)
        if (strcmp(extent->devices[d]->device, measurement->device) == 0)
            return;
    if (extent->device_count < DEVICES_MOST)
        extent->devices[extent->device_count++] = measurement;
}

/* By technology, then as they were met. */
static void add_devices(struct extent *extent)
{
    static const enum technology order[] = {TECHNOLOGY_CUDA, TECHNOLOGY_OPENCL, TECHNOLOGY_OPENGL};
    for (size_t t = 0; t < COUNT_OF(order); t++)
        for (size_t i = 0; i < extent->list->count; i++)
            if (is_of_device(&extent->list->items[i]) &&
                technology_of_device(extent->list->items[i].device) == order[t])
                add_device(extent, &extent->list->items[i]);
}

/* Whether several devices share the technology, so its name does not identify one. */
static bool is_one_of_several(const struct extent *extent, size_t index)
{
    const enum technology technology = technology_of_device(extent->devices[index]->device);
    size_t same = 0;
    for (size_t d = 0; d < extent->device_count; d++)
        same += technology_of_device(extent->devices[d]->device) == technology;
    return same > 1;
}

static bool extent_make(const struct measurement_list *list, struct extent *extent)
{
    *extent = (struct extent){.list = list, .ratio_width = RATIO_WIDTH};
    extent->rungs = calloc(list->count + 1, sizeof(struct measurement *));
    extent->problems = calloc(list->count + 1, sizeof(struct measurement *));
    if (!extent->rungs || !extent->problems)
        return false;
    add_devices(extent);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        size_t r = 0, p = 0;
        if (!is_of_device(measurement))
            continue;
        while (r < extent->rung_count && strcmp(extent->rungs[r]->rung, measurement->rung) != 0)
            r++;
        while (p < extent->problem_count && strcmp(extent->problems[p]->problem, measurement->problem) != 0)
            p++;
        if (r == extent->rung_count)
            extent->rungs[extent->rung_count++] = measurement;
        if (p == extent->problem_count)
            extent->problems[extent->problem_count++] = measurement;
    }
    for (size_t d = 0; d < extent->device_count; d++)
        if (is_one_of_several(extent, d))
            extent->ratio_width = RATIO_OF_IDS_WIDTH;
    return true;
}

static const struct measurement *find(const struct extent *extent, const char *problem, const char *rung,
                                      const char *device)
{
    for (size_t i = 0; i < extent->list->count; i++) {
        const struct measurement *measurement = &extent->list->items[i];
        if (strcmp(measurement->problem, problem) == 0 && strcmp(measurement->rung, rung) == 0 &&
            strcmp(measurement->device, device) == 0 && measurement->kind != MEASURED_PROBE)
            return measurement;
    }
    return NULL;
}

/* The plainest rung of the processor: the first of its ladder that is there and was right. */
static const struct measurement *find_cpu(const struct extent *extent, const char *problem)
{
    for (size_t i = 0; i < extent->list->count; i++)
        if (strcmp(extent->list->items[i].problem, problem) == 0 && extent->list->items[i].kind == MEASURED_HOST &&
            extent->list->items[i].verdict == VERDICT_PASS)
            return &extent->list->items[i];
    return NULL;
}

/* Nanoseconds of the phase; the processor moves nothing, so its whole time is its kernel's. 0: no figure, or a void
 * one. */
static double time_of(const struct measurement *measurement, enum phase phase)
{
    if (!measurement || measurement->verdict != VERDICT_PASS)
        return 0;
    struct summary time = measurement_summary(measurement, phase);
    if (time.median <= 0 && measurement->kind == MEASURED_HOST)
        time = measurement_summary(measurement, PHASE_COMPUTE);
    return summary_figure(&time);
}

/* "CUDA"; "cuda:1" where the technology has several devices. */
static const char *label_of(const struct extent *extent, size_t index, char *text, size_t size)
{
    static const struct {
        enum technology technology;
        const char *name;
    } names[] = {{TECHNOLOGY_CUDA, "CUDA"}, {TECHNOLOGY_OPENCL, "OpenCL"}, {TECHNOLOGY_OPENGL, "OpenGL"}};
    const enum technology technology = technology_of_device(extent->devices[index]->device);
    const bool is_named = !is_one_of_several(extent, index);
    text[0] = 0;
    for (size_t i = 0; i < COUNT_OF(names) && is_named; i++)
        if (names[i].technology == technology)
            text_append(text, size, "%s", names[i].name);
    if (!text[0])
        text_append(text, size, "%s", extent->devices[index]->device);
    return text;
}

/* ---- one problem ---------------------------------------------------------------------------------------------- */

static void print_heads(FILE *stream, const struct extent *extent, bool has_cpu)
{
    char first[48], label[48], ratio[128];
    fputs("  ", stream);
    column_left(stream, tr("rung"), RUNG_WIDTH);
    for (size_t d = 0; d < extent->device_count; d++)
        column_right(stream, label_of(extent, d, label, sizeof label), RATE_WIDTH);
    for (size_t d = 0; has_cpu && d < extent->device_count; d++) {
        snprintf(ratio, sizeof ratio, "CPU : %s", label_of(extent, d, label, sizeof label));
        column_right(stream, ratio, extent->ratio_width);
    }
    for (size_t d = 1; d < extent->device_count; d++) {
        snprintf(ratio, sizeof ratio, "%s : %s", label_of(extent, 0, first, sizeof first),
                 label_of(extent, d, label, sizeof label));
        column_right(stream, ratio, extent->ratio_width);
    }
}

static void print_rate(FILE *stream, const struct measurement *measurement, double time)
{
    const double rate = time > 0 ? measurement->work / time : 0;
    if (rate > 0)
        column_number(stream, rate >= 100 ? "%11.0f" : rate >= 1 ? "%11.2f" : "%11.3g", rate);
    else if (measurement && measurement->verdict == VERDICT_PASS)
        column_right(stream, tr("noisy"), RATE_WIDTH);
    else
        column_right(stream, measurement ? say_verdict(measurement->verdict) : "—", RATE_WIDTH);
}

/* How many times longer `slow` takes. */
static void print_ratio(FILE *stream, double slow, double fast, int width)
{
    const double ratio = slow > 0 && fast > 0 ? slow / fast : 0;
    char text[32];
    snprintf(text, sizeof text, "%.*f", ratio >= 100 ? 0 : ratio >= 10 ? 1 : 3, ratio);
    column_right(stream, ratio > 0 ? say_number(text) : "—", width);
}

static void print_row(FILE *stream, const struct extent *extent, const char *problem, const char *rung,
                      enum phase phase, const struct measurement *cpu)
{
    const struct measurement *found[DEVICES_MOST];
    double times[DEVICES_MOST];
    fputs("  ", stream);
    column_left(stream, rung, RUNG_WIDTH);
    for (size_t d = 0; d < extent->device_count; d++) {
        found[d] = find(extent, problem, rung, extent->devices[d]->device);
        times[d] = time_of(found[d], phase);
        print_rate(stream, found[d], times[d]);
    }
    for (size_t d = 0; cpu && d < extent->device_count; d++)
        print_ratio(stream, time_of(cpu, phase), times[d], extent->ratio_width);
    for (size_t d = 1; d < extent->device_count; d++)
        print_ratio(stream, times[d], times[0], extent->ratio_width);
    fputc('\n', stream);
}

/* Whether the phase was timed on any device: --kernel-only leaves out the other one. */
static bool is_timed(const struct extent *extent, enum phase phase)
{
    for (size_t i = 0; i < extent->list->count; i++)
        if (is_of_device(&extent->list->items[i]) && extent->list->items[i].phases[phase].count > 0)
            return true;
    return false;
}

static void print_table(FILE *stream, const struct extent *extent, const struct measurement *problem, enum phase phase,
                        struct style style)
{
    const struct measurement *cpu = find_cpu(extent, problem->problem);
    const double time = time_of(cpu, phase);
    char rate[32];
    snprintf(rate, sizeof rate, "%.2f", time > 0 ? cpu->work / time : 0);
    fprintf(stream, "\n%s, %s", phase == PHASE_COMPUTE ? tr("kernel time") : tr("end to end"),
            say_unit(problem->rate_unit));
    if (cpu)
        fprintf(stream, tr("; CPU: %s, %s"), cpu->rung, time > 0 ? say_number(rate) : tr("noisy"));
    fprintf(stream, "\n%s", faint(style));
    print_heads(stream, extent, cpu != NULL);
    fprintf(stream, "%s\n", plain(style));
    for (size_t r = 0; r < extent->rung_count; r++)
        print_row(stream, extent, problem->problem, extent->rungs[r]->rung, phase, cpu);
}

/* Rungs without a figure, each with its reason. */
static void print_reasons(FILE *stream, const struct extent *extent, const char *problem)
{
    for (size_t i = 0; i < extent->list->count; i++) {
        const struct measurement *measurement = &extent->list->items[i];
        if (is_of_device(measurement) && strcmp(measurement->problem, problem) == 0 &&
            measurement->verdict != VERDICT_PASS)
            fprintf(stream, "  %s %s: %s  %s\n", measurement->rung, measurement->device,
                    say_verdict(measurement->verdict), say_message(measurement->reason));
    }
}

/* ---- over problems -------------------------------------------------------------------------------------------- */

static void print_over(FILE *stream, const struct extent *extent, size_t device, enum phase phase, struct style style)
{
    const char *id = extent->devices[device]->device;
    char label[48];
    fprintf(stream, "\n%s, %s, %s\n%s  ", label_of(extent, device, label, sizeof label),
            phase == PHASE_COMPUTE ? tr("kernel time") : tr("end to end"), say_unit(extent->devices[device]->rate_unit),
            faint(style));
    column_left(stream, tr("rung"), RUNG_WIDTH);
    for (size_t p = 0; p < extent->problem_count; p++) {
        const char *from = strchr(extent->problems[p]->problem, '=');
        char size[24];
        snprintf(size, sizeof size, "%.*s", from ? (int)strcspn(from + 1, ",") : 0, from ? from + 1 : "");
        column_right(stream, size, RATE_WIDTH);
    }
    fprintf(stream, "%s\n", plain(style));
    for (size_t r = 0; r < extent->rung_count; r++) {
        fputs("  ", stream);
        column_left(stream, extent->rungs[r]->rung, RUNG_WIDTH);
        for (size_t p = 0; p < extent->problem_count; p++) {
            const struct measurement *found = find(extent, extent->problems[p]->problem, extent->rungs[r]->rung, id);
            print_rate(stream, found, time_of(found, phase));
        }
        fputc('\n', stream);
    }
}

static void print_devices(FILE *stream, const struct extent *extent)
{
    bool on_cpu = false;
    fputc('\n', stream);
    for (size_t d = 0; d < extent->device_count; d++) {
        on_cpu = on_cpu || extent->devices[d]->device_is_cpu;
        fprintf(stream, "%s — %s, %s\n", extent->devices[d]->device, extent->devices[d]->device_name,
                extent->devices[d]->driver);
    }
    if (on_cpu)
        fprintf(stream, "  %s\n",
                tr("A device here is the processor itself: its ranking of rungs says nothing about a GPU."));
}

void report_technologies(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    static const enum phase phases[] = {PHASE_COMPUTE, PHASE_END_TO_END};
    char title[HEADING_BYTES];
    struct extent extent;
    if (extent_make(list, &extent) && extent.device_count > 0) {
        const size_t phase_count = is_timed(&extent, PHASE_END_TO_END) ? COUNT_OF(phases) : 1;
        print_devices(stream, &extent);
        for (size_t p = 0; p < extent.problem_count; p++) {
            fprintf(stream, "\n%s%s%s\n", strong(style), problem_title(extent.problems[p]->problem, title),
                    plain(style));
            for (size_t i = 0; i < phase_count; i++)
                print_table(stream, &extent, extent.problems[p], phases[i], style);
            print_reasons(stream, &extent, extent.problems[p]->problem);
        }
        for (size_t d = 0; d < extent.device_count && extent.problem_count > 1; d++)
            for (size_t i = 0; i < phase_count; i++)
                print_over(stream, &extent, d, phases[i], style);
        fputc('\n', stream);
        columns_note(stream, style, "%s",
                     tr("CPU : B: how many times faster B is than the CPU's rung; A : B: the same of A and B; more: "
                        "uskor help bench\n"));
    }
    free(extent.rungs);
    free(extent.problems);
    folded_end(stream, out);
}
