/* The command line's entry. */
int main(void)
{
    return 0;
}
