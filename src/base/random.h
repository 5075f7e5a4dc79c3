/* The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), so that a seed means the same data everywhere;
 * the first output of seed 5489 is 3499211612. */
#ifndef USKOR_BASE_RANDOM_H
#define USKOR_BASE_RANDOM_H

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

#endif
