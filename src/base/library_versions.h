/* The newest of a library's versions, where its file's name has a number that distributions choose: libdnnl.so.3.6. */
#pragma once

#include <stdbool.h>

#define LIBRARY_PATH_BYTES 1024

/* Finds the file with the highest version among those in `folder` that match `pattern`, which ends with '*'. Writes its
 * path; with `folder` NULL, the folders are the loader's (LD_LIBRARY_PATH, then the system's), and only the file's name
 * is written. False, and nothing is written, where no file matches. */
bool library_newest(const char *folder, const char *pattern, char path[LIBRARY_PATH_BYTES]);
