/* Shared by the tests of wrong rungs: a right transpose with one fault at a time, and a bench of it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "base/size.h"
#include "lab/bench/bench.h"
#include "lab/verification/check.h"
#include "verdicts.h"

#define SMALL "transpose:rows=64,cols=96"   /* timed in batches */
#define LARGE "transpose:rows=300,cols=411" /* a run at a time where the processor is not twenty times faster */
#define ELEMENTS_MAX ((size_t)300 * 411)

struct matrix {
    const uint32_t *in;
    uint32_t *out;
    size_t rows, cols, count;
};

static inline struct matrix matrix_of(const struct run *run)
{
    size_t rows = (size_t)problem_size(run->problem, "rows"), cols = (size_t)problem_size(run->problem, "cols");
    return (struct matrix){run->buffers[0].host, run->buffers[1].host, rows, cols, rows * cols};
}

/* The rows from `from` to before `to`. */
static inline void transpose_rows(const struct matrix *m, size_t from, size_t to)
{
    for (size_t row = from; row < to; row++)
        for (size_t col = 0; col < m->cols; col++)
            m->out[col * m->rows + row] = m->in[row * m->cols + col];
}

static inline enum status right(struct run *run, struct error *error)
{
    (void)error;
    struct matrix m = matrix_of(run);
    transpose_rows(&m, 0, m.rows);
    return STATUS_OK;
}

typedef enum status enqueue_function(struct run *run, struct error *error);

static inline struct rung host_rung(const char *name, enqueue_function *enqueue)
{
    struct rung rung = {.idea = "a trial", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = enqueue};
    strcpy(rung.name, name);
    return rung;
}

/* Benches the rungs side by side for a moment, without a limit. The caller frees the list. */
static inline struct measurement_list bench_once(const char *device_id, const struct rung *const *rungs, size_t count,
                                                 const char *text, bool cold)
{
    struct problem problem;
    struct device *device;
    struct error error = {""};
    struct candidate candidates[8];
    struct measurement_list list = {0};
    if (problem_parse(text, &problem, &error) != STATUS_OK || device_open(device_id, &device, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(candidate_make(device, rungs[i], &problem, NULL, &candidates[i], &error), STATUS_OK);
    struct bench_options options = bench_defaults();
    options.seconds = 0.002;
    options.probe_ceilings = false;
    options.cold = cold;
    if (lab_bench(&problem, candidates, count, &options, &list, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    assert_int_equal(list.count, count);
    device_close(device);
    return list;
}

static inline bool is_disturbed(const struct measurement_list *list)
{
    bool found = false;
    for (size_t i = 0; i < list->count; i++)
        found = found || strncmp(list->items[i].reason, "disturbed: ", strlen("disturbed: ")) == 0;
    return found;
}

/* As bench_once, three times at most where other programs disturb the bench,
 * which then says so instead of a verdict. The caller frees the list. */
static inline struct measurement_list bench_rungs(const char *device_id, const struct rung *const *rungs, size_t count,
                                                  const char *text, bool cold)
{
    struct measurement_list list = bench_once(device_id, rungs, count, text, cold);
    for (int again = 0; again < 2 && is_disturbed(&list); again++) {
        measurement_list_free(&list);
        list = bench_once(device_id, rungs, count, text, cold);
    }
    return list;
}
