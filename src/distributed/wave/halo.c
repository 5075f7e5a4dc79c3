#include "base/size.h"
#include "distributed/carrier.h"
#include "distributed/wave/wave.h"
#include "kernels/wave/wave.h"

enum end { LOW, HIGH, ENDS };

/* Rims: three times `reach` planes around each end of a slab. The low rim has the neighbour's planes and twice as many
 * of the slab's own; the high rim has twice as many own planes and the other neighbour's. */
struct rims {
    struct buffer fields[3]; /* views of the scratch memory, in the order of the kernel's arrays */
    size_t offsets[3];       /* of the fields in the scratch memory */
    struct local_run run;
};

/* A queue beside the device's own; NULL: the device has one queue. */
struct side {
    struct queue *queue;
    struct event *begun, *ended;
};

struct halo {
    struct carried carried;
    struct slab_shape shape;
    bool hides;
    struct rims rims[GROUP_MAX];
    struct side slab_sides[GROUP_MAX], rim_sides[GROUP_MAX];
};

static size_t field_bytes(const struct problem *problem)
{
    struct slab_shape shape = slab_shape_of(problem);
    size_t bytes = (size_t)ENDS * 3 * shape.reach * shape.plane;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

size_t halo_scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index, (void)count;
    return 3 * field_bytes(problem);
}

double halo_work(const struct problem *problem, size_t count)
{
    struct slab_shape shape = slab_shape_of(problem);
    return 1.0 / (double)count + 6.0 * (double)shape.reach / (double)shape.nz;
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_local(struct device_run *run, size_t index, size_t planes, const struct buffer *buffers,
                              const struct local_setting *setting, struct local_run *local, struct error *error)
{
    struct problem problem = *run->problem;
    problem_set_size(&problem, "nz", (int64_t)planes);
    return carried_local(run, index, &problem, buffers, setting, local, error);
}

static enum status make_rims(struct device_run *run, size_t index, struct error *error)
{
    struct halo *halo = run->state;
    struct rims *rims = &halo->rims[index];
    size_t planes = (size_t)ENDS * 3 * halo->shape.reach;
    /* Among the slab's groups, many short groups spread over all multiprocessors; a few long ones hold some of them up
     * to the end of each pass. Alone on the device, the default depth is best. */
    const struct local_setting shallow = {"DEPTH", (int64_t)planes / 4};
    enum status status = STATUS_OK;
    for (size_t f = 0; status == STATUS_OK && f < COUNT_OF(rims->fields); f++) {
        rims->offsets[f] = f * field_bytes(run->problem);
        status =
            buffer_view(&run->scratch[index], rims->offsets[f], planes * halo->shape.plane, &rims->fields[f], error);
    }
    return status == STATUS_OK
               ? make_local(run, index, planes, rims->fields, halo->hides ? &shallow : NULL, &rims->run, error)
               : status;
}

static enum status make_side(struct side *side, struct device *device, struct error *error)
{
    enum status status = event_create_untimed(device, &side->begun, error);
    return status == STATUS_OK ? event_create_untimed(device, &side->ended, error) : status;
}

static void finish_side(struct side *side)
{
    event_destroy(side->begun);
    event_destroy(side->ended);
    queue_destroy(side->queue);
}

/* Slab and rims are computed at the same time. A slab occupies the whole device to its end. Without an urgent queue the
 * rims would follow the slab, pass by pass, on a mostly idle device. */
static enum status make_sides(struct halo *halo, struct device *device, size_t index, struct error *error)
{
    struct side *slab = &halo->slab_sides[index], *rims = &halo->rim_sides[index];
    if (halo->hides && (queue_create(device, &slab->queue, NULL) != STATUS_OK ||
                        queue_create_urgent(device, &rims->queue, NULL) != STATUS_OK))
        slab->queue = rims->queue = NULL;
    enum status status = make_side(slab, device, error);
    return status == STATUS_OK ? make_side(rims, device, error) : status;
}

enum status halo_prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct halo), error);
    struct halo *halo = run->state;
    if (status != STATUS_OK)
        return status;
    halo->shape = slab_shape_of(run->problem);
    halo->hides = run->rung->overlaps;
    size_t count = run->group->count;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        size_t planes = slab_begin(run->problem, count, i + 1) - slab_begin(run->problem, count, i);
        status = make_rims(run, i, error);
        if (status == STATUS_OK)
            status = make_local(run, i, planes, run->buffers[i], NULL, &halo->carried.local[i], error);
        if (status == STATUS_OK)
            status = make_sides(halo, run->group->devices[i], i, error);
    }
    return status;
}

void halo_finish(struct device_run *run)
{
    struct halo *halo = run->state;
    for (size_t i = 0; halo && i < GROUP_MAX; i++) {
        local_run_finish(&halo->rims[i].run);
        finish_side(&halo->slab_sides[i]);
        finish_side(&halo->rim_sides[i]);
        for (size_t f = 0; f < COUNT_OF(halo->rims[i].fields); f++)
            buffer_release(&halo->rims[i].fields[f]);
    }
    carried_end(run);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* A copy of `planes` planes from a device's own field, or from its rims. */
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

/* Sends the planes that device `from` contributes to the rims of device `to`: its last planes for a low end, its first
 * for a high end. For its own rims it contributes twice as many. */
static enum status send_planes(struct device_run *run, size_t from, size_t to, size_t first, size_t place,
                               size_t planes, struct error *error)
{
    struct halo *halo = run->state;
    enum status status = STATUS_OK;
    for (int f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        struct peer_copy copy =
            planes_of(halo, &run->buffers[from][f], first, &run->scratch[to], halo->rims[to].offsets[f], place, planes);
        status = carrier_copy(&halo->carried.carrier, from, to, &copy, error);
    }
    return status;
}

/* Sends planes to both neighbours and to the device's own rims. */
static enum status send_halos(struct device_run *run, size_t index, struct error *error)
{
    const struct halo *halo = run->state;
    size_t count = run->group->count, reach = halo->shape.reach;
    size_t planes = run->buffers[index][0].bytes / halo->shape.plane;
    enum status status = send_planes(run, index, (index + 1) % count, planes - reach, 0, reach, error);
    if (status == STATUS_OK)
        status = send_planes(run, index, (index + count - 1) % count, 0, 5 * reach, reach, error);
    if (status == STATUS_OK)
        status = send_planes(run, index, index, 0, reach, 2 * reach, error);
    return status == STATUS_OK ? send_planes(run, index, index, planes - 2 * reach, 3 * reach, 2 * reach, error)
                               : status;
}

/* Copies the rims' middle thirds to their places. */
static enum status close_rims(struct device_run *run, size_t index, struct error *error)
{
    const struct halo *halo = run->state;
    const struct buffer *made = &halo->rims[index].fields[WAVE_RESULT], *result = &run->buffers[index][WAVE_RESULT];
    size_t reach = halo->shape.reach, planes = result->bytes / halo->shape.plane;
    const struct peer_copy low = planes_of(halo, made, reach, result, 0, 0, reach);
    const struct peer_copy high = planes_of(halo, made, 4 * reach, result, 0, planes - reach, reach);
    enum status status = group_copy(run->group, index, &low, error);
    return status == STATUS_OK ? group_copy(run->group, index, &high, error) : status;
}

static enum status exchange(struct device_run *run, struct error *error)
{
    struct halo *halo = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&halo->carried.carrier, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = send_halos(run, i, error);
    return status == STATUS_OK ? carrier_join(&halo->carried.carrier, error) : status;
}

/* Enqueues the local run in its side queue, behind the present work of the device's own queue. */
static enum status run_aside(struct side *side, struct local_run *local, struct device *device, struct error *error)
{
    enum status status = event_record(side->begun, error);
    if (status == STATUS_OK)
        status = queue_select(device, side->queue, error);
    if (status == STATUS_OK && side->queue)
        status = queue_wait(side->begun, error);
    if (status == STATUS_OK)
        status = local_run_enqueue(local, error);
    if (status == STATUS_OK)
        status = event_record(side->ended, error);
    queue_select(device, NULL, NULL);
    return status;
}

/* Makes the device's own queue wait for slab and rims, then copies the rims' middle thirds to their places. */
static enum status finish_device(struct device_run *run, size_t index, struct error *error)
{
    struct halo *halo = run->state;
    const struct side *sides[] = {&halo->slab_sides[index], &halo->rim_sides[index]};
    enum status status = STATUS_OK;
    for (size_t s = 0; status == STATUS_OK && s < COUNT_OF(sides); s++)
        if (sides[s]->queue)
            status = queue_wait(sides[s]->ended, error);
    return status == STATUS_OK ? close_rims(run, index, error) : status;
}

enum status halo_enqueue(struct device_run *run, struct error *error)
{
    struct halo *halo = run->state;
    struct device *const *devices = run->group->devices;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && halo->hides && i < count; i++)
        status = run_aside(&halo->slab_sides[i], &halo->carried.local[i], devices[i], error);
    if (status == STATUS_OK)
        status = exchange(run, error);
    for (size_t i = 0; status == STATUS_OK && !halo->hides && i < count; i++)
        status = run_aside(&halo->slab_sides[i], &halo->carried.local[i], devices[i], error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = run_aside(&halo->rim_sides[i], &halo->rims[i].run, devices[i], error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = finish_device(run, i, error);
    return status;
}
