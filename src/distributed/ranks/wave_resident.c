/* The wave equation with slabs in the memory of each rank's device; distributed/wave/ does the same with several
 * devices of one process. The halo planes for all steps travel once, while each device computes its slab. Each device
 * then computes the rims, three times `reach` planes around each end; their middle thirds replace the slab's wrong
 * planes. Two methods differ in the transport of the planes. */
#include "base/message.h"
#include "distributed/ranks/resident.h"
#include "distributed/wave/wave.h"
#include "kernels/wave/wave.h"

/* Sent: the last planes of both fields for the rank above, then the first for the rank below. Received: from below,
 * then from above. With two ranks both neighbours are one rank, and the planes one piece. The local run is the slab's.
 */
struct state {
    struct resident resident;
    struct slab_shape shape;
    size_t planes; /* number of own planes */
    struct local_run rim_run;
    struct buffer rims[3]; /* the fields of both rims, as in distributed/wave/halo.c */
    struct queue *urgent;  /* for all work but the slab's; NULL: the device has one queue */
};

static const char *refuses(const struct problem *problem, int count, char *reason, size_t size)
{
    struct slab_shape shape = slab_shape_of(problem);
    size_t planes = shape.nz / (size_t)count;
    if (count == 1 || planes >= 2 * shape.reach)
        return NULL;
    explain(reason, size,
            "%zu planes for each of %d ranks are fewer than twice the %zu that the steps reach: larger nz or fewer "
            "steps",
            planes, count, shape.reach);
    return reason;
}

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)index;
    struct place planes = place_rows((size_t)problem_size(problem, "nz"), 1, rank, count);
    size_t ny = (size_t)problem_size(problem, "ny");
    return (struct place){.row = planes.row * ny, .rows = planes.rows * ny, .cols = array->cols};
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_local(struct method_run *run, size_t planes, const struct buffer *buffers,
                              struct local_run *local, struct error *error)
{
    struct problem problem = *run->problem;
    problem_set_size(&problem, "nz", (int64_t)planes);
    return local_run_make(local, &problem, run->device, buffers, error);
}

static enum status plan(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    int count = run->ranks.count, rank = run->ranks.rank;
    int above = (rank + 1) % count, below = (rank + count - 1) % count;
    size_t halo = state->shape.reach * state->shape.plane;
    state->resident.send.bytes[above] += 2 * halo;
    state->resident.send.bytes[below] += 2 * halo;
    state->resident.receive.bytes[above] += 2 * halo;
    state->resident.receive.bytes[below] += 2 * halo;
    state->resident.send.offsets[below] = above == below ? 0 : 2 * halo;
    state->resident.receive.offsets[above] = above == below ? 0 : 2 * halo;
    enum status status = buffer_allocate(run->device, 4 * halo, &state->resident.sent, error);
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, 4 * halo, &state->resident.received, error);
    for (int f = 0; status == STATUS_OK && f < 3; f++)
        status = buffer_allocate(run->device, 6 * halo, &state->rims[f], error);
    if (status == STATUS_OK)
        status = make_local(run, 6 * state->shape.reach, state->rims, &state->rim_run, error);
    if (status == STATUS_OK && queue_create_urgent(run->device, &state->urgent, NULL) != STATUS_OK)
        state->urgent = NULL;
    return status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct state), error);
    if (status != STATUS_OK)
        return status;
    struct state *state = run->state;
    state->shape = slab_shape_of(run->problem);
    state->planes = state->resident.bytes[0] / state->shape.plane;
    status = make_local(run, state->planes, state->resident.parts, &state->resident.local, error);
    return status == STATUS_OK && run->ranks.count > 1 ? plan(run, error) : status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    queue_destroy(state->urgent);
    local_run_finish(&state->rim_run);
    for (int f = 0; f < 3; f++)
        buffer_release(&state->rims[f]);
    resident_end(run);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* Copies `planes` planes from one buffer to another. */
static enum status copy(const struct state *state, const struct buffer *to, size_t at, const struct buffer *from,
                        size_t first, size_t planes, struct error *error)
{
    size_t plane = state->shape.plane;
    return buffer_copy(to, at * plane, from, first * plane, planes * plane, error);
}

/* Packs the planes to send and the rims' own planes. */
static enum status pack(const struct state *state, struct error *error)
{
    size_t reach = state->shape.reach, planes = state->planes;
    enum status status = STATUS_OK;
    for (size_t f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        const struct buffer *own = &state->resident.parts[f], *rims = &state->rims[f];
        status = copy(state, &state->resident.sent, f * reach, own, planes - reach, reach, error);
        if (status == STATUS_OK)
            status = copy(state, &state->resident.sent, (2 + f) * reach, own, 0, reach, error);
        if (status == STATUS_OK)
            status = copy(state, rims, reach, own, 0, 2 * reach, error);
        if (status == STATUS_OK)
            status = copy(state, rims, 3 * reach, own, planes - 2 * reach, 2 * reach, error);
    }
    return status;
}

static enum status unpack(const struct state *state, struct error *error)
{
    size_t reach = state->shape.reach;
    enum status status = STATUS_OK;
    for (size_t f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        status = copy(state, &state->rims[f], 0, &state->resident.received, f * reach, reach, error);
        if (status == STATUS_OK)
            status = copy(state, &state->rims[f], 5 * reach, &state->resident.received, (2 + f) * reach, reach, error);
    }
    return status;
}

/* Copies the rims' middle thirds to their places. */
static enum status close_rims(const struct state *state, struct error *error)
{
    size_t reach = state->shape.reach;
    const struct buffer *result = &state->resident.parts[WAVE_RESULT], *made = &state->rims[WAVE_RESULT];
    enum status status = copy(state, result, 0, made, reach, reach, error);
    return status == STATUS_OK ? copy(state, result, state->planes - reach, made, 4 * reach, reach, error) : status;
}

/* A failing rank still takes part in the exchange, or the others would wait for it. */
static enum status run_rims(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status status = queue_select(run->device, state->urgent, error);
    if (status == STATUS_OK)
        status = pack(state, error);
    enum status carried = resident_exchange(run, &state->resident.sent, &state->resident.send,
                                            &state->resident.received, &state->resident.receive, &later);
    status = method_outcome(status, error, carried, &later);
    if (status == STATUS_OK)
        status = unpack(state, error);
    if (status == STATUS_OK)
        status = local_run_enqueue(&state->rim_run, error);
    if (status == STATUS_OK)
        status = device_synchronize(run->device, error);
    queue_select(run->device, NULL, NULL);
    return status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status status = local_run_enqueue(&state->resident.local, error);
    if (run->ranks.count > 1) {
        status = method_outcome(status, error, run_rims(run, &later), &later);
        if (status == STATUS_OK)
            status = close_rims(state, error);
    }
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    struct slab_shape shape = slab_shape_of(problem);
    double halo = (double)shape.reach * (double)shape.plane, rims = 6.0 * (double)shape.reach / (double)shape.nz;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = 1.0 / count + rims, .of[OPERATION_EXCHANGE] = {1, 4 * halo}};
}

RESIDENT_METHODS(
    wave, "slabs in the devices' memory; planes for all steps travel once, through host memory and MPI, meanwhile",
    "as resident; NCCL carries the planes from device to device", .refuses = refuses, .place = place, .begin = prepare,
    .end = finish, .run = run_once, .traffic = traffic);
