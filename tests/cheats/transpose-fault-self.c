// raises a signal that ends it, from a thread of its own, when it has returned
// refused as SIGKILL
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void *later(void *unused)
{
    usleep(50000);
    raise(SIGKILL);
    return unused;
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    pthread_t thread;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    pthread_create(&thread, 0, later, 0);
    pthread_detach(thread);
}
