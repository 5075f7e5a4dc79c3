#include "lab/transfers/streams.h"

#include <stdlib.h>
#include <string.h>

enum { END_IN, END_COMPUTE, END_OUT, ENDS };

/* Number of copies in that are enqueued before the first part's kernel, with one queue for each phase. */
#define AHEAD ((size_t)3)
#define TIMELINE_RUNS 3

static struct event *end_of(const struct job_streams *lanes, size_t part, int which)
{
    return lanes->ends[lanes->timed][part * ENDS + (size_t)which];
}

/* ---- making --------------------------------------------------------------------------------------------------- */

/* Index of the stream's run for parts of this size; run_count if none. The order is the same in every stream. */
static int find_run(const struct job_stream *lane, const struct laid_part *laid)
{
    int i = 0;
    while (i < lane->run_count && !problem_equals(&lane->runs[i].like->part.problem, &laid->part.problem))
        i++;
    return i;
}

/* Describes the run for parts of this size without preparing it, and records its scratch memory. */
static enum status describe_run(const struct job_streams *lanes, struct job_stream *lane, const struct laid_part *laid,
                                const struct candidate *candidate, const struct overrides *overrides,
                                struct error *error)
{
    struct candidate own;
    char reason[512];
    if (lane->run_count == LANE_RUNS_MAX)
        return fail(error, STATUS_UNAVAILABLE, "the parts are of more than %d sizes", LANE_RUNS_MAX);
    const struct problem *problem = &laid->part.problem;
    enum status status = candidate_make(lanes->device, candidate->rung, problem, overrides, &own, error);
    if (status != STATUS_OK)
        return status;
    if (rung_refuses(own.rung, problem, lanes->device, &own.parameters, reason, sizeof reason))
        return fail(error, STATUS_UNAVAILABLE, "%s%s", lanes->layout->count > 1 ? "in parts: " : "", reason);
    struct prepared_run *prepared = &lane->runs[lane->run_count].prepared;
    status = prepared_run_plan(prepared, own.rung, problem, lanes->device, &own.parameters, error);
    if (status != STATUS_OK)
        return status;
    if (prepared->scratch_bytes > lane->scratch_wanted)
        lane->scratch_wanted = prepared->scratch_bytes;
    lane->runs[lane->run_count].like = laid;
    lane->run_count++;
    return STATUS_OK;
}

/* Prepares the runs with the stream's own queue selected: libraries take the queue that is selected at that time. */
static enum status prepare_lane(struct job_streams *lanes, struct job_stream *lane, struct error *error)
{
    enum status status = queue_select(lanes->device, lane->queue, error);
    if (status == STATUS_OK && lane->scratch_wanted)
        status = buffer_allocate(lanes->device, lane->scratch_wanted, &lane->scratch, error);
    for (int i = 0; status == STATUS_OK && i < lane->run_count; i++) {
        const struct laid_part *like = lane->runs[i].like;
        status = prepared_run_make(&lane->runs[i].prepared, like->arrays, lanes->layout->array_count, like->views,
                                   &lane->scratch, error);
    }
    return status;
}

static enum status make_lane(struct job_streams *lanes, unsigned index, const struct candidate *candidate,
                             const struct overrides *overrides, struct error *error)
{
    struct job_stream *lane = &lanes->lanes[index];
    enum status status = queue_create(lanes->device, &lane->queue, error);
    for (size_t p = 0; status == STATUS_OK && p < lanes->layout->count; p++) {
        lanes->run_of[p] = find_run(lane, &lanes->layout->parts[p]);
        if (lanes->run_of[p] == lane->run_count)
            status = describe_run(lanes, lane, &lanes->layout->parts[p], candidate, overrides, error);
    }
    return status == STATUS_OK ? prepare_lane(lanes, lane, error) : status;
}

typedef enum status create_event(struct device *device, struct event **mark, struct error *error);

static enum status make_events(struct job_streams *lanes, bool timed, create_event *create, struct error *error)
{
    size_t count = lanes->layout->count * ENDS;
    lanes->ends[timed] = calloc(count, sizeof(struct event *));
    if (!lanes->ends[timed])
        return fail(error, STATUS_UNAVAILABLE, "no memory for the marks of %zu parts", lanes->layout->count);
    enum status status = create(lanes->device, &lanes->start[timed], error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = create(lanes->device, &lanes->ends[timed][i], error);
    return status;
}

static void destroy_events(struct job_streams *lanes, bool timed)
{
    for (size_t i = 0; lanes->ends[timed] && i < lanes->layout->count * ENDS; i++)
        event_destroy(lanes->ends[timed][i]);
    event_destroy(lanes->start[timed]);
    free(lanes->ends[timed]);
}

enum status job_streams_create(const struct chunk_layout *layout, unsigned count, const struct candidate *candidate,
                               const struct overrides *overrides, struct job_streams *lanes, struct error *error)
{
    *lanes = (struct job_streams){.device = layout->device, .layout = layout, .count = count};
    lanes->run_of = calloc(layout->count, sizeof *lanes->run_of);
    enum status status = lanes->run_of ? make_events(lanes, false, event_create_untimed, error)
                                       : fail(error, STATUS_UNAVAILABLE, "no memory for %zu parts", layout->count);
    if (status == STATUS_OK)
        status = make_events(lanes, true, event_create, error);
    for (unsigned i = 0; status == STATUS_OK && i < count; i++)
        status = make_lane(lanes, i, candidate, overrides, error);
    queue_select(layout->device, NULL, NULL);
    return status;
}

void job_streams_destroy(struct job_streams *lanes)
{
    for (unsigned i = 0; i < OVERLAP_QUEUES_MAX; i++) {
        struct job_stream *lane = &lanes->lanes[i];
        for (int r = 0; r < lane->run_count; r++)
            prepared_run_finish(&lane->runs[r].prepared);
        buffer_release(&lane->scratch);
        queue_destroy(lane->queue);
    }
    destroy_events(lanes, false);
    destroy_events(lanes, true);
    free(lanes->run_of);
    memset(lanes, 0, sizeof *lanes);
}

/* ---- a pass --------------------------------------------------------------------------------------------------- */

/* Enqueues a part's kernel, behind inputs that other queues bring. */
static enum status compute(struct job_streams *lanes, size_t p, unsigned phases, struct error *error)
{
    const struct laid_part *laid = &lanes->layout->parts[p];
    struct job_stream *lane = &lanes->lanes[lanes->by_phase ? 1 : p % lanes->used];
    enum status status = STATUS_OK;
    for (size_t back = 1; (phases & LANES_IN) && !lanes->by_phase && status == STATUS_OK && back <= laid->after; back++)
        if (back % lanes->used != 0)
            status = queue_wait(end_of(lanes, p - back, END_IN), error);
    if (status != STATUS_OK)
        return status;
    struct prepared_run *prepared = &lane->runs[lanes->run_of[p]].prepared;
    prepared_run_use(prepared, laid->views);
    return prepared_run_enqueue(prepared, error);
}

static enum status enqueue_part(struct job_streams *lanes, size_t p, unsigned phases, struct host_arrays from,
                                struct host_arrays to, void *joined, struct error *error)
{
    enum status status = queue_select(lanes->device, lanes->lanes[p % lanes->used].queue, error);
    if (status == STATUS_OK && p > 0 && p < lanes->used)
        status = queue_wait(lanes->start[lanes->timed], error);
    if (status == STATUS_OK && (phases & LANES_IN) && p % lanes->used != 0 &&
        chunk_layout_needs_first(lanes->layout, p))
        status = queue_wait(end_of(lanes, 0, END_IN), error);
    if (status == STATUS_OK && (phases & LANES_IN))
        status = chunk_layout_send(lanes->layout, p, from, error);
    if (status == STATUS_OK)
        status = event_record(end_of(lanes, p, END_IN), error);
    if (status == STATUS_OK && (phases & LANES_COMPUTE))
        status = compute(lanes, p, phases, error);
    if (status == STATUS_OK)
        status = event_record(end_of(lanes, p, END_COMPUTE), error);
    if (status == STATUS_OK && (phases & LANES_OUT))
        status = chunk_layout_receive(lanes->layout, p, to, joined, error);
    return status == STATUS_OK ? event_record(end_of(lanes, p, END_OUT), error) : status;
}

/* Enqueues one phase of a part in the phase's own queue, behind its dependencies. */
static enum status enqueue_phase(struct job_streams *lanes, size_t p, int phase, struct host_arrays from,
                                 struct host_arrays to, void *joined, struct error *error)
{
    enum status status = queue_select(lanes->device, lanes->lanes[phase].queue, error);
    if (status == STATUS_OK && phase > END_IN)
        status = queue_wait(end_of(lanes, p, phase - 1), error);
    if (status == STATUS_OK && phase == END_IN)
        status = chunk_layout_send(lanes->layout, p, from, error);
    if (status == STATUS_OK && phase == END_COMPUTE)
        status = compute(lanes, p, LANES_ALL, error);
    if (status == STATUS_OK && phase == END_OUT)
        status = chunk_layout_receive(lanes->layout, p, to, joined, error);
    return status == STATUS_OK ? event_record(end_of(lanes, p, phase), error) : status;
}

/* Each phase has its own queue and waits for the phase before it alone, so copies of one direction never share the bus.
 * Copies in are enqueued some parts ahead, so that one is always under way. They are not all enqueued first: the first
 * part's result would wait for the host to enqueue them. */
static enum status enqueue_by_phase(struct job_streams *lanes, struct host_arrays from, struct host_arrays to,
                                    void *joined, struct error *error)
{
    enum status status = STATUS_OK;
    size_t count = lanes->layout->count;
    for (size_t p = 0; status == STATUS_OK && p < count + AHEAD; p++) {
        if (p < count)
            status = enqueue_phase(lanes, p, END_IN, from, to, joined, error);
        if (p < AHEAD)
            continue;
        if (status == STATUS_OK)
            status = enqueue_phase(lanes, p - AHEAD, END_COMPUTE, from, to, joined, error);
        if (status == STATUS_OK)
            status = enqueue_phase(lanes, p - AHEAD, END_OUT, from, to, joined, error);
    }
    return status;
}

/* Waits also after a failure: memory must not be freed while a queue uses it. The last queue usually finishes last. */
static enum status finish(struct job_streams *lanes, enum status status, struct error *error)
{
    for (unsigned i = 0; i < lanes->used; i++) {
        struct error *why = status == STATUS_OK ? error : NULL;
        enum status finished = queue_select(lanes->device, lanes->lanes[lanes->used - 1 - i].queue, why);
        if (finished == STATUS_OK)
            finished = device_synchronize(lanes->device, why);
        status = status == STATUS_OK ? finished : status;
    }
    queue_select(lanes->device, NULL, NULL);
    return status;
}

enum status job_streams_pass(struct job_streams *lanes, unsigned queues, unsigned phases, struct host_arrays from,
                             struct host_arrays to, void *joined, struct error *error)
{
    lanes->by_phase = queues == LANES_BY_PHASE;
    lanes->used = lanes->by_phase ? 3 : queues < lanes->count ? queues : lanes->count;
    enum status status = queue_select(lanes->device, lanes->lanes[0].queue, error);
    if (status == STATUS_OK)
        status = event_record(lanes->start[lanes->timed], error);
    if (status == STATUS_OK && lanes->by_phase)
        status = enqueue_by_phase(lanes, from, to, joined, error);
    for (size_t p = 0; status == STATUS_OK && !lanes->by_phase && p < lanes->layout->count; p++)
        status = enqueue_part(lanes, p, phases, from, to, joined, error);
    status = finish(lanes, status, error);
    return status == STATUS_OK && (phases & LANES_OUT) ? chunk_layout_join(lanes->layout, joined, to, error) : status;
}

enum status job_streams_both_ways(struct job_streams *lanes, struct host_arrays from, struct host_arrays to,
                                  void *joined, struct error *error)
{
    enum status status = STATUS_OK;
    lanes->used = lanes->count < 2 ? lanes->count : 2;
    for (size_t p = 0; status == STATUS_OK && p < lanes->layout->count; p++) {
        status = queue_select(lanes->device, lanes->lanes[0].queue, error);
        if (status == STATUS_OK)
            status = chunk_layout_send(lanes->layout, p, from, error);
        if (status == STATUS_OK)
            status = queue_select(lanes->device, lanes->lanes[1 % lanes->count].queue, error);
        if (status == STATUS_OK)
            status = chunk_layout_receive(lanes->layout, p, to, joined, error);
    }
    return finish(lanes, status, error);
}

/* ---- the timeline --------------------------------------------------------------------------------------------- */

static enum status read_ends(struct job_streams *lanes, size_t p, struct timeline_part *part, struct error *error)
{
    part->queue = lanes->by_phase ? 0 : (unsigned)(p % lanes->used);
    enum status status = event_elapsed(lanes->start[true], end_of(lanes, p, END_IN), &part->in[1], error);
    if (status == STATUS_OK)
        status = event_elapsed(lanes->start[true], end_of(lanes, p, END_COMPUTE), &part->compute[1], error);
    if (status == STATUS_OK)
        status = event_elapsed(lanes->start[true], end_of(lanes, p, END_OUT), &part->out[1], error);
    return status;
}

/* Beginning of a phase whose end and earliest possible beginning are known. The phase begins when the previous one of
 * its kind ends, if that is later. */
#define FIND_BEGINNING(parts, count, part, phase)                                                         \
    do {                                                                                                  \
        for (size_t other = 0; other < (count); other++)                                                  \
            if ((parts)[other].phase[1] < (part)->phase[1] && (parts)[other].phase[1] > (part)->phase[0]) \
                (part)->phase[0] = (parts)[other].phase[1];                                               \
    } while (0)

static enum status read_timeline(struct job_streams *lanes, struct timeline_part *parts, struct error *error)
{
    size_t count = lanes->layout->count;
    enum status status = STATUS_OK;
    for (size_t p = 0; status == STATUS_OK && p < count; p++)
        status = read_ends(lanes, p, &parts[p], error);
    for (size_t p = 0; status == STATUS_OK && p < count; p++) {
        struct timeline_part *part = &parts[p];
        part->in[0] = !lanes->by_phase && p >= lanes->used ? parts[p - lanes->used].out[1] : 0;
        part->compute[0] = part->in[1];
        part->out[0] = part->compute[1];
        FIND_BEGINNING(parts, count, part, in);
        FIND_BEGINNING(parts, count, part, compute);
        FIND_BEGINNING(parts, count, part, out);
    }
    return status;
}

static double end_of_all(const struct timeline_part *parts, size_t count)
{
    double end = 0;
    for (size_t p = 0; p < count; p++)
        end = parts[p].out[1] > end ? parts[p].out[1] : end;
    return end;
}

enum status job_streams_timeline(struct job_streams *lanes, unsigned queues, struct host_arrays from,
                                 struct host_arrays to, void *joined, struct timeline_part *parts, struct error *error)
{
    size_t count = lanes->layout->count;
    struct timeline_part *seen = calloc(count, sizeof *seen);
    enum status status =
        seen ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for a timeline of %zu parts", count);
    lanes->timed = true;
    for (int run = 0; status == STATUS_OK && run < TIMELINE_RUNS; run++) {
        status = job_streams_pass(lanes, queues, LANES_ALL, from, to, joined, error);
        if (status == STATUS_OK)
            status = read_timeline(lanes, seen, error);
        if (status == STATUS_OK && (run == 0 || end_of_all(seen, count) < end_of_all(parts, count)))
            memcpy(parts, seen, count * sizeof *seen);
    }
    lanes->timed = false;
    free(seen);
    return status;
}
