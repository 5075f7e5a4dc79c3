/* Put before the C library's (LD_PRELOAD), a machine of 2 GiB of memory, on which no other program runs: ceilings are
 * measured on arrays of 85 MiB, also where a server's whole cache is reported, and the system's ticks have no length.
 */
#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT long sysconf(int name)
{
    static long (*own)(int);
    if (!own)
        *(void **)&own = dlsym(RTLD_NEXT, "sysconf");
    if (name == _SC_CLK_TCK)
        return LONG_MAX;
    return name == _SC_PHYS_PAGES ? (2L << 30) / own(_SC_PAGESIZE) : own(name);
}
