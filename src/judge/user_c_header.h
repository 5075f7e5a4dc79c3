/* A user's short header: the keys that say how the function of a file in C is called, or a kernel without the rest of a
 * rung's header. */
#pragma once

#include "judge/user_rung.h"

struct user_c_header {
    char entry[64], arguments[512];
    char requires[512];           /* conditions and reasons, a line each; "" */
    char group[256], groups[512]; /* of a device's kernel */
};

/* Reads the comment block at the top, where it has a key of a header. `own` receives the options with what the header
 * says and they do not; it points into `header`. A kernel of a device may have a group.
 *
 * Returns: STATUS_INVALID, with the line, for a key that such a header cannot have. */
enum status user_c_header_read(const char *path, const char *text, const struct kernel *kernel, bool is_device,
                               const struct user_rung_options *options, struct user_c_header *header,
                               struct user_rung_options *own, struct error *error);
