/* A problem from its text, for tests that take it to be right. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#include <cmocka.h> /* last: it has a macro called fail */

static inline struct problem parsed(const char *text)
{
    struct problem problem;
    struct error error = {{0}};
    if (problem_parse(text, &problem, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.text);
    return problem;
}
