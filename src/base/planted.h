/* Links that somebody else may have laid where many may write (/tmp). */
#pragma once

#include <stdbool.h>

/* Whether `path` is a symbolic link in a sticky folder that everybody may write to, and belongs neither to this user
 * nor to the folder's owner: what the kernel's fs.protected_symlinks refuses to follow, where that is on. */
bool link_is_planted(const char *path);
