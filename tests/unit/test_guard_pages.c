/* A touch beyond an array must end the process at once, and be known by the array's name and side. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "base/size.h"
#include "lab/verification/guard_pages.h"

static int report_to;

static void on_fault(int number, siginfo_t *information, void *context)
{
    char text[128];
    (void)number;
    if (!guard_pages_describe(information->si_addr, guard_pages_wrote(context), text, sizeof text))
        strcpy(text, "elsewhere");
    if (write(report_to, text, strlen(text)) < 0)
        _exit(2);
    _exit(1);
}

/* Touches the byte at `offset` from the payload's start in a child process, and returns what its handler said. */
static const char *touch(const struct guarded_memory *memory, ptrdiff_t offset, bool writes)
{
    static char text[128];
    int ends[2], state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
        report_to = ends[1];
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
        volatile unsigned char *at = memory->payload + offset;
        if (writes)
            *at = 1;
        else
            (void)*at;
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &state, 0), child);
    return text;
}

static void test_faults_are_named(void **state)
{
    (void)state;
    struct guarded_memory memory;
    struct error error;
    assert_int_equal(guarded_memory_create("in", 1000, 4096, GUARD_END, &memory, &error), STATUS_OK);
    assert_string_equal(touch(&memory, 999, false), "");
    assert_string_equal(touch(&memory, 1000, false), "read past the end of array 'in'");
#if defined __x86_64__ || defined __aarch64__
    assert_string_equal(touch(&memory, 1000, true), "wrote past the end of array 'in'");
#endif
    assert_true(memory.payload - memory.inside >= 4096);
    guarded_memory_destroy(&memory);
    assert_int_equal(guarded_memory_create("out", 0, 4096, GUARD_START, &memory, &error), STATUS_OK);
    assert_string_equal(touch(&memory, -1, false), "read before the start of array 'out'");
    assert_int_equal((uintptr_t)memory.payload % 4096, 0);
    guarded_memory_destroy(&memory);
}

/* While it is sealed, an input can be read and nothing of it written. */
static void test_sealed_ones_are_read_only(void **state)
{
    (void)state;
    struct guarded_memory memory;
    struct error error;
    assert_int_equal(guarded_memory_create("in", 1000, 4096, GUARD_END, &memory, &error), STATUS_OK);
    guarded_memory_seal(&memory, true);
    assert_string_equal(touch(&memory, 5, false), "");
    assert_string_equal(touch(&memory, 5, true), "wrote to its input 'in'");
    assert_string_equal(touch(&memory, 1000, false), "read past the end of array 'in'");
#if defined __x86_64__ || defined __aarch64__
    assert_string_equal(touch(&memory, -1, true), "wrote before the start of array 'in'");
#endif
    guarded_memory_seal(&memory, false);
    assert_string_equal(touch(&memory, 5, true), "");
    guarded_memory_destroy(&memory);
    assert_int_equal(guarded_memory_create("none", 0, 0, GUARD_START, &memory, &error), STATUS_OK);
    guarded_memory_seal(&memory, true);
    guarded_memory_destroy(&memory);
}

static void test_other_addresses_are_not(void **state)
{
    (void)state;
    char text[128];
    struct guarded_memory memory, second;
    struct error error;
    assert_int_equal(guarded_memory_create("a", 64, 4096, GUARD_END, &memory, &error), STATUS_OK);
    assert_int_equal(guarded_memory_create("b", 64, 4096, GUARD_START, &second, &error), STATUS_OK);
    assert_false(guard_pages_describe(memory.payload, false, text, sizeof text));
    assert_false(guard_pages_describe(text, false, text, sizeof text));
    assert_true(guard_pages_describe(second.payload + 64, true, text, sizeof text));
    assert_string_equal(text, "wrote past the end of array 'b'");
    const unsigned char *past = memory.payload + 64;
    guarded_memory_destroy(&memory);
    assert_false(guard_pages_describe(past, false, text, sizeof text));
    guarded_memory_destroy(&second);
    guarded_memory_destroy(&second);
    assert_int_equal(guarded_memory_create("huge", SIZE_MAX - 100, 4096, GUARD_END, &memory, &error),
                     STATUS_UNAVAILABLE);
}

/* The next array takes the pages of a freed one. Those that it does not need are part of its guard. */
static void test_kept_pages_are_guarded(void **state)
{
    (void)state;
    const enum guard_side sides[] = {GUARD_START, GUARD_END};
    struct guarded_memory memory;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        assert_int_equal(guarded_memory_create("long", 60000, 4096, sides[i], &memory, &error), STATUS_OK);
        memset(memory.payload, 1, memory.bytes);
        const struct guarded_memory before = memory;
        guarded_memory_destroy(&memory);
        assert_string_equal(touch(&before, 0, false), "elsewhere");
        assert_string_equal(touch(&before, 59999, true), "elsewhere");
        assert_int_equal(guarded_memory_create("short", 40000, 4096, sides[i], &memory, &error), STATUS_OK);
        assert_ptr_equal(memory.mapping, before.mapping);
        memset(memory.payload, 2, memory.bytes);
        const unsigned char *behind = memory.inside + memory.inside_bytes;
        assert_string_equal(touch(&memory, behind - memory.payload, false), "read past the end of array 'short'");
        assert_string_equal(touch(&memory, 59999, false), "read past the end of array 'short'");
        assert_string_equal(touch(&memory, memory.inside - memory.payload - 1, false),
                            "read before the start of array 'short'");
        guarded_memory_destroy(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_are_named),
        cmocka_unit_test(test_sealed_ones_are_read_only),
        cmocka_unit_test(test_other_addresses_are_not),
        cmocka_unit_test(test_kept_pages_are_guarded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
