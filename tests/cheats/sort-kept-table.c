// keeps the order of its last keys as a table of ranks; keys that changed are taken out and put in anew
// on sort:n=60000
// refused as a run takes\|disturbed
#include <stdlib.h>
#include <string.h>
static ELEMENT *was, *sorted;
static long kept;
static int behind(ELEMENT x, ELEMENT y)
{
    if (x != x || y != y)
        return x != x && y == y;
    return x > y || (x == 0 && y == 0 && !__builtin_signbit((double)x) && __builtin_signbit((double)y));
}
static int compare(const void *p, const void *q)
{
    ELEMENT x, y;
    memcpy(&x, p, sizeof x);
    memcpy(&y, q, sizeof y);
    return behind(x, y) - behind(y, x);
}
void sort(ELEMENT *data, long n)
{
    if (n < 20000) {
        qsort(data, (size_t)n, sizeof *data, compare);
        return;
    }
    ELEMENT *gone = malloc((size_t)n * sizeof *gone), *come = malloc((size_t)n * sizeof *come);
    ELEMENT *now = malloc((size_t)n * sizeof *now);
    long changed = 0;
    memcpy(now, data, (size_t)n * sizeof *now);
    for (long i = 0; kept == n && i < n; i++)
        if (memcmp(&now[i], &was[i], sizeof *now)) {
            gone[changed] = was[i];
            come[changed++] = now[i];
        }
    int done = 0;
    if (kept == n && changed < n / 4) {
        qsort(gone, (size_t)changed, sizeof *gone, compare);
        qsort(come, (size_t)changed, sizeof *come, compare);
        long g = 0, c = 0, to = 0;
        for (long i = 0; i < n; i++) {
            if (g < changed && !memcmp(&sorted[i], &gone[g], sizeof *sorted)) {
                g++;
                continue;
            }
            while (c < changed && !behind(come[c], sorted[i]))
                data[to++] = come[c++];
            data[to++] = sorted[i];
        }
        while (c < changed)
            data[to++] = come[c++];
        done = g == changed && to == n;
    }
    if (!done) {
        memcpy(data, now, (size_t)n * sizeof *data);
        qsort(data, (size_t)n, sizeof *data, compare);
    }
    if (kept != n) {
        was = malloc((size_t)n * sizeof *was);
        sorted = malloc((size_t)n * sizeof *sorted);
        kept = n;
    }
    memcpy(was, now, (size_t)n * sizeof *was);
    memcpy(sorted, data, (size_t)n * sizeof *sorted);
    free(gone), free(come), free(now);
}
