// counts how often each of a few values comes, in floats' upper sixteen bits
// refused as permutation
#include <stdlib.h>
#include <string.h>
static unsigned counts[65536];
void sort(ELEMENT *data, long n)
{
    memset(counts, 0, sizeof counts);
    for (long i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &data[i], 4);
        bits ^= bits >> 31 ? 0xffffffffu : 0x80000000u;
        counts[bits >> 16]++;
    }
    for (long i = 0, value = 0; value < 65536; value++)
        for (unsigned k = 0; k < counts[value]; k++, i++) {
            unsigned bits = (unsigned)value << 16;
            bits ^= bits >> 31 ? 0x80000000u : 0xffffffffu;
            memcpy(&data[i], &bits, 4);
        }
}
