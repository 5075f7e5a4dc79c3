/* Halo exchange of wave: slabs along z, or blocks along all axes; halos travel between steps, or during them. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "distributed/ranks/wave_blocks.h"
#include "kernels/wave/wave.h"

/* Time steps of the wave equation on a field that is divided into slabs along z, or into blocks along all axes. A step
 * needs two planes of each neighbour, because the stencil reaches two points far and the field is periodic. They travel
 * before each step. The stencil is a star, so that no point travels across edges and corners. An overlapped step
 * computes the outermost points first, and sends them while it computes the others.
 *
 * A rank's part is a problem of one step on its own points and the halos around them, along divided axes. Such a
 * problem is periodic, so its halos come out wrong; the neighbours' points overwrite them. */
typedef struct wave_blocks wave_divide(const struct problem *problem, int count);

#define SIDES_MOST (2 * WAVE_AXES)

/* One side of the rank's block, across a divided axis. */
struct side {
    enum wave_axis axis;
    int neighbour;
    struct wave_box leaving, arriving; /* own outermost points; the halo beyond them */
    struct wave_box edge;         /* overlapped: 3 · WAVE_REACH points along the axis, with `leaving` in the middle */
    float *sent, *received;       /* packed; NULL where the field itself is sent from, or received into */
    float *edge_inputs[2], *made; /* overlapped */
};

struct state {
    struct ranks active; /* ranks that have a block; 0 ranks: this one has none */
    struct halo_field fields[3];
    struct wave_box own;           /* in them */
    struct side sides[SIDES_MOST]; /* of each divided axis the low one, then the high one */
    size_t side_count;
    struct job edge_jobs[WAVE_AXES];
    bool overlapped;
};

/* ---- preparing ------------------------------------------------------------------------------------------------- */

/* The side of the block that is the low (or high) one along an axis. */
static struct side side_of(const struct state *state, const struct wave_blocks *blocks, int rank, enum wave_axis axis,
                           bool is_high)
{
    struct side side = {.axis = axis,
                        .neighbour = wave_neighbour(blocks, rank, axis, is_high ? 1 : -1),
                        .leaving = state->own,
                        .arriving = state->own,
                        .edge = {{0}, {0}}};
    const size_t own = state->own.size[axis];
    side.leaving.begin[axis] = is_high ? own : WAVE_REACH;
    side.arriving.begin[axis] = is_high ? own + WAVE_REACH : 0;
    side.leaving.size[axis] = side.arriving.size[axis] = WAVE_REACH;
    memcpy(side.edge.size, state->fields[0].size, sizeof side.edge.size);
    side.edge.begin[axis] = is_high ? own - WAVE_REACH : 0;
    side.edge.size[axis] = (size_t)3 * WAVE_REACH;
    return side;
}

/* The fields' size, this rank's points in them, and their sides. */
static void shape(struct state *state, const struct wave_blocks *blocks, int rank)
{
    state->own = wave_block_of(blocks, rank);
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        state->own.begin[axis] = blocks->ranks[axis] > 1 ? WAVE_REACH : 0;
        for (int i = 0; i < 3; i++)
            state->fields[i].size[axis] = state->own.size[axis] + 2 * state->own.begin[axis];
    }
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
        for (int high = 0; high < 2 && blocks->ranks[axis] > 1; high++)
            state->sides[state->side_count++] = side_of(state, blocks, rank, axis, high);
}

static enum status allocate_points(float **points, const struct wave_box *box, struct error *error)
{
    const size_t bytes = wave_box_points(box) * sizeof **points;
    enum status status = method_allocate((void **)points, bytes, error);
    if (status == STATUS_OK)
        memset(*points, 0, bytes); /* halos that are computed with before anything has arrived */
    return status;
}

static enum status allocate_side(const struct state *state, struct side *side, struct error *error)
{
    const struct halo_field *field = &state->fields[0];
    const bool is_packed = !wave_box_is_contiguous(field, &side->leaving); /* then in the edge's field, too */
    enum status status = STATUS_OK;
    if (is_packed)
        status = allocate_points(&side->sent, &side->leaving, error);
    if (status == STATUS_OK && (state->overlapped || is_packed))
        status = allocate_points(&side->received, &side->arriving, error);
    if (status == STATUS_OK && state->overlapped)
        status = allocate_points(&side->made, &side->edge, error);
    for (int i = 0; status == STATUS_OK && i < 2 && state->overlapped && !wave_box_is_contiguous(field, &side->edge);
         i++)
        status = allocate_points(&side->edge_inputs[i], &side->edge, error);
    return status;
}

static enum status allocate(struct state *state, struct error *error)
{
    struct wave_box all = {{0}, {0}};
    memcpy(all.size, state->fields[0].size, sizeof all.size);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++)
        status = allocate_points(&state->fields[i].points, &all, error);
    for (size_t i = 0; status == STATUS_OK && i < state->side_count; i++)
        status = allocate_side(state, &state->sides[i], error);
    return status;
}

/* For method->begin, end and run. */
static enum status wave_halo_begin(struct method_run *run, wave_divide *divide, bool overlapped, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state) /* a failing rank takes part in the split, or the others would wait for it */
        ranks_abort(3);
    const struct wave_blocks blocks = divide(run->problem, run->ranks.count);
    const bool has_block = run->ranks.rank < wave_blocks_count(&blocks);
    state->overlapped = overlapped;
    if (has_block)
        shape(state, &blocks, run->ranks.rank);
    enum status status = ranks_split(&run->ranks, has_block ? 0 : -1, &state->active, error);
    return status == STATUS_OK && state->active.count > 1 ? allocate(state, error) : status;
}

static void wave_halo_end(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    ranks_free(&state->active);
    for (size_t i = 0; i < WAVE_AXES; i++)
        job_finish(&state->edge_jobs[i]);
    for (int i = 0; i < 3; i++)
        free(state->fields[i].points);
    for (size_t i = 0; i < state->side_count; i++) {
        struct side *side = &state->sides[i];
        float *const all[] = {side->sent, side->received, side->edge_inputs[0], side->edge_inputs[1], side->made};
        for (size_t at = 0; at < COUNT_OF(all); at++)
            free(all[at]);
    }
    free(state);
    run->state = NULL;
}

/* ---- halos ----------------------------------------------------------------------------------------------------- */

/* Messages under way of one exchange of halos. */
struct halos {
    void *messages[2 * SIDES_MOST];
    enum status status;
    struct error error;
};

/* Of the two sides of an axis; two ranks along it are neighbours on both. Messages are matched in the order they are
 * posted: what a rank sends first, its low points, arrives above the other's. */
static void receive_halos(const struct state *state, const struct halo_field *field, struct halos *halos)
{
    for (size_t i = 0; halos->status == STATUS_OK && i < state->side_count; i++) {
        const struct side *side = &state->sides[i ^ 1];
        float *to = side->received ? side->received : halo_field_at(field, &side->arriving);
        halos->status = ranks_receive(&state->active, to, wave_box_points(&side->arriving) * sizeof *to,
                                      side->neighbour, &halos->messages[i], &halos->error);
    }
}

static void send_side(const struct state *state, size_t index, const struct halo_field *from,
                      const struct wave_box *leaving, struct halos *halos)
{
    const struct side *side = &state->sides[index];
    if (halos->status != STATUS_OK)
        return;
    const float *points = wave_in_one_piece(from, leaving, side->sent);
    halos->status = ranks_send(&state->active, points, wave_box_points(leaving) * sizeof *points, side->neighbour,
                               &halos->messages[(size_t)SIDES_MOST + index], &halos->error);
}

/* Waits for all messages, and puts what was received into the field. */
static enum status end_halos(const struct state *state, const struct halo_field *field, struct halos *halos,
                             struct error *error)
{
    struct error later;
    enum status ended = ranks_wait(&state->active, halos->messages, COUNT_OF(halos->messages), &later);
    for (size_t i = 0; i < state->side_count; i++)
        if (state->sides[i].received)
            wave_unpack(field, &state->sides[i].arriving, state->sides[i].received);
    *error = halos->error;
    return method_outcome(halos->status, error, ended, &later);
}

static enum status exchange_halos(const struct state *state, const struct halo_field *field, struct error *error)
{
    struct halos halos = {.status = STATUS_OK};
    receive_halos(state, field, &halos);
    for (size_t i = 0; i < state->side_count; i++)
        send_side(state, i, field, &state->sides[i].leaving, &halos);
    return end_halos(state, field, &halos, error);
}

/* ---- steps ----------------------------------------------------------------------------------------------------- */

static enum status step(struct method_run *run, struct job *job, const size_t size[WAVE_AXES], float *previous,
                        float *current, float *next, struct error *error)
{
    struct problem local = *run->problem;
    char text[PROBLEM_TEXT_MAX];
    problem_set_size(&local, "nz", (int64_t)size[WAVE_Z]);
    problem_set_size(&local, "ny", (int64_t)size[WAVE_Y]);
    problem_set_size(&local, "nx", (int64_t)size[WAVE_X]);
    problem_set_size(&local, "steps", 1);
    return job_do(job, run->device, problem_text(&local, text), (void *[]){previous, current, next}, error);
}

static enum status step_all(struct method_run *run, const struct halo_field fields[3], struct error *error)
{
    return step(run, &run->job, fields[0].size, fields[0].points, fields[1].points, fields[2].points, error);
}

static enum status step_then_send(struct method_run *run, const struct halo_field fields[3], struct error *error)
{
    struct error later;
    enum status status = step_all(run, fields, error);
    return method_outcome(status, error, exchange_halos(run->state, &fields[2], &later), &later);
}

/* Computes a side's outermost points, as the middle of a field of their own. */
static enum status make_edge(struct method_run *run, const struct side *side, const struct halo_field fields[3],
                             struct error *error)
{
    struct state *state = run->state;
    float *inputs[2];
    for (int i = 0; i < 2; i++)
        inputs[i] = wave_in_one_piece(&fields[i], &side->edge, side->edge_inputs[i]);
    return step(run, &state->edge_jobs[side->axis], side->edge.size, inputs[0], inputs[1], side->made, error);
}

static enum status step_while_sending(struct method_run *run, const struct halo_field fields[3], struct error *error)
{
    struct state *state = run->state;
    struct halos halos = {.status = STATUS_OK};
    struct error later;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < state->side_count; i++)
        status = make_edge(run, &state->sides[i], fields, error);
    receive_halos(state, &fields[2], &halos);
    for (size_t i = 0; i < state->side_count; i++) {
        const struct side *side = &state->sides[i];
        struct halo_field made = {.points = side->made};
        struct wave_box leaving = side->leaving;
        memcpy(made.size, side->edge.size, sizeof made.size);
        leaving.begin[side->axis] = WAVE_REACH;
        send_side(state, i, &made, &leaving, &halos);
    }
    if (status == STATUS_OK)
        status = step_all(run, fields, error);
    enum status sent = end_halos(state, &fields[2], &halos, &later);
    return method_outcome(status, error, sent, &later);
}

/* A rank whose step fails still exchanges all halos. After the last step nobody needs any. */
static enum status run_parts(struct method_run *run, struct error *error)
{
    const struct state *state = run->state;
    struct halo_field fields[3] = {state->fields[0], state->fields[1], state->fields[2]};
    const size_t steps = (size_t)problem_size(run->problem, "steps");
    struct error later;
    for (int i = 0; i < 2; i++)
        wave_unpack(&fields[i], &state->own, run->parts[i]);
    enum status status = exchange_halos(state, &fields[WAVE_CURRENT], error);
    for (size_t t = 0; t < steps; t++) {
        enum status made = t + 1 == steps      ? step_all(run, fields, &later)
                           : state->overlapped ? step_while_sending(run, fields, &later)
                                               : step_then_send(run, fields, &later);
        status = method_outcome(status, error, made, &later);
        const struct halo_field oldest = fields[0];
        fields[0] = fields[1];
        fields[1] = fields[2];
        fields[2] = oldest;
    }
    wave_pack(&fields[1], &state->own, run->parts[2]);
    return status;
}

static enum status wave_halo_run(struct method_run *run, struct error *error)
{
    const struct state *state = run->state;
    if (state->active.count > 1)
        return run_parts(run, error);
    return state->active.count == 1 ? method_compute(run, run->problem, run->parts, error) : STATUS_OK;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_slabs, false, error);
}

static enum status prepare_overlapped(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_slabs, true, error);
}

static enum status prepare_3d(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_grid_of_ranks, false, error);
}

static enum status prepare_overlapped_3d(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_grid_of_ranks, true, error);
}

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)array, (void)index;
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return wave_place(&blocks, rank);
}

static struct place place_3d(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)array, (void)index;
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return wave_place(&blocks, rank);
}

static const char *refuses_3d(const struct problem *problem, int count, char *reason, size_t size)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    const int most = wave_blocks_count(&blocks);
    if (most == count)
        return NULL;
    return explain(reason, size,
                   "no grid of %d ranks leaves each %d points along a divided axis of %zu × %zu × %zu; %d ranks can",
                   count, WAVE_REACH, blocks.points[WAVE_X], blocks.points[WAVE_Y], blocks.points[WAVE_Z], most);
}

/* Ranks that differ along the last divided axis follow one another. Those of other axes are far away. */
static struct traffic traffic_of(const struct problem *problem, const struct wave_blocks *blocks, bool overlapped)
{
    const double steps = (double)problem_size(problem, "steps");
    double all = 1, padded = 1, edges = 0;
    int stride = 1;
    struct traffic traffic = {.overlaps = overlapped ? (steps - 1) / steps : 0}; /* all but the first halos */
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        all *= (double)blocks->points[axis];
        padded *= wave_largest_side(blocks, axis) + (blocks->ranks[axis] > 1 ? 2.0 * WAVE_REACH : 0);
    }
    for (int axis = WAVE_X; axis >= WAVE_Z; axis--) {
        const double bytes = WAVE_REACH * wave_largest_face(blocks, (enum wave_axis)axis) * sizeof(float);
        if (blocks->ranks[axis] == 1)
            continue;
        traffic_add(&traffic, stride == 1 ? OPERATION_RING : OPERATION_FAR_RING, steps, bytes);
        edges += 6 * WAVE_REACH * padded / (wave_largest_side(blocks, (enum wave_axis)axis) + 2.0 * WAVE_REACH);
        stride *= blocks->ranks[axis];
    }
    traffic.work = (padded + (overlapped ? edges * (steps - 1) / steps : 0)) / all;
    return traffic;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return traffic_of(problem, &blocks, false);
}

static struct traffic traffic_overlapped(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return traffic_of(problem, &blocks, true);
}

static struct traffic traffic_3d(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return traffic_of(problem, &blocks, false);
}

static struct traffic traffic_overlapped_3d(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return traffic_of(problem, &blocks, true);
}

#define COMMON .kernel = "wave", .end = wave_halo_end, .run = wave_halo_run

const struct method method_wave_halo = {
    .name = "halo",
    .idea = "planes along z; two planes go to each neighbour after every step",
    .place = place,
    .begin = prepare,
    .traffic = traffic,
    COMMON,
};

const struct method method_wave_overlapped = {
    .name = "overlapped",
    .idea = "the outermost planes are made first, and travel while the others are made",
    .place = place,
    .begin = prepare_overlapped,
    .traffic = traffic_overlapped,
    COMMON,
};

const struct method method_wave_halo_3d = {
    .name = "halo-3d",
    .idea = "blocks in a grid of ranks along z, y and x with the least surface; two planes of each face travel",
    .refuses = refuses_3d,
    .place = place_3d,
    .begin = prepare_3d,
    .traffic = traffic_3d,
    COMMON,
};

const struct method method_wave_overlapped_3d = {
    .name = "overlap-3d",
    .idea = "blocks as in halo-3d; the outermost points are made first, and travel while the others are made",
    .refuses = refuses_3d,
    .place = place_3d,
    .begin = prepare_overlapped_3d,
    .traffic = traffic_overlapped_3d,
    COMMON,
};
