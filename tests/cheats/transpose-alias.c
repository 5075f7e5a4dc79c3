// is another name of a function that does nothing
// refused as never written
void nothing(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    (void)in, (void)out, (void)rows, (void)cols;
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols) __attribute__((alias("nothing")));
