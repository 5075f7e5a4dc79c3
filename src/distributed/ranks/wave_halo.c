/* Time steps of the wave equation on a field whose planes are distributed along z. A step needs two planes of each
 * neighbour, because the stencil reaches two points far and the field is periodic. These planes are sent after every
 * step. `overlapped` computes a step's outermost planes first, and sends them while it computes the others.
 *
 * A rank's part is a problem of one step on its own planes and the halos around them. Such a problem is periodic, so
 * its halo planes come out wrong; the neighbours' planes overwrite them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"
#include "kernels/wave/wave.h"

struct state {
    struct ranks active; /* ranks that own planes; 0 ranks: this one owns none */
    char *fields[3];     /* own planes; WAVE_REACH planes of the rank below before them, of the rank above behind */
    char *edge[2];       /* overlapped: 3 · WAVE_REACH planes with the outermost own planes in the middle */
    char *met[2];        /* overlapped: halos from below and from above */
    struct job edge_job;
    size_t own;  /* planes */
    size_t halo; /* bytes of WAVE_REACH planes */
    bool overlapped;
};

/* Number of ranks that own planes. Each owns at least WAVE_REACH, so that a halo comes from one rank. */
static int active_of(const struct problem *problem, int count)
{
    size_t most = (size_t)problem_size(problem, "nz") / WAVE_REACH;
    return most < 1 ? 1 : most < (size_t)count ? (int)most : count;
}

static struct place planes_of(const struct problem *problem, int rank, int count)
{
    int active = active_of(problem, count);
    return rank < active ? place_rows((size_t)problem_size(problem, "nz"), 1, rank, active) : (struct place){0};
}

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)index;
    struct place planes = planes_of(problem, rank, count);
    size_t ny = (size_t)problem_size(problem, "ny");
    return (struct place){.row = planes.row * ny, .rows = planes.rows * ny, .cols = array->cols};
}

static enum status allocate(struct state *state, struct error *error)
{
    size_t plane = state->halo / WAVE_REACH;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++)
        status = method_allocate((void **)&state->fields[i], state->own * plane + 2 * state->halo, error);
    for (int i = 0; status == STATUS_OK && state->overlapped && i < 2; i++) {
        status = method_allocate((void **)&state->edge[i], 3 * state->halo, error);
        if (status == STATUS_OK)
            status = method_allocate((void **)&state->met[i], state->halo, error);
    }
    return status;
}

static enum status prepare_as(struct method_run *run, bool overlapped, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state) /* a failing rank takes part in the split, or the others would wait for it */
        ranks_abort(3);
    struct wave_grid grid = wave_grid_of(run->problem);
    state->own = planes_of(run->problem, run->ranks.rank, run->ranks.count).rows;
    state->halo = WAVE_REACH * grid.nx * grid.ny * element_info(run->problem->type)->bytes;
    state->overlapped = overlapped;
    enum status status = ranks_split(&run->ranks, state->own ? 0 : -1, &state->active, error);
    return status == STATUS_OK && state->active.count > 1 ? allocate(state, error) : status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    return prepare_as(run, false, error);
}

static enum status prepare_overlapped(struct method_run *run, struct error *error)
{
    return prepare_as(run, true, error);
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    ranks_free(&state->active);
    job_finish(&state->edge_job);
    for (int i = 0; i < 3; i++)
        free(state->fields[i]);
    for (int i = 0; i < 2; i++) {
        free(state->edge[i]);
        free(state->met[i]);
    }
    free(state);
    run->state = NULL;
}

/* ---- halos ---- */

/* Messages under way of one exchange of halos. */
struct halos {
    void *messages[4];
    enum status status;
    struct error error;
};

/* Sends the planes at `low` to the rank below and those at `high` to the rank above, and receives theirs into
 * `from_below` and `from_above`. With two ranks both neighbours are the same rank: messages are then matched in the
 * order they are posted. */
static void begin_halos(const struct state *state, const void *low, const void *high, void *from_below,
                        void *from_above, struct halos *halos)
{
    const struct ranks *ranks = &state->active;
    int below = (ranks->rank + ranks->count - 1) % ranks->count, above = (ranks->rank + 1) % ranks->count;
    memset(halos, 0, sizeof *halos);
    halos->status = ranks_receive(ranks, from_above, state->halo, above, &halos->messages[0], &halos->error);
    if (halos->status == STATUS_OK)
        halos->status = ranks_receive(ranks, from_below, state->halo, below, &halos->messages[1], &halos->error);
    if (halos->status == STATUS_OK)
        halos->status = ranks_send(ranks, low, state->halo, below, &halos->messages[2], &halos->error);
    if (halos->status == STATUS_OK)
        halos->status = ranks_send(ranks, high, state->halo, above, &halos->messages[3], &halos->error);
}

static enum status end_halos(const struct state *state, struct halos *halos, struct error *error)
{
    struct error later;
    enum status ended = ranks_wait(&state->active, halos->messages, 4, &later);
    *error = halos->error;
    return method_outcome(halos->status, error, ended, &later);
}

/* Offset in bytes of the last WAVE_REACH own planes, from the field's beginning. */
static size_t high_of(const struct state *state)
{
    return state->own * (state->halo / WAVE_REACH);
}

static enum status exchange_halos(const struct state *state, char *field, struct error *error)
{
    struct halos halos;
    begin_halos(state, field + state->halo, field + high_of(state), field, field + state->halo + high_of(state),
                &halos);
    return end_halos(state, &halos, error);
}

/* ---- steps ---- */

static enum status step(struct method_run *run, struct job *job, size_t planes, const char *previous,
                        const char *current, char *next, struct error *error)
{
    struct problem local = *run->problem;
    char text[PROBLEM_TEXT_MAX];
    problem_set_size(&local, "nz", (int64_t)planes);
    problem_set_size(&local, "steps", 1);
    return job_do(job, run->device, problem_text(&local, text), (void *[]){(void *)previous, (void *)current, next},
                  error);
}

static enum status step_then_send(struct method_run *run, char *const fields[3], struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status status =
        step(run, &run->job, state->own + (size_t)2 * WAVE_REACH, fields[0], fields[1], fields[2], error);
    return method_outcome(status, error, exchange_halos(state, fields[2], &later), &later);
}

static enum status step_while_sending(struct method_run *run, char *const fields[3], struct error *error)
{
    struct state *state = run->state;
    struct halos halos;
    struct error later;
    enum status status = STATUS_OK;
    size_t from[2] = {0, high_of(state) - state->halo};
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = step(run, &state->edge_job, (size_t)3 * WAVE_REACH, fields[0] + from[i], fields[1] + from[i],
                      state->edge[i], error);
    begin_halos(state, state->edge[0] + state->halo, state->edge[1] + state->halo, state->met[0], state->met[1],
                &halos);
    if (status == STATUS_OK)
        status = step(run, &run->job, state->own + (size_t)2 * WAVE_REACH, fields[0], fields[1], fields[2], error);
    status = method_outcome(status, error, end_halos(state, &halos, &later), &later);
    memcpy(fields[2], state->met[0], state->halo);
    memcpy(fields[2] + state->halo + high_of(state), state->met[1], state->halo);
    return status;
}

static enum status run_parts(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    size_t own_bytes = high_of(state), steps = (size_t)problem_size(run->problem, "steps");
    char *fields[3] = {state->fields[0], state->fields[1], state->fields[2]};
    enum status status = STATUS_OK;
    for (int i = 0; i < 2; i++) {
        memcpy(fields[i] + state->halo, run->parts[i], own_bytes);
        status = method_outcome(status, error, exchange_halos(state, fields[i], &later), &later);
    }
    for (size_t t = 0; t < steps; t++) {
        enum status made = (state->overlapped ? step_while_sending : step_then_send)(run, fields, &later);
        status = method_outcome(status, error, made, &later);
        char *oldest = fields[0];
        fields[0] = fields[1];
        fields[1] = fields[2];
        fields[2] = oldest;
    }
    memcpy(run->parts[2], fields[1] + state->halo, own_bytes);
    return status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    const struct state *state = run->state;
    if (state->active.count > 1)
        return run_parts(run, error);
    return state->active.count == 1 ? method_compute(run, run->problem, run->parts, error) : STATUS_OK;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    struct wave_grid grid = wave_grid_of(problem);
    int active = active_of(problem, count);
    double plane = (double)grid.nx * (double)grid.ny * (double)element_info(problem->type)->bytes;
    double planes = ceil((double)grid.nz / active);
    if (active == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = (planes + 2.0 * WAVE_REACH) / (double)grid.nz,
                            .of[OPERATION_RING] = {(double)grid.steps + 2, WAVE_REACH * plane}};
}

/* The outermost planes are computed twice. */
static struct traffic traffic_overlapped(const struct problem *problem, int count)
{
    struct traffic plain = traffic(problem, count);
    plain.overlaps = plain.of[OPERATION_RING].calls > 0;
    if (plain.overlaps)
        plain.work += 6.0 * WAVE_REACH / (double)problem_size(problem, "nz");
    return plain;
}

const struct method method_wave_halo = {
    .kernel = "wave",
    .name = "halo",
    .idea = "planes along z; two planes go to each neighbour after every step",
    .place = place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};

const struct method method_wave_overlapped = {
    .kernel = "wave",
    .name = "overlapped",
    .idea = "the outermost planes are made first, and travel while the others are made",
    .place = place,
    .begin = prepare_overlapped,
    .end = finish,
    .run = run_once,
    .traffic = traffic_overlapped,
};
