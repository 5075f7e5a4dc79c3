/* SUMMA: the ranks form a grid, and each owns a block of A, B and C. The inner dimension is processed panel by panel.
 * The grid's column that owns a panel of A sends it along the rows; the grid's row that owns a panel of B sends it
 * along the columns. Each rank adds the product of the two panels to its block of C.
 *
 * With layers ("2.5-D") there are several such grids. Each layer has copies of A and B and processes its share of the
 * panels; the layers' C are added at the end. Layers send less and store more.
 *
 * R. van de Geijn, J. Watts, "SUMMA: scalable universal matrix multiplication algorithm" (1997); E. Solomonik, J.
 * Demmel, "Communication-optimal parallel 2.5D matrix multiplication and LU factorization algorithms" (2011). */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "distributed/matmul/matmul.h"
#include "distributed/ranks/method.h"
#include "kernels/part.h"

#define PANEL ((size_t)1024) /* maximum number of columns of A in one panel */

/* rows × cols × layers ranks; rank = (layer · rows + row) · cols + col. */
struct grid {
    int rows, cols, layers;
};

struct position {
    int row, col, layer;
};

struct state {
    struct grid grid;
    struct position at;
    struct ranks along_row, along_col, along_layers; /* the ranks that differ only in col, row or layer */
    void *a, *b, *c;                                 /* panels; this layer's C, except on the first layer */
    void *copy_a, *copy_b;                           /* beyond the first layer: copies of its blocks of A and B */
};

/* The largest number of layers that divides the ranks and whose cube is at most twice their number. */
static int layers_for(int count)
{
    int best = 1;
    for (int layers = 2; layers * layers * layers <= 2 * count; layers++)
        if (count % layers == 0)
            best = layers;
    return best;
}

/* The grid of a layer, as square as its number of ranks allows. */
static struct grid grid_for(int count, int layers)
{
    struct grid grid = {.rows = 1, .layers = layers};
    int each = count / layers;
    for (int rows = 1; rows * rows <= each; rows++)
        if (each % rows == 0)
            grid.rows = rows;
    grid.cols = each / grid.rows;
    return grid;
}

static struct position position_of(const struct grid *grid, int rank)
{
    return (struct position){
        .row = rank / grid->cols % grid->rows, .col = rank % grid->cols, .layer = rank / grid->cols / grid->rows};
}

/* The block of an array's rows and columns at one position of the grid. */
static struct place block_of(const struct array *array, const struct grid *grid, struct position at)
{
    struct place rows = place_rows(array->rows, 1, at.row, grid->rows);
    struct place cols = place_rows(array->cols, 1, at.col, grid->cols);
    return (struct place){.row = rows.row, .rows = rows.rows, .col = cols.row, .cols = cols.rows};
}

static struct place place_on(const struct grid *grid, const struct array *array, int rank)
{
    struct position at = position_of(grid, rank);
    return at.layer == 0 ? block_of(array, grid, at) : (struct place){0};
}

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)problem, (void)index;
    struct grid grid = grid_for(count, 1);
    return place_on(&grid, array, rank);
}

static struct place place_in_layers(const struct problem *problem, const struct array *array, int index, int rank,
                                    int count)
{
    (void)problem, (void)index;
    struct grid grid = grid_for(count, layers_for(count));
    return place_on(&grid, array, rank);
}

static const char *refuses(const struct problem *problem, int count, char *reason, size_t size)
{
    (void)count;
    return product_refuses(problem, reason, size);
}

static const char *refuses_layers(const struct problem *problem, int count, char *reason, size_t size)
{
    if (count > 1 && layers_for(count) == 1)
        return explain(reason, size, "%d ranks make no layers: 4, 6, 8 … do", count);
    return refuses(problem, count, reason, size);
}

static enum status split(struct method_run *run, struct state *state, struct error *error)
{
    const struct grid *grid = &state->grid;
    struct position at = state->at;
    int cells = grid->rows * grid->cols;
    enum status status = ranks_split(&run->ranks, at.layer * grid->rows + at.row, &state->along_row, error);
    if (status == STATUS_OK)
        status = ranks_split(&run->ranks, at.layer * grid->cols + at.col, &state->along_col, error);
    if (status == STATUS_OK)
        status = ranks_split(&run->ranks, run->ranks.rank % cells, &state->along_layers, error);
    return status;
}

static size_t bytes_of(const struct method_run *run, struct place block)
{
    return block.rows * block.cols * element_info(run->problem->type)->bytes;
}

static enum status allocate(struct method_run *run, struct state *state, struct error *error)
{
    size_t bytes = element_info(run->problem->type)->bytes;
    struct place c = block_of(&run->arrays[2], &state->grid, state->at);
    enum status status = method_allocate(&state->a, c.rows * PANEL * bytes, error);
    if (status == STATUS_OK)
        status = method_allocate(&state->b, c.cols * PANEL * bytes, error);
    if (status != STATUS_OK || state->at.layer == 0)
        return status;
    status = method_allocate(&state->c, bytes_of(run, c), error);
    if (status == STATUS_OK)
        status =
            method_allocate(&state->copy_a, bytes_of(run, block_of(&run->arrays[0], &state->grid, state->at)), error);
    if (status == STATUS_OK)
        status =
            method_allocate(&state->copy_b, bytes_of(run, block_of(&run->arrays[1], &state->grid, state->at)), error);
    return status;
}

static enum status prepare_on(struct method_run *run, int layers, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state) /* a failing rank takes part in the split, or the others would wait for it */
        ranks_abort(3);
    state->grid = grid_for(run->ranks.count, layers);
    state->at = position_of(&state->grid, run->ranks.rank);
    enum status status = split(run, state, error);
    return status == STATUS_OK ? allocate(run, state, error) : status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    return prepare_on(run, 1, error);
}

static enum status prepare_layers(struct method_run *run, struct error *error)
{
    return prepare_on(run, layers_for(run->ranks.count), error);
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    ranks_free(&state->along_row);
    ranks_free(&state->along_col);
    ranks_free(&state->along_layers);
    free(state->a);
    free(state->b);
    free(state->c);
    free(state->copy_a);
    free(state->copy_b);
    free(state);
    run->state = NULL;
}

/* One panel: columns begin … end of A and the same rows of B. A panel never crosses a block's border. */
struct panel {
    size_t begin, end;
    int col_of_a, row_of_b; /* owners of the panels */
};

static struct panel panel_at(const struct grid *grid, size_t depth, size_t begin)
{
    struct panel panel = {.begin = begin, .end = size_least(depth, begin + PANEL)};
    while (part_begin(depth, (size_t)grid->cols, (size_t)panel.col_of_a + 1) <= begin)
        panel.col_of_a++;
    while (part_begin(depth, (size_t)grid->rows, (size_t)panel.row_of_b + 1) <= begin)
        panel.row_of_b++;
    panel.end = size_least(panel.end, part_begin(depth, (size_t)grid->cols, (size_t)panel.col_of_a + 1));
    panel.end = size_least(panel.end, part_begin(depth, (size_t)grid->rows, (size_t)panel.row_of_b + 1));
    return panel;
}

/* Sends the panels of A and B to all ranks that need them. */
static enum status send_panel(struct method_run *run, const struct panel *panel, const void *a, const void *b,
                              struct error *error)
{
    struct state *state = run->state;
    size_t bytes = element_info(run->problem->type)->bytes, width = panel->end - panel->begin;
    struct place own_a = block_of(&run->arrays[0], &state->grid, state->at);
    struct place own_b = block_of(&run->arrays[1], &state->grid, state->at);
    struct place c = block_of(&run->arrays[2], &state->grid, state->at);
    if (panel->col_of_a == state->at.col)
        for (size_t row = 0; row < own_a.rows; row++)
            memcpy((char *)state->a + row * width * bytes,
                   (const char *)a + (row * own_a.cols + panel->begin - own_a.col) * bytes, width * bytes);
    if (panel->row_of_b == state->at.row)
        memcpy(state->b, (const char *)b + (panel->begin - own_b.row) * own_b.cols * bytes, width * own_b.cols * bytes);
    enum status status = ranks_broadcast(&state->along_row, state->a, c.rows * width * bytes, panel->col_of_a, error);
    if (status == STATUS_OK)
        status = ranks_broadcast(&state->along_col, state->b, c.cols * width * bytes, panel->row_of_b, error);
    return status;
}

static enum status multiply(struct method_run *run, size_t width, double beta, void *c, struct error *error)
{
    struct state *state = run->state;
    struct place own = block_of(&run->arrays[2], &state->grid, state->at);
    struct problem local = *run->problem;
    problem_set_size(&local, "m", (int64_t)own.rows);
    problem_set_size(&local, "n", (int64_t)own.cols);
    problem_set_size(&local, "k", (int64_t)width);
    local.values[4].real = beta;
    if (own.rows == 0 || own.cols == 0)
        return STATUS_OK;
    return method_compute(run, &local, (void *[]){state->a, state->b, c}, error);
}

/* Multiplies this layer's panels: every layers-th one. `beta` applies to its first product. */
static enum status multiply_all(struct method_run *run, const void *a, const void *b, void *c, double beta,
                                struct error *error)
{
    struct state *state = run->state;
    size_t depth = run->arrays[0].cols;
    enum status status = STATUS_OK, sent = STATUS_OK;
    struct error later;
    int index = 0;
    bool is_first = true;
    for (size_t begin = 0; sent == STATUS_OK && begin < depth; index++) {
        struct panel panel = panel_at(&state->grid, depth, begin);
        begin = panel.end;
        if (index % state->grid.layers != state->at.layer)
            continue;
        sent = send_panel(run, &panel, a, b, &later);
        if (status == STATUS_OK && sent == STATUS_OK)
            status = multiply(run, panel.end - panel.begin, is_first ? beta : 1, c, error);
        is_first = false;
    }
    if (is_first && status == STATUS_OK) /* no panels: C is only scaled by beta */
        status = multiply(run, 0, beta, c, error);
    return method_outcome(status, error, sent, &later);
}

/* Copies the first layer's blocks to every other layer and gives each such layer its own C. */
static enum status share(struct method_run *run, void **a, void **b, void **c, struct error *error)
{
    struct state *state = run->state;
    bool is_first = state->at.layer == 0;
    *a = is_first ? run->parts[0] : state->copy_a;
    *b = is_first ? run->parts[1] : state->copy_b;
    *c = is_first ? run->parts[2] : state->c;
    if (state->grid.layers == 1)
        return STATUS_OK;
    size_t a_bytes = bytes_of(run, block_of(&run->arrays[0], &state->grid, state->at));
    size_t b_bytes = bytes_of(run, block_of(&run->arrays[1], &state->grid, state->at));
    enum status status = ranks_broadcast(&state->along_layers, *a, a_bytes, 0, error);
    return status == STATUS_OK ? ranks_broadcast(&state->along_layers, *b, b_bytes, 0, error) : status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    void *a, *b, *c;
    enum status status = share(run, &a, &b, &c, error);
    if (status != STATUS_OK)
        return status;
    status = multiply_all(run, a, b, c, state->at.layer == 0 ? problem_real(run->problem, "beta") : 0, error);
    if (state->grid.layers == 1)
        return status;
    struct place own = block_of(&run->arrays[2], &state->grid, state->at);
    enum status added =
        ranks_sum(&state->along_layers, c, own.rows * own.cols, run->problem->type == ELEMENT_F64, 0, &later);
    return method_outcome(status, error, added, &later);
}

/* A broadcast to more than one rank passes its bytes on twice: they are scattered, and gathered from all. */
static void add_broadcasts(struct traffic *traffic, enum mpi_operation kind, int count, double calls, double bytes)
{
    const double steps = tree_steps(count);
    if (count > 1)
        traffic_add(traffic, kind, calls * steps, bytes * (count > 2 ? 2 : 1) / steps);
}

/* Layers do not wait for one another. A link carries both directions at once: where one layer's panels travel in one
 * and another's in the other, they take half of the time that they take in the same one. Any share between is met. */
#define LAYERS_SHARE 0.75

/* Of the first layer, which has the most panels. */
static struct traffic traffic_on(const struct problem *problem, int count, int layers)
{
    const struct grid grid = grid_for(count, layers);
    const double m = (double)problem_size(problem, "m"), n = (double)problem_size(problem, "n");
    const double k = (double)problem_size(problem, "k"), bytes = (double)element_info(problem->type)->bytes;
    const double rows = largest_share(m, grid.rows) * m, cols = largest_share(n, grid.cols) * n;
    const size_t depth = (size_t)problem_size(problem, "k");
    const double share = layers > 1 ? LAYERS_SHARE : 1;
    struct traffic traffic = {0};
    size_t own = 0;
    int index = 0;
    for (size_t begin = 0; begin < depth; index++) {
        const struct panel panel = panel_at(&grid, depth, begin);
        const size_t width = panel.end - panel.begin;
        begin = panel.end;
        if (index % layers != 0)
            continue;
        own += width;
        add_broadcasts(&traffic, OPERATION_NEAR, grid.cols, share, bytes * (double)width * rows);
        add_broadcasts(&traffic, OPERATION_FAR, grid.rows, share, bytes * (double)width * cols);
    }
    traffic.work = largest_share(m, grid.rows) * largest_share(n, grid.cols) * (depth ? (double)own / k : 1);
    add_broadcasts(&traffic, OPERATION_FAR, layers, 1, bytes * rows * k / grid.cols);
    add_broadcasts(&traffic, OPERATION_FAR, layers, 1, bytes * cols * k / grid.rows);
    add_broadcasts(&traffic, OPERATION_FAR, layers, 1, bytes * rows * cols); /* the sums of C */
    return traffic;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    return traffic_on(problem, count, 1);
}

static struct traffic traffic_in_layers(const struct problem *problem, int count)
{
    return traffic_on(problem, count, layers_for(count));
}

const struct method method_matmul_summa = {
    .kernel = "matmul",
    .name = "summa",
    .idea = "a grid of ranks; panels of A travel along its rows, panels of B along its columns",
    .refuses = refuses,
    .place = place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};

const struct method method_matmul_summa_layers = {
    .kernel = "matmul",
    .name = "summa-2.5d",
    .idea = "several such grids, each with copies of A and B, do a part of the panels; their results are added up",
    .refuses = refuses_layers,
    .place = place_in_layers,
    .begin = prepare_layers,
    .end = finish,
    .run = run_once,
    .traffic = traffic_in_layers,
};
