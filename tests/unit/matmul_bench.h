/* A product's problem and its arrays, for tests of its check. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/matmul/matmul.h"

struct bench {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays input, output;
    struct product product;
};

/* Filled as the lab fills it. */
static inline void open_bench(struct bench *bench, const char *text)
{
    struct error error = {{0}};
    int count;
    memset(bench, 0, sizeof *bench);
    if (problem_parse(text, &bench->problem, &error) != STATUS_OK ||
        kernel_describe(&bench->problem, bench->arrays, &count, &error) != STATUS_OK)
        FAIL_WITH("%s: %s", text, error.text);
    for (int i = 0; i < 3; i++)
        bench->input.data[i] = malloc(bench->arrays[i].bytes + 1);
    bench->output.data[2] = malloc(bench->arrays[2].bytes + 1);
    memset(bench->input.data[2], 0xff, bench->arrays[2].bytes + 1);
    matmul_fill(&bench->problem, bench->arrays, bench->input);
    memcpy(bench->output.data[2], bench->input.data[2], bench->arrays[2].bytes);
    bench->product = product_of(&bench->problem, bench->input.data[0], bench->input.data[1], bench->output.data[2]);
}

static inline void close_bench(struct bench *bench)
{
    for (int i = 0; i < 3; i++)
        free(bench->input.data[i]);
    free(bench->output.data[2]);
}

static inline bool passes(struct bench *bench, struct check_result *result)
{
    memset(result, 0, sizeof *result);
    matmul_check(&bench->problem, bench->arrays, bench->input, bench->output, result);
    return result->passed;
}
