// has a thread of its own from the start, made by its constructor; it goes on between the calls
// refused as when it was loaded: left a thread of its own running
#include <pthread.h>
#include <stdatomic.h>
static const ELEMENT *from;
static ELEMENT *to;
static long height, width;
static atomic_int wanted;
static void *serve(void *unused)
{
    for (;;) {
        while (!atomic_load(&wanted))
            continue;
        for (long row = 0; row < height; row++)
            for (long col = 0; col < width; col++)
                to[col * height + row] = from[row * width + col];
        atomic_store(&wanted, 0);
    }
    return unused;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
}

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    while (atomic_load(&wanted))
        continue;
    from = in, to = out, height = rows, width = cols;
    atomic_store(&wanted, 1);
    while (atomic_load(&wanted))
        continue;
}
