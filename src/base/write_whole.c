#include "base/write_whole.h"

#include <errno.h>
#include <unistd.h>

bool write_whole(int descriptor, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t written = write(descriptor, at, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : EIO;
            return false;
        }
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}
