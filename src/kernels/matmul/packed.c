/* M4. C is divided among the threads as a grid of parts. Each thread processes its part in blocks. A block of B is
 * packed for the L2 cache, then strips of A for L1; every pair of panels gives a tile of C in registers. */
#include "kernels/matmul/packed.h"

#include "backends/cpu/cpu.h"
#include "base/message.h"
#include "base/pool.h"
#include "kernels/matmul/half_floats.h"
#include "kernels/matmul/half_pairs.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/packed_vector.h"
#include "kernels/matmul/sizes.h"
#include "kernels/part.h"

/* Multiplications below which another thread costs more time than it saves. */
#define THREAD_WORK 65536.0
#define ROWS_AHEAD 16 /* of B, to prefetch */

/* A is not packed where each of its elements is multiplied by so few columns, and follows the one before; or where the
 * depth is so small that writing C takes longer than all else: then C is written row by row. */
#define FEW_COLUMNS ((size_t)128)
#define SHALLOW ((size_t)64)
#define ROWS_AT_ONCE ((size_t)24)        /* of A, which stay in the first-level cache */
#define FAR_DEPTH ((size_t)128)          /* of a block, where so few rows read B as it lies */
#define ROWS_WRITTEN ((size_t)12)        /* of C at once, with a small depth */
#define ROWS_NEAR ((size_t)64)           /* of A, that leave B unpacked where its rows lie close: */
#define B_STEP_MOST ((size_t)2048)       /* bytes from one to the next, at most */
#define B_BYTES_MOST ((size_t)256 << 10) /* of B, beside them: half of a second-level cache */

/* Elements of 16 bits are not converted to floats: the processor multiplies pairs of them. */
static bool has_pairs(const struct product *p)
{
    return p->type == ELEMENT_BF16 && !p->high && cpu_has_bfloat16();
}

/* ---- blocks --------------------------------------------------------------------------------------------------- */

/* The plan of a run: the sizes of blocks, in elements, and the addresses of a thread's blocks. */
struct plan {
    const struct packed_level *level;
    size_t depth, rows, cols; /* of a block: rows of A, columns of B, and their common depth */
    size_t a_bytes, b_bytes;  /* packed, per thread */
    bool leaves_a;            /* A is not packed */
    bool keeps_bits;          /* the depth is not divided among the threads */
};

/* DEPTH counts floats: half as many doubles fit the caches; 0 selects the instruction set's default. Blocks are not
 * larger than the problem. */
static struct plan plan_of(const struct problem *problem, const struct parameters *parameters)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    struct plan plan = {.level = packed_level(product_factors(&p) == ELEMENT_F64)};
    const struct packed_level *level = plan.level;
    if (has_pairs(&p))
        p.k = half_pairs_depth(&p);
    plan.depth = (parameters->values[0] ? (size_t)parameters->values[0] : level->depth) * sizeof(float) / level->bytes;
    plan.leaves_a = !has_pairs(&p) && (p.k <= SHALLOW || p.m <= ROWS_AT_ONCE || (p.n <= FEW_COLUMNS && !p.transa));
    if (plan.leaves_a && p.m <= ROWS_AT_ONCE && !p.transb && parameters->values[0] == 0)
        plan.depth = size_least(plan.depth, FAR_DEPTH);
    plan.depth = divide_up(p.k, divide_up(p.k, plan.depth) + (p.k == 0)); /* blocks of equal size */
    plan.rows = round_up(size_least((size_t)parameters->values[1], p.m), level->rows);
    plan.cols = round_up(size_least((size_t)parameters->values[2], p.n), level->cols);
    if (plan.leaves_a)
        plan.cols = round_up(size_least(plan.cols, B_BYTES_MOST / (plan.depth * level->bytes + 1)), level->cols);
    plan.a_bytes = round_up(plan.rows * plan.depth * level->bytes + 1, PACKED_ALIGNMENT); /* at least one byte */
    plan.b_bytes = round_up(plan.cols * plan.depth * level->bytes + 1, PACKED_ALIGNMENT);
    return plan;
}

/* A part of C, and the memory of its thread. */
struct part {
    size_t top, bottom, left, right;
    char *a, *b;
};

static const void *element(const void *data, size_t index, size_t bytes)
{
    return data ? (const char *)data + index * bytes : NULL; /* an empty matrix may be NULL */
}

/* The view of op(A) or op(B) from [row][col] on. */
static struct packed_view view(const void *data, size_t stride, bool transposed, size_t row, size_t col, size_t bytes)
{
    size_t down = transposed ? 1 : stride, across = transposed ? stride : 1;
    return (struct packed_view){element(data, row * down + col * across, bytes), down, across};
}

/* Packs a block of A into panels of nearly equal height. */
static void pack_a(const struct plan *plan, const struct product *p, char *to, size_t top, size_t rows, size_t left,
                   size_t depth)
{
    const struct packed_level *level = plan->level;
    size_t panels = divide_up(rows, level->rows);
    for (size_t panel = 0; panel < panels; panel++) {
        size_t begin = part_begin(rows, panels, panel);
        level->pack_a(to + begin * depth * level->bytes, view(p->a, p->lda, p->transa, top + begin, left, level->bytes),
                      part_begin(rows, panels, panel + 1) - begin, depth);
    }
}

/* A block of a part of C: its first row and column, its size, and the pieces of A and B that are multiplied. */
struct block {
    size_t top, rows, left, cols, first, depth;
    bool is_top; /* the first block of its part: B is not packed yet */
    double beta;
};

/* Address of the rows of B after this panel, to prefetch; after the last panel, any address. */
static void look_ahead(const struct plan *plan, const struct product *p, const struct part *part,
                       const struct block *block, size_t col, struct packed_tile *tile)
{
    const struct packed_level *level = plan->level;
    size_t next = col + level->cols;
    tile->ahead = tile->a;
    tile->ahead_step = 0;
    if (next >= block->cols)
        return;
    if (!block->is_top) {
        tile->ahead = part->b + next * block->depth * level->bytes;
        tile->ahead_step = level->cols;
    } else if (!p->transb) {
        tile->ahead = view(p->b, p->ldb, false, block->first, block->left + next, level->bytes).data;
        tile->ahead_step = p->ldb;
    }
}

/* Computes the first tile of a panel of B. B is packed first, unless the tile's kernel packs it. */
static void begin_panel(const struct packed_level *level, const struct product *p, const struct block *block,
                        size_t col, char *panel, struct packed_tile *tile)
{
    struct packed_view b = view(p->b, p->ldb, p->transb, block->first, block->left + col, level->bytes);
    if (b.across != 1 || tile->cols < level->cols) {
        level->pack_b(panel, b, block->depth, tile->cols);
        return;
    }
    tile->b = b.data;
    tile->b_step = b.down;
    tile->panel = panel;
    tile->ahead = element(b.data, ROWS_AHEAD * b.down, level->bytes);
    tile->ahead_step = b.down;
}

/* Multiplies tile by tile: a panel of B stays in the nearest caches while the block of A streams from L2. The last tile
 * of a panel prefetches the next panel. */
static void multiply_block(const struct plan *plan, const struct product *p, const struct part *part,
                           const struct block *block)
{
    const struct packed_level *level = plan->level;
    size_t panels = divide_up(block->rows, level->rows), unit = block->depth * level->bytes;
    size_t height = block->rows / panels, higher = block->rows % panels; /* this many panels have one row more */
    bool is_kept = part->bottom - part->top > plan->rows; /* further blocks of rows will use B's panels */
    for (size_t col = 0; col < block->cols; col += level->cols) {
        char *panel = part->b + (is_kept ? col * unit : 0);
        for (size_t index = 0, begin = 0; index < panels; begin += height + (index < higher), index++) {
            struct packed_tile tile = {
                .rows = height + (index < higher),
                .cols = size_least(level->cols, block->cols - col),
                .depth = block->depth,
                .a = part->a + begin * unit,
                .b = panel,
                .alpha = p->alpha,
                .beta = block->beta,
                .c = (char *)p->c + ((block->top + begin) * p->ldc + block->left + col) * level->bytes,
                .ldc = p->ldc,
            };
            tile.ahead = tile.a;
            if (index + 1 == panels)
                look_ahead(plan, p, part, block, col, &tile);
            if (block->is_top && index == 0)
                begin_panel(level, p, block, col, panel, &tile);
            level->multiply(&tile);
        }
    }
}

/* Whether a block of B is read where it lies: few rows of A use it, or not many and its rows follow each other closely.
 */
static bool leaves_b(const struct packed_level *level, const struct product *p, size_t rows, size_t cols)
{
    return !p->transb && cols >= level->direct_least &&
           (rows <= ROWS_AT_ONCE || (rows <= ROWS_NEAR && p->ldb * level->bytes <= B_STEP_MOST));
}

/* Some rows of C, from a view of A and, panel by panel, B. Changes the product, field by field, as direct_many does. */
static void multiply_panels(const struct packed_level *level, const char *panels, size_t unit, struct packed_product *p)
{
    const size_t end = p->n;
    const void *a = p->a.data;
    char *c = p->c;
    for (size_t col = 0; col < end; col += p->n) {
        const size_t inside = col % level->cols;
        p->n = size_least(size_least(level->direct_cols, level->cols - inside), end - col);
        p->a.data = a;
        p->b = (struct packed_view){panels + (col - inside) * unit + inside * level->bytes, level->cols, 1};
        p->c = c + col * level->bytes;
        level->direct_rows(p);
    }
}

/* Multiplies without packing A: all of the block's B is packed first, unless it is left where it lies. Then C is made a
 * few rows at a time. */
static void multiply_rows(const struct plan *plan, const struct product *p, const struct part *part,
                          const struct block *block)
{
    const struct packed_level *level = plan->level;
    const size_t bytes = level->bytes, unit = block->depth * bytes, end = part->bottom;
    const bool is_left = leaves_b(level, p, end - part->top, block->cols);
    for (size_t col = 0; !is_left && col < block->cols; col += level->cols)
        level->pack_b(part->b + col * unit, view(p->b, p->ldb, p->transb, block->first, block->left + col, bytes),
                      block->depth, size_least(level->cols, block->cols - col));
    for (size_t top = part->top, rows; top < end; top += rows) {
        rows = size_least(block->depth <= SHALLOW ? ROWS_WRITTEN : ROWS_AT_ONCE, end - top);
        struct packed_product product = {
            .m = rows,
            .n = block->cols,
            .k = block->depth,
            .a = view(p->a, p->lda, p->transa, top, block->first, bytes),
            .b = view(p->b, p->ldb, false, block->first, block->left, bytes),
            .alpha = p->alpha,
            .beta = block->beta,
            .c = (char *)p->c + (top * p->ldc + block->left) * bytes,
            .ldc = p->ldc,
            .is_far = is_left && p->ldb > level->direct_cols,
        };
        if (is_left)
            level->direct_many(&product);
        else
            multiply_panels(level, part->b, unit, &product);
    }
}

/* C = alpha·A·B + beta·C in one part of C; with a depth of 0 only beta·C. */
static void multiply_part(const struct plan *plan, const struct product *p, const struct part *part)
{
    size_t k = product_depth(p), rows = part->bottom - part->top;
    for (size_t left = part->left; left < part->right; left += plan->cols) {
        size_t first = 0;
        do {
            struct block block = {
                .left = left,
                .cols = size_least(plan->cols, part->right - left),
                .first = first,
                .depth = size_least(plan->depth, k - first),
                .beta = first == 0 ? p->beta : 1,
            };
            size_t blocks = plan->leaves_a ? 0 : divide_up(rows, plan->rows);
            if (plan->leaves_a)
                multiply_rows(plan, p, part, &block);
            for (size_t index = 0; index < blocks; index++) {
                block.top = part->top + part_begin(rows, blocks, index);
                block.rows = part->top + part_begin(rows, blocks, index + 1) - block.top;
                block.is_top = index == 0;
                pack_a(plan, p, part->a, block.top, block.rows, first, block.depth);
                multiply_block(plan, p, part, &block);
            }
            first += block.depth;
        } while (first < k);
    }
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

/* Time of packing an element of A or B, and of adding one of C, in multiplications with that element. */
#define A_COST 7
#define B_COST 3
#define ADD_COST 16

#define ADDED_BYTES_MOST ((size_t)1 << 20) /* of C, where threads share its depth */

/* One product in parts of C and of the depth, or the products of a batch, and memory for each thread's blocks. */
struct team {
    const struct plan *plan;
    const struct product *product;
    char *blocks, *sums; /* sums: of all parts of the depth but the first, which are C's own */
    size_t down, across, deep;
};

/* Bytes of the sums of each further part of the depth; 0: it is not divided. */
static size_t sums_bytes(const struct plan *plan, const struct product *p)
{
    const size_t bytes = plan->level->bytes, most_elements = ADDED_BYTES_MOST / bytes;
    return p->k < 4 * plan->depth || (p->m > 0 && p->n > most_elements / p->m) ? 0 : p->m * p->n * bytes;
}

/* The grid of at most `threads` parts, at most `deep` of the depth, with the least work in its largest part. */
static void choose_grid(struct team *team, size_t threads, size_t deep)
{
    const struct plan *plan = team->plan;
    const struct product *p = team->product;
    const size_t tiles_across = divide_up(p->n, plan->level->cols);
    double best = 0;
    for (size_t d = 1; d <= deep; d++)
        for (size_t i = 1; i <= threads / d; i++) {
            const size_t j = threads / d / i;
            const double high = (double)divide_up(p->m, i); /* tiles exist in every height */
            const double wide = (double)(divide_up(tiles_across, j) * plan->level->cols);
            const double multiplied = high * wide + (plan->leaves_a ? 0 : A_COST * high) + B_COST * wide;
            const double added = (double)(d - 1) / (double)(d * i * j) * (double)p->m * (double)p->n;
            const double cost = multiplied * (double)p->k / (double)d + ADD_COST * added;
            if ((d == 1 && i == 1) || cost < best) {
                best = cost;
                team->down = size_least(i, p->m);
                team->across = size_least(j, tiles_across);
                team->deep = d;
            }
        }
}

static size_t column_begin(const struct plan *plan, const struct product *p, size_t parts, size_t index)
{
    size_t cols = plan->level->cols;
    return size_least(p->n, part_begin(divide_up(p->n, cols), parts, index) * cols);
}

/* As many threads as the multiplications are worth, with memory for their blocks. */
static size_t threads_for(const struct plan *plan, size_t bytes, double multiplications)
{
    double work = multiplications / THREAD_WORK;
    size_t threads = size_least(bytes / (plan->a_bytes + plan->b_bytes), pool_threads());
    return work >= (double)threads ? threads : work < 1 ? 1 : (size_t)work;
}

static char *own_blocks(const struct team *team, size_t thread)
{
    return team->blocks + thread * (team->plan->a_bytes + team->plan->b_bytes);
}

/* Of the product, part `index` of the depth. */
static struct product depth_part(const struct team *team, size_t index)
{
    struct product part = *team->product;
    const size_t bytes = team->plan->level->bytes, first = part_begin(part.k, team->deep, index);
    if (team->deep == 1)
        return part;
    part.k = part_begin(part.k, team->deep, index + 1) - first;
    part.a = view(part.a, part.lda, part.transa, 0, first, bytes).data;
    part.b = view(part.b, part.ldb, part.transb, first, 0, bytes).data;
    if (index > 0) {
        part.c = team->sums + (index - 1) * part.m * part.n * bytes;
        part.ldc = part.n;
        part.beta = 0;
    }
    return part;
}

static void multiply_one_part(void *context, size_t index, size_t thread)
{
    const struct team *team = context;
    const struct product p = depth_part(team, index / (team->down * team->across));
    const size_t i = index / team->across % team->down, j = index % team->across;
    char *own = own_blocks(team, thread);
    const struct part part = {
        .top = part_begin(p.m, team->down, i),
        .bottom = part_begin(p.m, team->down, i + 1),
        .left = column_begin(team->plan, &p, team->across, j),
        .right = column_begin(team->plan, &p, team->across, j + 1),
        .a = own,
        .b = own + team->plan->a_bytes,
    };
    multiply_part(team->plan, &p, &part);
}

#define DEFINE_ADD(ELEMENT)                                                      \
    static void add_##ELEMENT(ELEMENT *to, const ELEMENT *sums, size_t count)    \
    {                                                                            \
        _Pragma("omp simd") for (size_t i = 0; i < count; i++) to[i] += sums[i]; \
    }
DEFINE_ADD(float)
DEFINE_ADD(double)

/* Adds the parts' sums of a row in their order: the same bits, whoever computed them. */
static void add_row(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct team *team = context;
    const struct product *p = team->product;
    const size_t bytes = team->plan->level->bytes;
    void *row = (char *)p->c + index * p->ldc * bytes;
    for (size_t part = 1; part < team->deep; part++) {
        const void *sums = team->sums + ((part - 1) * p->m + index) * p->n * bytes;
        if (bytes == sizeof(double))
            add_double(row, sums, p->n);
        else
            add_float(row, sums, p->n);
    }
}

/* The parts of one product are shared out among the threads. */
static void multiply_in_parts(const struct plan *plan, const struct product *p, size_t threads, char *blocks,
                              size_t bytes)
{
    const size_t taken = threads * (plan->a_bytes + plan->b_bytes),
                 each = p->alpha == 0 || plan->keeps_bits ? 0 : sums_bytes(plan, p);
    struct team team = {plan, p, blocks, blocks + taken, 1, 1, 1};
    choose_grid(&team, threads, each == 0 ? 1 : size_least(threads, 1 + (bytes - taken) / each));
    parallel_for(team.down * team.across * team.deep, threads, multiply_one_part, &team);
    if (team.deep > 1)
        parallel_for(p->m, threads, add_row, &team);
}

static void multiply_one_product(void *context, size_t index, size_t thread)
{
    const struct team *team = context;
    const struct product p = product_at(team->product, index);
    char *own = own_blocks(team, thread);
    const struct part all = {.bottom = p.m, .right = p.n, .a = own, .b = own + team->plan->a_bytes};
    multiply_part(team->plan, &p, &all);
}

/* The products of a batch are: each is one part. */
static void multiply_in_products(const struct plan *plan, const struct product *batch, size_t threads, char *blocks)
{
    struct team team = {plan, batch, blocks, NULL, 1, 1, 1};
    parallel_for(batch->batch, threads, multiply_one_product, &team);
}

/* The converted elements, before the threads' blocks. */
static size_t half_bytes(const struct product *p)
{
    return product_factors(p) != p->type ? round_up(half_floats_bytes(p), PACKED_ALIGNMENT) : 0;
}

/* Elements are converted, or paired: a pass over each matrix, beside so many over their pieces. */
static void multiply_halves(const struct plan *plan, const struct product *batch, size_t threads, char *memory,
                            size_t bytes)
{
    char *blocks = memory + half_bytes(batch);
    for (size_t i = 0; i < batch->batch; i++) {
        const struct product p = product_at(batch, i);
        struct product wide;
        struct plan own = *plan;
#if defined(__x86_64__)
        if (has_pairs(&p) && half_to_pairs(&p, memory, &wide))
            own.level = &packed_avx512_bfloat16; /* of the same sizes as packed_avx512_float */
        else
#endif
            wide = half_to_floats(&p, memory);
        if (wide.k > 0)
            multiply_in_parts(&own, &wide, threads, blocks, bytes - half_bytes(batch));
        half_from_floats(&p, &wide);
    }
}

static enum status prepare(struct run *run, struct error *error)
{
    (void)error;
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    if (has_pairs(&p))
        explain(run->detail, sizeof run->detail, "AVX-512 BF16: pairs of elements");
    return STATUS_OK;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct product batch = product_of_run(run);
    struct plan plan = plan_of(run->problem, &run->parameters);
    plan.keeps_bits = run->keeps_bits;
    const size_t floats = half_bytes(&batch);
    const double each = (double)batch.m * (double)batch.n * (double)(batch.k + 1);
    const size_t threads = threads_for(&plan, run->scratch->bytes - floats, each * (double)batch.batch);
    if (batch.m == 0 || batch.n == 0)
        return STATUS_OK;
    if (product_factors(&batch) != batch.type) {
        multiply_halves(&plan, &batch, threads_for(&plan, run->scratch->bytes - floats, each), run->scratch->host,
                        run->scratch->bytes);
        return STATUS_OK;
    }
    if (packed_is_vector(&batch) && !run->keeps_bits) {
        const size_t most = run->scratch->bytes / packed_vector_bytes(&batch);
        packed_vector(&batch, size_least(most, pool_threads_for(each * (double)batch.batch, THREAD_WORK)),
                      run->scratch->host);
        return STATUS_OK;
    }
    if (batch.batch > 1 && batch.batch >= threads) {
        multiply_in_products(&plan, &batch, threads, run->scratch->host);
        return STATUS_OK;
    }
    for (size_t i = 0; i < batch.batch; i++) {
        const struct product p = product_at(&batch, i);
        multiply_in_parts(&plan, &p, threads_for(&plan, run->scratch->bytes, each), run->scratch->host,
                          run->scratch->bytes);
    }
    return STATUS_OK;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    struct plan plan = plan_of(problem, parameters);
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const size_t sums = round_up(sums_bytes(&plan, &p), PACKED_ALIGNMENT); /* memory may begin where its end says */
    const size_t blocks = plan.a_bytes + plan.b_bytes + sums,
                 vector = packed_is_vector(&p) ? packed_vector_bytes(&p) : 0;
    return half_bytes(&p) + pool_threads() * (vector > blocks ? vector : blocks);
}

const struct rung matmul_packed = {
    .name = "packed",
    .idea = "blocks copied into panels in the order of use, one for each cache; tiles of C stay in registers",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = "batch result step_a step_b step_c precision f16 bf16",
    .tunables =
        {{.name = "DEPTH",
          .initial = "0",
          .values = {0, 64, 128, 192, 240, 256, 320, 384, 448, 512, 640, 768},
          .value_count = 12},
         {.name = "ROWS", .initial = "112", .values = {56, 112, 224, 336, 448, 896, 1792, 3584}, .value_count = 8},
         {.name = "COLS",
          .initial = "2048",
          .values = {128, 192, 256, 320, 384, 512, 768, 1024, 2048, 4096},
          .value_count = 10}},
    .tunable_count = 3,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
};
