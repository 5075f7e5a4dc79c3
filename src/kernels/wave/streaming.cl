// rung:    streaming
// idea:    a group walks along z: an item keeps its line's five points in registers, so each plane is read once; items are WIDE points wide
// tune:    BX = 32 in 8 16 32 64 128; BY = 8 in 2 4 8 16 32
// tune:    WIDE = 1 + (nx % 2 == 0) + 2 * (nx % 4 == 0) in 1 2 4
// tune:    DEPTH = 64 in 8 16 32 43 64 86 128 256
// group:   BX, BY
// groups:  ceil(nx / (BX * WIDE)), ceil(ny / BY) * ceil(nz / DEPTH)
// args:    previous, current, result, int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)
// require: nx % WIDE == 0, a row is no whole number of WIDE points
// require: BX * BY <= 1024, a group of BX * BY items is too large
// require: 2 * element_bytes * WIDE * (BX + 4) * (BY + 4) <= local_bytes, the tiles do not fit local memory
//
// The tile of the plane is in local memory for the neighbours along x and y; there are two, so that one barrier a plane
// is enough. Its halo is read by whoever is free, a plane ahead of its use, like everything else.

#if WIDE == 1
typedef ELEMENT POINTS;
#define MARGIN 2 // items on either side
#else
typedef VECTOR(ELEMENT, WIDE) POINTS;
#define MARGIN 1
#endif
#define COLUMNS (BX + 2 * MARGIN)
#define EDGE_ITEMS (4 * COLUMNS + 2 * MARGIN * BY) // of the halo: four rows, and the sides
#define EDGES ((EDGE_ITEMS + BX * BY - 1) / (BX * BY))

// The boundaries are periodic; a side may be shorter than the stencil.
static int wrap(int i, int n)
{
    while (i < 0)
        i += n;
    while (i >= n)
        i -= n;
    return i;
}

// Where in the tile the halo's item i is.
static int edge_row(int i)
{
    return i < 4 * COLUMNS ? (i / COLUMNS < 2 ? i / COLUMNS : i / COLUMNS + BY) : 2 + (i - 4 * COLUMNS) / (2 * MARGIN);
}

static int edge_column(int i)
{
    int side = (i - 4 * COLUMNS) % (2 * MARGIN);
    return i < 4 * COLUMNS ? i % COLUMNS : side < MARGIN ? side : side + BX;
}

// Adds what the neighbours along x are to both sums: `own` is the item's, those beside it are in the tile.
#if WIDE == 1
#define ADD_ALONG_X(item, own, sum1, sum2)  \
    sum1 = sum1 + ((item)[-1] + (item)[1]); \
    sum2 = sum2 + ((item)[-2] + (item)[2])
#elif WIDE == 2
#define ADD_ALONG_X(item, own, sum1, sum2)                      \
    POINTS left = (item)[-1], right = (item)[1];                \
    sum1 = sum1 + make_float2(left.y + own.y, own.x + right.x); \
    sum2 = sum2 + (left + right)
#else
#define ADD_ALONG_X(item, own, sum1, sum2)                                                    \
    VECTOR(ELEMENT, 2) left = ((local_pointer const VECTOR(ELEMENT, 2) *)((item)-1))[1];      \
    VECTOR(ELEMENT, 2) right = ((local_pointer const VECTOR(ELEMENT, 2) *)((item) + 1))[0];   \
    sum1 = sum1 + make_float4(left.y + own.y, own.x + own.z, own.y + own.w, own.z + right.x); \
    sum2 = sum2 + make_float4(left.x + own.z, left.y + own.w, own.x + right.x, own.y + right.y)
#endif

// next may be before.
__kernel group_shape(BX, BY, 1) void wave(__global const ELEMENT *before, __global const ELEMENT *here,
                                          __global ELEMENT *next, int nx, int ny, int nz, ELEMENT centre, ELEMENT near,
                                          ELEMENT far)
{
    local_array POINTS tiles[2][(BY + 4) * COLUMNS];
    wait_for_launch_before();
    int lx = get_local_id(0), ly = get_local_id(1), item = ly * BX + lx;
    int strips = (ny + BY - 1) / BY, columns = nx / WIDE;
    int x0 = get_group_id(0) * BX, y0 = get_group_id(1) % strips * BY, z0 = get_group_id(1) / strips * DEPTH;
    if (z0 >= nz)
        return;
    int z1 = min(z0 + DEPTH, nz);
    bool inside = x0 + lx < columns && y0 + ly < ny;
    long plane = (long)ny * columns;
    __global const POINTS *here_points = (__global const POINTS *)here;
    __global const POINTS *before_points = (__global const POINTS *)before;
    __global POINTS *next_points = (__global POINTS *)next;

    long own = (long)wrap(y0 + ly, ny) * columns + wrap(x0 + lx, columns);
    long edge[EDGES];
    int place[EDGES];
    POINTS ahead[EDGES];
#pragma unroll
    for (int e = 0; e < EDGES; e++) {
        int i = item + e * BX * BY;
        if (i < EDGE_ITEMS) {
            int row = edge_row(i), column = edge_column(i);
            place[e] = row * COLUMNS + column;
            edge[e] = (long)wrap(y0 + row - 2, ny) * columns + wrap(x0 + column - MARGIN, columns);
            ahead[e] = here_points[z0 * plane + edge[e]];
        }
    }

    // The line along z: z - 2 … z + 2.
    POINTS line0, line1 = here_points[wrap(z0 - 2, nz) * plane + own],
                  line2 = here_points[wrap(z0 - 1, nz) * plane + own];
    POINTS line3 = here_points[z0 * plane + own], line4 = here_points[wrap(z0 + 1, nz) * plane + own];
    POINTS coming = here_points[wrap(z0 + 2, nz) * plane + own], old = coming;
    if (inside)
        old = before_points[z0 * plane + own];
    int far_plane = wrap(z0 + 2, nz);
    for (int z = z0; z < z1; z++) {
        // begin line
        line0 = line1;
        line1 = line2;
        line2 = line3;
        line3 = line4;
        line4 = coming;
        // end line
        local_pointer POINTS *tile = &tiles[z & 1][0];
        tile[(ly + 2) * COLUMNS + lx + MARGIN] = line2;
#pragma unroll
        for (int e = 0; e < EDGES; e++)
            if (item + e * BX * BY < EDGE_ITEMS)
                tile[place[e]] = ahead[e];
        POINTS oldest = old;
        if (z + 1 < z1) {
            far_plane = far_plane + 1 == nz ? 0 : far_plane + 1;
            coming = here_points[far_plane * plane + own];
            if (inside)
                old = before_points[(z + 1) * plane + own];
#pragma unroll
            for (int e = 0; e < EDGES; e++)
                if (item + e * BX * BY < EDGE_ITEMS)
                    ahead[e] = here_points[(z + 1) * plane + edge[e]];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        local_pointer const POINTS *at = tile + (ly + 2) * COLUMNS + lx + MARGIN;
        // begin points
        POINTS sum1 = at[-COLUMNS] + at[COLUMNS] + line1 + line3;
        POINTS sum2 = at[-2 * COLUMNS] + at[2 * COLUMNS] + line0 + line4;
        ADD_ALONG_X(at, line2, sum1, sum2);
        if (inside)
            next_points[z * plane + own] = line2 * centre - oldest + (sum1 * near + sum2 * far);
        // end points
    }
}
