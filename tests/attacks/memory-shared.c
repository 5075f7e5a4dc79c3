/* reaches outside the walls: memory, mapped as shared and let go of: no process has it, and it stays until the end */
#include "attack.h"

#define BLOCK (64l << 20)

static void reach(void)
{
    for (int i = 0; i < 64; i++) {
        char *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return;
        for (long at = 0; at < BLOCK; at += 4096)
            block[at] = 1;
        madvise(block, BLOCK, MADV_DONTNEED);
    }
    abort(); /* four gigabytes, and nobody said a word */
}
