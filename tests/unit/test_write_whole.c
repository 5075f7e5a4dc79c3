/* Blocks that write() takes in parts arrive whole, in files and in the memory file of a user's kernel. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "base/write_whole.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* What the next calls do: as many bytes at most; 0: nothing; below: they fail with this error, negated. */
static const ssize_t *steps;
static size_t calls;

/* The program's objects call this one instead of the C library's. */
ssize_t write(int descriptor, const void *data, size_t bytes)
{
    const ssize_t step = steps[calls++];
    if (step < 0) {
        errno = (int)-step;
        return -1;
    }
    return step == 0 ? 0 : syscall(SYS_write, descriptor, data, bytes < (size_t)step ? bytes : (size_t)step);
}

static bool put(const ssize_t *each, const char *text, size_t bytes, char found[32])
{
    const int file = memfd_create("block", 0);
    assert_true(file >= 0);
    steps = each, calls = 0;
    errno = 0;
    const bool is_whole = write_whole(file, text, bytes);
    const int reason = errno;
    memset(found, 0, 32);
    assert_true(pread(file, found, 31, 0) >= 0);
    close(file);
    errno = reason;
    return is_whole;
}

static void parts_are_joined(void **state)
{
    (void)state;
    static const struct {
        ssize_t steps[6];
        bool is_whole;
        const char *arrives;
        int reason;
        size_t calls;
    } rows[] = {
        {{100}, true, "0123456789", 0, 1},
        {{10}, true, "0123456789", 0, 1},
        {{5, 5}, true, "0123456789", 0, 2},
        {{5, 2, 1, 100}, true, "0123456789", 0, 4},
        {{-EINTR, 9, -EINTR, 1}, true, "0123456789", EINTR, 4},
        {{4, -ENOSPC}, false, "0123", ENOSPC, 2},
        {{4, 0}, false, "0123", EIO, 2},
        {{-EBADF}, false, "", EBADF, 1},
    };
    char found[32];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(put(rows[i].steps, "0123456789", 10, found), rows[i].is_whole);
        assert_int_equal(errno, rows[i].reason);
        assert_string_equal(found, rows[i].arrives);
        assert_int_equal(calls, rows[i].calls);
    }
    assert_true(put((const ssize_t[]){-EBADF}, "", 0, found)); /* nothing is written */
    assert_int_equal(calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_joined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
