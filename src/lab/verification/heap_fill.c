#include "lab/verification/heap_fill.h"

#include "base/unpredictable.h"

#if defined(__GLIBC__)
#include <malloc.h>

void heap_fill_begin(void)
{
    static const int bytes[] = {0x3f, 0xc0, 0x41, 0xbe}; /* floats of about 0.7, -6, 12 and -0.4 */
    mallopt(M_PERTURB, bytes[unpredictable_below(4)]);
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
