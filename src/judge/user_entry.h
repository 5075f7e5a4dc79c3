/* The function of a user's C file that is judged. */
#pragma once

#include "base/element.h"
#include "base/status.h"
#include "kernels/kernel.h"

/* `entry` receives the kernel's name where the text defines such a function, or none that is understood; else the only
 * function that other files see and that has the kernel's parameters; else the only one that can be called
 * (user_adapter.h). STATUS_INVALID: there are several, or it is clear why the only one cannot be called. */
enum status user_entry_choose(const char *text, enum element_type type, const struct kernel *kernel, char entry[64],
                              struct error *error);

/* Whether the text defines such a function, and other files see it. */
bool user_entry_is_seen(const char *text, const char *entry);
