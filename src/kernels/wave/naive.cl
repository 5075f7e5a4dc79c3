// rung:    naive
// idea:    one item per point; each of its 13 points is loaded from global memory or from the caches
// tune:    BX = 64 in 16 32 64 128 256; BY = 4 in 1 2 4 8 16
// group:   BX, BY, 1
// groups:  ceil(nx / BX), ceil(ny / BY), nz
// args:    previous, current, result, int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)

// The boundaries are periodic; a side may be shorter than the stencil.
static int wrap(int i, int n)
{
    i = min(i, n + 1);
    i += i < 0 ? n : 0;
    i += i < 0 ? n : 0;
    i -= i >= n ? n : 0;
    return i >= n ? i - n : i;
}

#define AT(x, y, z) here[((long)(z)*ny + (y)) * nx + (x)]

// next may be before.
__kernel void wave(__global const ELEMENT *before, __global const ELEMENT *here, __global ELEMENT *next, int nx, int ny,
                   int nz, ELEMENT centre, ELEMENT near, ELEMENT far)
{
    wait_for_launch_before();
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x >= nx || y >= ny)
        return;
    // begin points
    ELEMENT sum1 = AT(wrap(x - 1, nx), y, z) + AT(wrap(x + 1, nx), y, z) + AT(x, wrap(y - 1, ny), z) +
                   AT(x, wrap(y + 1, ny), z) + AT(x, y, wrap(z - 1, nz)) + AT(x, y, wrap(z + 1, nz));
    ELEMENT sum2 = AT(wrap(x - 2, nx), y, z) + AT(wrap(x + 2, nx), y, z) + AT(x, wrap(y - 2, ny), z) +
                   AT(x, wrap(y + 2, ny), z) + AT(x, y, wrap(z - 2, nz)) + AT(x, y, wrap(z + 2, nz));
    long at = ((long)z * ny + y) * nx + x;
    next[at] = centre * here[at] - before[at] + (near * sum1 + far * sum2);
    // end points
}
