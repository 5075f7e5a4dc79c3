// The tiles of a product, and the stages of their depth, that each group of a persistent grid computes.

// A group's share: `whole` tiles, then a range of stages in the tiles behind these, from (first_tile, first_stage) to
// before (last_tile, last_stage).
struct share {
    int stages, tiles, whole, groups;
    int first_tile, first_stage, last_tile, last_stage;
};

struct item {
    int tile, first, last; // stages
};

static __device__ share share_of(int tiles, int stages)
{
    int groups = gridDim.x;
    share s = {stages, tiles, tiles % groups == 0 ? tiles / groups : max(tiles / groups - 1, 0), groups};
    long all = (tiles - s.whole * groups) * (long)stages;
    long begin = all * blockIdx.x / groups, end = all * (blockIdx.x + 1) / groups;
    s.first_tile = begin / stages, s.first_stage = begin % stages;
    s.last_tile = end / stages, s.last_stage = end % stages;
    return s;
}

// The i-th item of the share; false if there is none. Whole tiles come first, all groups side by side, so that they
// share the L2 cache's contents. Then comes the head of a tile that another group finishes, and last the end of a tile
// that others began. Waits are thus short, and never for a group behind this one.
static __device__ __forceinline__ bool take(const volatile share *s, int i, item &it)
{
    int base = s->whole * s->groups, head = s->last_stage;
    if (i < s->whole) {
        it.tile = blockIdx.x + i * s->groups, it.first = 0, it.last = s->stages;
        return it.tile < s->tiles;
    }
    int tile = s->last_tile - (i - s->whole) - (head == 0);
    it.tile = base + tile, it.first = tile == s->first_tile ? s->first_stage : 0;
    it.last = head && i == s->whole ? head : s->stages;
    return tile >= s->first_tile && it.first < it.last;
}

struct place {
    int row, col; // of tiles
};

// `grouped` rows of tiles run together, to share the L2 cache.
static __device__ __forceinline__ place place_of(int tile, int rows, int cols, int grouped)
{
    int above = tile / (grouped * cols) * grouped, inside = tile % (grouped * cols);
    int height = min(grouped, rows - above);
    return {above + inside % height, inside / height};
}
