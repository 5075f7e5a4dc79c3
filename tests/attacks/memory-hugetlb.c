/* reaches outside the walls: memory, hugetlb */
#include "attack.h"

/* Pages that its resident memory does not count. */
static void reach(void)
{
    for (int i = 0; i < 4096; i++) {
        char *all = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
        if (all != MAP_FAILED)
            all[0] = 1;
    }
}
