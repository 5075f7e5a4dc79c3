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

/* The textbook's loops for elements of 16 bits, whose sums are floats. */
static void serial_half(const struct product *p, void *scratch)
{
    (void)scratch;
    const size_t a_down = p->transa ? 1 : p->lda, a_across = p->transa ? p->lda : 1;
    const size_t b_down = p->transb ? 1 : p->ldb, b_across = p->transb ? p->ldb : 1, k = product_depth(p);
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            const size_t at = i * p->ldc + j;
            float sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (float)element_number(p->type, p->a, i * a_down + l * a_across) *
                       (float)element_number(p->type, p->b, l * b_down + j * b_across);
            sum *= alpha;
            if (beta != 0)
                sum += beta * (float)element_number(p->result, p->c, at);
            element_put(p->result, p->c, at, (double)sum);
        }
}

typedef void loops(const struct product *product, void *scratch);

/* Loops that use threads share a batch of enough products out among them: each product is then one thread's. Otherwise
 * no parallel region encloses theirs: within one, a region starts threads of its own. */
static enum status run_loops(struct run *run, loops *in_float, loops *in_double, loops *in_half, bool threaded)
{
    const struct product batch = product_of_run(run);
    loops *chosen = element_is_half(batch.type) ? in_half : batch.type == ELEMENT_F32 ? in_float : in_double;
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

#define DEFINE_RUNG(symbol, text, reason, known, in_half, threaded, scratch_bytes) \
    static enum status enqueue_##symbol(struct run *run, struct error *error)      \
    {                                                                              \
        (void)error;                                                               \
        return run_loops(run, symbol##_float, symbol##_double, in_half, threaded); \
    }                                                                              \
    const struct rung matmul_##symbol = {                                          \
        .name = text,                                                              \
        .idea = reason,                                                            \
        .kind = RUNG_HOST,                                                         \
        .backends = BACKEND_CPU,                                                   \
        .takes = known,                                                            \
        .scratch = scratch_bytes,                                                  \
        .enqueue = enqueue_##symbol,                                               \
    };

DEFINE_RUNG(serial, "serial", N_("the textbook's loops i, j, k: every step of the inner loop is in another row of B"),
            "batch result f16 bf16", serial_half, false, NULL)
DEFINE_RUNG(column_buffer, "column-buffer",
            N_("column j of B is copied into a buffer first, and read in order for all rows"), "batch", NULL, false,
            column_bytes)
DEFINE_RUNG(ikj, "ikj", N_("loops i, k, j on all threads: B and C are walked along their rows, in vectors"), "batch",
            NULL, true, NULL)
DEFINE_RUNG(blocked, "blocked", N_("blocks of 64 × 64 of A, B and C stay in the caches while they are used"), "batch",
            NULL, true, NULL)
DEFINE_RUNG(blocked_local, "blocked-local", N_("a block's row of results stays in registers and is added to C once"),
            "batch", NULL, true, NULL)
