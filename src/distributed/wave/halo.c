#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "distributed/local_run.h"
#include "distributed/wave/wave.h"
#include "kernels/wave/wave.h"

enum end { LOW, HIGH, ENDS };

/* Three times `reach` planes around one end of a slab: the neighbour's, and twice as many of its own. */
struct rim {
    struct buffer fields[3]; /* views of the scratch memory, in the order of the kernel's arrays */
    size_t offsets[3];       /* there */
    struct local_run run;
};

struct halo {
    struct slab_shape shape;
    bool hides;
    struct carrier carrier;
    struct local_run slabs[GROUP_MAX];
    struct rim rims[GROUP_MAX][ENDS];
    struct queue *sides[GROUP_MAX]; /* where the slab is computed while the ends are; NULL: the device has one queue */
    struct event *begun[GROUP_MAX], *ended[GROUP_MAX];
};

static size_t field_bytes(const struct problem *problem)
{
    struct slab_shape shape = slab_shape_of(problem);
    size_t bytes = 3 * shape.reach * shape.plane;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

size_t halo_scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index, (void)count;
    return ENDS * 3 * field_bytes(problem);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_local(struct device_run *run, size_t index, size_t planes, const struct buffer *buffers,
                              struct local_run *local, struct error *error)
{
    struct problem problem = *run->problem;
    problem_set_size(&problem, "nz", (int64_t)planes);
    enum status status = local_run_make(local, &problem, run->group->devices[index], buffers, error);
    if (status == STATUS_OK)
        snprintf(run->detail, sizeof run->detail, "%s", local->prepared.run.rung->name);
    return status;
}

static enum status make_rim(struct device_run *run, size_t index, enum end end, struct error *error)
{
    struct halo *halo = run->state;
    struct rim *rim = &halo->rims[index][end];
    size_t planes = 3 * halo->shape.reach;
    enum status status = STATUS_OK;
    for (size_t f = 0; status == STATUS_OK && f < COUNT_OF(rim->fields); f++) {
        rim->offsets[f] = ((size_t)end * COUNT_OF(rim->fields) + f) * field_bytes(run->problem);
        status = buffer_view(&run->scratch[index], rim->offsets[f], planes * halo->shape.plane, &rim->fields[f], error);
    }
    return status == STATUS_OK ? make_local(run, index, planes, rim->fields, &rim->run, error) : status;
}

enum status halo_prepare(struct device_run *run, enum carrier_kind kind, bool hides, struct error *error)
{
    struct halo *halo = run->state = calloc(1, sizeof *halo);
    if (!halo)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    halo->shape = slab_shape_of(run->problem);
    halo->hides = hides;
    size_t count = run->group->count;
    enum status status = carrier_create(&halo->carrier, kind, run, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        size_t planes = slab_begin(run->problem, count, i + 1) - slab_begin(run->problem, count, i);
        for (int end = LOW; status == STATUS_OK && end < ENDS; end++)
            status = make_rim(run, i, (enum end)end, error);
        if (status == STATUS_OK)
            status = make_local(run, i, planes, run->buffers[i], &halo->slabs[i], error);
        if (status == STATUS_OK && (!hides || queue_create(run->group->devices[i], &halo->sides[i], NULL) != STATUS_OK))
            halo->sides[i] = NULL;
        if (status == STATUS_OK)
            status = event_create_untimed(run->group->devices[i], &halo->begun[i], error);
        if (status == STATUS_OK)
            status = event_create_untimed(run->group->devices[i], &halo->ended[i], error);
    }
    return status;
}

void halo_finish(struct device_run *run)
{
    struct halo *halo = run->state;
    for (size_t i = 0; halo && i < GROUP_MAX; i++) {
        local_run_finish(&halo->slabs[i]);
        event_destroy(halo->begun[i]);
        event_destroy(halo->ended[i]);
        queue_destroy(halo->sides[i]);
        for (int end = LOW; end < ENDS; end++) {
            local_run_finish(&halo->rims[i][end].run);
            for (size_t f = 0; f < COUNT_OF(halo->rims[i][end].fields); f++)
                buffer_release(&halo->rims[i][end].fields[f]);
        }
    }
    if (halo)
        carrier_destroy(&halo->carrier);
    free(halo);
    run->state = NULL;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* `planes` planes of a device's own field, or of a rim, to another place. */
static struct peer_copy planes_of(const struct halo *halo, const struct buffer *source, size_t from,
                                  const struct buffer *target, size_t target_offset, size_t to, size_t planes)
{
    size_t plane = halo->shape.plane;
    return (struct peer_copy){.source = source,
                              .target = target,
                              .source_offset = from * plane,
                              .target_offset = target_offset + to * plane,
                              .width = planes * plane,
                              .rows = 1};
}

/* The planes of device `from` that the rim at `end` of device `to` begins or ends with. */
static enum status send_halo(struct device_run *run, size_t from, size_t to, enum end end, struct error *error)
{
    struct halo *halo = run->state;
    size_t reach = halo->shape.reach, planes = run->buffers[from][0].bytes / halo->shape.plane;
    const struct rim *rim = &halo->rims[to][end];
    enum status status = STATUS_OK;
    for (int f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        struct peer_copy copy = planes_of(halo, &run->buffers[from][f], end == LOW ? planes - reach : 0,
                                          &run->scratch[to], rim->offsets[f], end == LOW ? 0 : 2 * reach, reach);
        status = carrier_copy(&halo->carrier, from, to, &copy, error);
    }
    return status;
}

/* A rim's own planes. */
static enum status fill_rim(struct device_run *run, size_t index, enum end end, struct error *error)
{
    struct halo *halo = run->state;
    size_t reach = halo->shape.reach, planes = run->buffers[index][0].bytes / halo->shape.plane;
    const struct rim *rim = &halo->rims[index][end];
    enum status status = STATUS_OK;
    for (int f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        struct peer_copy copy = planes_of(halo, &run->buffers[index][f], end == LOW ? 0 : planes - 2 * reach,
                                          &run->scratch[index], rim->offsets[f], end == LOW ? reach : 0, 2 * reach);
        status = carrier_copy(&halo->carrier, index, index, &copy, error);
    }
    return status;
}

/* Puts the middle third of a rim in its place. */
static enum status close_rim(struct device_run *run, size_t index, enum end end, struct error *error)
{
    const struct halo *halo = run->state;
    size_t reach = halo->shape.reach, planes = run->buffers[index][0].bytes / halo->shape.plane;
    const struct rim *rim = &halo->rims[index][end];
    struct peer_copy copy = planes_of(halo, &rim->fields[WAVE_RESULT], reach, &run->buffers[index][WAVE_RESULT], 0,
                                      end == LOW ? 0 : planes - reach, reach);
    return group_copy(run->group, index, &copy, error);
}

static enum status exchange(struct device_run *run, struct error *error)
{
    struct halo *halo = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = carrier_begin(&halo->carrier, i, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        for (int end = LOW; status == STATUS_OK && end < ENDS; end++)
            status = fill_rim(run, i, (enum end)end, error);
        if (status == STATUS_OK)
            status = send_halo(run, i, (i + 1) % count, LOW, error);
        if (status == STATUS_OK)
            status = send_halo(run, i, (i + count - 1) % count, HIGH, error);
    }
    return status;
}

/* Each slab, in a queue beside the device's own where there is one. */
static enum status run_slab(struct device_run *run, size_t index, struct error *error)
{
    struct halo *halo = run->state;
    struct device *device = run->group->devices[index];
    enum status status = event_record(halo->begun[index], error);
    if (status == STATUS_OK)
        status = queue_select(device, halo->sides[index], error);
    if (status == STATUS_OK && halo->sides[index])
        status = queue_wait(halo->begun[index], error);
    if (status == STATUS_OK)
        status = local_run_enqueue(&halo->slabs[index], error);
    if (status == STATUS_OK)
        status = event_record(halo->ended[index], error);
    queue_select(device, NULL, NULL);
    return status;
}

/* The ends, and when the slab is there too, their middle thirds to their places. */
static enum status run_ends(struct device_run *run, size_t index, struct error *error)
{
    struct halo *halo = run->state;
    enum status status = STATUS_OK;
    for (int end = LOW; status == STATUS_OK && end < ENDS; end++)
        status = local_run_enqueue(&halo->rims[index][end].run, error);
    if (status == STATUS_OK && halo->sides[index])
        status = queue_wait(halo->ended[index], error);
    for (int end = LOW; status == STATUS_OK && end < ENDS; end++)
        status = close_rim(run, index, (enum end)end, error);
    return status;
}

enum status halo_enqueue(struct device_run *run, struct error *error)
{
    struct halo *halo = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && halo->hides && i < count; i++)
        status = run_slab(run, i, error);
    if (status == STATUS_OK)
        status = exchange(run, error);
    if (status == STATUS_OK)
        status = carrier_join(&halo->carrier, error);
    for (size_t i = 0; status == STATUS_OK && !halo->hides && i < count; i++)
        status = run_slab(run, i, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = run_ends(run, i, error);
    return status;
}
