#define GID(d) get_global_id(d)
#define AT(p, r, c, ld) ((p)[(size_t)(r) * (ld) + (c)])
typedef float T;
kernel void t(global const T *src, global T *dst, ulong nrows, ulong ncols)
{
    const ulong c = GID(0), r = GID(1);
    if (r >= nrows || c >= ncols)
        return;
    AT(dst, c, r, nrows) = AT(src, r, c, ncols);
}
