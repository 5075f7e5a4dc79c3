/* reaches outside the walls: write, dump */
#include "attack.h"

/* The compiler writes what it did there. */
#pragma GCC optimize("-fdump-tree-all=" ATTACK_FOLDER "/dump", "-fdump-rtl-all")
__attribute__((optimize("-fdump-tree-optimized=" ATTACK_FOLDER "/victim"))) static void reach(void)
{
}
