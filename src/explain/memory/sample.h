/* Chooses the groups of a launch that are traced, and the number of groups that each represents. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sampled_group {
    size_t group[3];
    double weight;
};

/* The group of that number in the launch's order: x first. */
static inline struct sampled_group sample_group(const size_t groups[3], size_t number, double weight)
{
    return (struct sampled_group){
        {number % groups[0], number / groups[0] % groups[1], number / (groups[0] * groups[1])}, weight};
}

/* Divides the groups into strata: along each dimension the first, the middle ones, and the last. Takes at least one
 * group per stratum, and `wanted` in all as far as the strata's sizes allow. They are spread evenly and jittered by
 * `seed`.
 *
 * Returns a list that the caller frees; the weights add up to all groups. NULL when out of memory. When `wanted` is at
 * least the number of groups, the list has each once, in order. */
struct sampled_group *sample_groups(const size_t groups[3], size_t wanted, uint32_t seed, size_t *count);
