#include "kernels/transpose/block.h"

static FOR_EACH_SIZE void turn(const struct transposition *t, size_t bytes)
{
    for (size_t row = 0; row < t->rows; row += BLOCK)
        for (size_t col = 0; col < t->cols; col += BLOCK)
            transpose_block(*t, row, col, bytes);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct transposition t = transposition_of(run);
    CALL_FOR_SIZE(t.bytes, turn, &t);
    return STATUS_OK;
}

const struct rung transpose_blocked = {
    .name = "blocked",
    .idea = "blocks of 16 × 16 elements: every line that the caches fetch is used whole before it goes",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .enqueue = enqueue,
};
