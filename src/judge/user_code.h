/* A user's file as its compiler sees it: without comments, strings and character constants, and word by word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The text with comments, strings and character constants blanked out, and preprocessor lines, too, unless they are
 * kept. Offsets and line ends stay. malloc'ed; NULL when memory is out. */
char *user_code_blank(const char *text, bool keeps_directives);

bool user_code_is_word(char c);

/* How long the word that begins there is; 0: none does. */
size_t user_code_word(const char *code);

/* Whether the word of that length is the wanted one. */
bool user_code_is(const char *word, size_t length, const char *wanted);

/* The first offset from `at` on that is no white space. */
size_t user_code_skip_blanks(const char *code, size_t at);

/* From an opening parenthesis, bracket or brace to just after its closing one; to the end of the text if there is none.
 * All three kinds count. */
size_t user_code_skip_parentheses(const char *code, size_t at);

/* The line of the offset, from 1. */
size_t user_code_line(const char *text, size_t at);
