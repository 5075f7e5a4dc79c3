#include "cli/commands/grade_alike.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define HASH_START 14695981039346656037u /* FNV-1a, 64 bits */
#define HASH_FACTOR 1099511628211u

static uint64_t hash_add(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * HASH_FACTOR;
    return hash;
}

static bool is_word_of_language(const char *word, size_t length)
{
    static const char *const words[] = {"break", "case",   "continue", "default", "do",       "else",    "for",
                                        "goto",  "if",     "return",   "sizeof",  "struct",   "switch",  "while",
                                        "const", "static", "barrier",  "__local", "__global", "__kernel"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

static uint64_t token_hash(const char *token, size_t length)
{
    const bool is_name = isalpha((unsigned char)*token) || *token == '_';
    if (is_name && !is_word_of_language(token, length))
        return hash_add(HASH_START, "name", 4);
    if (isdigit((unsigned char)*token))
        return hash_add(HASH_START, "0", 1);
    return hash_add(HASH_START, token, length);
}

static int by_size(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_once(struct prints *prints)
{
    size_t kept = 0;
    qsort(prints->items, prints->count, sizeof *prints->items, by_size);
    for (size_t i = 0; i < prints->count; i++)
        if (i == 0 || prints->items[i] != prints->items[i - 1])
            prints->items[kept++] = prints->items[i];
    prints->count = kept;
}

void prints_take(const char *tokens, struct prints *prints)
{
    uint64_t last[PRINT_TOKENS] = {0};
    size_t seen = 0;
    *prints = (struct prints){.items = tokens ? malloc((strlen(tokens) + 1) * sizeof *prints->items) : NULL};
    while (prints->items && *tokens) {
        tokens += strspn(tokens, " ");
        const size_t length = strcspn(tokens, " ");
        if (length)
            last[seen++ % PRINT_TOKENS] = token_hash(tokens, length);
        tokens += length;
        if (!length || seen < PRINT_TOKENS)
            continue;
        uint64_t run = HASH_START;
        for (size_t i = 0; i < PRINT_TOKENS; i++)
            run = hash_add(run, (const char *)&last[(seen + i) % PRINT_TOKENS], sizeof last[0]);
        prints->items[prints->count++] = run;
    }
    if (prints->count)
        sort_once(prints);
}

void prints_leave_out(struct prints *prints, const struct prints *given)
{
    size_t kept = 0;
    for (size_t i = 0, j = 0; i < prints->count; i++) {
        while (j < given->count && given->items[j] < prints->items[i])
            j++;
        if (j == given->count || given->items[j] != prints->items[i])
            prints->items[kept++] = prints->items[i];
    }
    prints->count = kept;
}

double prints_alike(const struct prints *a, const struct prints *b)
{
    size_t common = 0;
    if (a->count < PRINTS_LEAST || b->count < PRINTS_LEAST)
        return 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        common += a->items[i] == b->items[j];
        const bool a_first = a->items[i] <= b->items[j], b_first = b->items[j] <= a->items[i];
        i += a_first;
        j += b_first;
    }
    return (double)common / (double)(a->count > b->count ? a->count : b->count);
}

void prints_free(struct prints *prints)
{
    free(prints->items);
    *prints = (struct prints){0};
}
