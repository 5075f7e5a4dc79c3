/* What tune measures of a device's use: another process opens it, and copies both ways, of each size the fastest. This
 * test's main is that process. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl_device.h"
#include "own_folder.h"

#include "base/own_program.h"
#include "cli/commands/tune_parts.h"
#include "lab/transfers/bandwidth.h"

static int begin(void **state)
{
    return make_folder(state) + open_device(state);
}

static int end(void **state)
{
    return close_device(state) + remove_folder(state);
}

static void expect_sizes(const struct transfer_sizes *sizes)
{
    const struct bandwidth_options brief = bandwidth_brief(device);
    size_t bytes = brief.from;
    assert_int_equal(sizes->count, 4);
    for (size_t i = 0; i < sizes->count; i++, bytes *= brief.factor) {
        assert_true(sizes->bytes[i] == (double)bytes);
        assert_true(sizes->nanoseconds[i] > 0 && isfinite(sizes->nanoseconds[i]));
    }
}

static void test_measured_and_known(void **state)
{
    NEEDS_DEVICE();
    struct transfers transfers, again;
    expect_ok(tune_transfers(device, &transfers, &error));
    assert_true(transfers.opening > 0 && transfers.opening < 20e9);
    assert_string_equal(transfers.of.device, device->properties.name);
    expect_sizes(&transfers.to_device);
    expect_sizes(&transfers.from_device);
    char *line = transfers_line(&transfers), path[64];
    assert_non_null(line);
    snprintf(path, sizeof path, "%s", in_folder("tuned.jsonl"));
    setenv("USKOR_TUNED", path, 1);
    assert_false(tune_transfers_known(device, path));
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(line, file);
    assert_int_equal(fclose(file), 0);
    free(line);
    assert_true(tune_transfers_known(device, path));
    assert_false(tune_transfers_known(device, "another"));
    assert_true(transfers_of(device, &again));
    assert_true(fabs(again.opening - transfers.opening) < 1e-3 * transfers.opening);
    unlink(path);
}

/* A process that does not open it leaves no figure. */
static void test_not_opened(void **state)
{
    NEEDS_DEVICE();
    struct transfers transfers;
    setenv("USKOR_TUNED", "none", 1);
    expect_words(tune_transfers(device, &transfers, &error), STATUS_FAILED, "does not open in another process");
    assert_int_equal(transfers.to_device.count, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measured_and_known),
        cmocka_unit_test(test_not_opened),
    };
    if (argc == 5 && strcmp(argv[1], "tuned") == 0 && strcmp(argv[4], "dot:n=16") == 0)
        return getenv("USKOR_TUNED") && strcmp(getenv("USKOR_TUNED"), "none") == 0 ? 3 : 0;
    own_program_keep();
    return cmocka_run_group_tests(tests, begin, end);
}
