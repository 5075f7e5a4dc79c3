#include "vendor_shims/mpi/mpi.h"

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr size_t piece = size_t{1} << 30; /* of a message, in bytes or elements: MPI counts in int */

struct group {
    MPI_Comm comm;
};

struct message {
    std::vector<MPI_Request> requests;
};

struct file {
    MPI_File handle;
    bool writes;
};

MPI_Comm comm_of(const void *opaque)
{
    return static_cast<const group *>(opaque)->comm;
}

int wrap(MPI_Comm comm, void **part)
{
    *part = nullptr;
    if (comm == MPI_COMM_NULL)
        return 0;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    *part = new (std::nothrow) group{comm};
    return *part ? 0 : MPI_ERR_NO_MEM;
}

/* Calls `step(offset, bytes)` for each piece, until one fails. */
template <typename Step> int in_pieces(size_t bytes, Step step)
{
    int code = 0;
    for (size_t at = 0; code == 0 && at < bytes; at += piece)
        code = step(at, static_cast<int>(bytes - at < piece ? bytes - at : piece));
    return code;
}

bool fits_int(const size_t *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] > INT_MAX)
            return false;
    return true;
}

/* All but that of `except` (-1: none), which is 0. */
std::vector<int> as_ints(const size_t *values, int count, int except)
{
    std::vector<int> ints(static_cast<size_t>(count));
    for (int i = 0; i < count; i++)
        ints[static_cast<size_t>(i)] = i == except ? 0 : static_cast<int>(values[i]);
    return ints;
}

/* The exchange whose offsets are beyond MPI's int: messages between all pairs. */
int exchange_by_pairs(const void *opaque, const void *send, const size_t *send_bytes, const size_t *send_offsets,
                      void *receive, const size_t *receive_bytes, const size_t *receive_offsets)
{
    int count = uskor_mpi_count(opaque), own = uskor_mpi_rank(opaque), code = 0;
    std::vector<void *> messages;
    for (int i = 0; code == 0 && i < count; i++) {
        if (i == own)
            continue;
        void *message = nullptr;
        code = uskor_mpi_receive(opaque, static_cast<char *>(receive) + receive_offsets[i], receive_bytes[i], i, 0,
                                 &message);
        messages.push_back(message);
    }
    for (int i = 0; code == 0 && i < count; i++) {
        if (i == own)
            continue;
        void *message = nullptr;
        code = uskor_mpi_send(opaque, static_cast<const char *>(send) + send_offsets[i], send_bytes[i], i, 0, &message);
        messages.push_back(message);
    }
    for (void *message : messages) {
        int ended = uskor_mpi_wait(message);
        code = code ? code : ended;
    }
    return code;
}

} // namespace

EXPORT int uskor_mpi_start(void)
{
    int provided, code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (code == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return code;
}

EXPORT int uskor_mpi_end(void)
{
    return MPI_Finalize();
}

EXPORT void uskor_mpi_abort(int exit_code)
{
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

EXPORT void uskor_mpi_version(char *text, size_t size)
{
    char whole[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(whole, &length);
    whole[strcspn(whole, ",\n")] = '\0';
    for (char *at = whole; *at; at++) /* "MPICH Version:<tab>4.0.2" */
        if (*at == '\t')
            *at = ' ';
    snprintf(text, size, "%s", whole);
}

EXPORT void uskor_mpi_error(int code, char *text, size_t size)
{
    char whole[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(code, whole, &length);
    snprintf(text, size, "%s", whole);
}

EXPORT void *uskor_mpi_world(void)
{
    static group world;
    world.comm = MPI_COMM_WORLD;
    return &world;
}

EXPORT int uskor_mpi_rank(const void *opaque)
{
    int rank = 0;
    MPI_Comm_rank(comm_of(opaque), &rank);
    return rank;
}

EXPORT int uskor_mpi_count(const void *opaque)
{
    int count = 1;
    MPI_Comm_size(comm_of(opaque), &count);
    return count;
}

EXPORT int uskor_mpi_split(const void *opaque, int colour, int key, void **part)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int code = MPI_Comm_split(comm_of(opaque), colour < 0 ? MPI_UNDEFINED : colour, key, &comm);
    return code ? code : wrap(comm, part);
}

EXPORT int uskor_mpi_split_by_host(const void *opaque, void **part)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int code = MPI_Comm_split_type(comm_of(opaque), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    return code ? code : wrap(comm, part);
}

EXPORT void uskor_mpi_free(void *opaque)
{
    if (!opaque)
        return;
    MPI_Comm_free(&static_cast<group *>(opaque)->comm);
    delete static_cast<group *>(opaque);
}

EXPORT int uskor_mpi_barrier(const void *opaque)
{
    return MPI_Barrier(comm_of(opaque));
}

EXPORT int uskor_mpi_rest(const void *opaque)
{
    MPI_Request request;
    int done = 0, code = MPI_Ibarrier(comm_of(opaque), &request);
    while (code == 0 && !done) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (code == 0 && !done)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return code;
}

EXPORT int uskor_mpi_broadcast(const void *opaque, void *data, size_t bytes, int root)
{
    return in_pieces(bytes, [=](size_t at, int part) {
        return MPI_Bcast(static_cast<char *>(data) + at, part, MPI_BYTE, root, comm_of(opaque));
    });
}

EXPORT int uskor_mpi_gather_to_all(const void *opaque, const void *part, size_t bytes, void *all)
{
    if (bytes > INT_MAX)
        return MPI_ERR_COUNT;
    return MPI_Allgather(part, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes), MPI_BYTE,
                         comm_of(opaque));
}

EXPORT int uskor_mpi_all_to_all(const void *opaque, const void *send, size_t bytes, void *receive)
{
    if (bytes > INT_MAX)
        return MPI_ERR_COUNT;
    return MPI_Alltoall(send, static_cast<int>(bytes), MPI_BYTE, receive, static_cast<int>(bytes), MPI_BYTE,
                        comm_of(opaque));
}

EXPORT int uskor_mpi_sum_to_all(const void *opaque, unsigned long long *numbers, size_t count)
{
    return in_pieces(count, [=](size_t at, int part) {
        return MPI_Allreduce(MPI_IN_PLACE, numbers + at, part, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_of(opaque));
    });
}

EXPORT int uskor_mpi_sum_before(const void *opaque, unsigned long long *numbers, size_t count)
{
    int code = in_pieces(count, [=](size_t at, int part) {
        return MPI_Exscan(MPI_IN_PLACE, numbers + at, part, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_of(opaque));
    });
    if (uskor_mpi_rank(opaque) == 0)
        memset(numbers, 0, count * sizeof *numbers);
    return code;
}

EXPORT int uskor_mpi_exchange(const void *opaque, const void *send, const size_t *send_bytes,
                              const size_t *send_offsets, void *receive, const size_t *receive_bytes,
                              const size_t *receive_offsets)
try {
    int count = uskor_mpi_count(opaque);
    int fits = fits_int(send_bytes, count) && fits_int(send_offsets, count) && fits_int(receive_bytes, count) &&
               fits_int(receive_offsets, count);
    int code = MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, comm_of(opaque)); /* one way for all */
    if (code || !fits)
        return code
                   ? code
                   : exchange_by_pairs(opaque, send, send_bytes, send_offsets, receive, receive_bytes, receive_offsets);
    const int own = uskor_mpi_rank(opaque);
    return MPI_Alltoallv(send, as_ints(send_bytes, count, own).data(), as_ints(send_offsets, count, -1).data(),
                         MPI_BYTE, receive, as_ints(receive_bytes, count, own).data(),
                         as_ints(receive_offsets, count, -1).data(), MPI_BYTE, comm_of(opaque));
} catch (const std::bad_alloc &) {
    return MPI_ERR_NO_MEM;
}

EXPORT int uskor_mpi_sum(const void *opaque, void *data, size_t count, int is_double, int root)
{
    MPI_Datatype type = is_double ? MPI_DOUBLE : MPI_FLOAT;
    size_t bytes = is_double ? sizeof(double) : sizeof(float);
    bool is_root = uskor_mpi_rank(opaque) == root;
    return in_pieces(count, [=](size_t at, int part) {
        char *from = static_cast<char *>(data) + at * bytes;
        return MPI_Reduce(is_root ? MPI_IN_PLACE : from, is_root ? from : nullptr, part, type, MPI_SUM, root,
                          comm_of(opaque));
    });
}

EXPORT int uskor_mpi_send(const void *opaque, const void *data, size_t bytes, int to, int tag, void **out)
try {
    message *sent = new message;
    *out = sent;
    return in_pieces(bytes, [=](size_t at, int part) {
        MPI_Request request;
        int code = MPI_Isend(static_cast<const char *>(data) + at, part, MPI_BYTE, to, tag, comm_of(opaque), &request);
        if (code == 0)
            sent->requests.push_back(request);
        return code;
    });
} catch (const std::bad_alloc &) {
    return MPI_ERR_NO_MEM;
}

EXPORT int uskor_mpi_receive(const void *opaque, void *data, size_t bytes, int from, int tag, void **out)
try {
    message *received = new message;
    *out = received;
    return in_pieces(bytes, [=](size_t at, int part) {
        MPI_Request request;
        int code = MPI_Irecv(static_cast<char *>(data) + at, part, MPI_BYTE, from, tag, comm_of(opaque), &request);
        if (code == 0)
            received->requests.push_back(request);
        return code;
    });
} catch (const std::bad_alloc &) {
    return MPI_ERR_NO_MEM;
}

EXPORT int uskor_mpi_wait(void *opaque)
{
    message *ended = static_cast<message *>(opaque);
    if (!ended)
        return 0;
    int code = ended->requests.empty()
                   ? 0
                   : MPI_Waitall(static_cast<int>(ended->requests.size()), ended->requests.data(), MPI_STATUSES_IGNORE);
    delete ended;
    return code;
}

/* For this rank alone: reads and writes are independent, and opening by all together waits for ever where one rank does
 * not find the file. */
EXPORT int uskor_mpi_file_open(const char *path, int writes, void **out)
{
    MPI_File handle;
    int code = MPI_File_open(MPI_COMM_SELF, path, writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, MPI_INFO_NULL, &handle);
    *out = code ? nullptr : new (std::nothrow) file{handle, writes != 0};
    return code || *out ? code : MPI_ERR_NO_MEM;
}

EXPORT int uskor_mpi_file_read(void *opaque, size_t offset, void *data, size_t bytes)
{
    return in_pieces(bytes, [=](size_t at, int part) {
        MPI_Status status;
        int got, code = MPI_File_read_at(static_cast<file *>(opaque)->handle, static_cast<MPI_Offset>(offset + at),
                                         static_cast<char *>(data) + at, part, MPI_BYTE, &status);
        return code ? code : MPI_Get_count(&status, MPI_BYTE, &got) || got != part ? MPI_ERR_IO : 0;
    });
}

EXPORT int uskor_mpi_file_write(void *opaque, size_t offset, const void *data, size_t bytes)
{
    return in_pieces(bytes, [=](size_t at, int part) {
        MPI_Status status;
        int got, code = MPI_File_write_at(static_cast<file *>(opaque)->handle, static_cast<MPI_Offset>(offset + at),
                                          static_cast<const char *>(data) + at, part, MPI_BYTE, &status);
        return code ? code : MPI_Get_count(&status, MPI_BYTE, &got) || got != part ? MPI_ERR_IO : 0;
    });
}

EXPORT int uskor_mpi_file_close(void *opaque)
{
    file *closed = static_cast<file *>(opaque);
    if (!closed)
        return 0;
    int synced = closed->writes ? MPI_File_sync(closed->handle) : 0, code = MPI_File_close(&closed->handle);
    delete closed;
    return code ? code : synced;
}
