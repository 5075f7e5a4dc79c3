/* Parts of arrays that lie in the memory of each rank's device from the beginning of a run to its end, and how bytes
 * travel between the devices of different ranks: by NCCL, directly, or through host memory and MPI. */
#pragma once

#include "distributed/local_run.h"
#include "distributed/ranks/method.h"

struct rank_nccl;

/* The state of a resident method begins with it. */
struct resident {
    struct buffer parts[KERNEL_ARRAYS_MAX];
    size_t bytes[KERNEL_ARRAYS_MAX];
    struct rank_nccl *nccl;   /* NULL: through host memory */
    void *leaving, *arriving; /* host memory for that */
    size_t leaving_bytes, arriving_bytes;
    /* What most methods have besides, made by them, pieces by resident_begin; all is released by resident_end. */
    struct rank_pieces send, receive;
    struct buffer sent, received; /* pieces on the device */
    struct local_run local;       /* the rank's own part of the problem */
    struct program *program;
};

/* A kernel's two methods, which differ in how the pieces travel: their ideas, and the members that both have. */
#define RESIDENT_METHOD(of) .kernel = #of, .resident = true, .upload = resident_upload, .download = resident_download
#define RESIDENT_METHODS(of, through_host, over_nccl, ...)                                                             \
    const struct method method_##of##_resident = {RESIDENT_METHOD(of), .name = "resident", .idea = through_host,       \
                                                  __VA_ARGS__};                                                        \
    const struct method method_##of##_nccl = {RESIDENT_METHOD(of), .name = "nccl", .by_nccl = true, .idea = over_nccl, \
                                              __VA_ARGS__}

/* For method->begin. Makes run->state, zeroed, of `state_bytes` (a struct that begins with a struct resident).
 * Collective: memory for this rank's parts on its device and, where the method has by_nccl, a communicator of NCCL for
 * all ranks. STATUS_UNAVAILABLE on every rank where one has no NCCL, or no CUDA device of its own. */
enum status resident_begin(struct method_run *run, size_t state_bytes, struct error *error);
/* For method->end, also after a failure: releases what resident_begin made, and run->state with it. Whatever else the
 * state owns is released before. Without a state it does nothing. */
void resident_end(struct method_run *run);

/* For method->upload and method->download: parts that are read go to the device, parts that are written come back. */
enum status resident_upload(struct method_run *run, struct error *error);
enum status resident_download(struct method_run *run, struct error *error);

/* Collective: sends pieces of one buffer, and puts what comes into another; `data` of both is not used. On return the
 * bytes are there, or the device's queue puts them there before what is enqueued next. */
enum status resident_exchange(const struct method_run *run, const struct buffer *from, const struct rank_pieces *send,
                              const struct buffer *to, const struct rank_pieces *receive, struct error *error);
