/* What a process inside the walls says. A stranger's code has neither the user's terminal nor the input: it could flood
 * the one, and read the other. So stdout and stderr are memory there, and the process outside shows them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/child_process.h"

#define SAYINGS_TYPE 0x3000 /* of a message with a piece of stdout; + 1: of stderr */

/* Inside: descriptors 0 to 2 are /dev/null from now on, and stdout and stderr write to memory. */
void sayings_begin(void);
/* Inside: sends it all, in pieces. */
void sayings_send(struct child_link *above);

struct sayings {
    char *text[2];
    size_t bytes[2];
};

/* Outside: keeps a piece. False when it is none, or when there is too much. */
bool sayings_take(struct sayings *sayings, const struct child_message *message);
/* Outside: shows it all, without control characters but ends of lines, tabulators and changes of colour, and frees it.
 */
void sayings_show(struct sayings *sayings);
