/* All that a measurement has beside its samples. */
#pragma once

#include "store/transfer.h"

/* Inside the caller's transaction. */
enum status attachment_enter(struct store *store, int64_t measurement, const char *kind, const char *text,
                             struct error *error);

/* New memory, which the caller frees with attachments_free; on failure there is none. */
enum status attachments_read(struct store *store, int64_t measurement, struct attachment **attachments, size_t *count,
                             struct error *error);
void attachments_free(struct attachment *attachments, size_t count);
