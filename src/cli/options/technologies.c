#include "cli/options/technologies.h"

#include <string.h>

#include "backends/trial.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/terminal/folded.h"

#define COMPARED (BACKEND_CUDA | BACKEND_OPENCL | BACKEND_OPENGL)

/* The number of the backend's first GPU; 0 when it has none. */
static int first_gpu(const struct backend *backend, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        struct device *device;
        snprintf(name, sizeof name, "%s:%d", backend->name, i);
        if (device_open(name, &device, NULL) != STATUS_OK)
            continue;
        const bool is_gpu = !device->properties.is_cpu;
        device_close(device);
        if (is_gpu)
            return i;
    }
    return 0;
}

enum status technologies_choose(struct bench_session *session, struct error *error)
{
    struct selection *selection = &session->selection;
    if (selection->device_name_count)
        return STATUS_OK;
    enum status status = selection_add_device(selection, "cpu", error);
    for (size_t b = 0; status == STATUS_OK && backends[b]; b++) {
        int count;
        struct error why;
        if (!(backends[b]->kind & COMPARED) || backend_probe(backends[b], &count, &why) != STATUS_OK)
            continue;
        char *chosen = selection->chosen_names[b];
        snprintf(chosen, sizeof selection->chosen_names[b], "%s:%d", backends[b]->name, first_gpu(backends[b], count));
        status = selection_add_device(selection, chosen, error);
    }
    return status;
}

void technologies_sizes(struct bench_session *session)
{
    static const char *const large[] = {"matmul:256", "matmul:512", "matmul:1024", "matmul:2048"};
    static const char *const small[] = {"matmul:64", "matmul:128"};
    bool is_gpu = false;
    if (session->target_count != 1 || strcmp(session->targets[0], "matmul") != 0)
        return;
    for (size_t d = 0; d < session->selection.device_count; d++)
        is_gpu = is_gpu || !session->selection.devices[d]->properties.is_cpu;
    session->target_count = is_gpu ? COUNT_OF(large) : COUNT_OF(small);
    for (size_t i = 0; i < session->target_count; i++)
        session->targets[i] = is_gpu ? large[i] : small[i];
}

static bool is_compared(const struct candidate *candidate, bool is_named, bool has_cpu)
{
    const struct rung *rung = candidate->rung;
    const unsigned kinds = rung->backends & COMPARED;
    if (rung->kind != RUNG_DEVICE && !(rung->backends & candidate->device->backend->kind))
        return false; /* the processor's rungs are paired with devices only because both are named */
    if (is_named)
        return true;
    if (candidate->device->backend->kind == BACKEND_CPU)
        return !has_cpu && rung->kind == RUNG_HOST;
    return rung->kind == RUNG_DEVICE && (kinds & (kinds - 1)) != 0;
}

size_t technologies_filter(const struct selection *selection, struct candidate *candidates, size_t count)
{
    size_t left = 0;
    bool has_cpu = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_compared(&candidates[i], selection->rung_name_count != 0, has_cpu))
            continue;
        has_cpu = has_cpu || candidates[i].device->backend->kind == BACKEND_CPU;
        candidates[left++] = candidates[i];
    }
    return left;
}

void technologies_absent(FILE *out, const struct selection *selection)
{
    FILE *stream = folded_begin(out, style_for(out));
    for (size_t b = 0; backends[b]; b++) {
        int count;
        struct error why;
        bool is_there = !(backends[b]->kind & COMPARED);
        for (size_t d = 0; d < selection->device_count; d++)
            is_there = is_there || selection->devices[d]->backend == backends[b];
        if (!is_there && backend_probe(backends[b], &count, &why) != STATUS_OK)
            fprintf(stream, tr("\n%s: none: %s\n"), backends[b]->name, say_message(why.text));
    }
    folded_end(stream, out);
}
