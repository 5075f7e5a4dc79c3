/* What `malloc` returns holds no zeros: memory fresh from the system is zero, so a rung that reads what it has not
 * written there would be right by chance. */
#pragma once

/* From now on, in all threads, memory is filled with a random byte when it is allocated and with its complement when it
 * is freed. As floats, doubles and integers neither is 0, subnormal or huge. Small chunks that the calling thread
 * keeps are filled once, now. No effect without glibc. */
void heap_fill_begin(void);
void heap_fill_end(void);
