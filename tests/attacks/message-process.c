/* reaches outside the walls: message, it is another process */
#include "attack.h"

static void reach(void)
{
    int process = ATTACK_PID;
    send_message(~0u, sizeof process, &process, sizeof process);
}
