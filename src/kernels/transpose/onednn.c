/* What a program of neural networks would call: a reorder of oneDNN, from one order of the same matrix's dimensions to
 * the other. Its C interface is spelled out here for versions 2 and 3, which differ in how a memory is described. */
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/onednn.h"
#include "kernels/transpose/transpose.h"
#include "kernels/vendor_library.h"

enum { ENGINE_CPU = 1, STREAM_DEFAULT = 1, ARGUMENT_FROM = 1, ARGUMENT_TO = 17, DIMENSIONS_MAX = 12 };

struct argument {
    int role;
    void *memory;
};

/* All return 0 for success. Objects are pointers; version 2 keeps a description in the caller's memory. */
struct functions {
    int (*engine_create)(void **engine, int kind, size_t index);
    int (*engine_destroy)(void *engine);
    int (*stream_create)(void **stream, void *engine, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_wait)(void *stream);
    int (*describe_2)(void *description, int dimensions, const int64_t *sizes, int type, const int64_t *steps);
    int (*describe_3)(void **description, int dimensions, const int64_t *sizes, int type, const int64_t *steps);
    int (*description_destroy)(void *description);
    int (*memory_create)(void **memory, const void *description, void *engine, void *data);
    int (*memory_destroy)(void *memory);
    int (*memory_set)(void *memory, void *data);
    int (*reorder)(void **plan, const void *from, void *from_engine, const void *to, void *to_engine,
                   const void *attributes);
    int (*plan_destroy)(void *plan);
    int (*primitive_create)(void **primitive, const void *plan);
    int (*primitive_destroy)(void *primitive);
    int (*primitive_execute)(const void *primitive, void *stream, int count, const struct argument *arguments);
};

struct onednn {
    struct vendor_library library;
    struct functions call;
    void *engine, *stream, *primitive;
    void *memories[2];
    void *descriptions[2]; /* version 3's */
};

#define SYMBOL(name, member, optional)                               \
    {                                                                \
        "dnnl_" name, offsetof(struct onednn, call.member), optional \
    }
static const struct dynamic_symbol symbols[] = {
    SYMBOL("engine_create", engine_create, 0),
    SYMBOL("engine_destroy", engine_destroy, 0),
    SYMBOL("stream_create", stream_create, 0),
    SYMBOL("stream_destroy", stream_destroy, 0),
    SYMBOL("stream_wait", stream_wait, 0),
    SYMBOL("memory_desc_init_by_strides", describe_2, 1),
    SYMBOL("memory_desc_create_with_strides", describe_3, 1),
    SYMBOL("memory_desc_destroy", description_destroy, 1),
    SYMBOL("memory_create", memory_create, 0),
    SYMBOL("memory_destroy", memory_destroy, 0),
    SYMBOL("memory_set_data_handle", memory_set, 0),
    SYMBOL("reorder_primitive_desc_create", reorder, 0),
    SYMBOL("primitive_desc_destroy", plan_destroy, 0),
    SYMBOL("primitive_create", primitive_create, 0),
    SYMBOL("primitive_destroy", primitive_destroy, 0),
    SYMBOL("primitive_execute", primitive_execute, 0),
};

/* Version 2's description of a memory is smaller than 1 KiB. */
struct description {
    _Alignas(16) unsigned char bytes[4096];
};

/* oneDNN's types that moves an element as it is, or 0. */
static int data_type(enum element_type type)
{
    static const int types[ELEMENT_TYPE_COUNT] = {
        [ELEMENT_F16] = 1, [ELEMENT_F32] = 3, [ELEMENT_I32] = 4, [ELEMENT_U32] = 4, [ELEMENT_I8] = 5, [ELEMENT_U8] = 6,
    };
    return types[type];
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (problem->type == ELEMENT_F16 && problem_size(problem, "input") == TRANSPOSE_INPUT_BITS)
        return N_("oneDNN's f16 goes through float, which changes signalling NaNs: only for input=numbers");
    if (data_type(problem->type) != 0)
        return NULL;
    explain(reason, size, "oneDNN has no type that moves %s as it is", element_info(problem->type)->name);
    return reason;
}

/* ---- making and releasing ----------------------------------------------------------------------------------- */

/* Describes array `index` of the run as the input's rows × cols; returns what the other functions take, or NULL. */
static void *describe(struct onednn *onednn, const struct run *run, int index, struct description *room)
{
    int64_t rows = (int64_t)run->arrays[0].rows, cols = (int64_t)run->arrays[0].cols;
    int64_t sizes[DIMENSIONS_MAX] = {rows, cols};
    int64_t steps[DIMENSIONS_MAX] = {index == 0 ? cols : 1, index == 0 ? 1 : rows};
    int type = data_type(run->problem->type);
    if (onednn->call.describe_3)
        return onednn->call.describe_3(&onednn->descriptions[index], 2, sizes, type, steps) == 0
                   ? onednn->descriptions[index]
                   : NULL;
    return onednn->call.describe_2 && onednn->call.describe_2(room->bytes, 2, sizes, type, steps) == 0 ? room->bytes
                                                                                                       : NULL;
}

/* True when everything is made; what is made is released by finish either way. */
static bool make(struct onednn *onednn, const struct run *run)
{
    struct description room[2];
    const struct functions *call = &onednn->call;
    if (call->engine_create(&onednn->engine, ENGINE_CPU, 0) != 0 ||
        call->stream_create(&onednn->stream, onednn->engine, STREAM_DEFAULT) != 0)
        return false;
    void *from = describe(onednn, run, 0, &room[0]), *to = describe(onednn, run, 1, &room[1]), *plan = NULL;
    if (!from || !to || call->memory_create(&onednn->memories[0], from, onednn->engine, NULL) != 0 ||
        call->memory_create(&onednn->memories[1], to, onednn->engine, NULL) != 0 ||
        call->reorder(&plan, from, onednn->engine, to, onednn->engine, NULL) != 0)
        return false;
    bool made = call->primitive_create(&onednn->primitive, plan) == 0;
    call->plan_destroy(plan);
    return made;
}

static void finish(struct run *run)
{
    struct onednn *onednn = run->state;
    const struct functions *call = &onednn->call;
    if (onednn->primitive)
        call->primitive_destroy(onednn->primitive);
    for (int i = 0; i < 2; i++) {
        if (onednn->memories[i])
            call->memory_destroy(onednn->memories[i]);
        if (onednn->descriptions[i] && call->description_destroy)
            call->description_destroy(onednn->descriptions[i]);
    }
    if (onednn->stream)
        call->stream_destroy(onednn->stream);
    if (onednn->engine)
        call->engine_destroy(onednn->engine);
    vendor_library_finish(run);
}

static enum status prepare(struct run *run, struct error *error)
{
    enum status status =
        vendor_library_prepare(run, sizeof(struct onednn), &onednn_library, symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    struct onednn *onednn = run->state;
    bool empty = run->arrays[0].rows == 0 || run->arrays[0].cols == 0;
    if (empty || make(onednn, run))
        return STATUS_OK;
    finish(run);
    return fail(error, STATUS_UNAVAILABLE, "this oneDNN has no reorder of %s for this processor",
                element_info(run->problem->type)->name);
}

/* ---- running ------------------------------------------------------------------------------------------------ */

static enum status enqueue(struct run *run, struct error *error)
{
    const struct onednn *onednn = run->state;
    const struct functions *call = &onednn->call;
    if (!onednn->primitive) /* nothing to move */
        return STATUS_OK;
    const struct argument arguments[] = {{ARGUMENT_FROM, onednn->memories[0]}, {ARGUMENT_TO, onednn->memories[1]}};
    if (call->memory_set(onednn->memories[0], run->buffers[0].host) != 0 ||
        call->memory_set(onednn->memories[1], run->buffers[1].host) != 0 ||
        call->primitive_execute(onednn->primitive, onednn->stream, 2, arguments) != 0 ||
        call->stream_wait(onednn->stream) != 0)
        return fail(error, STATUS_SYSTEM, "oneDNN's reorder failed");
    return STATUS_OK;
}

const struct rung transpose_onednn = {
    .name = "onednn",
    .idea = "oneDNN's reorder of the matrix's two dimensions, on all cores",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
