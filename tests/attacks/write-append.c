/* reaches outside the walls: write, append */
#include "attack.h"

static void reach(void)
{
    FILE *f = fopen(ATTACK_FOLDER "/victim", "a");
    if (f) {
        fputs("x", f);
        fclose(f);
    }
}
