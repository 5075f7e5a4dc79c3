/* The store's side of a command that measures. */
#pragma once

#include "cli/options/bench_session.h"

/* Opens the store, unless nothing is to be kept. */
enum status recording_open(struct bench_session *session, struct error *error);

/* Reads this machine's ceilings from the open store into session->ceilings, and gives them to the bench. Without a
 * store there are none; bench_session_start calls it. */
void ceilings_load(struct bench_session *session);

/* Whether a run may be called so: 1 to 127 bytes in one line, not all digits, no '*', '~' or '/', not "last". */
bool label_is_good(const char *label);
