/* Remembers successful trials in the user's cache folder, so that each runs once: until the machine restarts, or a
 * loaded file, a variable that drivers read, a limit of the process or what is mounted on /sys, /proc or /dev changes.
 * Where memory is limited (ulimit -v, -d) nothing is remembered. */
#pragma once

#include <stdbool.h>

/* Whether `title` has done well here, all being as it was. If the process ends in its hands all the same, it is
 * forgotten (under_way_condemn). */
bool trial_is_remembered(const char *title);

/* Called in the child that has loaded it: writes down every library of the process. Where nothing can be written,
 * nothing is remembered. */
void trial_remember(const char *title);
