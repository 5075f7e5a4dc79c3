/* A qsort that does harm once it is given many elements: put before the C library's (LD_PRELOAD), it makes the sort
 * ladder's rung `qsort` one that ends the process. FAULT says how: abort, segv, exit0 or exit3; with
 * close it closes all files that are not its own. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 3000 /* more than this program or its libraries sort for themselves */

static void do_harm(const char *fault)
{
    if (strcmp(fault, "abort") == 0)
        abort();
    if (strcmp(fault, "segv") == 0)
        raise(SIGSEGV);
    if (strncmp(fault, "exit", 4) == 0)
        exit(fault[4] - '0');
    for (int i = 3; strcmp(fault, "close") == 0 && i < 1024; i++)
        close(i);
}

__attribute__((visibility("default"))) void qsort(void *base, size_t nmemb, size_t size,
                                                  int (*compar)(const void *, const void *))
{
    char *all = base, moved[4096]; /* LLVM's OpenMP sorts large items */
    const char *fault = getenv("FAULT");
    if (nmemb >= MANY && fault)
        do_harm(fault);
    for (size_t i = 1; i < nmemb; i++) { /* by insertion */
        size_t at = i;
        memcpy(moved, all + i * size, size);
        for (; at > 0 && compar(all + (at - 1) * size, moved) > 0; at--)
            memcpy(all + at * size, all + (at - 1) * size, size);
        memcpy(all + at * size, moved, size);
    }
}
