/* reaches outside the walls: start, x32 */
#include "attack.h"

/* By the numbers of the other table of calls. */
static void reach(void)
{
    char *words[] = {"/bin/touch", ATTACK_FOLDER "/x", NULL}, *none[] = {NULL};
    syscall(0x40000000 | 520, words[0], words, none);
    syscall(0x40000000 | 2, ATTACK_FOLDER "/x", O_CREAT | O_RDWR, 0666);
}
