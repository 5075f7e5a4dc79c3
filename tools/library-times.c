/* Times of the C library's calls, one sample a process: tools/library-times interleaves them. Prints "name nanoseconds"
 * lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uskor.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void demand(enum uskor_status status, const struct uskor *uskor)
{
    if (status == USKOR_OK)
        return;
    fprintf(stderr, "library-times: %s\n", uskor_message(uskor));
    exit(1);
}

/* The two loops that a program without a library has. */
static void loops(float *target, const float *source, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            target[j * n + i] = source[i * n + j];
    __asm__ volatile("" : : "r"(target) : "memory");
}

static void time_repeated(struct uskor *uskor, size_t n, int calls)
{
    float *source = calloc(n * n, sizeof *source), *target = calloc(n * n, sizeof *target);
    if (!source || !target)
        exit(1);
    demand(uskor_transpose(uskor, target, source, n, n, sizeof *source), uskor);
    double begun = now();
    for (int i = 0; i < calls; i++)
        demand(uskor_transpose(uskor, target, source, n, n, sizeof *source), uskor);
    printf("transpose-%zux%zu %.1f\n", n, n, (now() - begun) / calls);
    begun = now();
    for (int i = 0; i < calls; i++)
        loops(target, source, n);
    printf("loops-%zux%zu %.1f\n", n, n, (now() - begun) / calls);
    free(source);
    free(target);
}

/* The same on one thread and on two, in turns, from the same data. */
static void time_threads(struct uskor *uskor)
{
    const size_t n = 2048, count = (size_t)1 << 20;
    float *source = malloc(n * n * sizeof *source), *target = malloc(n * n * sizeof *target);
    if (!source || !target)
        exit(1);
    for (size_t i = 0; i < n * n; i++)
        source[i] = (float)(i * 2654435761u % 1000003);
    memset(target, 0, n * n * sizeof *target);
    for (int round = 0; round < 3; round++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            uskor_set_threads(threads);
            double begun = now();
            demand(uskor_transpose(uskor, target, source, n, n, sizeof *source), uskor);
            if (round > 0)
                printf("transpose-%zux%zu-threads-%u %.0f\n", n, n, threads, now() - begun);
            memcpy(target, source, count * sizeof *target);
            begun = now();
            demand(uskor_sort(uskor, target, count, USKOR_FLOAT32, 0), uskor);
            if (round > 0)
                printf("sort-2^20-threads-%u %.0f\n", threads, now() - begun);
        }
    free(source);
    free(target);
}

int main(int argc, char **argv)
{
    struct uskor *uskor;
    float a[16] = {0}, b[16];
    double begun = now();
    demand(uskor_open(&uskor, NULL), NULL);
    double opened = now();
    demand(uskor_transpose(uskor, b, a, 4, 4, sizeof *a), uskor);
    double called = now();
    printf("open %.0f\nfirst-call %.0f\n", opened - begun, called - opened);
    if (argc > 1 && strcmp(argv[1], "threads") == 0)
        time_threads(uskor);
    if (argc > 1 && strcmp(argv[1], "repeated") == 0) {
        time_repeated(uskor, 4, 20000);
        time_repeated(uskor, 64, 2000);
    }
    uskor_close(uskor);
    return 0;
}
