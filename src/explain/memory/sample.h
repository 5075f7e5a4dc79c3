/* Which groups of a launch are traced, and how many groups each of them represents. */
#ifndef USKOR_EXPLAIN_MEMORY_SAMPLE_H
#define USKOR_EXPLAIN_MEMORY_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

struct sampled_group {
    size_t group[3];
    double weight;
};

/* Cuts the groups into strata: along each dimension the first, those between, and the last. Of each stratum at least
 * one group is taken, and `wanted` of all as far as the strata's sizes allow; the places are spread evenly, each moved
 * by what `seed` says. Returns a malloc'ed list whose weights add up to all groups; NULL when memory is out. With
 * `wanted` at least the number of groups each is in the list once, in their order. */
struct sampled_group *sample_groups(const size_t groups[3], size_t wanted, uint32_t seed, size_t *count);

#endif
