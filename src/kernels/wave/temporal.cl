// rung:    temporal
// idea:    temporal blocking: two steps in one pass, the second two planes behind; the first one's planes stay on the chip; the halo is computed twice
// tune:    BX = 16 in 8 14 16 30 32 62; BY = 16 in 4 8 12 16 20 24 28 32 44
// tune:    WIDE = 1 + (nx % 2 == 0) + 2 * (nx % 4 == 0) in 1 2 4; TALL = 2 in 1 2
// tune:    DEPTH = 128 in 16 32 43 52 64 86 128 256
// group:   BX + 2 + 2 * (WIDE == 1), (BY + 4) / TALL
// groups:  ceil(nx / (BX * WIDE)), ceil(ny / BY) * ceil(nz / DEPTH)
// args:    previous, long(0), current, long(0), result, long(0), result, long(0), int(0), int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)
// require: steps % 2 == 0, the steps come in pairs and their number is odd
// require: nx * ny < 2147483648, a plane has 2^31 points or more
// require: nx % WIDE == 0, a row is no whole number of WIDE points
// require: (BX + 2 + 2 * (WIDE == 1)) * (BY + 4) / TALL <= 1024, a group of BX * BY points and their halo is too large
// require: 2 * element_bytes * WIDE * ((BX + 4 + 4 * (WIDE == 1)) * (BY + 8) + (BX + 2 + 2 * (WIDE == 1)) * (BY + 4)) <= local_bytes, the tiles do not fit local memory
//
// A group's items cover what it writes and a halo of two points: there they make the first step. What the first step
// reads is wider by two once more. An item has TALL rows of WIDE points, so that few neighbours need local memory.
// Fields are parts of buffers: each comes with where it begins.

#if WIDE == 1
typedef ELEMENT POINTS;
#define MARGIN 2 // items on either side
#else
typedef VECTOR(ELEMENT, WIDE) POINTS;
#define MARGIN 1
#endif
#define ITEMS_X (BX + 2 * MARGIN)
#define ROWS (BY + 4) // of the first step
#define ITEMS (ITEMS_X * ROWS / TALL)
#define COLUMNS (ITEMS_X + 2 * MARGIN)               // of the first step's tile
#define EDGE_ITEMS (4 * COLUMNS + 2 * MARGIN * ROWS) // of its halo: four rows, and the sides
#define EDGES ((EDGE_ITEMS + ITEMS - 1) / ITEMS)
#define UNROLL _Pragma("unroll")
#define FOR_ROWS for (int r = 0; r < TALL; r++)
#define FOR_EDGES for (int e = 0; e < EDGES; e++)

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
    return i < 4 * COLUMNS ? (i / COLUMNS < 2 ? i / COLUMNS : i / COLUMNS + ROWS)
                           : 2 + (i - 4 * COLUMNS) / (2 * MARGIN);
}

static int edge_column(int i)
{
    int side = (i - 4 * COLUMNS) % (2 * MARGIN);
    return i < 4 * COLUMNS ? i % COLUMNS : side < MARGIN ? side : side + ITEMS_X;
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

// One step of row r of the item at `at`, in a tile of `width` columns; `middle` are the item's own rows, the others the
// same points in the planes around them and one step before.
#define STEP(result, at, width, far_below, below, middle, above, far_above, old) \
    {                                                                            \
        POINTS rows[TALL + 4];                                                   \
        rows[0] = (at)[-2 * (width)];                                            \
        rows[1] = (at)[-(width)];                                                \
        rows[TALL + 2] = (at)[TALL * (width)];                                   \
        rows[TALL + 3] = (at)[(TALL + 1) * (width)];                             \
        UNROLL FOR_ROWS rows[2 + r] = middle[r];                                 \
        UNROLL FOR_ROWS                                                          \
        {                                                                        \
            POINTS sum1 = rows[1 + r] + rows[3 + r] + below[r] + above[r];       \
            POINTS sum2 = rows[r] + rows[4 + r] + far_below[r] + far_above[r];   \
            ADD_ALONG_X((at) + r * (width), middle[r], sum1, sum2);              \
            result[r] = middle[r] * centre - old[r] + sum1 * near + sum2 * far;  \
        }                                                                        \
    }

// Several devices (distributed/wave/) define SLABS: the grid is a slab of a larger one, of which planes z_first …
// z_end - 1 are wanted, `depth` of them of each group, `trim` fewer of the first and of the last along z. Planes below
// 0 and from nz on are in other devices' memory, that many elements further.
#if SLABS
#define SLAB_ARGUMENTS \
    , int z_first, int z_end, int depth, int trim, long before_low, long before_high, long here_low, long here_high
#define PLANE(z, low, high) ((z)*plane + ((z) < 0 ? low / WIDE : (z) < nz ? 0 : high / WIDE))
#define HERE(z) PLANE(z, here_low, here_high)
#define BEFORE(z) PLANE(z, before_low, before_high)
#define AFTER(at, z) HERE(z)
#else
#define SLAB_ARGUMENTS
#define z_first 0
#define z_end nz
#define depth DEPTH
#define trim 0
#define HERE(z) (wrap(z, nz) * plane)
#define BEFORE(z) near_plane
#define AFTER(at, z) (at + plane == nz * plane ? 0 : at + plane)
#endif

__kernel group_shape(ITEMS_X, ROWS / TALL,
                     1) void wave(__global const ELEMENT *before, long before_at, __global const ELEMENT *here,
                                  long here_at, __global ELEMENT *first, long first_at, __global ELEMENT *second,
                                  long second_at, int wanted, int nx, int ny, int nz, ELEMENT centre, ELEMENT near,
                                  ELEMENT far SLAB_ARGUMENTS)
{
    local_array POINTS tiles[2][(ROWS + 4) * COLUMNS];
    local_array POINTS first_tiles[2][ROWS * ITEMS_X];
    wait_for_launch_before();
    int lx = get_local_id(0), ly = get_local_id(1) * TALL, item = get_local_id(1) * ITEMS_X + lx;
    int strips = (ny + BY - 1) / BY, columns = nx / WIDE;
    int x0 = get_group_id(0) * BX, y0 = get_group_id(1) % strips * BY;
    int layer = get_group_id(1) / strips, z0 = z_first + layer * depth - (layer > 0 ? trim : 0);
    if (z0 >= z_end)
        return;
    int z1 = min(z0 + depth - (layer > 0 ? 0 : trim), z_end);
    bool inside = lx >= MARGIN && lx < MARGIN + BX && x0 + lx - MARGIN < columns && ly >= 2 && ly < 2 + BY;
    long plane = (long)ny * columns;
    __global const POINTS *here_points = (__global const POINTS *)(here + here_at);
    __global const POINTS *before_points = (__global const POINTS *)(before + before_at);
    __global POINTS *first_points = (__global POINTS *)(first + first_at);
    __global POINTS *second_points = (__global POINTS *)(second + second_at);

    int z = z0 - 2;
    long near_plane = HERE(z), far_plane = HERE(z + 2);
    int own[TALL], edge[EDGES], place[EDGES]; // within a plane
    POINTS ahead[EDGES];
    // The lines along z: before the first step z - 2 … z + 2, after it z - 4 … z.
    POINTS line0[TALL], line1[TALL], line2[TALL], line3[TALL], line4[TALL], coming[TALL], old[TALL], oldest[TALL];
    POINTS made0[TALL], made1[TALL], made2[TALL], made3[TALL], made4[TALL];
    UNROLL FOR_EDGES
    {
        int i = item + e * ITEMS;
        if (i < EDGE_ITEMS) {
            int row = edge_row(i), column = edge_column(i);
            place[e] = row * COLUMNS + column;
            edge[e] = wrap(y0 + row - 4, ny) * columns + wrap(x0 + column - 2 * MARGIN, columns);
            ahead[e] = here_points[near_plane + edge[e]];
        }
    }
    UNROLL FOR_ROWS
    {
        own[r] = wrap(y0 + ly + r - 2, ny) * columns + wrap(x0 + lx - MARGIN, columns);
        line1[r] = here_points[HERE(z - 2) + own[r]];
        line2[r] = here_points[HERE(z - 1) + own[r]];
        line3[r] = here_points[near_plane + own[r]];
        line4[r] = here_points[HERE(z + 1) + own[r]];
        coming[r] = here_points[far_plane + own[r]];
        old[r] = before_points[BEFORE(z) + own[r]];
        made0[r] = made1[r] = made2[r] = made3[r] = old[r]; // nothing yet
    }
    for (; z < z1 + 2; z++) {
        local_pointer POINTS *tile = &tiles[z & 1][0];
        local_pointer POINTS *first_tile = &first_tiles[z & 1][0];
        UNROLL FOR_ROWS
        {
            line0[r] = line1[r];
            line1[r] = line2[r];
            line2[r] = line3[r];
            line3[r] = line4[r];
            line4[r] = coming[r];
            oldest[r] = old[r];
            tile[(ly + r + 2) * COLUMNS + lx + MARGIN] = line2[r];
            first_tile[(ly + r) * ITEMS_X + lx] = made2[r];
        }
        UNROLL FOR_EDGES if (item + e * ITEMS < EDGE_ITEMS) tile[place[e]] = ahead[e];
        if (z + 1 < z1 + 2) {
            near_plane = AFTER(near_plane, z + 1);
            far_plane = AFTER(far_plane, z + 3);
            UNROLL FOR_ROWS
            {
                coming[r] = here_points[far_plane + own[r]];
                old[r] = before_points[BEFORE(z + 1) + own[r]];
            }
            UNROLL FOR_EDGES if (item + e * ITEMS < EDGE_ITEMS) ahead[e] = here_points[near_plane + edge[e]];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        local_pointer const POINTS *at = tile + (ly + 2) * COLUMNS + lx + MARGIN;
        // begin second
        STEP(made4, at, COLUMNS, line0, line1, line2, line3, line4, oldest);
        if (inside && z - 2 >= z0) {
            POINTS result[TALL];
            at = first_tile + ly * ITEMS_X + lx;
            STEP(result, at, ITEMS_X, made0, made1, made2, made3, made4, line0);
            UNROLL FOR_ROWS if (y0 + ly + r - 2 < ny)
            {
                store_evict_first(second_points + (z - 2) * plane + own[r], result[r]);
                if (wanted)
                    store_evict_first(first_points + (z - 2) * plane + own[r], made2[r]);
            }
        }
        // end second
        UNROLL FOR_ROWS
        {
            made0[r] = made1[r];
            made1[r] = made2[r];
            made2[r] = made3[r];
            made3[r] = made4[r];
        }
    }
}
