#include "distributed/ranks/resident.h"

#include <stdlib.h>

#include "base/clock.h"
#include "distributed/ranks/rank_nccl.h"

static size_t part_bytes(const struct method_run *run, int array)
{
    struct place place =
        run->method->place(run->problem, &run->arrays[array], array, run->ranks.rank, run->ranks.count);
    return place.rows * place.cols * element_info(run->arrays[array].type)->bytes;
}

enum status resident_begin(struct method_run *run, size_t state_bytes, struct error *error)
{
    struct resident *resident = run->state = calloc(1, state_bytes);
    if (!resident) /* a failing rank takes part in the agreement, or the others would wait for it */
        ranks_abort(3);
    enum status status = run->device->backend->kind != BACKEND_CPU
                             ? STATUS_OK
                             : fail(error, STATUS_UNAVAILABLE, "the cpu computes in host memory: nothing is resident");
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++) {
        resident->bytes[i] = part_bytes(run, i);
        status = buffer_allocate(run->device, resident->bytes[i], &resident->parts[i], error);
    }
    if (status == STATUS_OK && (!rank_pieces_make(&resident->send, run->ranks.count) ||
                                !rank_pieces_make(&resident->receive, run->ranks.count)))
        status = fail(error, STATUS_UNAVAILABLE, "no memory");
    /* Every rank calls rank_nccl_open, which is collective, even if its own allocation failed. */
    status = ranks_agree(&run->ranks, status, error);
    return status == STATUS_OK && run->method->by_nccl && run->ranks.count > 1
               ? rank_nccl_open(&run->ranks, run->device, &resident->nccl, error)
               : status;
}

void resident_end(struct method_run *run)
{
    struct resident *resident = run->state;
    if (!resident)
        return;
    local_run_finish(&resident->local);
    program_discard(resident->program);
    buffer_release(&resident->sent);
    buffer_release(&resident->received);
    rank_pieces_free(&resident->send);
    rank_pieces_free(&resident->receive);
    rank_nccl_close(resident->nccl);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        buffer_release(&resident->parts[i]);
    free(resident->leaving);
    free(resident->arriving);
    free(resident);
    run->state = NULL;
}

enum status resident_upload(struct method_run *run, struct error *error)
{
    const struct resident *resident = run->state;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++)
        if (run->arrays[i].direction == ARRAY_OUT && resident->bytes[i]) /* poisoned with one byte */
            status =
                buffer_fill(&resident->parts[i], 0, *(const unsigned char *)run->parts[i], resident->bytes[i], error);
        else if (!run->has_inputs || run->arrays[i].direction == ARRAY_INOUT)
            status = buffer_write(&resident->parts[i], 0, run->parts[i], resident->bytes[i], error);
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

enum status resident_download(struct method_run *run, struct error *error)
{
    const struct resident *resident = run->state;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++)
        if (run->arrays[i].direction != ARRAY_IN)
            status = buffer_read(&resident->parts[i], 0, run->parts[i], resident->bytes[i], error);
    return status;
}

/* ---- exchange ------------------------------------------------------------------------------------------------- */

static size_t end_of(const struct rank_pieces *pieces, int count)
{
    size_t end = 0;
    for (int r = 0; r < count; r++)
        end = pieces->offsets[r] + pieces->bytes[r] > end ? pieces->offsets[r] + pieces->bytes[r] : end;
    return end;
}

static enum status make_room(void **memory, size_t *bytes, size_t wanted, struct error *error)
{
    if (*bytes >= wanted)
        return STATUS_OK;
    free(*memory);
    *bytes = 0;
    enum status status = method_allocate(memory, wanted, error);
    *bytes = status == STATUS_OK ? wanted : 0;
    return status;
}

/* A rank that cannot read its device still takes part, or the others would wait for it. */
static enum status exchange_through_host(const struct method_run *run, const struct buffer *from,
                                         const struct rank_pieces *send, const struct buffer *to,
                                         const struct rank_pieces *receive, struct error *error)
{
    struct resident *resident = run->state;
    struct rank_pieces leaving = *send, arriving = *receive;
    size_t out = end_of(send, run->ranks.count), in = end_of(receive, run->ranks.count);
    enum status status = make_room(&resident->leaving, &resident->leaving_bytes, out, error);
    if (status == STATUS_OK)
        status = make_room(&resident->arriving, &resident->arriving_bytes, in, error);
    if (status == STATUS_OK)
        status = buffer_read(from, 0, resident->leaving, out, error);
    status = ranks_agree(&run->ranks, status, error);
    leaving.data = resident->leaving;
    arriving.data = resident->arriving;
    if (status == STATUS_OK)
        status = ranks_exchange(&run->ranks, &leaving, &arriving, error);
    for (int r = 0; status == STATUS_OK && r < run->ranks.count; r++) /* the bytes between pieces stay unchanged */
        if (receive->bytes[r])
            status = buffer_write(to, receive->offsets[r], (char *)arriving.data + receive->offsets[r],
                                  receive->bytes[r], error);
    return status;
}

enum status resident_exchange(const struct method_run *run, const struct buffer *from, const struct rank_pieces *send,
                              const struct buffer *to, const struct rank_pieces *receive, struct error *error)
{
    const struct resident *resident = run->state;
    int64_t since = clock_now();
    if (!resident->nccl)
        return exchange_through_host(run, from, send, to, receive, error);
    enum status status = rank_nccl_exchange(resident->nccl, from, send, to, receive, error);
    if (status == STATUS_OK)
        status = rank_nccl_wait(resident->nccl, error); /* so that the copy's time counts as communication */
    if (run->ranks.communication)
        run->ranks.communication->nanoseconds += clock_now() - since;
    return status;
}
