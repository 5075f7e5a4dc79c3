/* A type's own name in a user's file. */
#pragma once

#include <stddef.h>

/* Replaces `type` by what it stands for: "float" for "real" where the file has "typedef float real;" or
 * "#define real float". `text` is without comments. */
void user_type_resolve(const char *text, char *type, size_t size);
