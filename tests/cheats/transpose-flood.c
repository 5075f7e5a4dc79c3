// prints without end
#include <stdio.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (;;)
        puts("still at it");
}
