// A group goes from plane to plane with one plane of a tile in local memory, and waits once for each
// refused as race
// args: previous, current, result, int(nx), int(ny), int(nz), courant
// group: 8, 8
// groups: ceil(nx / 8), ceil(ny / 8)
int around(int i, int n)
{
    return (i % n + n) % n;
}
__kernel void wave(__global const ELEMENT *before, __global const ELEMENT *now, __global ELEMENT *after, int nx, int ny,
                   int nz, ELEMENT courant)
{
    __local ELEMENT tile[12][12];
    const ELEMENT r = courant * courant, centre = 2 - (ELEMENT)7.5 * r, near = r * 4 / 3, far = -r / 12;
    const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    const int left = get_group_id(0) * 8 - 2, top = get_group_id(1) * 8 - 2;
    for (int z = 0; z < nz; z++) {
        for (int i = y * 8 + x; i < 144; i += 64)
            tile[i / 12][i % 12] = now[((long)z * ny + around(top + i / 12, ny)) * nx + around(left + i % 12, nx)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (gx < nx && gy < ny) {
            const long at = ((long)z * ny + gy) * nx + gx;
            ELEMENT sum1 = tile[y + 2][x + 1] + tile[y + 2][x + 3] + tile[y + 1][x + 2] + tile[y + 3][x + 2];
            ELEMENT sum2 = tile[y + 2][x] + tile[y + 2][x + 4] + tile[y][x + 2] + tile[y + 4][x + 2];
            sum1 +=
                now[((long)around(z - 1, nz) * ny + gy) * nx + gx] + now[((long)around(z + 1, nz) * ny + gy) * nx + gx];
            sum2 +=
                now[((long)around(z - 2, nz) * ny + gy) * nx + gx] + now[((long)around(z + 2, nz) * ny + gy) * nx + gx];
            after[at] = centre * tile[y + 2][x + 2] - before[at] + (near * sum1 + far * sum2);
        }
    }
}
