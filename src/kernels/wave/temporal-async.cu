// rung:    temporal-async
// idea:    the same two steps; asynchronous copies bring several planes into shared memory while one is computed
// tune:    BX = 22 in 8 16 22 26 32; BY = 24 in 8 12 16 20 24 26; DEPTH = min(128, ceil(nz / 2) + 3) in 8 12 16 20 24 32 48 64 86 128 256; AHEAD = 2 in 1 2 3 4
// group:   BX + 2, (BY + 4) / 2
// groups:  ceil(nx / (4 * BX)), ceil(ny / BY) * ceil(nz / DEPTH)
// local:   16 * (AHEAD + 3) * ((BX + 4) * (BY + 8) + (BX + 2) * (BY + 4)) + 32 * (BX + 2) * (BY + 4)
// args:    previous, long(0), current, long(0), result, long(0), result, long(0), int(0), int(nx), int(ny), int(nz), float(2 - 7.5 * courant * courant), float(courant * courant * 4 / 3), float(-courant * courant / 12)
// require: compute >= 8, needs compute capability 8.0: earlier chips do not copy on their own
// require: steps % 2 == 0, the steps come in pairs and their number is odd
// require: nx % 4 == 0, a row is no whole number of 4 points
// require: nx * ny < 2147483648, a plane has 2^31 points or more
// require: 16 * (AHEAD + 3) * ((BX + 4) * (BY + 8) + (BX + 2) * (BY + 4)) + 32 * (BX + 2) * (BY + 4) <= 101376 || compute == 8 || (compute >= 9 && compute < 12), the rings of tiles do not fit shared memory here; BX=16 with BY=16 do
// require: (BX + 2) * (BY + 4) / 2 <= 1024, a group of BX * BY points and their halo is too large
//
// Read temporal.cl first: items, halos and the lines in registers are the same. There each plane is asked for
// one plane ahead, and registers that wait for it are all that can be on its way. Here cp.async brings planes straight
// into a ring of tiles, AHEAD of them at a time.
//
// Turn t works on plane z = z0 - 2 + t. Its ring holds the planes z … z + 2 of `here` and those on their way: plane i
// after z0 - 4 is in slot i % SLOTS, and `before` has a ring of as many. The loop is unrolled by SLOTS, which makes
// slots constants and, with 5 of them, lets the lines change names instead of registers.

#define SLOTS (AHEAD + 3)
#define ITEMS_X (BX + 2)
#define ROWS (BY + 4) // of the first step
#define ITEMS (ITEMS_X * ROWS / 2)
#define COLUMNS (BX + 4)
#define TILE (COLUMNS * (BY + 8))
#define FIRST_TILE (ITEMS_X * ROWS)
#define COPIES ((TILE + ITEMS - 1) / ITEMS) // of an item, for a tile
#define GROUPS (ITEMS <= 256 ? 2 : 1)       // that a multiprocessor has at a time

// The boundaries are periodic; a side may be shorter than the stencil.
static __device__ int wrap(int i, int n)
{
    while (i < 0)
        i += n;
    while (i >= n)
        i -= n;
    return i;
}

static __device__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __device__ float4 multiply_add(float4 a, float b, float4 c)
{
    return make_float4(fmaf(a.x, b, c.x), fmaf(a.y, b, c.y), fmaf(a.z, b, c.z), fmaf(a.w, b, c.w));
}

static __device__ float4 multiply_subtract(float4 a, float b, float4 c)
{
    return make_float4(fmaf(a.x, b, -c.x), fmaf(a.y, b, -c.y), fmaf(a.z, b, -c.z), fmaf(a.w, b, -c.w));
}

static __device__ void copy_ahead(float4 *to, const float4 *from)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"((uint)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
}

struct weights {
    float centre, near, far;
};

// One step of an item's two rows. `at` is the upper one in a tile of `width` columns; `line` are the rows in five
// planes; what is in memory two steps before is `old`.
template <int width>
static __device__ void make(float4 (&made)[2], const float4 *at, const float4 (&line)[5][2], const float4 (&old)[2],
                            weights w)
{
    float4 rows[6] = {at[-2 * width], at[-width], line[2][0], line[2][1], at[2 * width], at[3 * width]};
#pragma unroll
    for (int r = 0; r < 2; r++) {
        float4 own = line[2][r];
        float2 left = ((const float2 *)(at + r * width - 1))[1], right = ((const float2 *)(at + r * width + 1))[0];
        float4 sum1 = rows[1 + r] + rows[3 + r] + line[1][r] + line[3][r];
        float4 sum2 = rows[r] + rows[4 + r] + line[0][r] + line[4][r];
        sum1 = sum1 + make_float4(left.y + own.y, own.x + own.z, own.y + own.w, own.z + right.x);
        sum2 = sum2 + make_float4(left.x + own.z, left.y + own.w, own.x + right.x, own.y + right.y);
        made[r] = multiply_add(sum2, w.far, multiply_add(sum1, w.near, multiply_subtract(own, w.centre, old[r])));
    }
}

static __device__ void push(float4 (&line)[5][2])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int r = 0; r < 2; r++)
            line[i][r] = line[i + 1][r];
}

// Several devices (distributed/wave/) define SLABS, as in temporal.cl.
#if SLABS
#define SLAB_ARGUMENTS \
    , int z_first, int z_end, int depth, int trim, long before_low, long before_high, long here_low, long here_high
#define PLANE(z, low, high) ((z)*plane + ((z) < 0 ? low / 4 : (z) < nz ? 0 : high / 4))
#define HERE(z) PLANE(z, here_low, here_high)
#define BEFORE(z) PLANE(z, before_low, before_high)
#define HERE_AFTER(at, z) HERE(z)
#define BEFORE_AFTER(at, z) BEFORE(z)
#else
#define SLAB_ARGUMENTS
#define z_first 0
#define z_end nz
#define depth DEPTH
#define trim 0
#define HERE(z) (wrap(z, nz) * plane)
#define BEFORE(z) HERE(z)
#define HERE_AFTER(at, z) (at + plane == end ? 0 : at + plane)
#define BEFORE_AFTER(at, z) HERE_AFTER(at, z)
#endif

extern "C" __global__ void __launch_bounds__(ITEMS, GROUPS)
    wave(const float *before, long before_at, const float *here, long here_at, float *first, long first_at,
         float *second, long second_at, int wanted, int nx, int ny, int nz, float centre, float near,
         float far SLAB_ARGUMENTS)
{
    extern __shared__ __align__(16) float4 shared[];
    wait_for_launch_before();
    float4 *tiles = shared, *old_tiles = tiles + SLOTS * TILE, *first_tiles = old_tiles + SLOTS * FIRST_TILE;
    int lx = threadIdx.x, ly = threadIdx.y * 2, item = threadIdx.y * ITEMS_X + lx;
    int strips = (ny + BY - 1) / BY, columns = nx / 4;
    long group = (long)blockIdx.z * gridDim.y + blockIdx.y;
    int x0 = blockIdx.x * BX, y0 = group % strips * BY, layer = group / strips;
    int z0 = z_first + layer * depth - (layer > 0 ? trim : 0);
    if (z0 >= z_end)
        return;
    int turns = min(depth - (layer > 0 ? 0 : trim), z_end - z0) + 4;
    bool inside = lx >= 1 && lx <= BX && x0 + lx - 1 < columns && ly >= 2 && ly < 2 + BY;
    long plane = (long)ny * columns;
    [[maybe_unused]] long end = nz * plane;
    const float4 *here_points = (const float4 *)(here + here_at);
    const float4 *before_points = (const float4 *)(before + before_at);
    float4 *first_points = (float4 *)(first + first_at), *second_points = (float4 *)(second + second_at);
    weights w = {centre, near, far};

    // Within a plane: what the item copies, and its own rows.
    int from[COPIES], own[2];
#pragma unroll
    for (int e = 0; e < COPIES; e++) {
        int i = min(item + e * ITEMS, TILE - 1);
        from[e] = wrap(y0 + i / COLUMNS - 4, ny) * columns + wrap(x0 + i % COLUMNS - 2, columns);
    }
    own[0] = wrap(y0 + ly - 2, ny) * columns + wrap(x0 + lx - 1, columns);
    own[1] = wrap(y0 + ly - 1, ny) * columns + wrap(x0 + lx - 1, columns);

    [[maybe_unused]] int far_z = z0 - 2, near_z = z0 - 2; // the next planes to be copied
    long far_plane = HERE(z0 - 2), near_plane = BEFORE(z0 - 2);
    auto copy_tile = [&](int slot) {
#pragma unroll
        for (int e = 0; e < COPIES; e++)
            if (item + e * ITEMS < TILE)
                copy_ahead(tiles + slot * TILE + item + e * ITEMS, here_points + far_plane + from[e]);
        far_z++;
        far_plane = HERE_AFTER(far_plane, far_z);
    };
    auto copy_old = [&](int slot) {
#pragma unroll
        for (int r = 0; r < 2; r++)
            copy_ahead(old_tiles + slot * FIRST_TILE + r * ITEMS + item, before_points + near_plane + own[r]);
        near_z++;
        near_plane = BEFORE_AFTER(near_plane, near_z);
    };
    auto seal = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    copy_tile(2 % SLOTS);
    copy_tile(3 % SLOTS);
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        copy_tile((4 + i) % SLOTS);
        copy_old(i);
        seal();
    }
    // The lines along z: before the first step z - 2 … z + 2, after it z - 4 … z.
    float4 line[5][2], made[5][2];
#pragma unroll
    for (int r = 0; r < 2; r++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line[1 + i][r] = here_points[HERE(z0 - 4 + i) + own[r]];
#pragma unroll
        for (int i = 0; i < 5; i++)
            made[i][r] = line[1][r]; // nothing yet
    }

    long made_plane = (z0 - 4) * plane; // of the second step
    for (int start = 0; start < turns; start += SLOTS)
#pragma unroll
        for (int turn = 0; turn < SLOTS; turn++) {
            float4 *first_tile = first_tiles + ((start + turn) & 1) * FIRST_TILE;
            push(line);
            push(made);
#pragma unroll
            for (int r = 0; r < 2; r++)
                first_tile[(ly + r) * ITEMS_X + lx] = made[2][r];
            // begin ahead
            asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD - 1) : "memory");
            __syncthreads();
            if (start + turn + AHEAD < turns) {
                copy_tile((turn + 4 + AHEAD) % SLOTS);
                copy_old((turn + AHEAD) % SLOTS);
            }
            seal();
            // end ahead

            const float4 *tile = tiles + (turn + 2) % SLOTS * TILE, *far_tile = tiles + (turn + 4) % SLOTS * TILE;
            float4 old[2];
#pragma unroll
            for (int r = 0; r < 2; r++) {
                line[4][r] = far_tile[(ly + r + 2) * COLUMNS + lx + 1];
                old[r] = old_tiles[turn % SLOTS * FIRST_TILE + r * ITEMS + item];
            }
            make<COLUMNS>(made[4], tile + (ly + 2) * COLUMNS + lx + 1, line, old, w);
            if (inside && start + turn >= 4 && start + turn < turns) {
                float4 result[2];
                make<ITEMS_X>(result, first_tile + ly * ITEMS_X + lx, made, line[0], w);
#pragma unroll
                for (int r = 0; r < 2; r++)
                    if (y0 + ly + r - 2 < ny) {
                        second_points[made_plane + own[r]] = result[r];
                        if (wanted)
                            first_points[made_plane + own[r]] = made[2][r];
                    }
            }
            made_plane += plane;
        }
}
