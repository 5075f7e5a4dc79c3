#include <string.h>

#include "kernels/transpose/transpose.h"

static FOR_EACH_SIZE void walk(const struct transposition *t, size_t bytes)
{
    const unsigned char *restrict in = t->in;
    unsigned char *restrict out = t->out;
    /* begin walk */
    for (size_t row = 0; row < t->rows; row++)
        for (size_t col = 0; col < t->cols; col++)
            memcpy(out + (col * t->rows + row) * bytes, in + (row * t->cols + col) * bytes, bytes);
    /* end walk */
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct transposition t = transposition_of(run);
    CALL_FOR_SIZE(t.bytes, walk, &t);
    return STATUS_OK;
}

const struct rung transpose_serial = {
    .name = "serial",
    .idea = "the plain double loop: reads along the rows, writes with a stride of a whole column",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .enqueue = enqueue,
};
