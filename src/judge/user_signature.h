/* The parameters of a user's C function, beside those that its kernel calls it with. */
#ifndef USKOR_JUDGE_USER_SIGNATURE_H
#define USKOR_JUDGE_USER_SIGNATURE_H

#include <stdbool.h>

#include "base/element.h"
#include "base/status.h"
#include "kernels/plain.h"

/* STATUS_INVALID, with the right prototype, when the definition of `entry` in the text has other parameters. A function
 * that is not found there (a macro may make it) is taken as it is. */
enum status user_signature_check(const char *text, const char *path, const char *entry, enum element_type type,
                                 const struct plain_signature *signature, struct error *error);

/* The type of problem that the definition of `entry` serves: `type`, unless its own elements are of another type that
 * the kernel has. A kernel that only moves bits serves all types of one size. */
enum element_type user_signature_type(const char *text, const char *entry, enum element_type type,
                                      const struct kernel *kernel);

/* Where the text does not define a function called as the kernel: the only one that other files see and that has the
 * kernel's parameters. False: there is none, or several. */
bool user_signature_entry(const char *text, enum element_type type, const struct kernel *kernel, char entry[64]);

#endif
