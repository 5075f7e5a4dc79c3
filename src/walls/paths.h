/* The paths that each stage may reach. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "walls/walls.h"

enum path_right {
    PATH_READ,  /* a file, or a folder with all beneath it */
    PATH_START, /* likewise, and programs of it start */
    PATH_OPEN,  /* a device: read, write, control */
    PATH_WRITE, /* a folder: files in it are made, changed and removed */
};

struct path_list {
    struct {
        char *path;
        enum path_right right;
    } * items;
    size_t count;
};

/* Every path of the stage and of `walls`: some do not exist. A link stands for its target. The caller frees the list
 * with paths_free. */
void paths_collect(const struct walls *walls, struct path_list *list);

/* Adds one. Without memory it is left out: what is not named is not reached. */
void paths_add(struct path_list *list, const char *path, enum path_right right);

/* Whether a path of the list is this absolute one or a folder above it, and has this right, PATH_READ or PATH_START. A
 * name with ".." is what it leads to; any other is taken as it is written: what a link leads to may have a name of its
 * own. */
bool paths_have(const struct path_list *list, const char *path, enum path_right right);
void paths_free(struct path_list *list);
