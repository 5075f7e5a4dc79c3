/* The paths that each stage may reach. */
#ifndef USKOR_WALLS_PATHS_H
#define USKOR_WALLS_PATHS_H

#include "walls/walls.h"

enum path_right {
    PATH_READ,  /* a file, or a folder with all beneath it */
    PATH_START, /* likewise, and programs of it start */
    PATH_OPEN,  /* a device: read, write, control */
    PATH_WRITE, /* a folder: files in it are made, changed and removed */
};

/* Calls `add` for every path of the stage and of `walls`: some do not exist. A link stands for its target. */
void paths_each(const struct walls *walls, void (*add)(void *context, const char *path, enum path_right right),
                void *context);

#endif
