#include "base/random.h"

enum { STATE_WORDS = 624, STATE_SHIFT = 397 };

void random_seed(struct random *random, uint32_t seed)
{
    random->state[0] = seed;
    for (uint32_t i = 1; i < STATE_WORDS; i++) {
        uint32_t previous = random->state[i - 1];
        random->state[i] = 1812433253u * (previous ^ (previous >> 30)) + i;
    }
    random->next = STATE_WORDS;
}

/* One step of the recurrence: the top bit of `high`, the other bits of `low`, and a word further on. */
static inline uint32_t twist(uint32_t high, uint32_t low, uint32_t further)
{
    uint32_t joined = (high & 0x80000000u) | (low & 0x7fffffffu);
    return further ^ (joined >> 1) ^ (0x9908b0dfu & -(low & 1u));
}

static void regenerate(struct random *random)
{
    uint32_t *state = random->state;
    int i = 0;
    for (; i < STATE_WORDS - STATE_SHIFT; i++)
        state[i] = twist(state[i], state[i + 1], state[i + STATE_SHIFT]);
    for (; i < STATE_WORDS - 1; i++)
        state[i] = twist(state[i], state[i + 1], state[i + STATE_SHIFT - STATE_WORDS]);
    state[i] = twist(state[i], state[0], state[STATE_SHIFT - 1]);
    random->next = 0;
}

uint32_t random_u32(struct random *random)
{
    if (random->next >= STATE_WORDS)
        regenerate(random);
    uint32_t word = random->state[random->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

float random_float(struct random *random)
{
    return (float)(random_u32(random) >> 8) * 0x1p-24f;
}

double random_double(struct random *random)
{
    uint64_t high = random_u32(random) >> 5;
    uint64_t low = random_u32(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

void random_bytes(struct random *random, void *data, size_t bytes)
{
    unsigned char *target = data;
    while (bytes > 0) {
        /* Byte by byte, so that the order is the same on every machine; compilers make one store of four. */
        uint32_t word = random_u32(random);
        unsigned char pieces[4] = {word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24};
        size_t length = bytes < 4 ? bytes : 4;
        for (size_t i = 0; i < length; i++)
            target[i] = pieces[i];
        target += length;
        bytes -= length;
    }
}
