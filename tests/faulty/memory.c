/* Put before the C library's (LD_PRELOAD), a machine of 2 GiB of memory: ceilings are measured on arrays of 85 MiB,
 * also where a server's whole cache is reported. */
#include <dlfcn.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT long sysconf(int name)
{
    static long (*own)(int);
    if (!own)
        *(void **)&own = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_PHYS_PAGES ? (2L << 30) / own(_SC_PAGESIZE) : own(name);
}
