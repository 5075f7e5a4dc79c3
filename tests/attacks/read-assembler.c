/* reaches outside the walls: read, a file that the assembler includes and complains of */
#include "attack.h"

__asm__(".include \"" ATTACK_FOLDER "/victim\"");
static void reach(void)
{
}
