/* Distributes arrays over ranks, and collects them. */
#pragma once

#include "distributed/ranks/method.h"

/* Collective: copies rank 0's `whole` array to every rank's part, and back. `whole` is NULL on other ranks. */
enum status deal_out(const struct method_run *run, int array, const void *whole, void *part, struct error *error);
enum status collect(const struct method_run *run, int array, const void *part, void *whole, struct error *error);
