/* Calls of the library with plans, in a context. */
#pragma once

#include "library/plan.h"

/* Makes the key of the problem that a function's arguments describe; STATUS_INVALID says what is wrong with them. */
typedef enum status call_key(const void *arguments, struct plan_key *key, struct error *error);

/* A function of the simple API: enters the context, and runs the problem with its plan, which is made where the context
 * has none. */
enum uskor_status call_run(struct uskor *context, call_key *make_key, const void *arguments, struct plan_arrays arrays);

/* A function that gives the caller a plan. */
enum uskor_status call_plan(struct uskor *context, struct uskor_plan **plan, call_key *make_key, const void *arguments);
