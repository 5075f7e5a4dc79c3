#include "distributed/wave/wave.h"
#include "distributed/carrier.h"

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/part.h"
#include "kernels/wave/wave.h"

extern const struct kernel kernel_wave;
extern const struct device_rung wave_peer_loads;

struct slab_shape slab_shape_of(const struct problem *problem)
{
    struct wave_grid grid = wave_grid_of(problem);
    return (struct slab_shape){.plane = grid.nx * grid.ny * element_info(problem->type)->bytes,
                               .nz = grid.nz,
                               .reach = WAVE_REACH * grid.steps};
}

size_t slab_begin(const struct problem *problem, size_t count, size_t index)
{
    return part_begin(slab_shape_of(problem).nz, count, index);
}

static struct share share(const struct problem *problem, int array, size_t index, size_t count)
{
    size_t plane = slab_shape_of(problem).plane, begin = slab_begin(problem, count, index);
    (void)array;
    return (struct share){.offset = begin * plane, .bytes = (slab_begin(problem, count, index + 1) - begin) * plane};
}

static const char *refuses(const struct problem *problem, size_t count, char *reason, size_t size)
{
    struct slab_shape shape = slab_shape_of(problem);
    if (shape.nz / count >= 2 * shape.reach)
        return NULL;
    explain(reason, size,
            "%zu planes for each of %zu devices are fewer than twice the %zu that the steps reach: larger nz or fewer "
            "steps",
            shape.nz / count, count, shape.reach);
    return reason;
}

/* Planes of two fields, from both neighbours. */
static double link_bytes(const struct problem *problem, size_t count)
{
    struct slab_shape shape = slab_shape_of(problem);
    (void)count;
    return 4.0 * (double)shape.reach * (double)shape.plane;
}

/* Rungs of halo.c differ in the carrier, and in whether the halos travel before the slabs are computed or meanwhile. */
#define HALO \
    .work = halo_work, .scratch = halo_scratch, .prepare = halo_prepare, .enqueue = halo_enqueue, .finish = halo_finish

static const struct device_rung through_host = {
    THROUGH_HOST(N_("the halos of all steps travel through host memory, then each device computes")), HALO};
static const struct device_rung peer_copies = {
    BY_PEER_COPIES(N_("the halos of all steps are copied directly, then each device computes")), HALO};
static const struct device_rung hidden = {
    .name = "hidden",
    .idea =
        N_("the halos travel while each device computes its slab; once there, the rims go before what is left of it"),
    .needs = NEEDS_PEERS,
    .overlaps = true,
    .carrier = CARRIER_PEERS,
    HALO,
};
static const struct device_rung nccl = {
    BY_NCCL(N_("NCCL sends and receives the halos of all steps, then each device computes")), HALO};

static const struct device_rung *const rungs[] = {&through_host, &peer_copies, &hidden, &wave_peer_loads, &nccl};

const struct device_ladder wave_on_devices = {
    .kernel = &kernel_wave,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .refuses = refuses,
    .link_bytes = link_bytes,
    .axis = "nz",
    .begin = slab_begin,
    .bench = "wave:nx=256,ny=256,nz=2048,steps=4",
};
