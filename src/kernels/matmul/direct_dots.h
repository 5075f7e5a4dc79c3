/* Products of which each element of C is a dot product, with the lanes along the depth. Included by direct_narrow.h;
 * packed_<isa>.c defines REST                 the mask of a vector's first lanes REST_OF(count)       the mask of so
 * many REST_LOAD(p, rest)   these lanes from memory, others are 0 Zeros in both factors raise no exception flag. */
#ifndef REST
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

/* Lines of a factor that lie along the depth, and C's step from one of them to the next. */
struct NAME(lines) {
    const ELEMENT *data;
    size_t count, step, step_c;
};

/* Four lines of one factor by `width` (1 or 2) of the other. */
TARGET static inline __attribute__((always_inline)) void NAME(dots_tile)(size_t width, const ELEMENT *const four[4],
                                                                         const ELEMENT *other, size_t step,
                                                                         size_t depth, REST rest, NAME(four) sums[2])
{
    const size_t whole = depth / LANES * LANES;
    NAME(vector) parts[2][4] = {0};
    for (size_t l = 0; l < whole; l += LANES)
#pragma GCC unroll 2
        for (size_t j = 0; j < width; j++) {
            const NAME(vector) right = *(const NAME(loose) *)(const void *)&other[j * step + l];
#pragma GCC unroll 4
            for (size_t i = 0; i < 4; i++)
                parts[j][i] = FMA(*(const NAME(loose) *)(const void *)&four[i][l], right, parts[j][i]);
        }
    if (whole < depth)
#pragma GCC unroll 2
        for (size_t j = 0; j < width; j++) {
            const NAME(vector) right = REST_LOAD(&other[j * step + whole], rest);
#pragma GCC unroll 4
            for (size_t i = 0; i < 4; i++)
                parts[j][i] = FMA(REST_LOAD(&four[i][whole], rest), right, parts[j][i]);
        }
#pragma GCC unroll 2
    for (size_t j = 0; j < width; j++)
        NAME(add_lanes)(&sums[j], parts[j]);
}

TARGET static inline void NAME(dots_put)(ELEMENT *c, size_t step, size_t count, NAME(four) sums, ELEMENT alpha,
                                         ELEMENT beta)
{
    if (count == 4 && step == 1) {
        NAME(four) *target = (NAME(four) *)(void *)c;
        *target = UPDATE(*target, sums);
        return;
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        if (i < count)
            c[i * step] = UPDATE(c[i * step], sums[i]);
}

/* All of C. Of fewer than four lines the last one is repeated: its flags are its own. */
TARGET static void NAME(dots)(const struct NAME(lines) * fours, const struct NAME(lines) * others, size_t depth,
                              ELEMENT alpha, ELEMENT beta, ELEMENT *c)
{
    const REST rest = REST_OF(depth % LANES);
    for (size_t i = 0; i < fours->count; i += 4) {
        const size_t count = fours->count - i < 4 ? fours->count - i : 4;
        const ELEMENT *four[4];
        for (size_t x = 0; x < 4; x++)
            four[x] = &fours->data[(i + (x < count ? x : count - 1)) * fours->step];
        NAME(four) sums[2];
        ELEMENT *to = &c[i * fours->step_c];
        size_t j = 0;
        for (; j + 2 <= others->count; j += 2, to += 2 * others->step_c) {
            NAME(dots_tile)(2, four, &others->data[j * others->step], others->step, depth, rest, sums);
            NAME(dots_put)(to, fours->step_c, count, sums[0], alpha, beta);
            NAME(dots_put)(to + others->step_c, fours->step_c, count, sums[1], alpha, beta);
        }
        if (j < others->count) {
            NAME(dots_tile)(1, four, &others->data[j * others->step], others->step, depth, rest, sums);
            NAME(dots_put)(to, fours->step_c, count, sums[0], alpha, beta);
        }
    }
}

/* The lines of a factor: of A its rows, of B its columns. Where they do not lie along the depth they are copied; then
 * there are fewer than LANES. */
TARGET static struct NAME(lines) NAME(lines_of)(ELEMENT *room, const void *data, size_t count, size_t next,
                                                size_t along, size_t depth, size_t step_c)
{
    const ELEMENT *from = data;
    if (along == 1)
        return (struct NAME(lines)){from, count, next, step_c};
    for (size_t l = 0; l < depth; l++)
        for (size_t i = 0; i < count; i++)
            room[i * depth + l] = from[i * next + l * along];
    return (struct NAME(lines)){room, count, depth, step_c};
}

TARGET static __attribute__((noinline)) void NAME(direct_dots)(const struct packed_product *p)
{
    ELEMENT room[2][PACKED_DIRECT_MOST * LANES];
    const struct NAME(lines) rows = NAME(lines_of)(room[0], p->a.data, p->m, p->a.down, p->a.across, p->k, p->ldc);
    const struct NAME(lines) columns = NAME(lines_of)(room[1], p->b.data, p->n, p->b.across, p->b.down, p->k, 1);
    const bool is_tall = p->m >= p->n;
    NAME(dots)(is_tall ? &rows : &columns, is_tall ? &columns : &rows, p->k, (ELEMENT)p->alpha, (ELEMENT)p->beta, p->c);
}
