/* reaches outside the walls: message, escape */
#include "attack.h"

/* Its last words are a terminal's commands. */
static void reach(void)
{
    fputs("\033]2;uskor-attack\007\033[2J\233 31m\n\xe2\x80\xae words\n", stderr);
    fflush(stderr);
    abort();
}
