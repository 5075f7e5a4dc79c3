/* CLBlast's omatcopy, B = α·op(A), with α = 1 and A transposed. It multiplies, so it takes only the types that it was
 * made for: other elements' bits might come out changed. */
#include "kernels/clblast.h"

#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "kernels/transpose/transpose.h"

/* The scalars' types, as the functions take them by value. */
#define VARIANTS(X)                                            \
    X(ELEMENT_F32, CLBlastSomatcopy, float, 1)                 \
    X(ELEMENT_F64, CLBlastDomatcopy, double, 1)                \
    X(ELEMENT_C64, CLBlastComatcopy, cl_float2, {.s = {1, 0}}) \
    X(ELEMENT_C128, CLBlastZomatcopy, cl_double2, {.s = {1, 0}})

/* A rows × cols matrix on its way: the part of every call that is the same. */
struct call {
    size_t rows, cols;
    cl_mem in, out;
    cl_command_queue queue;
};

/* One function per type, which calls the library's with its own kind of 1. */
#define CALL(type, function, scalar, ...)                                                                              \
    typedef int function##_type(int layout, int transpose, size_t m, size_t n, scalar alpha, cl_mem a,                 \
                                size_t a_offset, size_t a_pitch, cl_mem b, size_t b_offset, size_t b_pitch,            \
                                cl_command_queue *queue, cl_event *event);                                             \
    static int call_##function(void *library_function, struct call *call)                                              \
    {                                                                                                                  \
        const scalar one = __VA_ARGS__;                                                                                \
        return ((function##_type *)library_function)(CLBLAST_ROW_MAJOR, CLBLAST_TRANSPOSE_YES, call->rows, call->cols, \
                                                     one, call->in, 0, call->cols, call->out, 0, call->rows,           \
                                                     &call->queue, NULL);                                              \
    }
VARIANTS(CALL)

#define ROW(type, function, scalar, ...) {type, #function, call_##function},
static const struct variant {
    enum element_type type;
    const char *name;
    int (*call)(void *library_function, struct call *call);
} variants[] = {VARIANTS(ROW)};

struct state {
    struct vendor_library library;
    void *function;
    const struct variant *variant;
};

static const struct variant *find_variant(enum element_type type)
{
    for (size_t i = 0; i < COUNT_OF(variants); i++)
        if (variants[i].type == type)
            return &variants[i];
    return NULL;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)parameters;
    bool is_double = problem->type == ELEMENT_F64 || problem->type == ELEMENT_C128;
    if (!find_variant(problem->type))
        explain(reason, size, "CLBlast's omatcopy takes f32, f64, c64 and c128, not %s",
                element_info(problem->type)->name);
    else if (is_double && !device->properties.has_double)
        explain(reason, size, "%s has no double precision", device->id);
    else
        return transpose_refuses_bits(problem);
    return reason;
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct variant *variant = find_variant(run->problem->type);
    const struct dynamic_symbol symbol = {variant->name, offsetof(struct state, function), 0};
    enum status status = clblast_prepare(run, sizeof(struct state), &symbol, 1, error);
    if (status == STATUS_OK)
        ((struct state *)run->state)->variant = variant;
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    struct call call = {
        .rows = run->arrays[0].rows,
        .cols = run->arrays[0].cols,
        .in = (cl_mem)run->buffers[0].native,
        .out = (cl_mem)run->buffers[1].native,
        .queue = run->device->native_queue,
    };
    if (call.rows == 0 || call.cols == 0)
        return STATUS_OK;
    return clblast_check(state->variant->call(state->function, &call), state->variant->name, error);
}

const struct rung transpose_clblast = {
    .name = "clblast",
    .idea = "CLBlast: omatcopy, which copies a scaled matrix and transposes it on the way",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_OPENCL,
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
