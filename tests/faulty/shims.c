/* The shims of CUB and MPI, of the stand-in's devices and of one rank, that do harm: FAULT=cub-abort, mpi-barrier-hang,
 * with FAULT_CALL (harm.h). With a fault that is no act of harm ("garbage") a function's answer is none: wrong bytes,
 * sizes and ranks that cannot be, texts without an end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harm.h"
#include "vendor_shims/cub/cub.h"
#include "vendor_shims/mpi/mpi.h"

#pragma GCC visibility push(default)

/* Whether the answer is to be right. Whatever the fault's name is, it does what it says first. */
static int works(const char *place)
{
    const char *fault = fault_at(place);
    if (fault)
        harm_by(fault);
    return !fault;
}

static int compare(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Of unsigned elements of 4 bytes. */
static int sort(const struct uskor_cub_sort *job)
{
    if (works("cub"))
        qsort(job->data, job->count, job->bytes, compare);
    return 0;
}

size_t uskor_cub_radix_bytes(size_t count, size_t bytes, size_t value_bytes, int is_order)
{
    (void)value_bytes, (void)is_order;
    return works("bytes") ? count * bytes : SIZE_MAX;
}

size_t uskor_cub_merge_bytes(size_t count, size_t bytes)
{
    return works("bytes") ? count * bytes : 0;
}

int uskor_cub_radix_sort(const struct uskor_cub_sort *job)
{
    return works("code") ? sort(job) : 719;
}

int uskor_cub_merge_sort(const struct uskor_cub_sort *job)
{
    return sort(job);
}

const char *uskor_cub_error(int code)
{
    (void)code;
    return works("words") ? "no such error" : "\033[31mred\nand a line";
}

static int world;

static void fill(char *text, size_t size, const char *right, const char *place)
{
    if (works(place))
        strncpy(text, right, size);
    else
        memset(text, 'x', size);
}

int uskor_mpi_start(void)
{
    return works("start") ? 0 : 99;
}

int uskor_mpi_end(void)
{
    return !works("end");
}

void uskor_mpi_abort(int exit_code)
{
    _Exit(exit_code);
}

void uskor_mpi_version(char *text, size_t size)
{
    fill(text, size, "One rank", "version");
}

void uskor_mpi_error(int code, char *text, size_t size)
{
    (void)code;
    fill(text, size, "an error", "start");
}

void *uskor_mpi_world(void)
{
    return works("world") ? &world : NULL;
}

int uskor_mpi_rank(const void *group)
{
    (void)group;
    return works("rank") ? 0 : -7;
}

int uskor_mpi_count(const void *group)
{
    (void)group;
    return works("count") ? 1 : -1;
}

int uskor_mpi_split(const void *group, int colour, int key, void **part)
{
    (void)group, (void)key;
    *part = colour < 0 || !works("split") ? NULL : &world;
    return 0;
}

int uskor_mpi_split_by_host(const void *group, void **part)
{
    return uskor_mpi_split(group, 0, 0, part);
}

void uskor_mpi_free(void *group)
{
    (void)group;
}

int uskor_mpi_barrier(const void *group)
{
    (void)group;
    return !works("barrier");
}

int uskor_mpi_rest(const void *group)
{
    return uskor_mpi_barrier(group);
}

int uskor_mpi_broadcast(const void *group, void *data, size_t bytes, int root)
{
    (void)group, (void)data, (void)bytes, (void)root;
    return !works("broadcast");
}

int uskor_mpi_gather_to_all(const void *group, const void *part, size_t bytes, void *all)
{
    (void)group;
    const int right = works("gather");
    memcpy(all, part, bytes);
    return !right;
}

int uskor_mpi_all_to_all(const void *group, const void *send, size_t bytes, void *receive)
{
    return uskor_mpi_gather_to_all(group, send, bytes, receive);
}

int uskor_mpi_sum_to_all(const void *group, unsigned long long *numbers, size_t count)
{
    (void)group, (void)numbers, (void)count;
    return 0;
}

int uskor_mpi_sum_before(const void *group, unsigned long long *numbers, size_t count)
{
    (void)group;
    memset(numbers, 0, count * sizeof *numbers);
    return 0;
}

int uskor_mpi_exchange(const void *group, const void *send, const size_t *send_bytes, const size_t *send_offsets,
                       void *receive, const size_t *receive_bytes, const size_t *receive_offsets)
{
    (void)group, (void)receive_bytes;
    memcpy((char *)receive + *receive_offsets, (const char *)send + *send_offsets, *send_bytes);
    return 0;
}

int uskor_mpi_sum(const void *group, void *data, size_t count, int is_double, int root)
{
    (void)group, (void)data, (void)count, (void)is_double, (void)root;
    return 0;
}

int uskor_mpi_send(const void *group, const void *data, size_t bytes, int to, int tag, void **message)
{
    (void)group, (void)data, (void)bytes, (void)to, (void)tag;
    *message = NULL;
    return 0;
}

int uskor_mpi_receive(const void *group, void *data, size_t bytes, int from, int tag, void **message)
{
    (void)group, (void)data, (void)bytes, (void)from, (void)tag;
    *message = NULL;
    return 0;
}

int uskor_mpi_wait(void *message)
{
    (void)message;
    return 0;
}

int uskor_mpi_file_open(const char *path, int writes, void **file)
{
    (void)path, (void)writes;
    *file = NULL;
    return 1;
}

int uskor_mpi_file_read(void *file, size_t offset, void *data, size_t bytes)
{
    (void)file, (void)offset, (void)data, (void)bytes;
    return 1;
}

int uskor_mpi_file_write(void *file, size_t offset, const void *data, size_t bytes)
{
    (void)file, (void)offset, (void)data, (void)bytes;
    return 1;
}

int uskor_mpi_file_close(void *file)
{
    (void)file;
    return 0;
}
