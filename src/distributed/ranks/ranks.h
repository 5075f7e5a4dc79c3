/* Ranks: the processes that mpirun started, on one machine or several. All communication is MPI's, through a shim that
 * is opened at run time.
 *
 * Every function is collective unless it says otherwise: each rank of the group calls it, in the same order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What one rank's communication amounts to. */
struct communication {
    int64_t nanoseconds;
    double bytes;  /* that it sends to others, by the least that each operation needs */
    bool is_muted; /* nothing travels: operations return at once and leave memory as it is */
};

/* A group of ranks as one of them sees it. */
struct ranks {
    void *group;
    int rank, count;
    struct communication *communication; /* of this group and of those split from it; NULL: not counted */
};

/* The bytes that each rank sends to, or receives from, every rank: bytes[r] at offsets[r]. */
struct rank_pieces {
    void *data;
    size_t *bytes, *offsets; /* one per rank */
};

/* Initializes MPI and returns all ranks; ranks_end ends it. STATUS_UNAVAILABLE, with the package to install, in a build
 * without MPI. */
enum status ranks_start(struct ranks *world, struct error *error);
/* After all output: an MPI that does not end is left behind after ENDING_SECONDS (base/hang_guard.h), with this code.
 */
void ranks_end(struct ranks *world, int exit_code);
/* Leaves by MPI's exit handlers where ranks have ended, else returns. MPICH from 4.2 on tells its launcher there that
 * the rank has ended. A launcher that is not told kills the other ranks, and may exit with 0 for all. */
void ranks_leave(int exit_code);
/* Ends all ranks immediately with this exit code. Not collective. */
_Noreturn void ranks_abort(int exit_code);

/* Whether nothing travels; what is received is then that of an earlier run, and so must its sizes be. */
static inline bool ranks_are_muted(const struct ranks *ranks)
{
    return ranks->communication && ranks->communication->is_muted;
}

/* Marks that this rank has left an exchange in which others may wait; so does every call of MPI that fails, but for
 * those on files. Then nobody can be sure that the others know, and ranks_abort is all that is left. Not collective. */
void ranks_break(void);
bool ranks_are_broken(void);

/* "Open MPI v4.1.4". Not collective. */
const char *ranks_version(void);

/* The group of ranks with the same colour, in their present order; a negative colour joins none (*part then has 0
 * ranks). The caller calls ranks_free. */
enum status ranks_split(const struct ranks *ranks, int colour, struct ranks *part, struct error *error);
/* The ranks on this rank's host. */
enum status ranks_on_host(const struct ranks *ranks, struct ranks *part, struct error *error);
void ranks_free(struct ranks *part);

/* What this rank has of its host: `cores` processors, which `sharers` ranks share, itself among them. Ranks share the
 * processors of one affinity mask, and the CPU quota of one control group; whichever leaves less is meant. */
struct rank_share {
    int cores, sharers;
};

/* Collective over the ranks of a host (ranks_on_host). */
enum status ranks_share(const struct ranks *host, struct rank_share *share, struct error *error);

/* The threads for one of them, at least 1. */
int rank_share_threads(const struct rank_share *share);

/* Agrees on the worst status of all ranks, with the message of the first that failed; "rank 2: …" unless all failed.
 * Every rank then continues on the same status, so that none waits for one that has given up. */
enum status ranks_agree(const struct ranks *ranks, enum status mine, struct error *error);

/* STATUS_INVALID on all ranks unless all have the same text as rank 0: their arguments. */
enum status ranks_same_text(const struct ranks *ranks, const char *text, struct error *error);

enum status ranks_barrier(const struct ranks *ranks, struct error *error);
/* A barrier for long waits: the ranks sleep meanwhile. */
enum status ranks_rest(const struct ranks *ranks, struct error *error);
enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes, int root, struct error *error);
/* Gathers `bytes` bytes (at most 2^31 - 1) of every rank into `all`, by rank. */
enum status ranks_gather_to_all(const struct ranks *ranks, const void *part, size_t bytes, void *all,
                                struct error *error);
/* Piece r of `send`, `bytes` bytes, goes to rank r, and what it sends to piece r of `receive`. */
enum status ranks_all_to_all(const struct ranks *ranks, const void *send, size_t bytes, void *receive,
                             struct error *error);
/* Adds up whole numbers in place: over all ranks, for every rank; over those before this one, 0 on the first. */
enum status ranks_sum_to_all(const struct ranks *ranks, uint64_t *numbers, size_t count, struct error *error);
enum status ranks_sum_before(const struct ranks *ranks, uint64_t *numbers, size_t count, struct error *error);
/* The own piece is copied here, also where nothing travels. */
enum status ranks_exchange(const struct ranks *ranks, const struct rank_pieces *send, const struct rank_pieces *receive,
                           struct error *error);
/* Sums floats (doubles) in place; only the root gets the sums. */
enum status ranks_sum(const struct ranks *ranks, void *data, size_t count, bool is_double, int root,
                      struct error *error);
/* Replaces *value by the maximum over all ranks. */
enum status ranks_largest(const struct ranks *ranks, double *value, struct error *error);

/* Messages between two ranks, not collective. Both ranks start one; ranks_wait ends it and frees *message. */
enum status ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, void **message,
                       struct error *error);
enum status ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, void **message,
                          struct error *error);
enum status ranks_wait(const struct ranks *ranks, void **messages, size_t count, struct error *error);

/* Allocates one count and one offset per rank; rank_pieces_pack sets the offsets. The caller calls rank_pieces_free
 * and keeps `data`. False when out of memory. */
bool rank_pieces_make(struct rank_pieces *pieces, int count);
/* Sets the offsets so that the pieces are contiguous; returns their total bytes. */
size_t rank_pieces_pack(struct rank_pieces *pieces, int count);
void rank_pieces_free(struct rank_pieces *pieces);

/* One file of several ranks, each at its own offsets; it exists already. Nothing of this is collective. */
enum status ranks_file_open(const char *path, bool writes, void **file, struct error *error);
enum status ranks_file_read(void *file, const char *path, size_t offset, void *data, size_t bytes, struct error *error);
enum status ranks_file_write(void *file, const char *path, size_t offset, const void *data, size_t bytes,
                             struct error *error);
enum status ranks_file_close(void *file, const char *path, struct error *error);
