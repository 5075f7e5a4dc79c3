/* The header of a user's file in C: the keys that say how its function is called. */
#ifndef USKOR_JUDGE_USER_C_HEADER_H
#define USKOR_JUDGE_USER_C_HEADER_H

#include "judge/user_rung.h"

struct user_c_header {
    char entry[64], arguments[512];
    char requires[512]; /* conditions and reasons, a line each; "" */
};

/* Reads the comment block at the top, where it has a key of a header. `own` receives the options with what the header
 * says and they do not; it points into `header`.
 *
 * Returns: STATUS_INVALID, with the line, for a key that only a kernel of a device can have. */
enum status user_c_header_read(const char *path, const char *text, const struct kernel *kernel,
                               const struct user_rung_options *options, struct user_c_header *header,
                               struct user_rung_options *own, struct error *error);

#endif
