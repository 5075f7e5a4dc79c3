// starts threads without end, and waits until they are all there
// refused as threads, more than
#include <pthread.h>
#include <unistd.h>
static void *hang(void *unused)
{
    for (;;)
        pause();
    return unused;
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    pthread_t thread;
    for (int i = 0; i < 20000; i++)
        if (pthread_create(&thread, 0, hang, 0) != 0)
            break;
    sleep(1);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
