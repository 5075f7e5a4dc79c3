/* reaches outside the walls: write, files that whoever started the program had open */
#include "attack.h"

static void reach(void)
{
    struct stat facts;
    for (int i = 3; i < 1100; i++)
        if (fstat(i, &facts) == 0 && S_ISREG(facts.st_mode) && write(i, "x", 1) == 1)
            lseek(i, 0, SEEK_END);
}
