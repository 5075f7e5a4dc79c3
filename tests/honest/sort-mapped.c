/* A merge sort whose room is mapped from the system, with advice for large pages, and given back. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
static int is_before(float x, float y)
{
    return x < y || (x == y && __builtin_signbit(x) && !__builtin_signbit(y));
}
static void merge_sort(float *data, float *room, long n)
{
    if (n < 2)
        return;
    const long half = n / 2;
    merge_sort(data, room, half);
    merge_sort(data + half, room, n - half);
    memcpy(room, data, (size_t)half * sizeof *data);
    for (long i = 0, j = half, at = 0; i < half; at++)
        data[at] = j < n && is_before(data[j], room[i]) ? data[j++] : room[i++];
}
void sort(float *data, long n)
{
    const size_t bytes = (size_t)(n + 1) * sizeof *data;
    float *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return;
    madvise(room, bytes, MADV_HUGEPAGE);
    merge_sort(data, room, n);
    munmap(room, bytes);
}
