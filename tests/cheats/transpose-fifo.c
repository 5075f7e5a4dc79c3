// waits for a file that nobody writes
// refused as no answer for
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/uskor-cheat-fifo-%d", (int)getpid());
    mkfifo(path, 0600);
    int file = open(path, O_RDONLY);
    (void)file;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
