/* reaches outside the walls: kernel, syslog */
#include "attack.h"

static void reach(void)
{
    char text[256];
    if (syscall(SYS_syslog, 3, text, sizeof text) > 0)
        exit(ATTACK_READ);
    syscall(SYS_acct, ATTACK_FOLDER "/victim");
    syscall(SYS_quotactl, 0, "/dev/vda", 0, NULL);
    syscall(SYS_vhangup);
    syscall(SYS_sethostname, "uskor-attack", 12);
}
