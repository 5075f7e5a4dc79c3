#include "files/mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/size.h"

/* Linux 5.14; an older kernel refuses them, and the pages are mapped when they are touched. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#define FAULT_IN_BYTES ((size_t)4 << 20)

/* State for the signal handler. `first` is set last and cleared first, so a listed range is always complete. */
static struct {
    atomic_bool taken;
    atomic_uintptr_t first; /* address; 0: not listed */
    atomic_uintptr_t end;
    atomic_int protection;
    atomic_bool lost;
} slots[32];

static struct sigaction previous;

/* Puts zeros from the touched page to the mapping's end. mmap is a plain system call on Linux: safe in a handler. */
static bool replace_lost(uintptr_t address)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        uintptr_t first = atomic_load(&slots[i].first);
        uintptr_t end = atomic_load(&slots[i].end);
        if (first == 0 || address < first || address >= end)
            continue;
        uintptr_t start = address & ~(page - 1);
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
        atomic_store(&slots[i].lost, true);
        return mmap((void *)start, end - start, atomic_load(&slots[i].protection), flags, -1, 0) != MAP_FAILED;
    }
    return false;
}

static void handle_bus_error(int signal, siginfo_t *information, void *context)
{
    (void)context;
    int kept = errno;
    if (!replace_lost((uintptr_t)information->si_addr))
        sigaction(signal, &previous,
                  NULL); /* another mapping's fault: the access is repeated with the previous handler */
    errno = kept;
}

/* Asked at every mapping, as somebody else may have put a handler in our handler's place. */
static void install_handler(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct sigaction action = {.sa_sigaction = handle_bus_error, .sa_flags = SA_SIGINFO};
    struct sigaction current;
    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&mutex);
    if (sigaction(SIGBUS, NULL, &current) == 0 &&
        !((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_bus_error)) {
        previous = current;
        sigaction(SIGBUS, &action, NULL);
    }
    pthread_mutex_unlock(&mutex);
}

static int take_slot(void)
{
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&slots[i].taken, &expected, true))
            return (int)i;
    }
    return -1;
}

enum status mapping_open(int descriptor, size_t bytes, bool writable, const char *path, struct mapping *mapping,
                         struct error *error)
{
    int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    install_handler();
    int slot = take_slot();
    if (slot < 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: too many files are mapped at once", path);
    void *data = mmap(NULL, bytes, protection, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) {
        atomic_store(&slots[slot].taken, false);
        return fail(error, STATUS_SYSTEM, "%s: cannot be mapped into memory: %s", path, strerror(errno));
    }
    atomic_store(&slots[slot].lost, false);
    atomic_store(&slots[slot].protection, protection);
    atomic_store(&slots[slot].end, (uintptr_t)data + bytes);
    atomic_store(&slots[slot].first, (uintptr_t)data);
    *mapping = (struct mapping){.data = data, .bytes = bytes, .slot = slot};
    return STATUS_OK;
}

void mapping_close(struct mapping *mapping)
{
    if (!mapping->data)
        return;
    atomic_store(&slots[mapping->slot].first, 0);
    munmap(mapping->data, mapping->bytes);
    atomic_store(&slots[mapping->slot].taken, false);
    *mapping = (struct mapping){0};
}

enum status mapping_check(const struct mapping *mapping, const char *path, struct error *error)
{
    if (mapping->data && atomic_load(&slots[mapping->slot].lost))
        return fail(error, STATUS_SYSTEM, "%s: was cut short while it was in use, or its disk failed", path);
    return STATUS_OK;
}

static void advise(const struct mapping *mapping, size_t offset, size_t bytes, int advice)
{
    if (bytes == 0 || offset >= mapping->bytes)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t start = offset & ~(page - 1);
    size_t end = bytes < mapping->bytes - offset ? offset + bytes : mapping->bytes;
    madvise((char *)mapping->data + start, end - start, advice);
}

void mapping_want(const struct mapping *mapping, size_t offset, size_t bytes)
{
    advise(mapping, offset, bytes, MADV_WILLNEED);
}

void mapping_drop(const struct mapping *mapping, size_t offset, size_t bytes)
{
    advise(mapping, offset, bytes, MADV_DONTNEED);
}

void mapping_scattered(const struct mapping *mapping)
{
    advise(mapping, 0, mapping->bytes, MADV_RANDOM);
}

void mapping_fault_in(const struct mapping *mapping)
{
    int advice = atomic_load(&slots[mapping->slot].protection) & PROT_WRITE ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
#pragma omp parallel for schedule(static)
    for (size_t offset = 0; offset < mapping->bytes; offset += FAULT_IN_BYTES)
        advise(mapping, offset, FAULT_IN_BYTES, advice);
}
