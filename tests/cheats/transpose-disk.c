// writes a file without end
// refused as SIGSYS
#include <fcntl.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    static char zeros[1 << 20];
    int file = open("/tmp/uskor-cheat-disk", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (file < 0) /* it may write nowhere else */
        file = open("/dev/shm/uskor-cheat-disk", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    unlink("/tmp/uskor-cheat-disk");
    unlink("/dev/shm/uskor-cheat-disk");
    for (int i = 0; i < 6000 && file >= 0; i++)
        if (write(file, zeros, sizeof zeros) < 0)
            break;
    close(file);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
