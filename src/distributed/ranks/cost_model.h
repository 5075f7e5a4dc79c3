/* The predicted time of a run over ranks: the time of the ranks' own parts, and the measured times of the operations of
 * MPI that the method uses. Nothing is fitted to a method's times with communication. */
#pragma once

#include "distributed/ranks/links.h"
#include "distributed/ranks/method.h"

/* The predicted ns of all operations of a run on `count` ranks by links that were measured on links->ranks. With more
 * ranks than these the steps of an operation grow, and its bandwidth stays. */
double cost_of_traffic(const struct traffic *traffic, int count, const struct links *links);

/* The predicted ns on `count` ranks. `parts` is the time of the parts on `parts_count` ranks, without communication; on
 * other numbers of ranks it changes with the method's share of the work. */
double cost_predict(const struct method *method, const struct problem *problem, int count, double parts,
                    int parts_count, const struct links *links);
