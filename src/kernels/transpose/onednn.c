/* What a program of neural networks would call: a reorder of oneDNN, from one order of the same matrix's dimensions to
 * the other. */
#include "kernels/onednn.h"

#include "base/message.h"
#include "base/translation.h"
#include "kernels/transpose/transpose.h"

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (element_is_half(problem->type) && problem_size(problem, "input") == TRANSPOSE_INPUT_BITS)
        return N_("oneDNN's f16 goes through float, which changes signalling NaNs: only for input=numbers");
    if (onednn_has_type(problem->type))
        return NULL;
    explain(reason, size, "oneDNN has no type that moves %s as it is", element_info(problem->type)->name);
    return reason;
}

/* Both are the input's rows × cols. */
static enum status prepare(struct run *run, struct error *error)
{
    const size_t rows = run->arrays[0].rows, cols = run->arrays[0].cols;
    const enum element_type type = run->problem->type;
    const struct onednn_matrix matrices[] = {{ONEDNN_FROM, type, rows, cols, cols, 1},
                                             {ONEDNN_TO, type, rows, cols, 1, rows}};
    return onednn_prepare(run, ONEDNN_REORDER, matrices, 2, error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    return onednn_execute(run, (void *const[]){run->buffers[0].host, run->buffers[1].host}, error);
}

const struct rung transpose_onednn = {
    .name = "onednn",
    .idea = "oneDNN's reorder of the matrix's two dimensions, on all cores",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .prepare = prepare,
    .finish = onednn_finish,
    .enqueue = enqueue,
};
