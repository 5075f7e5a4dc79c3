/* The report's chapter "Why": the model's view of the rungs that were measured. */
#pragma once

#include "report/html/chapter_explained.h"
#include "report/html/document.h"

struct report_explained {
    struct explained_list list;
    struct chapter chapter; /* valid while this lives where it was loaded */
};

/* Explains, for each kernel, the device rungs that passed on one device: of its default problem if that was measured,
 * else of the newest; on a GPU if there is one. Then the CPU rungs that passed on this machine's processor, by the
 * store's ceilings. It takes a second or more for each rung. The caller frees it. */
enum status report_explained_load(struct store *store, const struct measurement_list *measurements,
                                  const struct ceiling_list *ceilings, struct report_explained *explained,
                                  struct error *error);
void report_explained_free(struct report_explained *explained);
