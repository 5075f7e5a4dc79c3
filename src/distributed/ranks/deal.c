#include "distributed/ranks/deal.h"

#include <stdlib.h>
#include <string.h>

struct dealing {
    const struct method_run *run;
    int array;
    size_t bytes; /* of an element */
    struct rank_pieces root, others;
    char *packed; /* on rank 0: every rank's rectangle, one after another */
};

static struct place place_of(const struct dealing *dealing, int rank)
{
    const struct method_run *run = dealing->run;
    return run->method->place(run->problem, &run->arrays[dealing->array], dealing->array, rank, run->ranks.count);
}

/* Prepares the transfer between rank 0 and each rank. */
static enum status begin(struct dealing *dealing, struct error *error)
{
    const struct ranks *ranks = &dealing->run->ranks;
    enum status status = STATUS_OK;
    dealing->bytes = element_info(dealing->run->arrays[dealing->array].type)->bytes;
    if (!rank_pieces_make(&dealing->root, ranks->count) || !rank_pieces_make(&dealing->others, ranks->count))
        status = fail(error, STATUS_UNAVAILABLE, "no memory");
    for (int r = 0; status == STATUS_OK && ranks->rank == 0 && r < ranks->count; r++)
        dealing->root.bytes[r] = place_of(dealing, r).rows * place_of(dealing, r).cols * dealing->bytes;
    if (status == STATUS_OK) {
        struct place own = place_of(dealing, ranks->rank);
        dealing->others.bytes[0] = own.rows * own.cols * dealing->bytes;
        status = method_allocate((void **)&dealing->packed, rank_pieces_pack(&dealing->root, ranks->count), error);
    }
    dealing->root.data = dealing->packed;
    return ranks_agree(ranks, status, error);
}

static void end(struct dealing *dealing)
{
    rank_pieces_free(&dealing->root);
    rank_pieces_free(&dealing->others);
    free(dealing->packed);
}

/* Copies between the whole array and the packed rectangles. */
static void pack(const struct dealing *dealing, char *whole, bool unpack)
{
    const struct ranks *ranks = &dealing->run->ranks;
    size_t pitch = dealing->run->arrays[dealing->array].cols * dealing->bytes;
    for (int r = 0; ranks->rank == 0 && r < ranks->count; r++) {
        struct place place = place_of(dealing, r);
        size_t width = place.cols * dealing->bytes;
        char *packed = dealing->packed + dealing->root.offsets[r];
        for (size_t row = 0; row < place.rows; row++) {
            char *at = whole + place_row(&place, row) * pitch + place.col * dealing->bytes;
            if (unpack)
                memcpy(at, packed + row * width, width);
            else
                memcpy(packed + row * width, at, width);
        }
    }
}

enum status deal_out(const struct method_run *run, int array, const void *whole, void *part, struct error *error)
{
    struct dealing dealing = {.run = run, .array = array};
    enum status status = begin(&dealing, error);
    if (status == STATUS_OK) {
        pack(&dealing, (char *)whole, false);
        dealing.others.data = part;
        status = ranks_exchange(&run->ranks, &dealing.root, &dealing.others, error);
    }
    end(&dealing);
    return status;
}

enum status collect(const struct method_run *run, int array, const void *part, void *whole, struct error *error)
{
    struct dealing dealing = {.run = run, .array = array};
    enum status status = begin(&dealing, error);
    if (status == STATUS_OK) {
        dealing.others.data = (void *)part;
        status = ranks_exchange(&run->ranks, &dealing.others, &dealing.root, error);
    }
    if (status == STATUS_OK)
        pack(&dealing, whole, true);
    end(&dealing);
    return status;
}
