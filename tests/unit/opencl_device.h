/* Shared by the tests on an OpenCL device: the first device, and functions to use it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/backend.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device; /* NULL: there is none, and the reason was printed */
static struct error error;

static inline int open_device(void **state)
{
    (void)state;
    enum status status = device_open("opencl", &device, &error);
    if (status == STATUS_UNAVAILABLE)
        print_message("SKIP: %s\n", error.text);
    return status == STATUS_OK || status == STATUS_UNAVAILABLE ? 0 : -1;
}

static inline int close_device(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

#define NEEDS_DEVICE() \
    do {               \
        (void)state;   \
        if (!device)   \
            skip();    \
    } while (0)

/* Oclgrind interprets; its clock is its own. */
static inline bool is_oclgrind(void)
{
    return strncmp(device->properties.vendor, "Oclgrind", 8) == 0;
}

static inline void expect_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
}

static inline void expect_words(enum status status, enum status expected, const char *words)
{
    assert_int_equal(status, expected);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static inline struct program *build(const char *text, const char *const *defines, size_t count)
{
    const struct program_source source = {"test.cl", text, LANGUAGE_OPENCL_C, defines, count};
    struct program *program;
    expect_ok(program_build(device, &source, &program, &error));
    return program;
}

static inline struct buffer allocate(size_t bytes)
{
    struct buffer buffer;
    expect_ok(buffer_allocate(device, bytes, &buffer, &error));
    return buffer;
}

/* Launches `entry` over the groups, with a buffer of ints as its first argument. */
static inline enum status launch_over(struct program *program, const char *entry, int rank, const size_t group[3],
                                      const size_t groups[3], const struct argument_value *arguments, size_t count)
{
    struct launch launch = {.entry = entry, .rank = rank, .arguments = arguments, .argument_count = count};
    memcpy(launch.group, group, sizeof launch.group);
    memcpy(launch.groups, groups, sizeof launch.groups);
    return program_launch(program, &launch, &error);
}
