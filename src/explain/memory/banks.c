/* A request is served in passes. In one pass each bank delivers one word, to all lanes that request it. */
#include <string.h>

#include "explain/memory/rules.h"

/* Words that the lanes of one request access: at most two per lane. */
struct words {
    uint64_t word[2 * WARP_LANES];
    bool is_done[2 * WARP_LANES];
    int count;
};

/* Words of `size` bytes touched by the lanes [first, last). `part` selects one of each lane's words, -1 all of them. */
static void collect(const struct warp_access *access, int first, int last, unsigned size, int part, struct words *words)
{
    words->count = 0;
    for (int i = first; i < last; i++) {
        if (!(access->mask >> i & 1))
            continue;
        uint64_t from = access->at[i] / size, to = (access->at[i] + access->bytes - 1) / size;
        if (part >= 0)
            from = to = from + (uint64_t)part;
        for (uint64_t at = from; at <= to && words->count < 2 * WARP_LANES; at++) {
            words->word[words->count] = at;
            words->is_done[words->count++] = false;
        }
    }
}

/* 1.x: each pass broadcasts the word of the lowest remaining lane, and serves one lane of each other bank. */
static unsigned passes_of_half_warp(struct words *words)
{
    unsigned passes = 0;
    for (int left = words->count; left > 0; passes++) {
        uint32_t busy = 0;
        uint64_t broadcast = UINT64_MAX;
        for (int i = 0; i < words->count; i++) {
            if (words->is_done[i])
                continue;
            unsigned bank = words->word[i] % 16;
            if (broadcast == UINT64_MAX)
                broadcast = words->word[i];
            else if (words->word[i] != broadcast && busy >> bank & 1)
                continue;
            busy |= (uint32_t)1 << bank;
            words->is_done[i] = true;
            left--;
        }
    }
    return passes;
}

/* The most distinct words in one bank. `pair`: a bank delivers two words at once if they are 32 apart in an aligned 64
 * (3.x). Each bank's words are a chain, so that only these are compared. */
static unsigned most_in_a_bank(const struct words *words, bool pair)
{
    unsigned in_bank[32] = {0}, most = 0;
    int last[32], before[2 * WARP_LANES];
    memset(last, -1, sizeof last);
    for (int i = 0; i < words->count; i++) {
        unsigned bank = words->word[i] % 32, line = pair ? 64 : 32;
        int same = last[bank];
        while (same >= 0 && words->word[same] / line != words->word[i] / line)
            same = before[same];
        if (same >= 0)
            continue;
        before[i] = last[bank];
        last[bank] = i;
        in_bank[bank]++;
        most = in_bank[bank] > most ? in_bank[bank] : most;
    }
    return most;
}

/* An atomic operation serialises lanes of one bank, on the same word or not. */
static unsigned most_lanes_in_a_bank(const struct words *words, unsigned banks)
{
    unsigned in_bank[32] = {0}, most = 0;
    for (int i = 0; i < words->count; i++) {
        unsigned bank = words->word[i] % banks;
        most = ++in_bank[bank] > most ? in_bank[bank] : most;
    }
    return most;
}

/* How a request of the warp is split, and a bank's word size. */
struct cut {
    int lanes;
    unsigned word;
    bool pair;
    unsigned more; /* passes beyond those that the words need */
};

static struct cut cut_of(enum banking banking, unsigned bytes)
{
    bool wide = bytes == 8, widest = bytes == 16;
    switch (banking) {
    case BANKS_16:
        return (struct cut){16, 4, false, 0};
    case BANKS_32_2X:
        return (struct cut){widest ? 8 : wide ? 16 : 32, 4, false, widest};
    case BANKS_32_3X_4:
        return (struct cut){widest ? 16 : 32, 4, true, 0};
    case BANKS_32_3X_8:
        return (struct cut){widest ? 16 : 32, 8, false, 0};
    case BANKS_32:
        break;
    }
    return (struct cut){widest ? 8 : wide ? 16 : 32, 4, false, 0};
}

static unsigned passes_of(enum banking banking, const struct warp_access *access, const struct cut *cut,
                          struct words *words)
{
    if (access->kind == EVENT_ATOMIC)
        return most_lanes_in_a_bank(words, banking == BANKS_16 ? 16 : 32);
    if (banking == BANKS_16)
        return passes_of_half_warp(words);
    return most_in_a_bank(words, cut->pair);
}

/* Wide loads from 5.0 on: two parts of the warp share a pass if together they need at most one word from each bank.
 * This rule is not published; it was measured on an H200 (results/h200/explain-against-counters.txt). */
static void count_wide(const struct warp_access *access, const struct cut *cut, struct access_counts *counts)
{
    for (int first = 0; first < WARP_LANES; first += 2 * cut->lanes) {
        struct words both, half;
        collect(access, first, first + 2 * cut->lanes, 4, -1, &both);
        if (both.count == 0)
            continue;
        unsigned passes = 0, parts = 0;
        for (int part = first; part < first + 2 * cut->lanes; part += cut->lanes) {
            collect(access, part, part + cut->lanes, 4, -1, &half);
            passes += most_in_a_bank(&half, false);
            parts += half.count > 0;
        }
        if (most_in_a_bank(&both, false) == 1)
            passes = parts = 1;
        counts->transactions += passes;
        counts->conflicts += passes - parts;
        counts->bytes_moved += passes * 128;
        counts->bytes_used += access_bytes_used(access, first, first + 2 * cut->lanes);
    }
    counts->requests++;
}

void banks_count(enum banking banking, const struct warp_access *access, struct access_counts *counts)
{
    struct cut cut = cut_of(banking, access->bytes);
    /* 1.x has no wide words: the compiler splits an access into words of 4 bytes. */
    int parts = banking == BANKS_16 && access->bytes > 4 ? (int)access->bytes / 4 : 1;
    unsigned row = banking == BANKS_16 ? 64 : cut.pair || cut.word == 8 ? 256 : 128;
    for (int part = 0; part < parts; part++) {
        unsigned requests = 0;
        if (banking == BANKS_32 && access->bytes >= 8 && access->kind == EVENT_LOAD) {
            count_wide(access, &cut, counts);
            continue;
        }
        for (int first = 0; first < WARP_LANES; first += cut.lanes) {
            struct words words;
            collect(access, first, first + cut.lanes, cut.word, parts > 1 ? part : -1, &words);
            if (words.count == 0)
                continue;
            unsigned passes = passes_of(banking, access, &cut, &words) + cut.more;
            requests++;
            counts->transactions += passes;
            counts->conflicts += passes - 1;
            counts->bytes_moved += passes * row;
            counts->bytes_used += access_bytes_used(access, first, first + cut.lanes) / (unsigned)parts;
        }
        counts->requests += banking == BANKS_16 ? requests : 1;
    }
}
