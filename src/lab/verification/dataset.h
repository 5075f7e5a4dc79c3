/* The host arrays of one problem: its inputs, which change between runs so that an audited run looks like any other,
 * and buffers for the outputs. */
#pragma once

#include "kernels/kernel.h"

struct dataset {
    struct problem problem; /* as requested; the rung gets it */
    struct problem
        filled; /* the same with the seed or kind of inputs that `input` was filled from; the kernel's check gets it */
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct host_arrays input;
    struct host_arrays output; /* of ARRAY_OUT and ARRAY_INOUT; NULL for the others */
    struct host_arrays other;  /* inputs from another seed; NULL until first needed */
    uint32_t other_seed;
    bool unread_is_number;         /* what no rung reads holds numbers, not NaN (kernel.fill_unread) */
    bool is_mixed, other_is_mixed; /* has pieces of both sets: no seed reproduces it */
    uint64_t version;              /* increases with every change of `input`; owners of copies compare it */
};

/* Allocates, and fills the inputs from the problem's seed. The caller destroys it; on failure it is empty. */
enum status dataset_create(const struct problem *problem, struct dataset *dataset, struct error *error);
void dataset_destroy(struct dataset *dataset);

/* Fills the inputs from an unpredictable seed (dataset->filled.seed). */
void dataset_renew(struct dataset *dataset);

/* Makes the problem with the kernel's most telling inputs: those on which a correct rung rounds nothing (integers,
 * dyadic); where nothing is rounded, those with all kinds of bits (bits, special); else the extremes (checkerboard).
 * False where the kernel has none, or the problem has them already. */
bool dataset_exact_problem(const struct dataset *dataset, struct problem *problem, bool *is_same_run);

/* Fills the inputs from this seed; with the problem's own they are as at the start. */
void dataset_fill_from(struct dataset *dataset, uint32_t seed);

/* Fills the inputs by the kind of `problem`, from an unpredictable seed. `problem` differs from the dataset's only in
 * the kind of inputs. The next change must be dataset_renew, which restores the dataset's own kind. */
void dataset_renew_as(struct dataset *dataset, const struct problem *problem);

/* Draws as much as dataset_renew does, and leaves the inputs as they are: it fills the second set, whose pieces come
 * into the inputs later. Without memory for a second set the inputs are drawn from their own seed. */
void dataset_renew_other(struct dataset *dataset);

/* From now on what no rung reads (C of a product with beta = 0) holds numbers, in all sets of inputs. */
void dataset_number_unread(struct dataset *dataset);

/* Swaps the inputs with a second set, filled from an unpredictable seed at first use; a second call swaps back. Without
 * memory for a second set it is dataset_renew. */
void dataset_exchange(struct dataset *dataset);

/* Reports a change: `bytes` bytes of array `array` at `offset`. */
typedef enum status dataset_changed(void *context, int array, size_t offset, size_t bytes, struct error *error);

/* Swaps 1, 4 or 16 pieces of every input, at unpredictable offsets, with those of the second set; calls `changed` for
 * each. At most 1/64 of each array and 1 MiB changes, so that the caches remain warm. Does nothing for a kernel whose
 * inputs cannot be mixed (kernel->mixes), or without memory for a second set. */
enum status dataset_mix(struct dataset *dataset, dataset_changed *changed, void *context, struct error *error);

/* Swaps `bytes` bytes of one input with those of the second set, on the host only; a cache line takes a few
 * nanoseconds. Returns false, and changes nothing, without a second set or where inputs cannot be mixed. */
bool dataset_exchange_piece(struct dataset *dataset, int array, size_t offset, size_t bytes);

/* Chooses unpredictable pieces of an array of `bytes` bytes. Offsets are multiples of 64; only the end of the array
 * makes a piece shorter. Returns their number; 0 for an empty array. */
#define PIECES_MAX 16
struct piece {
    size_t offset, bytes;
};
size_t pieces_choose(size_t bytes, struct piece pieces[PIECES_MAX]);

/* Puts "with seed=17" before a failure's message when the inputs are not the problem's own, so that it can be
 * reproduced. Returns `status`. */
enum status dataset_tell_seed(const struct dataset *dataset, enum status status, struct error *error);
