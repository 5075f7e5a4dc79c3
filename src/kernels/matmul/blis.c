/* BLIS, whose structure the rung `packed` shares. */
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/matmul/cblas.h"

typedef int queries_architecture(void);
typedef const char *names_architecture(int architecture);

static const struct dynamic_symbol symbols[] = {
    CBLAS_SYMBOLS,
    {"bli_thread_set_num_threads", offsetof(struct cblas, set_threads_wide), 0},
    {"bli_arch_query_id", offsetof(struct cblas, extra[0]), 1},
    {"bli_arch_string", offsetof(struct cblas, extra[1]), 1},
};

static const char *const names[] = {"libblis.so.4", "libblis.so.5", "libblis.so", NULL};
static const struct dynamic_library library = {"BLIS", names, NULL, N_("install libblis4-pthread")};

/* Multiply-adds that are worth BLIS's threads: each call starts them, and they wait for each other by turning round. */
#define THREADS_FROM (128.0 * 128 * 128)

static enum status prepare(struct run *run, struct error *error)
{
    enum status status = cblas_prepare(run, &library, symbols, COUNT_OF(symbols), error);
    const struct cblas *cblas = run->state;
    const struct product p = product_of_run(run);
    if (status == STATUS_OK && cblas->set_threads_wide && (double)p.m * (double)p.n * (double)p.k < THREADS_FROM)
        cblas->set_threads_wide(1);
    if (status == STATUS_OK && cblas->extra[0] && cblas->extra[1])
        explain(run->detail, sizeof run->detail, "kernels for %s",
                ((names_architecture *)cblas->extra[1])(((queries_architecture *)cblas->extra[0])()));
    return status;
}

const struct rung matmul_blis = {
    .name = "blis",
    .idea = "BLIS's cblas_sgemm and cblas_dgemm",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .takes = "batch",
    .supports = cblas_supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = cblas_enqueue,
};
