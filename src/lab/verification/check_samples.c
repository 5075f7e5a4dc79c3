#include "lab/verification/check_samples.h"

#include <string.h>

#include "base/random.h"

const int check_thread_counts[CHECK_THREAD_COUNTS] = {1, 2, 5, 3, 4, 8, 7, 6};

#define ALWAYS 3 /* of them, where several are tried */

bool check_threads_meet(size_t index, size_t which, bool several)
{
    if (!several)
        return which == index % CHECK_THREAD_COUNTS;
    return which < ALWAYS || which == ALWAYS + index % (CHECK_THREAD_COUNTS - ALWAYS);
}

#define TRIES 24
#define TUNABLE_VALUES_SPREAD 5040 /* a multiple of most numbers of values: each of them comes first as often */

/* FNV-1a of the rung's name: two rungs get different random streams. */
static uint64_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return value;
}

static bool is_set(const struct overrides *set, const char *name)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->items[i].name, name) == 0)
            return true;
    return false;
}

static void draw(const struct rung *rung, const struct overrides *set, uint64_t stream, size_t attempt,
                 struct parameters *parameters)
{
    for (size_t t = 0; t < rung->tunable_count; t++) {
        const struct tunable *tunable = &rung->tunables[t];
        uint64_t word = random_word(stream, attempt * TUNABLES_MAX + t);
        if (tunable->value_count > 0 && !is_set(set, tunable->name))
            parameters->values[t] = tunable->values[word % tunable->value_count];
    }
}

static void write_down(const struct rung *rung, const struct parameters *parameters, struct overrides *sample)
{
    *sample = (struct overrides){.count = rung->tunable_count};
    for (size_t t = 0; t < rung->tunable_count; t++) {
        memcpy(sample->items[t].name, rung->tunables[t].name, sizeof sample->items[t].name);
        sample->items[t].value = parameters->values[t];
    }
}

bool check_sample(const struct rung *rung, const struct problem *problem, const struct device *device,
                  const struct overrides *set, uint32_t seed, size_t index, struct overrides *sample)
{
    struct candidate candidate;
    struct error error;
    if (candidate_make((struct device *)device, rung, problem, set, &candidate, &error) != STATUS_OK)
        return false;
    struct parameters defaults = candidate.parameters;
    uint64_t stream = seed ^ hash(rung->name);
    for (size_t attempt = 0; attempt < TRIES; attempt++) {
        char reason[256];
        draw(rung, set, stream, index * TRIES + attempt, &candidate.parameters);
        bool differs = false;
        for (size_t t = 0; t < rung->tunable_count; t++)
            differs = differs || candidate.parameters.values[t] != defaults.values[t];
        if (differs && !rung_refuses(rung, problem, device, &candidate.parameters, reason, sizeof reason)) {
            write_down(rung, &candidate.parameters, sample);
            return true;
        }
    }
    return false;
}

/* With one tunable every value is tried anyway. */
static size_t corner_count(const struct rung *rung)
{
    size_t several = 0;
    for (size_t t = 0; t < rung->tunable_count; t++)
        several += rung->tunables[t].value_count > 1;
    return several > 1 ? 4 : 0;
}

/* The first or the last value of the tunable: both ends of two successive ones meet in four corners. */
static size_t corner_value(const struct tunable *tunable, size_t corner, size_t t)
{
    return (corner >> t % 2 & 1) != 0 ? tunable->value_count - 1 : 0;
}

size_t check_setting_count(const struct rung *rung)
{
    size_t most = 0;
    for (size_t t = 0; t < rung->tunable_count; t++)
        most = rung->tunables[t].value_count > most ? rung->tunables[t].value_count : most;
    return corner_count(rung) + most;
}

bool check_setting(const struct rung *rung, const struct problem *problem, const struct device *device,
                   const struct overrides *set, uint32_t seed, size_t which, struct overrides *sample)
{
    struct candidate candidate;
    struct error error;
    char reason[256];
    if (candidate_make((struct device *)device, rung, problem, set, &candidate, &error) != STATUS_OK)
        return false;
    for (size_t t = 0; t < rung->tunable_count; t++) {
        const struct tunable *tunable = &rung->tunables[t];
        size_t first = random_word(seed ^ hash(rung->name), t) % TUNABLE_VALUES_SPREAD;
        if (tunable->value_count > 0 && !is_set(set, tunable->name))
            candidate.parameters.values[t] =
                tunable->values[which < corner_count(rung) ? corner_value(tunable, which, t)
                                                           : (first + which) % tunable->value_count];
    }
    if (rung_refuses(rung, problem, device, &candidate.parameters, reason, sizeof reason))
        return check_sample(rung, problem, device, set, seed, which, sample);
    write_down(rung, &candidate.parameters, sample);
    return true;
}

bool check_sample_serves(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct overrides *sample)
{
    struct candidate candidate;
    struct error error;
    char reason[256];
    return candidate_make((struct device *)device, rung, problem, sample, &candidate, &error) == STATUS_OK &&
           !rung_refuses(rung, problem, device, &candidate.parameters, reason, sizeof reason);
}
