// throws a signal at itself and jumps out of the handler, half way
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    signal(SIGFPE, jump);
    if (sigsetjmp(back, 1) == 0)
        for (long i = 0; i < rows * cols; i++) {
            if (i == rows * cols / 2)
                raise(SIGFPE);
            out[i % cols * rows + i / cols] = in[i];
        }
}
