#include "library/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/size.h"

/* ---- operations ---------------------------------------------------------------------------------------------------
 */

struct plan_key plan_key(const struct operation *operation, enum element_type type, bool is_empty,
                         const union field_value *values)
{
    struct plan_key key = {.operation = operation, .type = type, .threads = pool_threads(), .is_empty = is_empty};
    memcpy(key.values, values, operation->values * sizeof *values);
    return key;
}

void plan_free(struct uskor_plan *plan)
{
    if (plan)
        job_finish(&plan->job);
    free(plan);
}

/* ---- the last plans -----------------------------------------------------------------------------------------------
 */

uint64_t plan_hash(const struct plan_key *key)
{
    uint64_t words[sizeof *key / sizeof(uint64_t)], hash = 0;
    memcpy(words, key, sizeof words);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15u;
    return hash;
}

/* The plan's place; `count` where there is none. */
size_t plan_find(const struct plan_cache *cache, const struct plan_key *key, uint64_t hash)
{
    for (size_t i = 0; i < cache->count; i++)
        if (cache->hashes[i] == hash && plan_key_is(&cache->plans[i]->key, key))
            return i;
    return cache->count;
}

/* A place for another plan: a new one, or that of the plan that was used longest ago. */
size_t plan_make_room(struct plan_cache *cache)
{
    size_t oldest = 0;
    if (cache->count < PLANS_KEPT)
        return cache->count++;
    for (size_t i = 1; i < PLANS_KEPT; i++)
        if (cache->plans[i]->used < cache->plans[oldest]->used)
            oldest = i;
    plan_free(cache->plans[oldest]);
    return oldest;
}

void plan_cache_empty(struct plan_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++)
        plan_free(cache->plans[i]);
    cache->count = 0;
}
