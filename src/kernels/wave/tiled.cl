// rung:    tiled
// idea:    a group's part of the plane goes through local memory with a halo of two; only neighbours along z are read again from global memory
// tune:    BX = 32 in 16 32 64 128; BY = 8 in 2 4 8 16 32
// group:   BX, BY, 1
// groups:  ceil(nx / BX), ceil(ny / BY), nz
// args:    previous, current, result, int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)
// require: BX * BY <= 1024, a group of BX * BY items is too large

// The boundaries are periodic; a side may be shorter than the stencil. Points more than two outside are not used.
static int wrap(int i, int n)
{
    i = min(i, n + 1);
    i += i < 0 ? n : 0;
    i += i < 0 ? n : 0;
    i -= i >= n ? n : 0;
    return i >= n ? i - n : i;
}

// next may be before.
__kernel void wave(__global const ELEMENT *before, __global const ELEMENT *here, __global ELEMENT *next, int nx, int ny,
                   int nz, ELEMENT centre, ELEMENT near, ELEMENT far)
{
    local_array ELEMENT tile[BY + 4][BX + 4];
    wait_for_launch_before();
    int lx = get_local_id(0), ly = get_local_id(1);
    int x0 = get_group_id(0) * BX, y0 = get_group_id(1) * BY;
    int z = get_global_id(2);
    for (int ty = ly; ty < BY + 4; ty += BY)
        for (int tx = lx; tx < BX + 4; tx += BX)
            tile[ty][tx] = here[((long)z * ny + wrap(y0 + ty - 2, ny)) * nx + wrap(x0 + tx - 2, nx)];
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = x0 + lx, y = y0 + ly;
    if (x >= nx || y >= ny)
        return;
    long plane = (long)ny * nx, in_plane = (long)y * nx + x, at = z * plane + in_plane;
    lx += 2;
    ly += 2;
    // begin points
    ELEMENT sum1 = tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] +
                   here[wrap(z - 1, nz) * plane + in_plane] + here[wrap(z + 1, nz) * plane + in_plane];
    ELEMENT sum2 = tile[ly][lx - 2] + tile[ly][lx + 2] + tile[ly - 2][lx] + tile[ly + 2][lx] +
                   here[wrap(z - 2, nz) * plane + in_plane] + here[wrap(z + 2, nz) * plane + in_plane];
    next[at] = centre * tile[ly][lx] - before[at] + (near * sum1 + far * sum2);
    // end points
}
