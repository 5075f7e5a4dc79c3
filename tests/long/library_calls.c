/* Every call of uskor.h once, for tests/long/failing_calls.sh: exits with 0; with 1 and the message where a call
 * fails; with 4 where a failure has no message of one line, or a result is wrong. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

enum { SIDE = 200, COUNT = SIDE * SIDE, GOES_WRONG = 4 };

static int32_t keys[COUNT], values[COUNT], drawn[COUNT], target[COUNT];
static float a[COUNT], b[COUNT], c[COUNT];
static uint32_t order[COUNT];
static struct uskor *uskor;
static int failures;

static void check(enum uskor_status status, const struct uskor *context)
{
    const char *message = uskor_message(context);
    if (status == USKOR_OK)
        return;
    if (!*message || strchr(message, '\n')) {
        fprintf(stderr, "a failure without a message of one line\n");
        exit(GOES_WRONG);
    }
    fprintf(stderr, "%s\n", message);
    failures++;
}

static void expect(int is_right, const char *what)
{
    if (!failures && !is_right) {
        fprintf(stderr, "%s: wrong\n", what);
        exit(GOES_WRONG);
    }
}

static int is_sorted(const int32_t *list, size_t count)
{
    size_t i = 1;
    while (i < count && list[i - 1] <= list[i])
        i++;
    return i >= count;
}

static void sorts(void)
{
    size_t distinct = 0;
    memcpy(keys, drawn, sizeof keys);
    check(uskor_sort(uskor, keys, COUNT, USKOR_INT32, 0), uskor);
    expect(is_sorted(keys, COUNT), "sort");
    memcpy(keys, drawn, sizeof keys);
    check(uskor_sort_pairs(uskor, keys, values, COUNT, USKOR_INT32, sizeof *values, 0), uskor);
    expect(is_sorted(keys, COUNT) && drawn[values[0]] == keys[0], "sort_pairs");
    check(uskor_argsort(uskor, order, drawn, COUNT, USKOR_INT32, sizeof *order, 0), uskor);
    expect(drawn[order[0]] == keys[0] && drawn[order[COUNT - 1]] == keys[COUNT - 1], "argsort");
    memcpy(target, drawn, sizeof target);
    check(uskor_partial_sort(uskor, target, COUNT, 100, USKOR_INT32, 0), uskor);
    expect(memcmp(target, keys, 100 * sizeof *keys) == 0, "partial_sort");
    check(uskor_sort_unique(uskor, keys, COUNT, &distinct, USKOR_INT32, 0), uskor);
    expect(distinct > 1 && distinct < COUNT && is_sorted(keys, distinct), "sort_unique");
}

static void products(void)
{
    double sum = 0, exact = 0;
    for (int i = 0; i < COUNT; i++)
        exact += (double)a[i] * (double)b[i];
    for (int kind = USKOR_SUM_FAST; kind <= USKOR_SUM_EXACT; kind++) {
        check(uskor_dot(uskor, &sum, a, b, COUNT, USKOR_FLOAT32, (enum uskor_sum)kind), uskor);
        expect(sum == exact, "dot");
    }
    check(uskor_gemm(uskor, USKOR_FLOAT32, 0, 1, SIDE, SIDE, SIDE, 1, a, SIDE, b, SIDE, 0, c, SIDE), uskor);
    float first = 0;
    for (int k = 0; k < SIDE; k++)
        first += a[k] * b[k];
    expect(c[0] == first, "gemm");
    check(uskor_gemm_batched(uskor, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, 10, 10, 10, 1, a, 10, b, 10, 0, c, 10, 50),
          uskor);
}

static void plans(void)
{
    struct uskor_plan *plan = NULL;
    check(uskor_transpose(uskor, target, drawn, 100, COUNT / 100, sizeof *drawn), uskor);
    expect(target[1] == drawn[COUNT / 100], "transpose");
    memset(target, 0, sizeof target);
    check(uskor_plan_transpose(uskor, &plan, 100, COUNT / 100, sizeof *drawn), uskor);
    if (plan) {
        check(uskor_run(plan, target, drawn, NULL), uskor);
        expect(target[1] == drawn[COUNT / 100], "run");
        check(uskor_plan_free(plan), uskor);
    }
    check(uskor_resize(uskor, target, 50, 60, drawn, SIDE, SIDE), uskor);
}

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        drawn[i] = (int32_t)((uint32_t)i * 2654435761u >> 17);
        values[i] = i;
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5);
    }
    uskor_set_threads(2);
    check(uskor_open(&uskor, "cpu"), NULL);
    if (!uskor)
        return 1;
    sorts();
    products();
    plans();
    uskor_close(uskor);
    return failures ? 1 : 0;
}
