/* The file of this program: to start it again, and to look beside it.
 *
 * Where /proc is not mounted (a chroot, a container) it is the path by which it was started, made absolute then. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* To be called before the working folder changes. */
void own_program_keep(void);

/* A path that execv takes: the very file that runs, even if its name is another's by now. The process owns it. */
const char *own_program(void);

/* To be called before the folders above it are out of sight: from then on it goes by its name. */
void own_program_hold(void);

/* Its absolute name, without links; false where it is not known, or has `size` bytes or more. */
bool own_program_name(char *path, size_t size);
