/* What the tests of traces share: a rung from the ladder or from a text, traced by several architectures' rules. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/memory/access_trace.h"
#include "kernels/rung_header.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* The rules of the tests, in this order. */
enum { BY_9_0, BY_1_0, BY_2_0, BY_3_5, RULES };

static struct explain_trace trace;
static struct error error;

static inline bool has_compiler(void)
{
    return system("(c++ --version || g++ --version || clang++ --version) >/dev/null 2>&1") == 0 &&
           system("addr2line --version >/dev/null 2>&1") == 0;
}

static inline struct explain_request request_for(const struct rung *rung, const struct problem *problem)
{
    static struct memory_rules rules[RULES];
    static const char *const names[RULES] = {"9.0", "1.0", "2.0", "3.5"};
    for (int i = 0; i < RULES; i++)
        assert_int_equal(memory_rules_of(names[i], L1_DEFAULT, false, &rules[i], &error), STATUS_OK);
    struct explain_request request = {.rung = rung,
                                      .problem = problem,
                                      .capability = "9.0",
                                      .local_bytes_per_group = 48 << 10,
                                      .rules = rules,
                                      .rule_count = RULES};
    if (rung_defaults(rung, problem, &request.parameters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return request;
}

/* Traces a rung whose file is this text; the status, and the message in `error`. A path that ends in .cu: CUDA C. */
static inline enum status trace_file(const char *problem_text_, const char *path, const char *text)
{
    struct problem problem;
    struct rung *rung = NULL;
    explain_trace_free(&trace);
    if (problem_parse(problem_text_, &problem, &error) != STATUS_OK ||
        device_rung_read(problem.kernel, path, text, NULL, &rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    struct explain_request request = request_for(rung, &problem);
    enum status status = explain_trace_run(&request, &trace, &error);
    device_rung_free(rung);
    return status;
}

static inline enum status trace_text(const char *problem_text_, const char *text)
{
    return trace_file(problem_text_, "test/r.cl", text);
}

static inline enum status trace_ladder(const char *problem_text_, const char *name)
{
    struct problem problem;
    explain_trace_free(&trace);
    const struct rung *rung =
        problem_parse(problem_text_, &problem, &error) == STATUS_OK ? rung_by_name(problem.kernel, name, &error) : NULL;
    if (!rung)
        fail_msg("%s", error.text);
    struct explain_request request = request_for(rung, &problem);
    return explain_trace_run(&request, &trace, &error);
}

static inline void expect_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
}

/* The only access of this kind to the array. */
static inline const struct explain_access *find_access(const char *array, enum explain_operation operation)
{
    const struct explain_access *found = NULL;
    for (size_t i = 0; i < trace.access_count; i++)
        if (strcmp(trace.accesses[i].array, array) == 0 && trace.accesses[i].operation == operation) {
            if (found)
                fail_msg("two accesses to %s: lines %d and %d", array, found->line, trace.accesses[i].line);
            found = &trace.accesses[i];
        }
    if (!found)
        fail_msg("no such access to %s", array);
    return found;
}

#define expect_number(value, wanted)                                        \
    do {                                                                    \
        double value_ = (value), wanted_ = (wanted);                        \
        if (value_ < wanted_ - 1e-9 || value_ > wanted_ + 1e-9)             \
            fail_msg("%s is %.9g, expected %.9g", #value, value_, wanted_); \
    } while (0)
