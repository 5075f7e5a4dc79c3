/* Ranks: the processes that mpirun started, on one machine or many. All communication is MPI's, through a shim that is
 * opened when the program runs.
 *
 * Unless it says otherwise every function here is collective: each rank of the group calls it, in the same order. */
#ifndef USKOR_DISTRIBUTED_RANKS_RANKS_H
#define USKOR_DISTRIBUTED_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A group of ranks as one of them sees it. */
struct ranks {
    void *group;
    int rank, count;
    int64_t *communication; /* nanoseconds that this rank has spent here are added to it; NULL: not counted */
};

/* What each rank of a group sends to, or gets from, each other: bytes[r] at offsets[r]. */
struct rank_pieces {
    void *data;
    size_t *bytes, *offsets; /* one for each rank */
};

/* Whether this process was started by mpirun (of Open MPI, MPICH or one that speaks PMI). Not collective. */
bool ranks_launched(void);

/* All ranks. STATUS_UNAVAILABLE, with what to install, where this build has no MPI. ranks_end it. */
enum status ranks_start(struct ranks *world, struct error *error);
void ranks_end(struct ranks *world);
/* Ends all ranks at once, with this exit code. Not collective. */
_Noreturn void ranks_abort(int exit_code);

/* "Open MPI v4.1.4". Not collective. */
const char *ranks_version(void);

/* The ranks that name the same colour, ordered as they are; a negative colour joins none (*part has 0 ranks).
 * ranks_free it. */
enum status ranks_split(const struct ranks *ranks, int colour, struct ranks *part, struct error *error);
/* The ranks on this rank's host. */
enum status ranks_on_host(const struct ranks *ranks, struct ranks *part, struct error *error);
void ranks_free(struct ranks *part);

/* The threads for each rank of a host (ranks_on_host), at least 1: the cores that mpirun has bound it to, or its share
 * of all. Not collective. */
int ranks_threads(const struct ranks *host);

/* The worst status of all ranks, on each of them, with the message of the first that failed, "rank 2: …" unless all
 * did. What every rank does next it does on the same status, so that nobody waits for one that has given up. */
enum status ranks_agree(const struct ranks *ranks, enum status mine, struct error *error);

/* STATUS_INVALID on all ranks unless each has the same text as rank 0: what they were told to do. */
enum status ranks_same_text(const struct ranks *ranks, const char *text, struct error *error);

enum status ranks_barrier(const struct ranks *ranks, struct error *error);
/* A barrier for ranks that have long to wait: they sleep meanwhile. */
enum status ranks_rest(const struct ranks *ranks, struct error *error);
enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes, int root, struct error *error);
/* Every rank's `bytes` bytes (at most 2^31 - 1), by rank, into `all`. */
enum status ranks_gather_to_all(const struct ranks *ranks, const void *part, size_t bytes, void *all,
                                struct error *error);
enum status ranks_exchange(const struct ranks *ranks, const struct rank_pieces *send, const struct rank_pieces *receive,
                           struct error *error);
/* Adds up floats (doubles) in place; only the root has the sums. */
enum status ranks_sum(const struct ranks *ranks, void *data, size_t count, bool is_double, int root,
                      struct error *error);
/* The largest value of all ranks, on each of them. */
enum status ranks_largest(const struct ranks *ranks, double *value, struct error *error);

/* Messages between two ranks, not collective: begun by both, ended by ranks_wait, which frees *message. */
enum status ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, void **message,
                       struct error *error);
enum status ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, void **message,
                          struct error *error);
enum status ranks_wait(const struct ranks *ranks, void **messages, size_t count, struct error *error);

/* Room for one count and one offset of bytes for each rank, offsets following each other once ranks_pieces_pack is
 * called. False without memory; ranks_pieces_free. `data` stays the caller's. */
bool rank_pieces_make(struct rank_pieces *pieces, int count);
/* Sets the offsets so that the pieces lie one after another; returns the bytes of all. */
size_t rank_pieces_pack(struct rank_pieces *pieces, int count);
void rank_pieces_free(struct rank_pieces *pieces);

/* One file for all ranks: each reads or writes its own places (not collective); opening and closing are. */
enum status ranks_file_open(const struct ranks *ranks, const char *path, bool writes, void **file, struct error *error);
enum status ranks_file_read(void *file, const char *path, size_t offset, void *data, size_t bytes, struct error *error);
enum status ranks_file_write(void *file, const char *path, size_t offset, const void *data, size_t bytes,
                             struct error *error);
enum status ranks_file_close(void *file, const char *path, struct error *error);

#endif
