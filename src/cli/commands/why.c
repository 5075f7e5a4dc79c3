#include "cli/commands/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/commands/explain_place.h"
#include "cli/options/store_options.h"
#include "explain/advice.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/progress.h"

#define NAME_WIDTH 20
#define WIDTH_MOST 100
#define LINE_MAX_BYTES 1024
#define GAIN_LEAST 1.1 /* less is nothing to recommend */

/* What is explained, and where it was measured. */
struct why {
    const struct why_request *request;
    struct explain_place place;
    bool is_measured_there; /* the place is the device whose measurements are at hand */
    struct explanation *items;
    size_t count;
};

/* ---- the place ------------------------------------------------------------------------------------------------- */

static enum status find_place(struct why *why, struct store *store, struct error *error)
{
    struct device *device = why->request->device;
    const struct gpu *gpu = device ? gpu_by_device_name(device->properties.name) : NULL;
    enum status status = STATUS_OK;
    if (device && device->backend->kind == BACKEND_CUDA)
        explain_target_of_device(device, &why->place.target);
    else if (gpu)
        status = explain_target_parse(gpu->name, &why->place.target, error);
    else
        return explain_place_default(&why->place, error);
    why->place.device = device;
    why->is_measured_there = why->request->list != NULL;
    return status == STATUS_OK ? explain_place_measured(store, &why->place, error) : status;
}

/* A device that was opened for this alone. */
static void close_place(struct why *why)
{
    if (why->place.device != why->request->device)
        explain_place_close(&why->place);
}

/* ---- explaining ------------------------------------------------------------------------------------------------- */

static const struct measurement *measured(const struct why_request *request, const char *rung)
{
    char text[PROBLEM_TEXT_MAX];
    problem_text(request->problem, text);
    for (size_t i = 0; request->list && i < request->list->count; i++) {
        const struct measurement *item = &request->list->items[i];
        if (strcmp(item->rung, rung) == 0 && strcmp(item->problem, text) == 0 &&
            (!request->device || strcmp(item->device, request->device->id) == 0))
            return item;
    }
    return NULL;
}

static bool is_wanted(const struct why_request *request, const struct rung *rung)
{
    if (rung->kind != RUNG_DEVICE)
        return false;
    const struct measurement *item = measured(request, rung->name);
    return !request->list || (item && item->verdict == VERDICT_PASS);
}

static enum status explain_one(struct why *why, const struct rung *rung, struct error *error)
{
    const struct why_request *request = why->request;
    struct candidate candidate;
    static const struct overrides none = {.count = 0};
    enum status status = candidate_make(why->place.device, rung, request->problem,
                                        request->overrides ? request->overrides : &none, &candidate, error);
    const struct explanation_request one = {
        .problem = request->problem, .rung = rung, .parameters = &candidate.parameters, .target = &why->place.target};
    if (status == STATUS_OK)
        status = explain_rung(&one, &why->items[why->count], error);
    why->count += status == STATUS_OK;
    return status;
}

static enum status explain_all(struct why *why, struct error *error)
{
    const struct rung *const *rungs;
    size_t count;
    enum status status = kernel_rungs(why->request->problem->kernel, &rungs, &count, error);
    why->items = status == STATUS_OK ? calloc(count + 1, sizeof *why->items) : NULL;
    if (status == STATUS_OK && !why->items)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu explanations", count);
    struct progress bar = {0};
    for (size_t r = 0; status == STATUS_OK && r < count; r++)
        if (is_wanted(why->request, rungs[r])) {
            progress_show(&bar, rungs[r]->name, (double)r / (double)count);
            status = explain_one(why, rungs[r], error);
        }
    progress_end();
    return status;
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

static const char *factor(double value, char *text, size_t size)
{
    snprintf(text, size, "%.2g", value);
    return say_number(text);
}

/* "; relieved, up to 4.6 × faster: tiled relieves it, measured 2.1 ×" */
static void add_advice(const struct why *why, size_t index, char *text, size_t size)
{
    const struct explanation *item = &why->items[index];
    struct explain_advice advice;
    char gain[32];
    if (!explanation_advice(why->items, why->count, index, &advice) || advice.gain < GAIN_LEAST)
        return;
    text_append(text, size, tr("; relieved, up to %s × faster"), factor(advice.gain, gain, sizeof gain));
    if (!advice.done_by)
        return;
    text_append(text, size, tr(": %s relieves it"), advice.done_by->rung->name);
    const struct measurement *before = measured(why->request, item->rung->name),
                             *after = measured(why->request, advice.done_by->rung->name);
    if (!why->is_measured_there || !before || !after)
        return;
    double speed_up = row_make(why->request->list, after, before).speed_up;
    if (speed_up > 0)
        text_append(text, size, tr(", measured %s ×"), factor(speed_up, gain, sizeof gain));
}

static void print_line(FILE *stream, const struct why *why, size_t index, int width)
{
    const struct explanation *item = &why->items[index];
    const struct explanation *before = NULL;
    char text[LINE_MAX_BYTES];
    for (size_t i = index; i-- > 0 && !before;)
        before = why->items[i].refusal[0] ? NULL : &why->items[i];
    if (item->refusal[0]) {
        snprintf(text, sizeof text, "%s", say_message(item->refusal));
    } else {
        explanation_step(before, item, text, sizeof text);
        add_advice(why, index, text, sizeof text);
    }
    fputs("  ", stream);
    column_left(stream, item->rung->name, NAME_WIDTH - 3);
    fputc(' ', stream);
    columns_wrapped(stream, text[0] ? text : "—", NAME_WIDTH, NAME_WIDTH, width);
}

static void print_all(FILE *stream, const struct why *why, struct style style)
{
    int width = style.width < WIDTH_MOST ? style.width : WIDTH_MOST;
    if (why->count == 0)
        return;
    fprintf(stream, "\n  %s", strong(style));
    fprintf(stream, tr("why, by the model of 'uskor explain' for %s"), why->place.target.name);
    fprintf(stream, "%s\n", plain(style));
    for (size_t i = 0; i < why->count; i++)
        print_line(stream, why, i, width);
}

enum status why_print(FILE *stream, const struct why_request *request, struct style style, struct error *error)
{
    struct why why = {.request = request};
    struct store *store = NULL;
    struct error missing; /* without a store published figures do */
    if (!request->store_name || strcmp(request->store_name, "none") != 0)
        store_read(request->store_name, &store, &missing);
    enum status status = find_place(&why, store, error);
    if (status == STATUS_OK)
        status = explain_all(&why, error);
    if (status == STATUS_OK)
        print_all(stream, &why, style);
    for (size_t i = 0; i < why.count; i++)
        explanation_free(&why.items[i]);
    free(why.items);
    close_place(&why);
    store_close(store);
    return status;
}
