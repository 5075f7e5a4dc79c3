#ifndef USKOR_WALLS_LANDLOCK_H
#define USKOR_WALLS_LANDLOCK_H

/* The version of the system's Landlock; 0 where there is none. */
int landlock_version(void);

#endif
