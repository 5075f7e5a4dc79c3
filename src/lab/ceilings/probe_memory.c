#include "base/translation.h"
#include "lab/ceilings/memory_walk.h"
#include "lab/ceilings/probes.h"
#include "store/cores.h"

#define MOVES_MOST 4 /* a machine whose threads move more often has no best strategy */

static void walk_finish(struct run *run)
{
    walk_destroy(run->state);
    run->state = NULL;
}

static enum status streams_prepare(struct run *run, struct error *error)
{
    struct cost cost = run->problem->kernel->cost(run->problem);
    struct walk *walk = NULL;
    enum status status = walk_create(run, cost.read_streams, cost.write_streams, cost.passes, &walk, error);
    run->state = walk;
    return status;
}

static enum status copy_prepare(struct run *run, struct error *error)
{
    struct walk *walk = NULL;
    enum status status = walk_create(run, 1, 1, run->problem->kernel->cost(run->problem).passes, &walk, error);
    run->state = walk;
    return status;
}

static enum status walk_run(struct run *run, struct error *error)
{
    return walk_enqueue(run->state, error);
}

const struct rung probe_streams = {
    .name = "streams",
    .idea = N_("as many streams read and written, and nothing else: the ceiling"),
    .kind = RUNG_VENDOR,
    .takes = TAKES_ALL,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = streams_prepare,
    .finish = walk_finish,
    .enqueue = walk_run,
};

const struct rung probe_copy = {
    .name = "copy",
    .idea = N_("the fastest copy of the same bytes that the device has: the ceiling"),
    .kind = RUNG_VENDOR,
    .takes = TAKES_ALL,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = copy_prepare,
    .finish = walk_finish,
    .enqueue = walk_run,
};

enum status ceiling_search_again(struct run *run, bool others, struct error *error)
{
    if (run->rung == &probe_fma)
        ceiling_fma_search(run);
    if (run->rung != &probe_streams && run->rung != &probe_copy)
        return STATUS_OK;
    return others ? walk_search_others(run->state, run, error) : walk_search(run->state, run, error);
}

enum status ceiling_search_where(struct run *run, double core_latency, struct error *error)
{
    struct walk *walk = run->rung == &probe_streams || run->rung == &probe_copy ? run->state : NULL;
    if (!walk)
        return STATUS_OK;
    const bool moved = cores_elsewhere(walk->core_latency, core_latency) && walk->moves < MOVES_MOST;
    walk->core_latency = core_latency;
    walk->moves += moved;
    return moved ? walk_search(walk, run, error) : STATUS_OK;
}
