/* The files that a user's file includes. A device's compiler sees one text, so they are put into it. */
#ifndef USKOR_JUDGE_USER_INCLUDES_H
#define USKOR_JUDGE_USER_INCLUDES_H

#include "base/status.h"

/* Replaces each line #include "x" of *text, which is malloc'ed, by the file x if it lies beside the file that includes
 * it. Lines keep their numbers and get the included file's name. Others stay, for the compiler to find. STATUS_INVALID:
 * files include each other without end, or all together are too large. */
enum status user_includes_put(char **text, const char *path, struct error *error);

#endif
