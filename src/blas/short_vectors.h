/* Of one element type and instruction set, included by short_vectors.c: REAL, NAME(x), VECTOR of LANES elements, OF(x)
 * for an intrinsic of the type, MASK, FIRST(count) for the mask of the first lanes, LOAD_SOME(p, mask), AS_VECTOR of a
 * mask; FOUR elements and OF_FOUR(x). HAS_MASKS where masks cost nothing; else WIDER(x) is the name of what has longer
 * registers. Lanes behind the last element are zeros times zeros, which raise no
 * exception flag. */
#ifndef NAME
#error "define NAME and the rest first: short_vectors.c does"
#endif

/* At least one element. */
TARGET KIND REAL NAME(blas_short_dot)(const REAL *x, const REAL *y, size_t count)
{
    if (count <= FEW) {
        REAL sum = x[0] * y[0];
        for (size_t i = 1; i < count; i++)
            sum += x[i] * y[i];
        return sum;
    }
#ifdef WIDER
    if (is_wide && count >= 8 * LANES)
        return WIDER(blas_short_dot)(x, y, count);
#endif
    VECTOR first = OF(setzero)(), second = first, third = first, fourth = first;
    size_t at = 0;
    for (; at + 4 * LANES <= count; at += 4 * LANES) {
        first = OF(fmadd)(OF(loadu)(&x[at]), OF(loadu)(&y[at]), first);
        second = OF(fmadd)(OF(loadu)(&x[at + LANES]), OF(loadu)(&y[at + LANES]), second);
        third = OF(fmadd)(OF(loadu)(&x[at + 2 * LANES]), OF(loadu)(&y[at + 2 * LANES]), third);
        fourth = OF(fmadd)(OF(loadu)(&x[at + 3 * LANES]), OF(loadu)(&y[at + 3 * LANES]), fourth);
    }
    if (count - at >= 2 * LANES) {
        first = OF(fmadd)(OF(loadu)(&x[at]), OF(loadu)(&y[at]), first);
        second = OF(fmadd)(OF(loadu)(&x[at + LANES]), OF(loadu)(&y[at + LANES]), second);
        at += 2 * LANES;
    }
    if (count - at >= LANES) {
        third = OF(fmadd)(OF(loadu)(&x[at]), OF(loadu)(&y[at]), third);
        at += LANES;
    }
    if (at < count) {
        const MASK rest = FIRST(count - at);
        fourth = OF(fmadd)(LOAD_SOME(&x[at], rest), LOAD_SOME(&y[at], rest), fourth);
    }
    return NAME(add_lanes)(OF(add)(OF(add)(first, second), OF(add)(third, fourth)));
}

/* ---- y = alpha·op(A)·x + beta·y ---------------------------------------------------------------------------------- */

/* A's lines are what follows one another in memory. */
struct NAME(gemv) {
    size_t lines, length, pitch;
    REAL alpha, beta;
    const REAL *a, *x;
    REAL *y;
};

static inline void NAME(update)(const struct NAME(gemv) * g, REAL sum, size_t at)
{
    g->y[at] = g->beta == 0 ? g->alpha * sum : g->alpha * sum + g->beta * g->y[at];
}

/* Sums of four lines, which share the loads of x. */
TARGET static INLINE void NAME(four_dots)(const struct NAME(gemv) * g, size_t line)
{
    const REAL *a = &g->a[line * g->pitch], *b = a + g->pitch, *c = b + g->pitch, *d = c + g->pitch;
    VECTOR of_a = OF(setzero)(), of_b = of_a, of_c = of_a, of_d = of_a;
    size_t at = 0;
    for (; at + LANES <= g->length; at += LANES) {
        const VECTOR x = OF(loadu)(&g->x[at]);
        of_a = OF(fmadd)(OF(loadu)(&a[at]), x, of_a);
        of_b = OF(fmadd)(OF(loadu)(&b[at]), x, of_b);
        of_c = OF(fmadd)(OF(loadu)(&c[at]), x, of_c);
        of_d = OF(fmadd)(OF(loadu)(&d[at]), x, of_d);
    }
    if (at < g->length) {
        const MASK rest = FIRST(g->length - at);
        const VECTOR x = LOAD_SOME(&g->x[at], rest);
        of_a = OF(fmadd)(LOAD_SOME(&a[at], rest), x, of_a);
        of_b = OF(fmadd)(LOAD_SOME(&b[at], rest), x, of_b);
        of_c = OF(fmadd)(LOAD_SOME(&c[at], rest), x, of_c);
        of_d = OF(fmadd)(LOAD_SOME(&d[at], rest), x, of_d);
    }
    FOUR sums = OF_FOUR(mul)(OF_FOUR(set1)(g->alpha), NAME(add_four)(of_a, of_b, of_c, of_d));
    if (g->beta != 0)
        sums = OF_FOUR(fmadd)(OF_FOUR(set1)(g->beta), OF_FOUR(loadu)(&g->y[line]), sums);
    OF_FOUR(storeu)(&g->y[line], sums);
}

TARGET static INLINE void NAME(dots)(const struct NAME(gemv) * g)
{
    size_t line = 0;
    for (; line + 4 <= g->lines; line += 4)
        NAME(four_dots)(g, line);
    for (; line < g->lines; line++)
        NAME(update)(g, NAME(blas_short_dot)(&g->a[line * g->pitch], g->x, g->length), line);
}

#ifndef HAS_MASKS
#define A_LINE(p, whole) ((whole) ? OF(loadu)(p) : LOAD_SOME(p, lanes))
#define REPEATED(value, whole) ((whole) ? OF(set1)(value) : OF(and)(OF(set1)(value), AS_VECTOR(lanes)))

/* A register of all lines' sum, or of its first lanes. Sums of every fourth line do not wait for each other. */
TARGET static INLINE VECTOR NAME(sum_lines)(const struct NAME(gemv) * g, size_t at, bool whole, MASK lanes)
{
    const REAL *a = &g->a[at];
    VECTOR sums[4] = {OF(setzero)(), OF(setzero)(), OF(setzero)(), OF(setzero)()};
    size_t line = 0;
    for (; line + 4 <= g->lines; line += 4)
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++, a += g->pitch)
            sums[i] = OF(fmadd)(A_LINE(a, whole), REPEATED(g->x[line + i], whole), sums[i]);
    for (; line < g->lines; line++, a += g->pitch)
        sums[0] = OF(fmadd)(A_LINE(a, whole), REPEATED(g->x[line], whole), sums[0]);
    return OF(add)(OF(add)(sums[0], sums[1]), OF(add)(sums[2], sums[3]));
}

/* The first lanes, fewer than all; a masked store takes some 40 steps on Zen. */
TARGET static inline void NAME(put_some)(REAL *to, VECTOR sum, size_t count)
{
    REAL some[LANES], *from = some;
    OF(storeu)(some, sum);
#define PUT(part)                                          \
    if (count & (part)) {                                  \
        __builtin_memcpy(to, from, (part) * sizeof(REAL)); \
        to += (part), from += (part);                      \
    }
    if (LANES > 4)
        PUT(4)
    PUT(2)
    PUT(1)
#undef PUT
}

/* A register of y whose first lanes are `count` elements. */
TARGET static INLINE void NAME(sum_some)(const struct NAME(gemv) * g, size_t at, size_t count)
{
    const MASK lanes = FIRST(count);
    VECTOR sum = OF(mul)(REPEATED(g->alpha, false), NAME(sum_lines)(g, at, false, lanes));
    if (g->beta != 0)
        sum = OF(fmadd)(REPEATED(g->beta, false), LOAD_SOME(&g->y[at], lanes), sum);
    NAME(put_some)(&g->y[at], sum, count);
}
#endif

TARGET static INLINE void NAME(put_sum)(const struct NAME(gemv) * g, size_t at, VECTOR sum)
{
    sum = OF(mul)(OF(set1)(g->alpha), sum);
    if (g->beta != 0)
        sum = OF(fmadd)(OF(set1)(g->beta), OF(loadu)(&g->y[at]), sum);
    OF(storeu)(&g->y[at], sum);
}

#ifndef HAS_MASKS
/* A whole register of y. */
TARGET static INLINE void NAME(sum_one)(const struct NAME(gemv) * g, size_t at)
{
    NAME(put_sum)(g, at, NAME(sum_lines)(g, at, true, FIRST(0)));
}
#endif

/* Four whole registers of y. */
TARGET static INLINE void NAME(sum_four)(const struct NAME(gemv) * g, size_t at)
{
    const REAL *a = &g->a[at];
    VECTOR first = OF(setzero)(), second = first, third = first, fourth = first;
    for (size_t line = 0; line < g->lines; line++, a += g->pitch) {
        const VECTOR x = OF(set1)(g->x[line]);
        first = OF(fmadd)(OF(loadu)(&a[0]), x, first);
        second = OF(fmadd)(OF(loadu)(&a[LANES]), x, second);
        third = OF(fmadd)(OF(loadu)(&a[2 * LANES]), x, third);
        fourth = OF(fmadd)(OF(loadu)(&a[3 * LANES]), x, fourth);
    }
    NAME(put_sum)(g, at, first);
    NAME(put_sum)(g, at + LANES, second);
    NAME(put_sum)(g, at + 2 * LANES, third);
    NAME(put_sum)(g, at + 3 * LANES, fourth);
}

#ifdef HAS_MASKS
/* The last registers of y, with `count` elements. */
TARGET static INLINE void NAME(sum_last)(const struct NAME(gemv) * g, size_t at, size_t registers, size_t count)
{
    const REAL *a = &g->a[at];
    const size_t last = (registers - 1) * LANES;
    const __typeof__(FIRST(0)) some = FIRST(count - last);
    VECTOR sums[4] = {OF(setzero)(), OF(setzero)(), OF(setzero)(), OF(setzero)()};
    for (size_t line = 0; line < g->lines; line++, a += g->pitch) {
        const VECTOR x = OF(set1)(g->x[line]);
#pragma GCC unroll 4
        for (size_t v = 0; v + 1 < registers; v++)
            sums[v] = OF(fmadd)(OF(loadu)(&a[v * LANES]), x, sums[v]);
        sums[3] = OF(mask3_fmadd)(LOAD_SOME(&a[last], some), x, sums[3], some);
    }
#pragma GCC unroll 4
    for (size_t v = 0; v + 1 < registers; v++)
        NAME(put_sum)(g, at + v * LANES, sums[v]);
    sums[3] = OF(maskz_mul)(some, OF(set1)(g->alpha), sums[3]);
    if (g->beta != 0)
        sums[3] = OF(mask3_fmadd)(LOAD_SOME(&g->y[at + last], some), OF(set1)(g->beta), sums[3], some);
    OF(mask_storeu)(&g->y[at + last], some, sums[3]);
}
#endif

#ifdef HAS_MASKS
TARGET void NAME(blas_copy)(BLAS_COPY_OF_LINES(REAL))
{
    const VECTOR by = OF(set1)(alpha);
    if (lda == length && ldb == length)
        length *= lines, lines = 1;
    for (; lines > 0; lines--, a += lda, b += ldb) {
        size_t at = 0;
        for (; at + LANES <= length; at += LANES)
            OF(storeu)(&b[at], OF(mul)(by, OF(loadu)(&a[at])));
        const __typeof__(FIRST(0)) some = FIRST(length - at);
        if (at < length)
            OF(mask_storeu)(&b[at], some, OF(maskz_mul)(some, by, LOAD_SOME(&a[at], some)));
    }
}
#endif

TARGET static INLINE void NAME(sums)(const struct NAME(gemv) * g)
{
    size_t at = 0;
    for (; at + 4 * LANES <= g->length; at += 4 * LANES)
        NAME(sum_four)(g, at);
#ifdef HAS_MASKS
    const size_t left = g->length - at;
    if (left > 3 * LANES)
        NAME(sum_last)(g, at, 4, left);
    else if (left > 2 * LANES)
        NAME(sum_last)(g, at, 3, left);
    else if (left > LANES)
        NAME(sum_last)(g, at, 2, left);
    else if (left > 0)
        NAME(sum_last)(g, at, 1, left);
#else
    for (; at + LANES <= g->length; at += LANES)
        NAME(sum_one)(g, at);
    if (at < g->length)
        NAME(sum_some)(g, at, g->length - at);
#endif
}

TARGET KIND void NAME(blas_dots_of_lines)(BLAS_OF_LINES(REAL))
{
#ifdef WIDER
    if (is_wide && (length >= 2 * LANES || (length == 1 && pitch == 1 && lines >= 2 * LANES))) {
        WIDER(blas_dots_of_lines)(lines, length, pitch, alpha, beta, a, x, y);
        return;
    }
#endif
    const struct NAME(gemv) g = {lines, length, pitch, alpha, beta, a, x, y};
    if (length == 1 && pitch == 1) { /* one line of another matrix */
        const struct NAME(gemv) turned = {1, lines, pitch, alpha, beta, a, x, y};
        NAME(sums)(&turned);
    } else
        NAME(dots)(&g);
}

TARGET KIND void NAME(blas_sum_of_lines)(BLAS_OF_LINES(REAL))
{
#ifdef WIDER
    if (is_wide && length > LANES) {
        WIDER(blas_sum_of_lines)(lines, length, pitch, alpha, beta, a, x, y);
        return;
    }
#endif
    const struct NAME(gemv) g = {lines, length, pitch, alpha, beta, a, x, y};
    if (length == 1 && pitch == 1)
        NAME(update)(&g, NAME(blas_short_dot)(a, x, lines), 0);
    else
        NAME(sums)(&g);
}

#ifndef HAS_MASKS
#undef A_LINE
#undef REPEATED
#endif
