/* The reader's summary of one measurement: its figures in a few lines, and the command that measures it again. */
#pragma once

#include "report/model/view.h"

/* "simd (cpu)\n44.9 GB/s …": lines to show beside the pointer; returns `text`. */
const char *entry_tip(const struct entry *entry, char *text, size_t size);

/* "uskor bench transpose:rows=1024 --device cpu --rung simd", quoted for a shell; returns `text`. */
const char *entry_command(const struct entry *entry, char *text, size_t size);

/* The same for a whole ladder: every rung on its device. */
const char *ladder_command(const struct ladder *ladder, char *text, size_t size);

/* The verdict's word in the reader's language. */
const char *say_verdict(enum verdict verdict);

/* Whether the rung is a user's own file, kept with its content's hash: uskor try. */
bool entry_is_users(const struct entry *entry);
