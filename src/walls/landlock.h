/* The system's Landlock. */
#pragma once

#include "walls/paths.h"

/* Its version; 0 where there is none. */
int landlock_version(void);

/* From now on this thread, and all that it starts, reaches no other path, as far as the version knows it. */
void landlock_enter(const struct path_list *paths);
