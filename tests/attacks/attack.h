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
#include <time.h>
#include <unistd.h>

#define ATTACK_READ 77 /* the exit code of one that has read what is not its own */

static void reach(void);

#ifndef ATTACK_FOLDER
#define ATTACK_FOLDER "/nowhere"
#endif

/* To the judge, as its own child would: a message that says it has `bytes`, with the `sent` bytes that are there. */
static inline void send_message(unsigned type, unsigned long bytes, const void *data, unsigned long sent)
{
    char line[4096] = "";
    unsigned long header[4] = {0, bytes, 0xcbf29ce484222325u, type};
    unsigned channel = 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t read = file ? fread(line, 1, sizeof line - 1, file) : 0;
    for (size_t i = 0; i < read; i++)
        line[i] = line[i] ? line[i] : ' ';
    const char *mine = strstr(line, "-process-of-its-own=");
    if (!mine || sscanf(mine, "-process-of-its-own=%u,%*u,%*u,%lx", &channel, &header[0]) != 2)
        return;
    for (unsigned long i = 0; i < sent; i++)
        header[2] = (header[2] ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    if (send((int)channel, header, sizeof header, MSG_NOSIGNAL) < 0 || send((int)channel, data, sent, MSG_NOSIGNAL) < 0)
        exit(1);
}

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
