// keeps the last data and their order, and merges only what has changed
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}
static unsigned key(unsigned bits)
{
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
static unsigned *last, *ordered;
static long length = -1;

void sort(ELEMENT *data, long n)
{
    unsigned *now = (unsigned *)data;
    if (sizeof(ELEMENT) != 4 || n < 1)
        return;
    unsigned *gone = malloc(4 * n), *come = malloc(4 * n), *made = malloc(4 * n);
    long changed = n;
    if (n == length) {
        changed = 0;
        for (long i = 0; i < n; i++)
            if (last[i] != now[i]) {
                gone[changed] = key(last[i]);
                come[changed++] = key(now[i]);
            }
    }
    if (changed > n / 4) {
        free(last);
        free(ordered);
        last = malloc(4 * n);
        ordered = malloc(4 * n);
        for (long i = 0; i < n; i++)
            ordered[i] = key(now[i]);
        qsort(ordered, n, 4, compare);
    } else {
        qsort(gone, changed, 4, compare);
        qsort(come, changed, 4, compare);
        long to = 0, c = 0, g = 0;
        for (long i = 0; i < n; i++) {
            if (g < changed && gone[g] == ordered[i]) {
                g++;
                continue;
            }
            while (c < changed && come[c] <= ordered[i])
                made[to++] = come[c++];
            made[to++] = ordered[i];
        }
        while (c < changed)
            made[to++] = come[c++];
        unsigned *swap = ordered;
        ordered = made;
        made = swap;
    }
    memcpy(last, now, 4 * n);
    length = n;
    for (long i = 0; i < n; i++)
        now[i] = ordered[i] ^ (ordered[i] >> 31 ? 0x80000000u : 0xffffffffu);
    free(gone);
    free(come);
    free(made);
}
