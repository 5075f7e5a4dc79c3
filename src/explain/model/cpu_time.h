/* A CPU rung's time: the ECM model's terms (Treibig and Hager, 2010; Hofmann and others, 2020) from the instructions
 * that were executed and the lines that were simulated, against measured ceilings. docs/explain.md states each rule. */
#pragma once

#include "explain/model/model.h"

/* Fills in the resources and the predicted time; request->caches has sites. Nothing is predicted without a clock and a
 * rate of memory. */
void explain_cpu_time(const struct model_request *request, struct explain_model *model);
