// prints without end
// within 4s
#include <stdio.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (;;)
        puts("still at it");
}
