/* A user's source file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define USER_FILE_MOST ((size_t)4 << 20) /* bytes */

/* Reads it whole; the caller frees *text. STATUS_INVALID: there is none, or it is no source text. */
enum status user_file_read(const char *path, char **text, struct error *error);

/* Of a memory file that allows it: from now on nobody changes it, not the children that are given it either. */
bool user_file_seal(int descriptor);

/* SHA-256 in hexadecimal. */
void user_file_hash(const char *text, char hash[65]);
