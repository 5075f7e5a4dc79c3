/* The rungs M0 to M3: the textbook's loop nests (loops.h), for floats and doubles. */
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

static enum status run_loops(struct run *run, loops *in_float, loops *in_double)
{
    struct product product = product_of_run(run);
    loops *chosen = product.type == ELEMENT_F32 ? in_float : in_double;
    chosen(&product, run->scratch ? run->scratch->host : NULL);
    return STATUS_OK;
}

static size_t column_bytes(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return (size_t)problem_size(problem, "k") * element_info(problem->type)->bytes;
}

#define DEFINE_RUNG(symbol, text, reason, scratch_bytes)                      \
    static enum status enqueue_##symbol(struct run *run, struct error *error) \
    {                                                                         \
        (void)error;                                                          \
        return run_loops(run, symbol##_float, symbol##_double);               \
    }                                                                         \
    const struct rung matmul_##symbol = {                                     \
        .name = text,                                                         \
        .idea = reason,                                                       \
        .kind = RUNG_HOST,                                                    \
        .backends = BACKEND_CPU,                                              \
        .scratch = scratch_bytes,                                             \
        .enqueue = enqueue_##symbol,                                          \
    };

DEFINE_RUNG(serial, "serial", N_("the textbook's loops i, j, k: every step of the inner loop is in another row of B"),
            NULL)
DEFINE_RUNG(column_buffer, "column-buffer",
            N_("column j of B is copied into a buffer first, and read in order for all rows"), column_bytes)
DEFINE_RUNG(ikj, "ikj", N_("loops i, k, j on all threads: B and C are walked along their rows, in vectors"), NULL)
DEFINE_RUNG(blocked, "blocked", N_("blocks of 64 × 64 of A, B and C stay in the caches while they are used"), NULL)
DEFINE_RUNG(blocked_local, "blocked-local", N_("a block's row of results stays in registers and is added to C once"),
            NULL)
