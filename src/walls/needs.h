/* What a compiler starts and reads beside what the walls name: a script starts another compiler, ccache looks for one
 * along PATH, a toolchain in a home folder has its headers there.
 *
 * It is observed (ptrace) while the compiler compiles a file of the lab's own, outside the walls. */
#pragma once

#include "walls/paths.h"

/* Adds to `needs` what `named` lacks of that. `arguments` are a compiler's command: its words before the first option,
 * and its language (-x), are taken. Nothing is added where the system lets no process be traced. */
void needs_find(const char *const *arguments, const struct path_list *named, struct path_list *needs);

/* The environment in which a compiler starts: it keeps no files but in `folder` (NULL: in none), and asks no other
 * machine. */
void needs_environment(const char *folder);
