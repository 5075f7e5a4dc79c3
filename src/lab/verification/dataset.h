/* The arrays of one problem on the host: its inputs, which are changed between runs so that no run can be told from one
 * that is looked at, and room for what a rung made of them. */
#ifndef USKOR_LAB_VERIFICATION_DATASET_H
#define USKOR_LAB_VERIFICATION_DATASET_H

#include "kernels/kernel.h"

struct dataset {
    struct problem problem; /* as requested; given to the rung */
    struct problem filled;  /* the same with the seed, or the kind of inputs, that `input` was filled from; given to the
                             * kernel's check */
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct host_arrays input;
    struct host_arrays output; /* of ARRAY_OUT and ARRAY_INOUT; NULL for the others */
    struct host_arrays other;  /* inputs from another seed; all NULL until they are first needed */
    uint32_t other_seed;
    bool is_mixed, other_is_mixed; /* holds pieces of both: no seed fills it so */
    uint64_t version;              /* changes with `input`: who has a copy compares */
};

/* Allocates, and fills the inputs from the problem's seed. The caller destroys it. */
enum status dataset_create(const struct problem *problem, struct dataset *dataset, struct error *error);
void dataset_destroy(struct dataset *dataset);

/* Fills the inputs from a seed that nobody can foresee (dataset->filled.seed). */
void dataset_renew(struct dataset *dataset);

/* The problem with inputs on which no right rung rounds (input=integers, input=dyadic), where the kernel has such and
 * the dataset has others; else false. `*is_same_run`: nothing but the inputs differs, and what was prepared for the
 * dataset's problem runs it. */
bool dataset_exact_problem(const struct dataset *dataset, struct problem *problem, bool *is_same_run);

/* Fills the inputs as `problem` has them, which differs from the dataset's in the kind of inputs and what that
 * implies, from a seed that nobody can foresee. The next change is to be dataset_renew, which brings inputs of the
 * dataset's own kind again.
 */
void dataset_renew_as(struct dataset *dataset, const struct problem *problem);

/* Exchanges the inputs for a second set, which is filled from an unforeseeable seed the first time; a second call
 * brings the first set back. Without memory for a second set: dataset_renew. */
void dataset_exchange(struct dataset *dataset);

/* The change: `bytes` bytes of array `array` from `offset` on. */
typedef enum status dataset_changed(void *context, int array, size_t offset, size_t bytes, struct error *error);

/* Exchanges pieces of every input, at places that nobody can foresee, for those of the second set; calls `changed` for
 * each: 1, 4 or 16 pieces. At most a sixty-fourth of each array changes, and 1 MiB, so that the caches stay as they
 * were. Does nothing for a kernel whose inputs cannot be mixed (kernel->mixes), or when there is no memory for a second
 * set. */
enum status dataset_mix(struct dataset *dataset, dataset_changed *changed, void *context, struct error *error);
bool dataset_mixes(const struct dataset *dataset);

/* Exchanges `bytes` bytes of one input for those of the second set, on the host alone: a few nanoseconds for a cache
 * line. False, and nothing is done, where there is no second set or the kernel's inputs cannot be mixed. */
bool dataset_exchange_piece(struct dataset *dataset, int array, size_t offset, size_t bytes);

/* Places in an array, chosen so that nobody can foresee them: offsets are multiples of 64, and only the array's end
 * cuts a piece shorter. Returns how many there are; 0 for an empty array. */
#define PIECES_MAX 16
struct piece {
    size_t offset, bytes;
};
size_t pieces_choose(size_t bytes, struct piece pieces[PIECES_MAX]);

/* Puts "with seed=17" before a failure's message, where the inputs are not those that the problem itself names: how to
 * see it again. Returns `status`. */
enum status dataset_tell_seed(const struct dataset *dataset, enum status status, struct error *error);

#endif
