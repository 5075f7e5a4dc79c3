#include "files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status input_open(const char *path, const char *kind, int *descriptor, size_t *size, struct error *error)
{
    struct stat found;
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (opened < 0)
        return fail(error, errno == ENOENT ? STATUS_INVALID : STATUS_SYSTEM, "%s: cannot be opened: %s", path,
                    strerror(errno));
    enum status status = STATUS_OK;
    if (fstat(opened, &found) != 0)
        status = fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(found.st_mode))
        status = fail(error, STATUS_INVALID, "%s: is a folder, not a %s file", path, kind);
    else if (!S_ISREG(found.st_mode))
        status =
            fail(error, STATUS_INVALID,
                 "%s: is not a regular file; %s files are mapped, so pipes and devices cannot be read", path, kind);
    else if ((uintmax_t)found.st_size > PTRDIFF_MAX)
        status = fail(error, STATUS_INVALID, "%s: is too large for this machine's addresses", path);
    if (status != STATUS_OK) {
        close(opened);
        return status;
    }
    *descriptor = opened;
    *size = (size_t)found.st_size;
    return STATUS_OK;
}
