/* A program built from a text, for tests that take it to be right. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* `define`: NULL, or one. */
static inline struct program *build_on(struct device *device, const char *text, enum language language,
                                       const char *define)
{
    struct error error = {""};
    struct program *program = NULL;
    const struct program_source source = {"test.cl", text, language, &define, define ? 1 : 0};
    if (program_build(device, &source, &program, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return program;
}
