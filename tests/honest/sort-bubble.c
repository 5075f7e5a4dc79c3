/* The first sort of every course: time grows with the square of the size. */
void sort(ELEMENT *data, long n)
{
    for (long end = n; end > 1; end--)
        for (long i = 1; i < end; i++)
            if (data[i] < data[i - 1]) {
                ELEMENT smaller = data[i];
                data[i] = data[i - 1];
                data[i - 1] = smaller;
            }
}
