/* uskor grade: which files are alike, whatever their names, numbers, comments and spaces. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hashes of all runs of PRINT_TOKENS tokens of a file, sorted, each once. All names are one token, and all numbers
 * another. */
#define PRINT_TOKENS 8
struct prints {
    uint64_t *items; /* NULL: none */
    size_t count;
};

/* Of tokens as user_tokens_read gives them; NULL: none. prints_free them. */
void prints_take(const char *tokens, struct prints *prints);

/* Takes away those of a text that everybody was given. */
void prints_leave_out(struct prints *prints, const struct prints *given);

/* The part, from 0 to 1, of the longer file's prints that the other has, too; 0 where one has fewer than
 * PRINTS_LEAST. */
#define PRINTS_LEAST 10
double prints_alike(const struct prints *a, const struct prints *b);

void prints_free(struct prints *prints);
