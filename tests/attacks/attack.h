/* The answer of an attack is right: it is refused, or at least reaches nothing. Each does `reach` once, early or in a
 * call of the function. Where it lies says ATTACK_FOLDER, a folder of the user's that is not the file's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void reach(void);

#ifndef ATTACK_FOLDER
#define ATTACK_FOLDER "/nowhere"
#endif

#ifdef EARLY
__attribute__((constructor)) static void begin(void)
{
    reach();
}
#endif

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
#ifndef EARLY
    static int done;
    if (!done++)
        reach();
#endif
}
