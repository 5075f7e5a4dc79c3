#include "explain/memory/rules.h"

enum {
    LINE_BYTES = 128,
    ORIGIN_BYTES = 256,
    TAG_BANKS = 4,
    LINES_MOST = 2 * WARP_LANES, /* words that are not aligned lie in two */
};

/* The bits of a line's number whose parities are those of its tag's bank. */
#define HASH_LOW 0xf6f
#define HASH_HIGH 0x15da

struct lines {
    uint64_t number[LINES_MOST];
    uint32_t words[LINES_MOST]; /* of 4 bytes, that some lane wants */
    unsigned count;
};

static void add_word(struct lines *lines, uint64_t at)
{
    unsigned i = lines->count;
    while (i > 0 && lines->number[i - 1] != at / LINE_BYTES)
        i--;
    if (i == 0) {
        if (lines->count == LINES_MOST)
            return;
        lines->number[lines->count] = at / LINE_BYTES;
        lines->words[lines->count] = 0;
        i = ++lines->count;
    }
    lines->words[i - 1] |= (uint32_t)1 << at % LINE_BYTES / 4;
}

static void collect(const struct warp_access *access, struct lines *lines)
{
    uint64_t origin = access->at[__builtin_ctz(access->mask)] / ORIGIN_BYTES * ORIGIN_BYTES;
    lines->count = 0;
    for (uint32_t left = access->mask; left; left &= left - 1) {
        uint64_t at = access->at[__builtin_ctz(left)] - origin;
        for (uint64_t word = at / 4; word <= (at + access->bytes - 1) / 4; word++)
            add_word(lines, 4 * word);
    }
}

static unsigned bank_of(uint64_t line)
{
    return (unsigned)__builtin_parityll(line & HASH_LOW) + 2 * (unsigned)__builtin_parityll(line & HASH_HIGH);
}

/* How many of these lines want the word that most of them want. */
static unsigned most_wanted(const uint32_t *words, unsigned count)
{
    unsigned most = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        unsigned wanted = 0;
        for (unsigned i = 0; i < count; i++)
            wanted += words[i] >> bit & 1;
        most = wanted > most ? wanted : most;
    }
    return most;
}

struct l1_counts l1_count(const struct warp_access *access)
{
    struct lines lines;
    struct l1_counts counts = {0, 0};
    unsigned filled[TAG_BANKS] = {0};
    uint32_t in_clock[LINES_MOST][TAG_BANKS]; /* the lines that a clock looks up */
    unsigned in_clock_count[LINES_MOST] = {0};
    if (access->is_shared || access->mask == 0)
        return counts;
    collect(access, &lines);
    for (unsigned i = 0; i < lines.count; i++) {
        unsigned clock = filled[bank_of(lines.number[i])]++;
        in_clock[clock][in_clock_count[clock]++] = lines.words[i];
    }
    counts.lines = lines.count;
    for (unsigned clock = 0; clock < LINES_MOST && in_clock_count[clock] > 0; clock++)
        counts.passes += most_wanted(in_clock[clock], in_clock_count[clock]);
    return counts;
}
