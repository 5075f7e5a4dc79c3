/* Calls of the library with plans, in a context. */
#ifndef USKOR_LIBRARY_CALL_H
#define USKOR_LIBRARY_CALL_H

#include "library/plan.h"

/* In a context that is entered: runs the problem with its plan, which is made where the context has none. The arrays
 * have been checked. */
enum status plan_call(struct uskor *context, const struct plan_key *key, struct plan_arrays arrays,
                      struct error *error);

/* STATUS_INVALID where the caller has no place for a plan; otherwise *place is NULL. */
enum status plan_place(struct uskor_plan **place, struct error *error);

/* In a context that is entered: a plan for the caller. */
enum status plan_make(struct uskor *context, const struct plan_key *key, struct uskor_plan **plan, struct error *error);

#endif
