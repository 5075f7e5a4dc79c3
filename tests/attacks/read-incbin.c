/* reaches outside the walls: read, incbin */
#include "attack.h"

/* The assembler reads it. */
__asm__(".pushsection .rodata\ntaken: .incbin \"" ATTACK_FOLDER "/victim\"\n.popsection");
extern const char taken[] __attribute__((visibility("hidden")));

static void reach(void)
{
    if (memcmp(taken, "kept", 4) == 0)
        exit(ATTACK_READ);
}
