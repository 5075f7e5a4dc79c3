/* The parameters of a user's C function, beside those of its kernel's prototype. */
#pragma once

#include <stdbool.h>

#include "base/element.h"
#include "judge/user_kernel.h"

/* Reads the parameters of the definition of `entry` in the text, and those of the prototype, with the types' own names
 * resolved. `returned` receives "float" or "double", or "" for all other types. False: the definition is not there (a
 * macro may make it), or is not understood. */
bool user_signature_read(const char *text, const char *entry, const struct plain_signature *signature,
                         struct user_kernel *mine, struct user_kernel *plain, char returned[16]);

/* Whether values of the prototype's types arrive as the function means them, in its order. */
bool user_signature_fits(const struct user_kernel *mine, const struct user_kernel *plain, enum element_type type);

/* The type of problem that the definition of `entry` serves: `type`, unless its own elements are of another type that
 * the kernel has. A kernel that only moves bits serves all types of one size. */
enum element_type user_signature_type(const char *text, const char *entry, enum element_type type,
                                      const struct kernel *kernel);

/* The type of the elements of `entry` where the kernel has no such type; ELEMENT_TYPE_COUNT where it has, or where the
 * type is not known. */
enum element_type user_signature_lacking(const char *text, const char *entry, const struct kernel *kernel);
