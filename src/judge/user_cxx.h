/* C++ in a file that is compiled as C. */
#pragma once

#include <stddef.h>

/* The line, from 1, of the first word of C++ that C does not have; `word` receives it. 0: there is none. */
size_t user_cxx_line(const char *text, char word[40]);
