/* C++ in a file that is compiled as C. */
#ifndef USKOR_JUDGE_USER_CXX_H
#define USKOR_JUDGE_USER_CXX_H

#include <stddef.h>

/* The line, from 1, of the first word of C++ that C does not have; `word` receives it. 0: there is none. */
size_t user_cxx_line(const char *text, char word[40]);

#endif
