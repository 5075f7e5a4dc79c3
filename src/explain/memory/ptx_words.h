/* Loads and stores of one word in PTX, as CUDA C++ embeds them for their memory order: in a trace they are C++. */
#pragma once

/* A copy of `text` in which each asm statement of one 'ld' or 'st' of one word is an assignment. Others stay. Lines
 * keep their numbers. NULL when memory is out; the caller frees it. */
char *ptx_words_as_code(const char *text);
