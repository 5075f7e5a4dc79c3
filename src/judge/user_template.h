/* A kernel that is a template: its parameters get values, so that it has one name. */
#pragma once

#include "base/status.h"
#include "judge/user_declarations.h"

/* In *text, which is malloc'ed and has the offsets of `all`: replaces the kernel's "template <…>" by definitions of its
 * parameters, in a namespace of its own. Values are those of its first launch in `all`; then the defaults; then ELEMENT
 * for a type. STATUS_INVALID names a parameter without a value. */
enum status user_template_settle(const struct user_declarations *all, const struct user_declaration *kernel,
                                 const char *path, const char *name, char **text, struct error *error);
