/* Products of a matrix with one vector, along the lines of the matrix: packing would read it twice. Included by
 * packed_tiles.h, whose macros it uses. Several lines at a time share the loads of the vector, or of the sums. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define SUMS_AT_ONCE (16384 / sizeof(ELEMENT)) /* half of the first-level cache */
#define WHOLE(p) (*(const NAME(loose) *)(const void *)(p))

/* Of a vector the first `count` elements, fewer than all; others are 0. */
TARGET static inline __attribute__((always_inline)) void NAME(load_rest)(NAME(vector) * to, const ELEMENT *from,
                                                                         size_t count)
{
#if defined(MASK)
    *to = (NAME(vector))OF(512, maskz_loadu)((MASK)((1u << count) - 1), from);
#elif defined(REST)
    *to = (NAME(vector))REST_LOAD(from, REST_OF(count));
#else
    *to = (NAME(vector)){0};
    for (size_t i = 0; i < count; i++)
        (*to)[i] = from[i];
#endif
}

/* The dot products of `count` lines, at most four. */
TARGET static inline __attribute__((always_inline)) void NAME(dots_of)(size_t count, const struct packed_lines *p,
                                                                       size_t line)
{
    const ELEMENT *a = (const ELEMENT *)p->a + line * p->pitch, *x = p->x;
    ELEMENT *to = (ELEMENT *)p->sums + line;
    NAME(vector) sums[4][2], both[4] = {0};
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
    if (l + LANES <= p->length) {
        const NAME(vector) right = (NAME(vector))WHOLE(&x[l]);
#pragma GCC unroll 4
        for (size_t i = 0; i < count; i++)
            sums[i][0] = FMA((NAME(vector))WHOLE(&a[i * p->pitch + l]), right, sums[i][0]);
        l += LANES;
    }
    if (l < p->length) {
        NAME(vector) left, right;
        NAME(load_rest)(&right, &x[l], p->length - l);
#pragma GCC unroll 4
        for (size_t i = 0; i < count; i++) {
            NAME(load_rest)(&left, &a[i * p->pitch + l], p->length - l);
            sums[i][1] = FMA(left, right, sums[i][1]);
        }
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++)
        both[i] = sums[i][0] + sums[i][1];
    NAME(four) all;
    NAME(add_lanes)(&all, both);
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++)
        to[i] = all[i];
}

TARGET static void NAME(dots_of_lines)(const struct packed_lines *p)
{
    size_t line = 0;
    for (; line + 4 <= p->lines; line += 4)
        NAME(dots_of)(4, p, line);
    for (; line < p->lines; line++)
        NAME(dots_of)(1, p, line);
}

TARGET static inline __attribute__((always_inline)) void NAME(put_rest)(ELEMENT *to, NAME(vector) x, size_t count)
{
#if defined(MASK)
    OF(512, mask_storeu)(to, (MASK)((1u << count) - 1), x);
#else
    for (size_t i = 0; i < count; i++)
        to[i] = x[i];
#endif
}

/* Adds `count` lines' elements `begin` … `end`, at most eight lines. */
TARGET static inline __attribute__((always_inline)) void NAME(add_some)(size_t count, const struct packed_lines *p,
                                                                        size_t line, size_t begin, size_t end)
{
    const ELEMENT *a = (const ELEMENT *)p->a + line * p->pitch, *x = (const ELEMENT *)p->x + line;
    ELEMENT *sums = p->sums;
    NAME(vector) factors[8]; /* the compiler could not know that sums do not change them */
    size_t l = begin;
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++)
        factors[i] = (NAME(vector))BROADCAST(x[i]);
    for (; l + LANES <= end; l += LANES) {
        NAME(vector) sum = (NAME(vector))WHOLE(&sums[l]);
#pragma GCC unroll 8
        for (size_t i = 0; i < count; i++)
            sum = FMA(factors[i], (NAME(vector))WHOLE(&a[i * p->pitch + l]), sum);
        *(NAME(loose) *)(void *)&sums[l] = (NAME(loose))sum;
    }
    if (l < end) {
        NAME(vector) sum, right;
        NAME(load_rest)(&sum, &sums[l], end - l);
#pragma GCC unroll 8
        for (size_t i = 0; i < count; i++) {
            NAME(load_rest)(&right, &a[i * p->pitch + l], end - l);
            sum = FMA(factors[i], right, sum);
        }
        NAME(put_rest)(&sums[l], sum, end - l);
    }
}

TARGET static void NAME(sum_of_lines)(const struct packed_lines *p)
{
    for (size_t l = 0; l < p->length; l++)
        ((ELEMENT *)p->sums)[l] = 0;
    for (size_t begin = 0, end; begin < p->length; begin = end) {
        end = p->length - begin < SUMS_AT_ONCE ? p->length : begin + SUMS_AT_ONCE;
        size_t line = 0;
        for (; line + 8 <= p->lines; line += 8)
            NAME(add_some)(8, p, line, begin, end);
        for (; line + 4 <= p->lines; line += 4)
            NAME(add_some)(4, p, line, begin, end);
        for (; line < p->lines; line++)
            NAME(add_some)(1, p, line, begin, end);
    }
}

#undef SUMS_AT_ONCE
#undef WHOLE
