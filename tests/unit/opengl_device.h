/* Shared by the tests on an OpenGL device: the first device, and functions to use it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device; /* NULL: there is none, and the reason was printed */
static struct error error;

static inline int open_device(void **state)
{
    (void)state;
    enum status status = device_open("opengl", &device, &error);
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

static inline void expect_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
}

static inline void expect_words(enum status status, enum status expected, const char *words)
{
    if (status != expected || !strstr(error.text, words))
        fail_msg("status %d: \"%s\" does not say \"%s\"", (int)status, error.text, words);
}

static inline struct buffer allocate(size_t bytes)
{
    struct buffer buffer;
    expect_ok(buffer_allocate(device, bytes, &buffer, &error));
    return buffer;
}

static inline enum status build(const char *text, struct program **program)
{
    static const char *const defines[] = {"ELEMENT=float", "GROUP_X=4"};
    const struct program_source source = {"test.glsl", text, LANGUAGE_GLSL, defines, 2};
    return program_build(device, &source, program, &error);
}
