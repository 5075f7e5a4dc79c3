/* Children that were entered survive the end of strays, however many came and left before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/child_process.h"

static pid_t rests(void)
{
    const pid_t child = fork();
    while (child == 0)
        pause();
    assert_true(child > 0);
    return child;
}

static bool lives(pid_t child)
{
    return waitpid(child, NULL, WNOHANG) == 0;
}

static void strays_end_and_children_stay(void **state)
{
    (void)state;
    for (pid_t gone = 1; gone <= 100; gone++) {
        child_family_enter(gone);
        child_family_leave(gone);
    }
    const pid_t child = rests(), stray = rests();
    child_family_enter(child);
    child_end_strays();
    assert_true(lives(child));
    assert_int_equal(kill(stray, 0), -1); /* ended, and awaited */
    child_family_leave(child);
    child_end_strays();
    assert_int_equal(kill(child, 0), -1);
    assert_false(child_has_children());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strays_end_and_children_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
