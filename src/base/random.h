/* The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), so that a seed means the same data everywhere;
 * the first output of seed 5489 is 3499211612. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct random {
    uint32_t state[624];
    int next;
};

void random_seed(struct random *random, uint32_t seed);
uint32_t random_u32(struct random *random);

/* Uniform in [0, 1): 24 random bits for float, 53 for double. */
float random_float(struct random *random);
double random_double(struct random *random);

/* Fills `bytes` bytes with random bits. */
void random_bytes(struct random *random, void *data, size_t bytes);

/* SplitMix64 (Steele, Lea and Flood, 2014) as a function of the counter: word `index` of the stream of `seed`. Any part
 * of an array can be made by any thread, at memory's speed; a Mersenne Twister would take seconds for a gigabyte. */
static inline uint64_t random_word(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed << 32) + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
