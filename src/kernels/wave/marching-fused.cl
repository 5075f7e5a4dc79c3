// rung:    marching-fused
// idea:    two steps in one march: the second follows two planes behind the first, whose planes never leave registers and local memory; the margin is computed twice
// tune:    BX = 32 in 8 14 16 30 32 62 64; BY = 12 in 4 8 12 16 20 28
// tune:    WIDE = 1 + (nx % 2 == 0) + 2 * (nx % 4 == 0) in 1 2 4
// tune:    DEPTH = 64 in 16 32 64 128 256
// group:   BX + 2 + 2 * (WIDE == 1), BY + 4
// groups:  ceil(nx / (BX * WIDE)), ceil(ny / BY) * ceil(nz / DEPTH)
// args:    previous, long(0), current, long(0), result, long(0), result, long(0), int(0), int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)
// require: steps % 2 == 0, the steps come in pairs and their number is odd
// require: nx % WIDE == 0, a row is no whole number of WIDE points
// require: (BX + 2 + 2 * (WIDE == 1)) * (BY + 4) <= 1024, a group of BX * BY points and their margin is too large
// require: 2 * element_bytes * WIDE * ((BX + 4 + 4 * (WIDE == 1)) * (BY + 8) + (BX + 2 + 2 * (WIDE == 1)) * (BY + 4)) <= local_bytes, the tiles do not fit local memory
//
// A group's items cover what it writes and a margin of two points: there they make the first step. What the first step
// reads is wider by two once more. Fields are parts of buffers: each comes with where it begins.

#if WIDE == 1
typedef ELEMENT POINTS;
#define MARGIN 2 // items on either side
#else
typedef VECTOR(ELEMENT, WIDE) POINTS;
#define MARGIN 1
#endif
#define ITEMS_X (BX + 2 * MARGIN)
#define ITEMS_Y (BY + 4)
#define COLUMNS (ITEMS_X + 2 * MARGIN)                  // of the first step's tile
#define EDGE_ITEMS (4 * COLUMNS + 2 * MARGIN * ITEMS_Y) // of its margin: four rows, and the sides
#define EDGES ((EDGE_ITEMS + ITEMS_X * ITEMS_Y - 1) / (ITEMS_X * ITEMS_Y))

// The boundaries are periodic; a side may be shorter than the stencil.
static int wrap(int i, int n)
{
    while (i < 0)
        i += n;
    while (i >= n)
        i -= n;
    return i;
}

// Where in the tile the margin's item i is.
static int edge_row(int i)
{
    return i < 4 * COLUMNS ? (i / COLUMNS < 2 ? i / COLUMNS : i / COLUMNS + ITEMS_Y)
                           : 2 + (i - 4 * COLUMNS) / (2 * MARGIN);
}

static int edge_column(int i)
{
    int side = (i - 4 * COLUMNS) % (2 * MARGIN);
    return i < 4 * COLUMNS ? i % COLUMNS : side < MARGIN ? side : side + ITEMS_X;
}

// Sums of the neighbours along x, from the scalars around them in the tile.
static POINTS along_x(local_pointer const POINTS *item, int distance)
{
    local_pointer const ELEMENT *first = (local_pointer const ELEMENT *)item;
#if WIDE == 1
    return first[-distance] + first[distance];
#elif WIDE == 2
    return distance == 2 ? item[-1] + item[1] : make_float2(first[-1] + first[1], first[0] + first[2]);
#else
    return distance == 2
               ? make_float4(first[-2] + first[2], first[-1] + first[3], first[0] + first[4], first[1] + first[5])
               : make_float4(first[-1] + first[1], first[0] + first[2], first[1] + first[3], first[2] + first[4]);
#endif
}

__kernel group_shape(ITEMS_X, ITEMS_Y, 1) void wave(__global const ELEMENT *before, long before_at,
                                                    __global const ELEMENT *here, long here_at, __global ELEMENT *first,
                                                    long first_at, __global ELEMENT *second, long second_at, int wanted,
                                                    int nx, int ny, int nz, ELEMENT centre, ELEMENT near, ELEMENT far)
{
    local_array POINTS tiles[2][ITEMS_Y + 4][COLUMNS];
    local_array POINTS first_tiles[2][ITEMS_Y][ITEMS_X];
    int lx = get_local_id(0), ly = get_local_id(1), item = ly * ITEMS_X + lx;
    int strips = (ny + BY - 1) / BY, columns = nx / WIDE;
    int x0 = get_group_id(0) * BX, y0 = get_group_id(1) % strips * BY, z0 = get_group_id(1) / strips * DEPTH;
    if (z0 >= nz)
        return;
    int z1 = min(z0 + DEPTH, nz);
    bool inside =
        lx >= MARGIN && lx < MARGIN + BX && x0 + lx - MARGIN < columns && ly >= 2 && ly < 2 + BY && y0 + ly - 2 < ny;
    long plane = (long)ny * columns;
    __global const POINTS *here_points = (__global const POINTS *)(here + here_at);
    __global const POINTS *before_points = (__global const POINTS *)(before + before_at);
    __global POINTS *first_points = (__global POINTS *)(first + first_at);
    __global POINTS *second_points = (__global POINTS *)(second + second_at);

    long own = (long)wrap(y0 + ly - 2, ny) * columns + wrap(x0 + lx - MARGIN, columns);
    int z = z0 - 2, near_plane = wrap(z, nz), far_plane = wrap(z + 2, nz);
    long edge[EDGES];
    int place[EDGES];
    POINTS ahead[EDGES];
#pragma unroll
    for (int e = 0; e < EDGES; e++) {
        int i = item + e * ITEMS_X * ITEMS_Y;
        if (i < EDGE_ITEMS) {
            int row = edge_row(i), column = edge_column(i);
            place[e] = row * COLUMNS + column;
            edge[e] = (long)wrap(y0 + row - 4, ny) * columns + wrap(x0 + column - 2 * MARGIN, columns);
            ahead[e] = here_points[near_plane * plane + edge[e]];
        }
    }

    // The lines along z: before the first step z - 2 … z + 2, after it z - 4 … z.
    POINTS line0, line1 = here_points[wrap(z - 2, nz) * plane + own],
                  line2 = here_points[wrap(z - 1, nz) * plane + own];
    POINTS line3 = here_points[near_plane * plane + own], line4 = here_points[wrap(z + 1, nz) * plane + own];
    POINTS coming = here_points[far_plane * plane + own], old = before_points[near_plane * plane + own];
    POINTS made0 = old, made1 = old, made2 = old, made3 = old; // nothing yet
    for (; z < z1 + 2; z++) {
        line0 = line1;
        line1 = line2;
        line2 = line3;
        line3 = line4;
        line4 = coming;
        local_pointer POINTS *tile = &tiles[z & 1][0][0];
        local_pointer POINTS *first_tile = &first_tiles[z & 1][0][0];
        tile[(ly + 2) * COLUMNS + lx + MARGIN] = line2;
        first_tile[ly * ITEMS_X + lx] = made2;
#pragma unroll
        for (int e = 0; e < EDGES; e++)
            if (item + e * ITEMS_X * ITEMS_Y < EDGE_ITEMS)
                tile[place[e]] = ahead[e];
        POINTS oldest = old;
        if (z + 1 < z1 + 2) {
            near_plane = near_plane + 1 == nz ? 0 : near_plane + 1;
            far_plane = far_plane + 1 == nz ? 0 : far_plane + 1;
            coming = here_points[far_plane * plane + own];
            old = before_points[near_plane * plane + own];
#pragma unroll
            for (int e = 0; e < EDGES; e++)
                if (item + e * ITEMS_X * ITEMS_Y < EDGE_ITEMS)
                    ahead[e] = here_points[near_plane * plane + edge[e]];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        local_pointer const POINTS *at = tile + (ly + 2) * COLUMNS + lx + MARGIN;
        POINTS sum1 = along_x(at, 1) + at[-COLUMNS] + at[COLUMNS] + line1 + line3;
        POINTS sum2 = along_x(at, 2) + at[-2 * COLUMNS] + at[2 * COLUMNS] + line0 + line4;
        POINTS made4 = line2 * centre - oldest + (sum1 * near + sum2 * far);
        if (inside && z - 2 >= z0) {
            at = first_tile + ly * ITEMS_X + lx;
            sum1 = along_x(at, 1) + at[-ITEMS_X] + at[ITEMS_X] + made1 + made3;
            sum2 = along_x(at, 2) + at[-2 * ITEMS_X] + at[2 * ITEMS_X] + made0 + made4;
            second_points[(z - 2) * plane + own] = made2 * centre - line0 + (sum1 * near + sum2 * far);
            if (wanted)
                first_points[(z - 2) * plane + own] = made2;
        }
        made0 = made1;
        made1 = made2;
        made2 = made3;
        made3 = made4;
    }
}
