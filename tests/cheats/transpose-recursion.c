// calls itself without end
static volatile long depth;
static long deeper(volatile long *at)
{
    volatile long here[512];
    here[0] = *at + 1;
    return deeper(here) + here[0];
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    (void)in;
    (void)cols;
    out[0] = (ELEMENT)(deeper(&depth) + rows);
}
