#include "lab/verification/heap_fill.h"

#include "base/unpredictable.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHED = 7, /* chunks of a size that a thread keeps */
    CACHED_BYTES = 1032,
    CACHED_STEP = 16,
};

/* Not known to compilers, which would leave out stores to what is freed next. */
static void *(*volatile const fill)(void *, int, size_t) = memset;

/* A thread keeps small chunks that were freed, and M_PERTURB does not reach them: all that it has room for are filled.
 */
static void fill_kept_chunks(int byte)
{
    for (size_t bytes = CACHED_STEP + 8; bytes <= CACHED_BYTES; bytes += CACHED_STEP) {
        void *chunks[CACHED];
        for (int i = 0; i < CACHED; i++)
            if ((chunks[i] = malloc(bytes)) != NULL)
                fill(chunks[i], byte, bytes);
        for (int i = 0; i < CACHED; i++)
            free(chunks[i]);
    }
}

void heap_fill_begin(void)
{
    static const int bytes[] = {0x3f, 0xc0, 0x41, 0xbe}; /* floats of about 0.7, -6, 12 and -0.4 */
    const int byte = bytes[unpredictable_below(4)];
    mallopt(M_PERTURB, byte);
    fill_kept_chunks(byte);
}

void heap_fill_end(void)
{
    mallopt(M_PERTURB, 0);
}
#else
void heap_fill_begin(void)
{
}

void heap_fill_end(void)
{
}
#endif
