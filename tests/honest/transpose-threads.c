/* Two threads of its own for each call, joined before it returns. */
#include <pthread.h>

struct part {
    const ELEMENT *in;
    ELEMENT *out;
    long rows, cols, begin, end;
};

static void *work(void *argument)
{
    const struct part *part = argument;
    for (long col = 0; col < part->cols; col++)
        for (long row = part->begin; row < part->end; row++)
            part->out[col * part->rows + row] = part->in[row * part->cols + col];
    return 0;
}

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    struct part first = {in, out, rows, cols, 0, rows / 2}, second = {in, out, rows, cols, rows / 2, rows};
    pthread_t thread;
    int failed = pthread_create(&thread, 0, work, &first);
    work(&second);
    if (failed)
        work(&first);
    else
        pthread_join(thread, 0);
}
