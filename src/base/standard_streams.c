#include "base/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void standard_streams_occupy(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) /* takes the lowest one: this */
            return;
}
