#include "kernels/onednn.h"

#include "base/size.h"
#include "base/translation.h"

static const char *const names[] = {"libdnnl.so.3", "libdnnl.so.3.*", "libdnnl.so.2", "libdnnl.so", NULL};

const struct dynamic_library onednn_library = {
    "oneDNN", names, NULL,
    N_("install it (Debian 12: libdnnl2, Debian 13: libdnnl3.6, Ubuntu: libdnnl3, elsewhere: onednn)")};

enum { ENGINE_CPU = 1, STREAM_DEFAULT = 1, DIMENSIONS_MAX = 12 };

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
    int (*matmul_2)(void *operation, const void *from, const void *weights, const void *bias, const void *to);
    int (*plan_2)(void **plan, const void *operation, const void *attributes, void *engine, const void *hint);
    int (*matmul_3)(void **plan, void *engine, const void *from, const void *weights, const void *bias, const void *to,
                    const void *attributes);
    int (*plan_destroy)(void *plan);
    int (*primitive_create)(void **primitive, const void *plan);
    int (*primitive_destroy)(void *primitive);
    int (*primitive_execute)(const void *primitive, void *stream, int count, const struct argument *arguments);
};

/* Version 2's description of a memory is smaller than 1 KiB, that of an operation has at most five of them. */
struct description {
    _Alignas(16) unsigned char bytes[8192];
};

struct onednn {
    struct vendor_library library;
    struct functions call;
    void *engine, *stream, *primitive;
    int count;
    struct argument arguments[ONEDNN_MEMORIES_MAX];
    void *descriptions[ONEDNN_MEMORIES_MAX]; /* version 3's */
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
    SYMBOL("matmul_desc_init", matmul_2, 1),
    SYMBOL("primitive_desc_create", plan_2, 1),
    SYMBOL("matmul_primitive_desc_create", matmul_3, 1),
    SYMBOL("primitive_desc_destroy", plan_destroy, 0),
    SYMBOL("primitive_create", primitive_create, 0),
    SYMBOL("primitive_destroy", primitive_destroy, 0),
    SYMBOL("primitive_execute", primitive_execute, 0),
};

/* oneDNN's number of a type, or 0. */
static int data_type(enum element_type type)
{
    static const int types[ELEMENT_TYPE_COUNT] = {
        [ELEMENT_F16] = 1, [ELEMENT_BF16] = 2, [ELEMENT_F32] = 3, [ELEMENT_I32] = 4,
        [ELEMENT_U32] = 4, [ELEMENT_I8] = 5,   [ELEMENT_U8] = 6,
    };
    return types[type];
}

bool onednn_has_type(enum element_type type)
{
    return data_type(type) != 0;
}

/* ---- making and releasing ----------------------------------------------------------------------------------- */

/* Describes the matrix; returns what the other functions take, or NULL. */
static void *describe(struct onednn *onednn, const struct onednn_matrix *matrix, int index, struct description *room)
{
    int64_t sizes[DIMENSIONS_MAX] = {(int64_t)matrix->rows, (int64_t)matrix->cols};
    int64_t steps[DIMENSIONS_MAX] = {(int64_t)matrix->down, (int64_t)matrix->across};
    const int type = data_type(matrix->type);
    if (onednn->call.describe_3)
        return onednn->call.describe_3(&onednn->descriptions[index], 2, sizes, type, steps) == 0
                   ? onednn->descriptions[index]
                   : NULL;
    return onednn->call.describe_2 && onednn->call.describe_2(room->bytes, 2, sizes, type, steps) == 0 ? room->bytes
                                                                                                       : NULL;
}

static bool make_plan(const struct onednn *onednn, enum onednn_operation operation, void *const *of, void **plan)
{
    const struct functions *call = &onednn->call;
    struct description product;
    if (operation == ONEDNN_REORDER)
        return call->reorder(plan, of[0], onednn->engine, of[1], onednn->engine, NULL) == 0;
    if (call->matmul_3)
        return call->matmul_3(plan, onednn->engine, of[0], of[1], NULL, of[2], NULL) == 0;
    return call->matmul_2 && call->plan_2 && call->matmul_2(product.bytes, of[0], of[1], NULL, of[2]) == 0 &&
           call->plan_2(plan, product.bytes, NULL, onednn->engine, NULL) == 0;
}

/* True when everything is made; what is made is released by onednn_finish either way. */
static bool make(struct onednn *onednn, enum onednn_operation operation, const struct onednn_matrix *matrices)
{
    struct description room[ONEDNN_MEMORIES_MAX];
    void *of[ONEDNN_MEMORIES_MAX], *plan = NULL;
    const struct functions *call = &onednn->call;
    if (call->engine_create(&onednn->engine, ENGINE_CPU, 0) != 0 ||
        call->stream_create(&onednn->stream, onednn->engine, STREAM_DEFAULT) != 0)
        return false;
    for (int i = 0; i < onednn->count; i++) {
        onednn->arguments[i].role = (int)matrices[i].role;
        of[i] = describe(onednn, &matrices[i], i, &room[i]);
        if (!of[i] || call->memory_create(&onednn->arguments[i].memory, of[i], onednn->engine, NULL) != 0)
            return false;
    }
    if (!make_plan(onednn, operation, of, &plan))
        return false;
    bool made = call->primitive_create(&onednn->primitive, plan) == 0;
    call->plan_destroy(plan);
    return made;
}

void onednn_finish(struct run *run)
{
    struct onednn *onednn = run->state;
    const struct functions *call = &onednn->call;
    if (onednn->primitive)
        call->primitive_destroy(onednn->primitive);
    for (int i = 0; i < onednn->count; i++) {
        if (onednn->arguments[i].memory)
            call->memory_destroy(onednn->arguments[i].memory);
        if (onednn->descriptions[i] && call->description_destroy)
            call->description_destroy(onednn->descriptions[i]);
    }
    if (onednn->stream)
        call->stream_destroy(onednn->stream);
    if (onednn->engine)
        call->engine_destroy(onednn->engine);
    vendor_library_finish(run);
}

enum status onednn_prepare(struct run *run, enum onednn_operation operation, const struct onednn_matrix *matrices,
                           int count, struct error *error)
{
    enum status status =
        vendor_library_prepare(run, sizeof(struct onednn), &onednn_library, symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    struct onednn *onednn = run->state;
    bool empty = false;
    for (int i = 0; i < count; i++)
        empty = empty || matrices[i].rows == 0 || matrices[i].cols == 0;
    onednn->count = count;
    if (empty || make(onednn, operation, matrices))
        return STATUS_OK;
    onednn_finish(run);
    return fail(error, STATUS_UNAVAILABLE, "this oneDNN has no %s of %s for this processor",
                operation == ONEDNN_REORDER ? "reorder" : "matmul", element_info(run->problem->type)->name);
}

/* ---- running ------------------------------------------------------------------------------------------------ */

enum status onednn_execute(struct run *run, void *const *data, struct error *error)
{
    struct onednn *onednn = run->state;
    const struct functions *call = &onednn->call;
    bool done = true;
    if (!onednn->primitive) /* no elements */
        return STATUS_OK;
    for (int i = 0; i < onednn->count; i++)
        done = done && call->memory_set(onednn->arguments[i].memory, data[i]) == 0;
    done = done && call->primitive_execute(onednn->primitive, onednn->stream, onednn->count, onednn->arguments) == 0 &&
           call->stream_wait(onednn->stream) == 0;
    return done ? STATUS_OK : fail(error, STATUS_SYSTEM, "oneDNN's primitive failed");
}
