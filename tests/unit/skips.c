/* A unit test that skipped something, and failed nowhere, ends with 77: ctest lists it as skipped instead of passed.
 * Every unit test is linked with this, by --wrap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define EXIT_SKIPPED 77

void __real__skip(const char *file, int line);
void __wrap__skip(const char *file, int line);
int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

static int skipped;

void __wrap__skip(const char *file, int line)
{
    skipped++;
    __real__skip(file, line);
}

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    static bool is_said; /* a program's groups are added up: 77 once */
    int failed = __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
    if (failed > 0 || skipped == 0 || is_said)
        return failed;
    is_said = true;
    return EXIT_SKIPPED;
}
