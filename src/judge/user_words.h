/* OpenCL C as textbooks spell it, in the words of the lab's preludes, which CUDA and the tracer have, too. */
#pragma once

/* A copy of OpenCL C in which __local and __constant say whether they declare an array or a pointer, and the short
 * forms (kernel, global, local, constant) are long. Lines keep their numbers; comments, strings and preprocessor lines
 * stay as they are. malloc'ed; NULL when memory is out. */
char *user_words_translate(const char *text);
