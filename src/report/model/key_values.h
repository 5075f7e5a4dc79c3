/* The parts of a problem's text ("transpose:rows=1024,cols=1024,f32") and of parameters ("TILE=32 ROWS=8"). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define WORDS_MAX 24

struct key_value {
    const char *name; /* not ended: `name_length` letters; "f32" and the like are names without a value */
    size_t name_length;
    bool has_number; /* name=number, a whole one that is not negative */
    double number;
};

/* The words of a text parted by `parting`; what is before a ':' is left out. Returns their number, at most WORDS_MAX.
 */
size_t key_values_of(const char *text, char parting, struct key_value words[WORDS_MAX]);

/* The word called `name` (of `length` letters); NULL when there is none. */
const struct key_value *key_values_find(const struct key_value *words, size_t count, const char *name, size_t length);

/* The words of a problem's text that another of the same kernel does not have: "m=192, n=192"; returns `buffer`. */
const char *key_values_of_difference(const char *text, const char *other, char *buffer, size_t size);

/* Are the names, and whatever is not a number, the same in both texts? */
bool key_values_differ_in_numbers_only(const char *a, const char *b);
