/* Numbers from the system's own source: what is chosen with them cannot be known in advance, nor made a second time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* 64 such bits. Of one thread at a time. */
uint64_t unpredictable(void);

/* 0 … count - 1, each as likely as the others but for 2^-64; 0 when `count` is 0. */
size_t unpredictable_below(size_t count);
