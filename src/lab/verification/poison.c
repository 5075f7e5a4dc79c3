/* Poison: bytes that no rung computes, written over the outputs. Poison that remains after a run marks elements that
 * the rung did not write. */
#include "base/unpredictable.h"
#include "lab/verification/workspace.h"

#define POISON_FIRST 0xE0
#define POISON_NUMBERS                                                                                           \
    0xFE                /* below it the byte and its neighbour (its last bit changed) make numbers of all floats \
                         */
#define POISON_NAN 0xFF /* makes floats NaN, which no sum absorbs; used half of the time */

unsigned char workspace_poison_byte(const struct workspace *workspace)
{
    if (workspace && workspace->poison_is_number)
        return (unsigned char)(POISON_FIRST + unpredictable_below(POISON_NUMBERS - POISON_FIRST));
    bool is_nan = unpredictable_below(2) == 0;
    return is_nan ? POISON_NAN : (unsigned char)(POISON_FIRST + unpredictable_below(0x100 - POISON_FIRST));
}

enum status workspace_poison(struct workspace *workspace, unsigned char poison, struct error *error)
{
    enum status status = workspace_hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_OUT)
            status = buffer_fill(&workspace->payloads[i], 0, poison, workspace->data->arrays[i].bytes, error);
    if (status == STATUS_OK && workspace->scratch.payload.bytes)
        status = buffer_fill(&workspace->scratch.payload, 0, poison, workspace->scratch.payload.bytes, error);
    return status == STATUS_OK ? workspace_restore(workspace, error) : status;
}

static enum status poison_pieces(const struct buffer *buffer, unsigned char poison, struct error *error)
{
    struct piece pieces[PIECES_MAX];
    size_t count = pieces_choose(buffer->bytes, pieces);
    enum status status = STATUS_OK;
    for (size_t p = 0; status == STATUS_OK && p < count; p++)
        status = buffer_fill(buffer, pieces[p].offset, poison, pieces[p].bytes, error);
    return status;
}

enum status workspace_poison_pieces(struct workspace *workspace, struct error *error)
{
    unsigned char poison = workspace_poison_byte(workspace);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_OUT)
            status = poison_pieces(&workspace->payloads[i], poison, error);
    return status == STATUS_OK ? poison_pieces(&workspace->scratch.payload, poison, error) : status;
}
