/* Shared by tests that run a kernel of their own on `device`. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "build_on.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device; /* the one under test; NULL: there is none, and tests are skipped */

#define SKIP_WITHOUT_DEVICE \
    do {                    \
        if (!device)        \
            skip();         \
    } while (0)

static inline struct buffer allocate(size_t bytes)
{
    struct error error = {""};
    struct buffer buffer;
    if (buffer_allocate(device, bytes, &buffer, &error) != STATUS_OK ||
        buffer_fill(&buffer, 0, 0, bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return buffer;
}

static inline void read_back(const struct buffer *buffer, void *host)
{
    struct error error = {""};
    if (buffer_read(buffer, 0, host, buffer->bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* Launches kernel f(buffer). */
static inline enum status launch(struct program *program, const struct buffer *buffer, int rank, const size_t group[3],
                                 const size_t groups[3], struct error *error)
{
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = buffer};
    const struct launch launch = {
        .entry = "f",
        .rank = rank,
        .group = {group[0], group[1], group[2]},
        .groups = {groups[0], groups[1], groups[2]},
        .arguments = &argument,
        .argument_count = 1,
    };
    return program_launch(program, &launch, error);
}
