/* Random calls of the C library from 16 threads, some right and some wrong, with contexts of their own, contexts that
 * they share, plans, and changing numbers of threads. Every result is verified. USKOR_STRESS_SECONDS (default 20) and
 * USKOR_STRESS_SEED (default: the time) in the environment; meant for -fsanitize=thread and =address. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "uskor.h"

#include <cmocka.h>

#define THREADS 16
#define ELEMENTS_MOST 60000
#define PLANS 4

struct worker {
    uint64_t state; /* of its random numbers */
    struct uskor *own, *shared;
    struct uskor_plan *plans[PLANS];
    size_t rows[PLANS], columns[PLANS];
    uint32_t *source, *target;
    unsigned long calls, busy;
    const char *wrong;
};

static time_t until;

/* SplitMix64. */
static uint64_t draw(struct worker *worker)
{
    uint64_t z = worker->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static size_t below(struct worker *worker, size_t limit)
{
    return (size_t)(draw(worker) % limit);
}

/* 1 … ELEMENTS_MOST in all, small ones often. */
static void draw_sides(struct worker *worker, size_t *rows, size_t *columns)
{
    *rows = 1 + below(worker, (size_t)1 << below(worker, 16)) % ELEMENTS_MOST;
    *columns = 1 + below(worker, ELEMENTS_MOST / *rows);
}

static void fill(struct worker *worker, size_t count)
{
    for (size_t i = 0; i < count; i++)
        worker->source[i] = (uint32_t)draw(worker);
    memset(worker->target, 0xA5, (count + 1) * sizeof *worker->target);
}

static bool is_transposed(const struct worker *worker, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            if (worker->target[j * rows + i] != worker->source[i * columns + j])
                return false;
    return worker->target[rows * columns] == 0xA5A5A5A5u;
}

static void judge(struct worker *worker, enum uskor_status status, bool is_right, const char *wrong)
{
    worker->calls++;
    worker->busy += status == USKOR_BUSY;
    if (status != USKOR_BUSY && (status != USKOR_OK || !is_right))
        worker->wrong = wrong;
}

static void transpose(struct worker *worker, struct uskor *uskor)
{
    size_t rows, columns;
    draw_sides(worker, &rows, &columns);
    fill(worker, rows * columns);
    const enum uskor_status status = uskor_transpose(uskor, worker->target, worker->source, rows, columns, 4);
    judge(worker, status, status != USKOR_OK || is_transposed(worker, rows, columns), "a transpose");
}

static void sort(struct worker *worker, struct uskor *uskor)
{
    const size_t count = 1 + below(worker, (size_t)1 << below(worker, 16)) % ELEMENTS_MOST;
    uint64_t before = 0, after = 0;
    fill(worker, count);
    for (size_t i = 0; i < count; i++)
        before += worker->source[i];
    const enum uskor_status status = uskor_sort(uskor, worker->source, count, USKOR_UINT32, 0);
    bool is_right = true;
    for (size_t i = 0; i < count; i++) {
        after += worker->source[i];
        is_right = is_right && (i == 0 || worker->source[i - 1] <= worker->source[i]);
    }
    judge(worker, status, status != USKOR_OK || (is_right && before == after), "a sort");
}

static void resize(struct worker *worker, struct uskor *uskor)
{
    size_t height, width, out_height, out_width;
    draw_sides(worker, &height, &width);
    draw_sides(worker, &out_height, &out_width);
    fill(worker, height * width > out_height * out_width ? height * width : out_height * out_width);
    const uint32_t colour = (uint32_t)draw(worker);
    for (size_t i = 0; i < height * width; i++)
        worker->source[i] = colour;
    const enum uskor_status status =
        uskor_resize(uskor, worker->target, out_width, out_height, worker->source, width, height);
    bool is_right = worker->target[out_width * out_height] == 0xA5A5A5A5u;
    for (size_t i = 0; i < out_width * out_height; i++)
        is_right = is_right && worker->target[i] == colour;
    judge(worker, status, status != USKOR_OK || is_right, "a resize");
}

/* The order of small keys, most of which occur often. */
static void argsort(struct worker *worker, struct uskor *uskor)
{
    const size_t count = 1 + below(worker, (size_t)1 << below(worker, 16)) % ELEMENTS_MOST;
    const unsigned flags = below(worker, 2) ? USKOR_DESCENDING : 0;
    fill(worker, count);
    for (size_t i = 0; i < count; i++)
        worker->source[i] &= 0xff;
    const enum uskor_status status = uskor_argsort(uskor, worker->target, worker->source, count, USKOR_INT32, 4, flags);
    bool is_right = worker->target[count] == 0xA5A5A5A5u;
    for (size_t i = 0; status == USKOR_OK && i < count && is_right; i++) {
        is_right = worker->target[i] < count;
        if (i == 0 || !is_right)
            continue;
        const uint32_t a = worker->source[worker->target[i - 1]], b = worker->source[worker->target[i]];
        is_right = a == b ? worker->target[i - 1] < worker->target[i] : flags ? a > b : a < b;
    }
    judge(worker, status, status != USKOR_OK || is_right, "an argsort");
}

/* Small integers, whose sums are exact in every order. */
static void dot(struct worker *worker, struct uskor *uskor)
{
    static const enum uskor_sum sums[] = {USKOR_SUM_FAST, USKOR_SUM_COMPENSATED, USKOR_SUM_EXACT};
    const size_t count = below(worker, (size_t)1 << below(worker, 16)) % ELEMENTS_MOST;
    float *a = (float *)(void *)worker->source, *b = (float *)(void *)worker->target;
    double expected = 0, result = -1;
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)below(worker, 9) - 4;
        b[i] = (float)below(worker, 9) - 4;
        expected += (double)a[i] * (double)b[i];
    }
    const enum uskor_status status = uskor_dot(uskor, &result, a, b, count, USKOR_FLOAT32, sums[below(worker, 3)]);
    judge(worker, status, result == expected, "a dot product");
}

static void gemm(struct worker *worker, struct uskor *uskor)
{
    const size_t m = 1 + below(worker, 90), n = 1 + below(worker, 90), k = below(worker, 60);
    float *a = (float *)(void *)worker->source, *b = a + m * k, *c = (float *)(void *)worker->target;
    for (size_t i = 0; i < (m + n) * k; i++)
        a[i] = (float)below(worker, 9) - 4;
    const enum uskor_status status = uskor_gemm(uskor, USKOR_FLOAT32, 0, 1, m, n, k, 1, a, k, b, k, 0, c, n);
    bool is_right = true;
    for (size_t i = 0; status == USKOR_OK && i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[j * k + l];
            is_right = is_right && c[i * n + j] == sum;
        }
    judge(worker, status, is_right, "a matrix product");
}

/* Batches with gaps, whose bytes keep what they hold; and in place. */
static void transpose_strided(struct worker *worker, struct uskor *uskor)
{
    const size_t rows = 1 + below(worker, 40), columns = 1 + below(worker, 40), batch = 1 + below(worker, 8);
    const size_t pitch = columns + below(worker, 4), target_pitch = rows + below(worker, 4);
    const size_t step = rows * pitch, target_step = columns * target_pitch;
    fill(worker, batch * (step > target_step ? step : target_step));
    const enum uskor_status status = uskor_transpose_strided(uskor, worker->target, target_pitch, target_step,
                                                             worker->source, pitch, step, rows, columns, 4, batch);
    bool is_right = worker->target[batch * target_step] == 0xA5A5A5A5u;
    for (size_t i = 0; status == USKOR_OK && i < batch * target_step; i++) {
        const size_t b = i / target_step, j = i % target_step / target_pitch, row = i % target_step % target_pitch;
        is_right =
            is_right && worker->target[i] == (row < rows ? worker->source[b * step + row * pitch + j] : 0xA5A5A5A5u);
    }
    judge(worker, status, is_right, "a transpose with gaps");
}

static void transpose_in_place(struct worker *worker, struct uskor *uskor)
{
    size_t rows, columns;
    draw_sides(worker, &rows, &columns);
    fill(worker, rows * columns);
    memcpy(worker->target, worker->source, rows * columns * sizeof *worker->target);
    const enum uskor_status status =
        uskor_transpose_in_place(uskor, worker->target, columns, rows * columns, rows, columns, 4, 1);
    judge(worker, status, status != USKOR_OK || is_transposed(worker, rows, columns), "a transpose in place");
}

/* Lines that lie side by side, or one after another. */
static void sort_lines(struct worker *worker, struct uskor *uskor)
{
    const size_t count = 1 + below(worker, 300), batch = 1 + below(worker, 8), stride = 1 + below(worker, 20);
    const bool parts = below(worker, 2);
    const size_t first = parts ? 1 + below(worker, count) : count;
    fill(worker, count * batch * stride);
    const enum uskor_status status =
        parts ? uskor_partition_lines(uskor, worker->source, count, first, batch, stride, USKOR_UINT32, 0)
              : uskor_sort_lines(uskor, worker->source, count, batch, stride, USKOR_UINT32, 0);
    bool is_right = true;
    for (size_t line = 0; status == USKOR_OK && line < batch * stride; line++)
        for (size_t i = 0; i < count; i++) {
            const uint32_t *begin = worker->source + line / stride * count * stride + line % stride;
            const uint32_t x = begin[i * stride], last = begin[(first - 1) * stride];
            is_right =
                is_right && (parts ? (i < first ? x <= last : x >= last) : i == 0 || begin[(i - 1) * stride] <= x);
        }
    judge(worker, status, is_right, "a sort of lines");
}

/* One colour stays one, in pictures of any kind; gaps keep what they hold. */
static void resize_picture(struct worker *worker, struct uskor *uskor)
{
    const size_t width = 1 + below(worker, 60), height = 1 + below(worker, 60), channels = 1 + below(worker, 4);
    const size_t out_width = 1 + below(worker, 60), out_height = 1 + below(worker, 60), gap = below(worker, 5);
    const size_t pitch = width * channels + gap, out_pitch = out_width * channels + gap;
    float *in = (float *)(void *)worker->source;
    fill(worker, pitch * height > out_pitch * out_height ? pitch * height : out_pitch * out_height);
    for (size_t row = 0; row < height; row++)
        for (size_t i = 0; i < width * channels; i++)
            in[row * pitch + i] = 0.3f + (float)(i % channels);
    const enum uskor_status status = uskor_resize_picture(uskor, worker->target, out_width, out_height, out_pitch, in,
                                                          width, height, pitch, channels, USKOR_FLOAT32);
    bool is_right = worker->target[out_pitch * out_height] == 0xA5A5A5A5u;
    for (size_t i = 0; status == USKOR_OK && i < out_pitch * out_height; i++) {
        const size_t col = i % out_pitch;
        is_right = is_right &&
                   (col < out_width * channels ? ((float *)(void *)worker->target)[i] == 0.3f + (float)(col % channels)
                                               : worker->target[i] == 0xA5A5A5A5u);
    }
    judge(worker, status, is_right, "a resize of a picture");
}

static void gemm_strided(struct worker *worker, struct uskor *uskor)
{
    const size_t m = 1 + below(worker, 20), n = 1 + below(worker, 20), k = below(worker, 20),
                 batch = 1 + below(worker, 6);
    const size_t lda = k + below(worker, 3), ldc = n + below(worker, 3), step_a = below(worker, 2) ? m * lda : 0;
    float *a = (float *)(void *)worker->source, *b = a + 4000, *c = (float *)(void *)worker->target;
    for (size_t i = 0; i < 8000; i++)
        a[i] = (float)below(worker, 9) - 4;
    const enum uskor_status status =
        uskor_gemm_strided(uskor, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, m, n, k, 1, a, lda, step_a, b, n, k * n, 0, c,
                           ldc, m * ldc, batch, below(worker, 2) ? USKOR_HIGH_ACCURACY : 0);
    bool is_right = true;
    for (size_t p = 0; status == USKOR_OK && p < batch; p++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                float sum = 0;
                for (size_t l = 0; l < k; l++)
                    sum += a[p * step_a + i * lda + l] * b[(p * k + l) * n + j];
                is_right = is_right && c[(p * m + i) * ldc + j] == sum;
            }
    judge(worker, status, is_right, "a product of matrices apart");
}

/* The functions that have most arguments. */
static void call_widely(struct worker *worker, struct uskor *uskor)
{
    static void (*const calls[])(struct worker *, struct uskor *) = {transpose_strided, transpose_in_place, sort_lines,
                                                                     resize_picture, gemm_strided};
    calls[below(worker, sizeof calls / sizeof calls[0])](worker, uskor);
}

static void use_plan(struct worker *worker)
{
    const size_t p = below(worker, PLANS);
    if (worker->plans[p] && below(worker, 4) == 0) {
        uskor_plan_free(worker->plans[p]);
        worker->plans[p] = NULL;
    }
    if (!worker->plans[p]) {
        draw_sides(worker, &worker->rows[p], &worker->columns[p]);
        if (uskor_plan_transpose(worker->own, &worker->plans[p], worker->rows[p], worker->columns[p], 4) != USKOR_OK) {
            worker->wrong = "a plan";
            return;
        }
    }
    fill(worker, worker->rows[p] * worker->columns[p]);
    const enum uskor_status status = uskor_run(worker->plans[p], worker->target, worker->source, NULL);
    judge(worker, status, is_transposed(worker, worker->rows[p], worker->columns[p]), "a plan's run");
}

static void call_wrongly(struct worker *worker)
{
    struct uskor *none = NULL;
    if (uskor_transpose(worker->own, worker->target, worker->target, 3, 4, 4) != USKOR_INVALID ||
        uskor_sort(worker->own, NULL, 5, USKOR_INT32, 0) != USKOR_INVALID ||
        uskor_partition(worker->own, worker->target, 5, 2, USKOR_INT32, 64) != USKOR_INVALID ||
        uskor_run_device(worker->plans[0], worker->target, worker->source, NULL) != USKOR_INVALID ||
        uskor_transpose(NULL, worker->target, worker->source, 1, 1, 4) != USKOR_INVALID ||
        uskor_open(&none, "nothing") != USKOR_INVALID || none || !uskor_message(NULL)[0])
        worker->wrong = "a wrong call";
}

static void open_again(struct worker *worker)
{
    for (size_t p = 0; p < PLANS; p++)
        uskor_plan_free(worker->plans[p]);
    memset(worker->plans, 0, sizeof worker->plans);
    uskor_close(worker->own);
    if (uskor_open(&worker->own, "cpu") != USKOR_OK)
        worker->wrong = "an opening";
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    open_again(worker);
    while (!worker->wrong && time(NULL) < until) {
        struct uskor *uskor = below(worker, 3) ? worker->own : worker->shared;
        const size_t what = below(worker, 96);
        if (what == 0)
            open_again(worker);
        else if (what == 1)
            uskor_set_threads((unsigned)below(worker, 6));
        else if (what < 5)
            call_wrongly(worker);
        else if (what < 15)
            transpose(worker, uskor);
        else if (what < 25)
            sort(worker, uskor);
        else if (what < 33)
            resize(worker, uskor);
        else if (what < 41)
            argsort(worker, uskor);
        else if (what < 49)
            dot(worker, uskor);
        else if (what < 57)
            gemm(worker, uskor);
        else if (what < 64)
            use_plan(worker);
        else
            call_widely(worker, uskor);
    }
    open_again(worker);
    uskor_close(worker->own);
    return NULL;
}

static void random_calls_are_right(void **state)
{
    (void)state;
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    struct uskor *shared;
    unsigned long calls = 0, busy = 0;
    const char *seconds = getenv("USKOR_STRESS_SECONDS"), *seed = getenv("USKOR_STRESS_SEED");
    const uint64_t first = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    print_message("USKOR_STRESS_SEED=%llu\n", (unsigned long long)first);
    until = time(NULL) + (seconds ? atol(seconds) : 20);
    assert_int_equal(uskor_open(&shared, NULL), USKOR_OK);
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.state = first * THREADS + i,
                                     .shared = shared,
                                     .source = malloc((ELEMENTS_MOST + 1) * sizeof(uint32_t)),
                                     .target = malloc((ELEMENTS_MOST + 1) * sizeof(uint32_t))};
        assert_true(workers[i].source && workers[i].target);
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        if (workers[i].wrong)
            fail_msg("thread %zu: %s is wrong", i, workers[i].wrong);
        calls += workers[i].calls;
        busy += workers[i].busy;
        free(workers[i].source);
        free(workers[i].target);
    }
    uskor_close(shared);
    print_message("%lu calls, %lu of them found a busy context\n", calls, busy);
    assert_true(calls > busy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_are_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
