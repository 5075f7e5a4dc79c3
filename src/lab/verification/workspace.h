/* The memory of one problem on one device: its dataset's arrays, each between canaries. */
#ifndef USKOR_LAB_VERIFICATION_WORKSPACE_H
#define USKOR_LAB_VERIFICATION_WORKSPACE_H

#include "lab/verification/bulk_copy.h"
#include "lab/verification/canaries.h"
#include "lab/verification/dataset.h"

struct workspace {
    struct dataset *data;
    struct device *device;
    bool is_paged; /* arrays lie between guard pages, at this side of them */
    enum guard_side side;
    uint64_t version; /* of the dataset, as it is here; 0: to be brought here anew */
    bool is_damaged;  /* a rung did what it must not: canaries and inputs are not to be relied on */
    struct guarded arrays[KERNEL_ARRAYS_MAX];
    struct guarded scratch;
    struct buffer payloads[KERNEL_ARRAYS_MAX]; /* the arrays' payloads, as a rung sees them */
    struct buffer pristine[KERNEL_ARRAYS_MAX]; /* what ARRAY_INOUT is restored from */
    struct buffer flusher;                     /* written over to flush the caches; allocated on first use */
    bool restores;                             /* some array is ARRAY_INOUT */
    struct bulk_copy bulk;                     /* of what is copied off the clock */

    enum memory_kind memory; /* where the host's side of a whole run lies */
    struct host_memory pinned_in[KERNEL_ARRAYS_MAX], pinned_out[KERNEL_ARRAYS_MAX]; /* pinned, registered */
};

/* Allocates on the device, writes canaries and inputs. The dataset must outlive it. */
enum status workspace_create(struct dataset *data, struct device *device, struct workspace *workspace,
                             struct error *error);
/* The same with the host's side of whole runs in memory of that kind: pinned beside the dataset's, or the device's
 * arrays themselves where both share them. STATUS_UNAVAILABLE with the reason where the device has none. */
enum status workspace_create_in(struct dataset *data, struct device *device, enum memory_kind memory,
                                struct workspace *workspace, struct error *error);
/* The same on the cpu device with every array between guard pages, where the process may die of a fault
 * (guard_pages_allowed). */
enum status workspace_create_paged(struct dataset *data, struct device *device, enum guard_side side,
                                   struct workspace *workspace, struct error *error);
void workspace_destroy(struct workspace *workspace);

/* Scratch of at least `bytes`; grows, never shrinks. */
enum status workspace_reserve_scratch(struct workspace *workspace, size_t bytes, struct error *error);

/* Fills outputs and scratch with `poison`, and restores what runs change. */
enum status workspace_poison(struct workspace *workspace, unsigned char poison, struct error *error);
enum status workspace_restore(struct workspace *workspace, struct error *error);

/* One of the bytes that outputs are poisoned with, 0xE0 … 0xFF, which nobody can foresee: no element of any type that a
 * rung computes has one such byte over and over. */
unsigned char workspace_poison_byte(void);

/* Brings all of the dataset's inputs here, whatever is there, and repairs the canaries. */
enum status workspace_renew(struct workspace *workspace, struct error *error);

/* Before a timed run: changes pieces of the inputs, poisons pieces of outputs and scratch, at places that nobody can
 * foresee, and restores what runs change. The caches are as the run before left them, but for a sixty-fourth. */
enum status workspace_refresh(struct workspace *workspace, struct error *error);

/* Cache lines of every array that change between two runs of a batch, on the clock: as quickly as one run follows
 * another, so that no rung can detect it by the time between two calls. */
#define LINES_MOST 4
struct line_change {
    size_t count; /* lines of each array */
    struct {
        size_t offset, bytes;
    } lines[KERNEL_ARRAYS_MAX][LINES_MOST];
    unsigned char poison;
};

/* Only arrays in the host's own memory change so quickly. */
bool workspace_changes_lines(const struct workspace *workspace);
/* Chooses `count` lines of each array, 1 … LINES_MOST, at places that nobody can foresee. */
void workspace_choose_lines(const struct workspace *workspace, size_t count, struct line_change *change);
/* Exchanges those of the inputs for the second set's, and poisons those of the outputs; neither fails nor waits. */
void workspace_change_lines(struct workspace *workspace, const struct line_change *change);
/* Poisons pieces of outputs and scratch where the arrays lie, without a wait for the device. */
enum status workspace_poison_pieces(struct workspace *workspace, struct error *error);

/* Writes over twice the device's cache. */
enum status workspace_flush_caches(struct workspace *workspace, struct error *error);

/* Where host and device share the arrays: the host writes the inputs, off the clock, and it is its turn. Elsewhere:
 * nothing. */
enum status workspace_stage(struct workspace *workspace, struct error *error);
/* Shared arrays become the device's; elsewhere: nothing. */
enum status workspace_hand_over(struct workspace *workspace, struct error *error);
/* Copies inputs to the device, and outputs to the dataset's host arrays. Shared arrays become the device's. */
enum status workspace_upload(struct workspace *workspace, struct error *error);
/* workspace_upload, off the clock: as quickly as the bus allows. */
enum status workspace_upload_in_bulk(struct workspace *workspace, struct error *error);
enum status workspace_download(struct workspace *workspace, struct error *error);
/* Only what a user would ask back: no interim arrays; and only to where the host's side lies. Of shared arrays the host
 * reads a word of each page. */
enum status workspace_download_results(struct workspace *workspace, struct error *error);

/* STATUS_FAILED when a canary or an input was changed: the message names the array and the side. */
enum status workspace_check_canaries(struct workspace *workspace, struct error *error);
enum status workspace_check_inputs(struct workspace *workspace, struct error *error);
/* STATUS_FAILED when outputs in the host's memory are no longer as workspace_download found them. */
enum status workspace_check_rest(struct workspace *workspace, struct error *error);

#endif
