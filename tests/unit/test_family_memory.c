/* The memory of a group of processes: of all of them, with files in memory that nobody maps. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"

#include <cmocka.h>

#include "between.h"

#define BYTES ((size_t)32 << 20)

static void fill_file(void)
{
    static char block[1 << 16];
    const int file = memfd_create("filled", 0);
    for (size_t at = 0; at < BYTES; at += sizeof block)
        if (write(file, block, sizeof block) != (ssize_t)sizeof block)
            _exit(1);
}

/* Its own memory, and a child's. */
static void fill_memory(void)
{
    if (fork() > 0)
        return;
    if (mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
        _exit(1);
}

/* Tables of pages that are only read: 4 KiB for 2 MiB of addresses, and no page is its own. */
static void fill_tables(void)
{
    const size_t step = (size_t)2 << 20, bytes = BYTES / 4096 * step;
    volatile char *block = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED || madvise((void *)block, bytes, MADV_NOHUGEPAGE) != 0)
        _exit(1);
    for (size_t at = 0; at < bytes; at += step)
        (void)block[at];
}

/* What was sent and not received: 150,000 bytes at least from either end of a pair. */
static void fill_sockets(void)
{
    static char block[1 << 13];
    for (size_t sent = 0; sent < BYTES;) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0)
            _exit(1);
        for (int i = 0; i < 2; i++)
            while (send(ends[i], block, sizeof block, 0) > 0)
                sent += sizeof block;
    }
}

/* In a group of its own, which has done `what` when this returns. */
static pid_t start(void (*what)(void), int *end)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t group = fork();
    if (group == 0) {
        setpgid(0, 0);
        what();
        if (write(ends[1], "", 1) != 1)
            _exit(1);
        pause();
    }
    setpgid(group, group);
    close(ends[1]);
    *end = ends[0];
    return group;
}

static void check(void (*what)(void), int processes)
{
    char byte;
    int end;
    const pid_t group = start(what, &end);
    while (processes-- > 0)
        assert_int_equal(read(end, &byte, 1), 1);
    const uint64_t all = memory_of_family(group, 0), own = memory_resident(group);
    kill(-group, SIGKILL);
    waitpid(group, NULL, 0);
    close(end);
    assert_between(all, BYTES, 4 * BYTES);
    assert_true(own < BYTES);
}

static void files_count(void **state)
{
    (void)state;
    check(fill_file, 1);
}

static void children_count(void **state)
{
    (void)state;
    check(fill_memory, 2);
}

static void tables_count(void **state)
{
    (void)state;
    check(fill_tables, 1);
}

static void sockets_count(void **state)
{
    (void)state;
    check(fill_sockets, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_count), cmocka_unit_test(children_count),
                                       cmocka_unit_test(tables_count), cmocka_unit_test(sockets_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
