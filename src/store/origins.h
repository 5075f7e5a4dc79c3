/* How a measurement's messages were made (base/message.h), kept as attachments beside the English text, so that a
 * report of another day and another language shows them. */
#pragma once

#include "store/database.h"

/* Writes the origins of the measurement's messages, in place of those that were there. */
enum status origins_enter(struct store *store, int64_t id, const struct measurement *measurement, struct error *error);

/* Remembers those of a measurement that was read. */
enum status origins_recall(const struct store *store, struct measurement *measurement, struct error *error);
