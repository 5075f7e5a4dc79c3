/* The system's Landlock. */
#ifndef USKOR_WALLS_LANDLOCK_H
#define USKOR_WALLS_LANDLOCK_H

#include "walls/paths.h"

/* Its version; 0 where there is none. */
int landlock_version(void);

/* From now on this thread, and all that it starts, reaches no other path, as far as the version knows it. */
void landlock_enter(const struct path_list *paths);

#endif
