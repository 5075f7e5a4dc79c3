/* The memory of one problem on one device: its dataset's arrays, each between canaries. */
#pragma once

#include "lab/verification/bulk_copy.h"
#include "lab/verification/canaries.h"
#include "lab/verification/dataset.h"
#include "lab/verification/local_poison.h"

struct workspace {
    struct dataset *data;
    struct device *device;
    bool is_paged; /* arrays lie between guard pages, and touch them at this side */
    enum guard_side side;
    bool alternates;  /* every second array touches them at the other side */
    uint64_t version; /* of the dataset whose inputs this copy has; 0: they must be copied again */
    bool is_damaged;  /* a rung wrote out of bounds or to an input: canaries and inputs are unreliable */
    struct guarded arrays[KERNEL_ARRAYS_MAX];
    struct guarded scratch;
    struct buffer payloads[KERNEL_ARRAYS_MAX]; /* the arrays' payloads, as a rung sees them */
    struct buffer pristine[KERNEL_ARRAYS_MAX]; /* copies from which ARRAY_INOUT is restored */
    struct buffer flusher;                     /* overwritten to flush the caches; allocated at first use */
    struct local_poison local;                 /* made at first use */
    bool restores;                             /* some array is ARRAY_INOUT */
    bool poison_is_number;                     /* a rung that runs on it scales its output (rung.scales_output) */
    struct bulk_copy bulk;                     /* of untimed copies */

    enum memory_kind memory; /* the host memory of end-to-end runs */
    struct host_memory pinned_in[KERNEL_ARRAYS_MAX], pinned_out[KERNEL_ARRAYS_MAX]; /* pinned, registered */
};

/* Allocates on the device, writes canaries and inputs. The dataset is borrowed and must outlive it. On failure nothing
 * remains allocated. */
enum status workspace_create(struct dataset *data, struct device *device, struct workspace *workspace,
                             struct error *error);
/* The same, with end-to-end runs from that kind of host memory: pinned copies of the dataset, or the device's arrays
 * themselves where host and device share them. STATUS_UNAVAILABLE, with the reason, where the device has no such
 * memory. */
enum status workspace_create_in(struct dataset *data, struct device *device, enum memory_kind memory,
                                struct workspace *workspace, struct error *error);
/* The same on the CPU device, with every array between guard pages; only if a fault may end the process
 * (guard_pages_allowed). With `alternates` every second array touches them at the other side. */
enum status workspace_create_paged(struct dataset *data, struct device *device, enum guard_side side, bool alternates,
                                   struct workspace *workspace, struct error *error);
void workspace_destroy(struct workspace *workspace);

/* Provides scratch of at least `bytes`; it grows and never shrinks. */
enum status workspace_reserve_scratch(struct workspace *workspace, size_t bytes, struct error *error);

/* Fills outputs and scratch with `poison`, and restores arrays that runs change. */
enum status workspace_poison(struct workspace *workspace, unsigned char poison, struct error *error);
enum status workspace_restore(struct workspace *workspace, struct error *error);

/* An unpredictable poison byte, 0xE0 … 0xFF. No element of any type that a rung computes consists of such a byte
 * repeated. Half of them make floats NaN; none where `poison_is_number`. `workspace` may be NULL. */
unsigned char workspace_poison_byte(const struct workspace *workspace);

/* Makes inputs that lie between guard pages readable only, for the time of a run: a write to one, even one that is
 * undone before the run ends, faults. Other workspaces: nothing. */
void workspace_seal_inputs(struct workspace *workspace, bool sealed);

/* Copies all of the dataset's inputs, whatever is there, and repairs the canaries. */
enum status workspace_renew(struct workspace *workspace, struct error *error);

/* Before a timed run: changes pieces of the inputs, poisons pieces of outputs and scratch, at unpredictable offsets,
 * and restores arrays that runs change. At most 1/64 of the cached data changes. */
enum status workspace_refresh(struct workspace *workspace, struct error *error);

/* Cache lines of every array that change between two timed runs of a batch. The change takes no longer than a call, so
 * a rung cannot detect it by the time between two calls. */
#define LINES_MOST 4
struct line_change {
    size_t count; /* lines of each array */
    struct {
        size_t offset, bytes;
    } lines[KERNEL_ARRAYS_MAX][LINES_MOST];
    unsigned char poison;
};

/* Reads a byte of each line of the inputs that the host holds, and writes one, the same, to each line of the scratch
 * and, `with_outputs`, of the outputs, so that caches hold them as they do behind a timed run: those of one core, or
 * with `by_all` its part in those of each. */
void workspace_warm(const struct workspace *workspace, bool by_all, bool with_outputs);

/* Whether lines can change: only arrays in host memory can change so quickly. */
bool workspace_changes_lines(const struct workspace *workspace);
/* Chooses `count` lines of each array, 1 … LINES_MOST, at unpredictable offsets. */
void workspace_choose_lines(const struct workspace *workspace, size_t count, struct line_change *change);
/* Swaps the lines of inputs with the second set's and poisons those of outputs. Cannot fail and does not wait. */
void workspace_change_lines(struct workspace *workspace, const struct line_change *change);
/* Poisons pieces of outputs and scratch without waiting for the device. */
enum status workspace_poison_pieces(struct workspace *workspace, struct error *error);

/* Flushes the caches: overwrites twice the size of the device's cache. */
enum status workspace_flush_caches(struct workspace *workspace, struct error *error);

/* Shared arrays: the host writes the inputs, untimed, and takes ownership. Other arrays: nothing. */
enum status workspace_stage(struct workspace *workspace, struct error *error);
/* Shared arrays: the device takes ownership. Other arrays: nothing. */
enum status workspace_hand_over(struct workspace *workspace, struct error *error);
/* Copies inputs to the device, and outputs to the dataset's host arrays. Of shared arrays the device takes ownership.
 */
enum status workspace_upload(struct workspace *workspace, struct error *error);
/* The untimed workspace_upload: as fast as the bus allows. */
enum status workspace_upload_in_bulk(struct workspace *workspace, struct error *error);
enum status workspace_download(struct workspace *workspace, struct error *error);
/* Copies only a user's results, no intermediate arrays, to the host memory of end-to-end runs. Of shared arrays the
 * host reads a word of each page. */
enum status workspace_download_results(struct workspace *workspace, struct error *error);

/* STATUS_FAILED when a canary or an input was changed; the message names the array and the side. */
enum status workspace_check_canaries(struct workspace *workspace, struct error *error);
enum status workspace_check_inputs(struct workspace *workspace, struct error *error);
/* STATUS_FAILED when outputs in host memory have changed since workspace_download. */
enum status workspace_check_rest(struct workspace *workspace, struct error *error);
