/* Merges sorted runs of keys on one device, two at a time. The runs may lie in the memory of other devices. */
#pragma once

#include "distributed/group.h"
#include "kernels/kernel.h"
#include "kernels/sort/order.h"

struct merger {
    struct program *program; /* runs.cl */
    struct buffer starts;    /* of the tiles of a merge */
    size_t element;          /* bytes */
    struct key_order order;
};

/* A sorted run: its address, as group_address gives it, and its number of keys. */
struct sorted_run {
    int64_t at;
    size_t keys;
};

/* For merges whose result has at most `most` keys. The caller frees the merger, on failure too; a zeroed one may be
 * freed. */
enum status merger_make(struct merger *merger, struct device *device, enum element_type type, size_t most,
                        struct error *error);
void merger_free(struct merger *merger);

/* Writes `negative`, `always` and `below` (kernels/sort/order.h) as the program's arguments. */
#define MERGER_ORDER_ARGUMENTS 3
void merger_order_arguments(const struct merger *merger, struct argument_value *arguments);

/* Enqueues the merge of `count` runs (at least 1; the list is overwritten) into the memory at `result`. Rounds halve
 * their number; all but the last write the memory at rooms[0] and rooms[1] in turn, each with room for all keys. The
 * runs may lie in rooms[1], but not in rooms[0] or the result. */
enum status merger_merge(const struct merger *merger, struct sorted_run *runs, size_t count, const int64_t rooms[2],
                         int64_t result, struct error *error);
