/* Products of a matrix with one vector, along the lines of the matrix: packing would read it twice. Included by
 * packed_tiles.h, whose macros it uses. Four lines at a time share the loads of the vector, or of the sums. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define SUMS_AT_ONCE (16384 / sizeof(ELEMENT)) /* half of the first-level cache */
#define WHOLE(p) (*(const NAME(loose) *)(const void *)(p))

TARGET static inline __attribute__((always_inline)) void NAME(dots_of)(size_t count, const struct packed_lines *p,
                                                                       size_t line)
{
    const ELEMENT *a = (const ELEMENT *)p->a + line * p->pitch, *x = p->x;
    ELEMENT *to = (ELEMENT *)p->sums + line;
    NAME(vector) sums[4][2];
    size_t l = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++)
        sums[i][0] = sums[i][1] = (NAME(vector)){0};
    for (; l + 2 * LANES <= p->length; l += 2 * LANES)
#pragma GCC unroll 2
        for (size_t v = 0; v < 2; v++) {
            const NAME(vector) right = (NAME(vector))WHOLE(&x[l + v * LANES]);
#pragma GCC unroll 4
            for (size_t i = 0; i < count; i++)
                sums[i][v] = FMA((NAME(vector))WHOLE(&a[i * p->pitch + l + v * LANES]), right, sums[i][v]);
        }
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        const NAME(vector) both = sums[i][0] + sums[i][1];
        ELEMENT sum = 0;
        for (size_t rest = l; rest < p->length; rest++)
            sum += a[i * p->pitch + rest] * x[rest];
        for (size_t lane = 0; lane < LANES; lane++)
            sum += both[lane];
        to[i] = sum;
    }
}

TARGET static void NAME(dots_of_lines)(const struct packed_lines *p)
{
    size_t line = 0;
    for (; line + 4 <= p->lines; line += 4)
        NAME(dots_of)(4, p, line);
    for (; line < p->lines; line++)
        NAME(dots_of)(1, p, line);
}

/* Adds `count` lines' elements `begin` … `end`. */
TARGET static inline __attribute__((always_inline)) void NAME(add_some)(size_t count, const struct packed_lines *p,
                                                                        size_t line, size_t begin, size_t end)
{
    const ELEMENT *a = (const ELEMENT *)p->a + line * p->pitch, *x = (const ELEMENT *)p->x + line;
    ELEMENT *sums = p->sums;
    size_t l = begin;
    for (; l + LANES <= end; l += LANES) {
        NAME(vector) sum = (NAME(vector))WHOLE(&sums[l]);
#pragma GCC unroll 4
        for (size_t i = 0; i < count; i++)
            sum = FMA(BROADCAST(x[i]), (NAME(vector))WHOLE(&a[i * p->pitch + l]), sum);
        *(NAME(loose) *)(void *)&sums[l] = (NAME(loose))sum;
    }
    for (; l < end; l++)
        for (size_t i = 0; i < count; i++)
            sums[l] += x[i] * a[i * p->pitch + l];
}

TARGET static void NAME(sum_of_lines)(const struct packed_lines *p)
{
    for (size_t l = 0; l < p->length; l++)
        ((ELEMENT *)p->sums)[l] = 0;
    for (size_t begin = 0, end; begin < p->length; begin = end) {
        end = p->length - begin < SUMS_AT_ONCE ? p->length : begin + SUMS_AT_ONCE;
        size_t line = 0;
        for (; line + 4 <= p->lines; line += 4)
            NAME(add_some)(4, p, line, begin, end);
        for (; line < p->lines; line++)
            NAME(add_some)(1, p, line, begin, end);
    }
}

#undef SUMS_AT_ONCE
#undef WHOLE
