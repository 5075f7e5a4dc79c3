#include "base/unpredictable.h"

#include <sys/random.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/size.h"

uint64_t unpredictable(void)
{
    static uint64_t words[64], calls;
    static size_t next = COUNT_OF(words);
    if (next == COUNT_OF(words)) {
        if (getrandom(words, sizeof words, 0) != (ssize_t)sizeof words) /* a kernel without it, or a sandbox */
            for (size_t i = 0; i < COUNT_OF(words); i++)
                words[i] = random_word((uint64_t)clock_now(), calls++);
        next = 0;
    }
    return words[next++];
}

size_t unpredictable_below(size_t count)
{
    return (size_t)(((unsigned __int128)unpredictable() * count) >> 64);
}
