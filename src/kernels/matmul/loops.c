/* The rungs M0 to M3: the textbook's loop nests (loops.h), for floats and doubles. */
#include <omp.h>

#include "base/translation.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/rows.h"

/* A block of the loops over l and j. */
struct block {
    size_t first_l, end_l, first_col, end_col;
};

static size_t block_end(size_t first, size_t end)
{
    return end - first > BLOCK ? first + BLOCK : end;
}

#define ELEMENT float
#define NAME(x) x##_float
#include "kernels/matmul/loops.h"
#undef ELEMENT
#undef NAME

#define ELEMENT double
#define NAME(x) x##_double
#include "kernels/matmul/loops.h"
#undef ELEMENT
#undef NAME

typedef void loops(const struct product *product, void *scratch);

/* Loops that use threads share a batch of enough products out among them: each product is then one thread's. Otherwise
 * no parallel region encloses theirs: within one, a region starts threads of its own. */
static enum status run_loops(struct run *run, loops *in_float, loops *in_double, bool threaded)
{
    const struct product batch = product_of_run(run);
    loops *chosen = batch.type == ELEMENT_F32 ? in_float : in_double;
    void *scratch = run->scratch ? run->scratch->host : NULL;
    const bool shared = threaded && batch.batch > 1 && batch.batch >= (size_t)omp_get_max_threads();
    for (size_t i = 0; !shared && i < batch.batch; i++) {
        const struct product product = product_at(&batch, i);
        chosen(&product, scratch);
    }
    if (!shared)
        return STATUS_OK;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < batch.batch; i++) {
        const struct product product = product_at(&batch, i);
        chosen(&product, scratch);
    }
    return STATUS_OK;
}

static size_t column_bytes(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return (size_t)problem_size(problem, "k") * element_info(problem->type)->bytes;
}

#define DEFINE_RUNG(symbol, text, reason, threaded, scratch_bytes)            \
    static enum status enqueue_##symbol(struct run *run, struct error *error) \
    {                                                                         \
        (void)error;                                                          \
        return run_loops(run, symbol##_float, symbol##_double, threaded);     \
    }                                                                         \
    const struct rung matmul_##symbol = {                                     \
        .name = text,                                                         \
        .idea = reason,                                                       \
        .kind = RUNG_HOST,                                                    \
        .backends = BACKEND_CPU,                                              \
        .takes = "batch",                                                     \
        .scratch = scratch_bytes,                                             \
        .enqueue = enqueue_##symbol,                                          \
    };

DEFINE_RUNG(serial, "serial", N_("the textbook's loops i, j, k: every step of the inner loop is in another row of B"),
            false, NULL)
DEFINE_RUNG(column_buffer, "column-buffer",
            N_("column j of B is copied into a buffer first, and read in order for all rows"), false, column_bytes)
DEFINE_RUNG(ikj, "ikj", N_("loops i, k, j on all threads: B and C are walked along their rows, in vectors"), true, NULL)
DEFINE_RUNG(blocked, "blocked", N_("blocks of 64 × 64 of A, B and C stay in the caches while they are used"), true,
            NULL)
DEFINE_RUNG(blocked_local, "blocked-local", N_("a block's row of results stays in registers and is added to C once"),
            true, NULL)
