/* Causes: what instructions, the launch's shape and the model's times show. */
#pragma once

#include "explain/cause.h"

void causes_of_code(struct cause_search *search);

/* Changes the counts as the remedy would; nothing where the cause is not one of these. */
void cause_remedy_code(struct what_if *what_if, const struct explain_cause *cause);
