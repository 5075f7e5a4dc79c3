/* The parameters of a user's C function, beside those that its kernel calls it with. */
#ifndef USKOR_JUDGE_USER_SIGNATURE_H
#define USKOR_JUDGE_USER_SIGNATURE_H

#include "base/element.h"
#include "base/status.h"
#include "kernels/plain.h"

/* STATUS_INVALID, with the right prototype, when the definition of `entry` in the text has other parameters. A function
 * that is not found there (a macro may make it) is taken as it is. */
enum status user_signature_check(const char *text, const char *path, const char *entry, enum element_type type,
                                 const struct plain_signature *signature, struct error *error);

#endif
