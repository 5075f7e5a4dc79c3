/* The memory of one problem: filled once on the host (dataset), and laid out on each device between canaries
 * (workspace). */
#ifndef USKOR_LAB_WORKSPACE_H
#define USKOR_LAB_WORKSPACE_H

#include "kernels/kernel.h"

/* The problem's arrays on the host: as filled, and as a rung left them. */
struct dataset {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct host_arrays input;
    struct host_arrays output; /* of ARRAY_OUT and ARRAY_INOUT; NULL for the others */
};

enum status dataset_create(const struct problem *problem, struct dataset *dataset, struct error *error);
void dataset_destroy(struct dataset *dataset);

/* A payload between two canaries of BUFFER_ALIGNMENT bytes each. */
struct guarded {
    struct buffer whole, payload;
};

struct workspace {
    const struct dataset *data;
    struct device *device;
    struct guarded arrays[KERNEL_ARRAYS_MAX];
    struct guarded scratch;
    struct buffer payloads[KERNEL_ARRAYS_MAX]; /* the arrays' payloads, as a rung sees them */
    struct buffer pristine[KERNEL_ARRAYS_MAX]; /* what ARRAY_INOUT is restored from */
    struct buffer flusher;                     /* written over to flush the caches; allocated on first use */
    bool restores;                             /* some array is ARRAY_INOUT */

    enum memory_kind memory; /* where the host's side of a whole run lies */
    struct host_memory pinned_in[KERNEL_ARRAYS_MAX], pinned_out[KERNEL_ARRAYS_MAX]; /* pinned, registered */
};

/* Allocates on the device, writes canaries and inputs. The dataset must outlive it. */
enum status workspace_create(const struct dataset *data, struct device *device, struct workspace *workspace,
                             struct error *error);
/* The same with the host's side of whole runs in memory of that kind: pinned beside the dataset's, or the device's
 * arrays themselves where both share them. STATUS_UNAVAILABLE with the reason where the device has none. */
enum status workspace_create_in(const struct dataset *data, struct device *device, enum memory_kind memory,
                                struct workspace *workspace, struct error *error);
void workspace_destroy(struct workspace *workspace);

/* Scratch of at least `bytes`; grows, never shrinks. */
enum status workspace_reserve_scratch(struct workspace *workspace, size_t bytes, struct error *error);

/* Fills the outputs with `poison`, and restores what runs change. */
enum status workspace_poison(struct workspace *workspace, unsigned char poison, struct error *error);
enum status workspace_restore(struct workspace *workspace, struct error *error);

/* Writes over twice the device's cache. */
enum status workspace_flush_caches(struct workspace *workspace, struct error *error);

/* Where host and device share the arrays: the host writes the inputs, off the clock, and it is its turn. Elsewhere:
 * nothing. */
enum status workspace_stage(struct workspace *workspace, struct error *error);
/* Copies inputs to the device, and outputs to the dataset's host arrays. Shared arrays become the device's. */
enum status workspace_upload(struct workspace *workspace, struct error *error);
enum status workspace_download(struct workspace *workspace, struct error *error);
/* Only what a user would ask back: no interim arrays; and only to where the host's side lies. Of shared arrays the host
 * reads a word of each page. */
enum status workspace_download_results(struct workspace *workspace, struct error *error);

/* STATUS_FAILED when a canary or an input was changed: the message names the array and the side. */
enum status workspace_check_canaries(struct workspace *workspace, struct error *error);
enum status workspace_check_inputs(struct workspace *workspace, struct error *error);

#endif
