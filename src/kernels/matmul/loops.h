/* The textbook's loop nests for one element type, in teaching order: compiled twice by loops.c, which defines ELEMENT
 * and NAME(x) before each inclusion. Elements of op(A) and op(B) are reached by two steps, so that a transposed operand
 * is only a different pair of steps. */
#if !defined(ELEMENT) || !defined(NAME)
#error "define ELEMENT and NAME(x) first"
#endif

struct NAME(operands) {
    const ELEMENT *a, *b;
    ELEMENT *c;
    size_t m, n, k, ldc;
    size_t a_down, a_across, b_down, b_across; /* op(A)[i][l] is a[i * a_down + l * a_across] */
    ELEMENT alpha, beta;
};

static struct NAME(operands) NAME(operands_of)(const struct product *p)
{
    return (struct NAME(operands)){
        .a = p->a,
        .b = p->b,
        .c = p->c,
        .m = p->m,
        .n = p->n,
        .k = product_depth(p),
        .ldc = p->ldc,
        .a_down = p->transa ? 1 : p->lda,
        .a_across = p->transa ? p->lda : 1,
        .b_down = p->transb ? 1 : p->ldb,
        .b_across = p->transb ? p->ldb : 1,
        .alpha = (ELEMENT)p->alpha,
        .beta = (ELEMENT)p->beta,
    };
}

/* With beta = 0 C is not read: it may hold NaN. */
static void NAME(put)(const struct NAME(operands) * o, size_t row, size_t col, ELEMENT sum)
{
    ELEMENT *target = &o->c[row * o->ldc + col];
    *target = o->alpha * sum + (o->beta == 0 ? 0 : o->beta * *target);
}

/* ---- M0 ------------------------------------------------------------------------------------------------------- */

static void NAME(serial)(const struct product *p, void *scratch)
{
    (void)scratch;
    const struct NAME(operands) o = NAME(operands_of)(p);
    for (size_t i = 0; i < o.m; i++)
        for (size_t j = 0; j < o.n; j++) {
            /* begin serial */
            ELEMENT sum = 0;
            for (size_t l = 0; l < o.k; l++)
                sum += o.a[i * o.a_down + l * o.a_across] * o.b[l * o.b_down + j * o.b_across];
            /* end serial */
            NAME(put)(&o, i, j, sum);
        }
}

static void NAME(column_buffer)(const struct product *p, void *scratch)
{
    const struct NAME(operands) o = NAME(operands_of)(p);
    ELEMENT *column = scratch;
    for (size_t j = 0; j < o.n; j++) {
        for (size_t l = 0; l < o.k; l++)
            /* The scratch pointer is NULL only where k = 0. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            column[l] = o.b[l * o.b_down + j * o.b_across];
        for (size_t i = 0; i < o.m; i++) {
            ELEMENT sum = 0;
            for (size_t l = 0; l < o.k; l++)
                sum += o.a[i * o.a_down + l * o.a_across] * column[l];
            NAME(put)(&o, i, j, sum);
        }
    }
}

/* ---- M1 ------------------------------------------------------------------------------------------------------- */

/* The start values of row i's sums. */
static void NAME(begin_row)(const struct NAME(operands) * o, size_t i)
{
    ELEMENT *row = &o->c[i * o->ldc];
    for (size_t j = 0; j < o->n; j++)
        row[j] = o->beta == 0 ? 0 : o->beta * row[j];
}

static void NAME(ikj)(const struct product *p, void *scratch)
{
    (void)scratch;
    const struct NAME(operands) o = NAME(operands_of)(p);
    NAME(add_row) *add_row = NAME(best_add_row)();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < o.m; i++) {
        NAME(begin_row)(&o, i);
        /* begin ikj */
        for (size_t l = 0; l < o.k; l++)
            add_row(&o.c[i * o.ldc], &o.b[l * o.b_down], o.b_across, o.alpha * o.a[i * o.a_down + l * o.a_across], o.n);
        /* end ikj */
    }
}

/* ---- M2, M3 --------------------------------------------------------------------------------------------------- */

/* One row of a block of C, in place. */
static void NAME(block_row)(const struct NAME(operands) * o, struct block block, size_t i)
{
    NAME(add_row) *add_row = NAME(best_add_row)();
    for (size_t l = block.first_l; l < block.end_l; l++)
        add_row(&o->c[i * o->ldc + block.first_col], &o->b[l * o->b_down + block.first_col * o->b_across], o->b_across,
                o->alpha * o->a[i * o->a_down + l * o->a_across], block.end_col - block.first_col);
}

/* The same in a local array, which is added to C once. */
static void NAME(block_row_local)(const struct NAME(operands) * o, struct block block, size_t i)
{
    ELEMENT sums[BLOCK] = {0}, *row = &o->c[i * o->ldc + block.first_col];
    size_t cols = block.end_col - block.first_col;
    NAME(best_sum_rows)
    ()(sums, &o->b[block.first_l * o->b_down + block.first_col * o->b_across], o->b_down, o->b_across,
       &o->a[i * o->a_down + block.first_l * o->a_across], o->a_across, block.end_l - block.first_l, cols);
    for (size_t j = 0; j < cols; j++)
        row[j] += o->alpha * sums[j];
}

/* Blocks of BLOCK × BLOCK of all three matrices; rows of blocks are shared out among the threads. */
static void NAME(in_blocks)(const struct product *p, void (*row)(const struct NAME(operands) *, struct block, size_t))
{
    const struct NAME(operands) o = NAME(operands_of)(p);
#pragma omp parallel for schedule(dynamic)
    for (size_t top = 0; top < o.m; top += BLOCK) {
        size_t end = block_end(top, o.m);
        for (size_t i = top; i < end; i++)
            NAME(begin_row)(&o, i);
        for (size_t l = 0; l < o.k; l += BLOCK)
            for (size_t j = 0; j < o.n; j += BLOCK)
                for (size_t i = top; i < end; i++)
                    row(&o, (struct block){l, block_end(l, o.k), j, block_end(j, o.n)}, i);
    }
}

static void NAME(blocked)(const struct product *p, void *scratch)
{
    (void)scratch;
    NAME(in_blocks)(p, NAME(block_row));
}

static void NAME(blocked_local)(const struct product *p, void *scratch)
{
    (void)scratch;
    NAME(in_blocks)(p, NAME(block_row_local));
}
