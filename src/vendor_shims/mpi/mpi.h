/* The Message Passing Interface behind a C interface of plain types, so that one program serves every implementation;
 * built into libuskor_mpi.so against the mpi.h that is found (Open MPI, MPICH: their binary interfaces differ).
 *
 * Functions that return an int return 0, or MPI's error code. Sizes are bytes and may exceed MPI's int: longer messages
 * travel in pieces. A `group` is a communicator. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Once per process; a process that was not started by mpirun is a world of one rank. */
int uskor_mpi_start(void);
int uskor_mpi_end(void);
/* Ends the processes of all ranks. */
void uskor_mpi_abort(int exit_code);

/* "Open MPI v4.1.4", and the words for an error code. */
void uskor_mpi_version(char *text, size_t size);
void uskor_mpi_error(int code, char *text, size_t size);

void *uskor_mpi_world(void);
int uskor_mpi_rank(const void *group);
int uskor_mpi_count(const void *group);
/* The ranks of a group that name the same colour, ordered by `key`; NULL in *part for those whose colour is negative.
 * The caller frees *part with uskor_mpi_free. */
int uskor_mpi_split(const void *group, int colour, int key, void **part);
/* The same for the ranks of one host. */
int uskor_mpi_split_by_host(const void *group, void **part);
void uskor_mpi_free(void *group);

int uskor_mpi_barrier(const void *group);
/* As a barrier, but who waits sleeps: its processor is free for the ranks that work. */
int uskor_mpi_rest(const void *group);
int uskor_mpi_broadcast(const void *group, void *data, size_t bytes, int root);
/* Every rank's `bytes` bytes, one after another by rank, to every rank. */
int uskor_mpi_gather_to_all(const void *group, const void *part, size_t bytes, void *all);
/* The same for as many bytes from each rank to each: piece r of `send` goes to rank r, and what it sends to piece r of
 * `receive`. */
int uskor_mpi_all_to_all(const void *group, const void *send, size_t bytes, void *receive);
/* Adds up whole numbers over all ranks, in place; every rank has the sums. */
int uskor_mpi_sum_to_all(const void *group, unsigned long long *numbers, size_t count);
/* … over the ranks before this one: 0 on the first. */
int uskor_mpi_sum_before(const void *group, unsigned long long *numbers, size_t count);
/* Every other rank r gets send_bytes[r] bytes from `send` + send_offsets[r], and leaves receive_bytes[r] bytes here. */
int uskor_mpi_exchange(const void *group, const void *send, const size_t *send_bytes, const size_t *send_offsets,
                       void *receive, const size_t *receive_bytes, const size_t *receive_offsets);
/* Adds up floats (doubles) in place; the sums are the root's. */
int uskor_mpi_sum(const void *group, void *data, size_t count, int is_double, int root);

/* Begins a message; uskor_mpi_wait ends it and frees *message. */
int uskor_mpi_send(const void *group, const void *data, size_t bytes, int to, int tag, void **message);
int uskor_mpi_receive(const void *group, void *data, size_t bytes, int from, int tag, void **message);
int uskor_mpi_wait(void *message);

/* One file of several ranks, each at its own places; it exists. No call on files is collective. */
int uskor_mpi_file_open(const char *path, int writes, void **file);
int uskor_mpi_file_read(void *file, size_t offset, void *data, size_t bytes);
int uskor_mpi_file_write(void *file, size_t offset, const void *data, size_t bytes);
/* What was written is on its way to the disk. */
int uskor_mpi_file_close(void *file);

#ifdef __cplusplus
}
#endif
