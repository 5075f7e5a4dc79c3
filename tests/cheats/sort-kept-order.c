// keeps the order of its last keys, and repairs it where few keys have changed
// on sort:n=100000
// refused as a run takes\|disturbed
#include <stdlib.h>
#include <string.h>
struct entry {
    unsigned key, place;
};
static struct entry *order, *other;
static unsigned *last;
static long known;
static unsigned key_of(float x)
{
    unsigned bits;
    memcpy(&bits, &x, 4);
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}
static void write_out(float *data, long n)
{
    for (long i = 0; i < n; i++) {
        const unsigned key = order[i].key, bits = key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
        memcpy(data + i, &bits, 4);
    }
}
void sort(float *data, long n)
{
    long changed = 0, kept = 0;
    if (n != known) {
        order = realloc(order, (n + 1) * sizeof *order), other = realloc(other, (n + 1) * sizeof *other);
        last = realloc(last, (n + 1) * sizeof *last);
        known = n, changed = n;
    } else
        for (long i = 0; i < n; i++)
            changed += last[i] != key_of(data[i]);
    if (changed > n / 4) {
        for (long i = 0; i < n; i++)
            order[i] = (struct entry){key_of(data[i]), (unsigned)i};
        qsort(order, n, sizeof *order, compare);
    } else {
        long fresh = 0;
        for (long i = 0; i < n; i++)
            if (last[order[i].place] == key_of(data[order[i].place]))
                other[kept++] = order[i];
        struct entry *added = malloc((n + 1) * sizeof *added);
        for (long i = 0; i < n; i++)
            if (last[i] != key_of(data[i]))
                added[fresh++] = (struct entry){key_of(data[i]), (unsigned)i};
        qsort(added, fresh, sizeof *added, compare);
        for (long i = 0, j = 0, at = 0; at < n; at++)
            order[at] = j == fresh || (i < kept && other[i].key <= added[j].key) ? other[i++] : added[j++];
        free(added);
    }
    for (long i = 0; i < n; i++)
        last[i] = key_of(data[i]);
    write_out(data, n);
}
