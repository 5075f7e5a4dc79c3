/* clang-format off */
/* Transposes with non-temporal stores, at the rate of memory. Each instruction set's file includes this after it has
 * defined what simd_turn.h lists, and:
 *
 *   stream(to, x)                        stores a vector to an aligned address, non-temporally
 *   fence()                              makes streamed stores visible to other threads
 *
 * Optional; without SHIFTS the defaults below hold:
 *
 *   SHIFTS(bytes)                        1 where loading two whole lines and shifting beats one load across both
 *   shift_index(bytes, skew)             the index of the vector that begins at byte `skew` of the first line
 *   load_shifted(bytes, lines, index)    that load
 *
 * Memory is fastest with long runs in either direction. So the input is read in bands of rows, along strips of its
 * columns. Within a band, a group of columns, one line wide, is transposed into a stage in L1. From there its columns
 * leave as runs of whole lines. Meanwhile the next group is transposed into the other stage, and the next band's lines
 * are prefetched into L2: reads, arithmetic and writes overlap.
 *
 * Where the output's rows do not begin at a line, the partial line at the end of each column is carried to the next
 * band. After the last band it is joined with the start of the following row. So every line is written once and whole,
 * except the first and the last one of a strip. */
/* clang-format on */

#ifndef VECTOR
#error "define what the comment above lists first"
#endif

#include <stdint.h>

#include "kernels/transpose/simd_turn.h"

#ifndef SHIFTS
#define SHIFTS(bytes) 0
#define shift_index(bytes, skew) ((void)(skew), (VECTOR){0})
#define load_shifted(bytes, lines, index) ((void)(index), load(lines))
#endif

#define BAND_LINES(bytes) ((bytes) == 1 ? 2 : 4) /* of a column, in one band */
#define BAND_ROWS(bytes) ((size_t)(BAND_LINES(bytes) * BLOCK_SIDE(bytes)))
#define STAGE_STEP(bytes) ((size_t)LINE * (1 + BAND_LINES(bytes))) /* a column, and the line carried to it */
#define STAGE_BYTES ((size_t)12288)                                /* the largest: 64 columns of bytes */
/* Columns of a strip. Carried lines must stay in L2, so a strip with them is narrower. Measured on two cores of a Zen
 * 4: 8192 × 8192 floats reach 93 to 96 % of a copy with 1024 columns, 88 to 93 % with 512; 4097 × 8191 reach 79 and 81
 * %. */
#define STRIP_COLS ((size_t)1024)
#define CARRYING_COLS ((size_t)512)
#define WINDOW 16 /* groups of a strip; as many lines of a row are called in one go */

/* Of one band of a strip. */
struct group {
    unsigned char *stage;
    unsigned char *out;     /* where its first column's first byte goes */
    unsigned char *carried; /* a line for each column: the end of the band before */
    unsigned char *begun;   /* a line for each column: its first, which the column before completes */
    size_t cols, bytes;     /* bytes: of a column */
    bool first, last;       /* the band */
    bool leftmost, rightmost;
};

/* Where a block's row r lies among whole lines: the line with its first byte, the one with its last, and how to make
 * one vector of both. As high as a line is wide, blocks further down lie alike. */
struct shift {
    ptrdiff_t low[LINE], high[LINE];
    VECTOR index[LINE];
};

struct strip {
    const struct transposition *t;
    struct part part;
    size_t in_step, out_step;
    bool joins; /* the part has all rows, without gaps: one column ends where the next begins */
    /* As high as a line is wide, all blocks lie alike among lines. A column begins `before` bytes after the line does:
     */
    size_t before[LINE];
    ptrdiff_t to[LINE], from[LINE]; /* to that line from a group's `out`, and from its stage to what belongs there */
    /* A block's row: to the first of two lines that hold it, and how to make one vector of both. */
    ptrdiff_t lines[LINE];
    VECTOR index[LINE];
    _Alignas(LINE) unsigned char stages[2][STAGE_BYTES];
    _Alignas(LINE) unsigned char carried[STRIP_COLS * LINE];
    _Alignas(LINE) unsigned char begun[(STRIP_COLS + 1) * LINE];
};

/* The last LINE bytes, from `n` bytes earlier: n times 0, then ones. */
static _Alignas(LINE) const unsigned char ones[2 * LINE] = {
#define ONES 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
    [LINE] = ONES,
    ONES,
    ONES,
    ONES,
};

static INLINE void copy_line(unsigned char *to, const unsigned char *from)
{
    for (size_t at = 0; at < LINE; at += sizeof(VECTOR)) {
        VECTOR x = load(from + at);
        memcpy(to + at, &x, sizeof x);
    }
}

/* A loop over four vectors is faster than four statements: the code is shorter. */
static INLINE void stream_line(unsigned char *to, const unsigned char *from)
{
    for (size_t at = 0; at < LINE; at += sizeof(VECTOR))
        stream(to + at, load(from + at));
}

/* A line whose first `before` bytes are the last ones at `carried`, the others those of `from`. */
static INLINE void stream_joined(unsigned char *to, const unsigned char *carried, const unsigned char *from,
                                 size_t before)
{
    for (size_t at = 0; at < LINE; at += sizeof(VECTOR)) {
        VECTOR ours = load(ones + LINE - before + at);
        stream(to + at, (load(carried + LINE - before + at) & ~ours) | (load(from + at) & ours));
    }
}

static INLINE void prefetch_line(const void *address)
{
    __builtin_prefetch(address, 0, 2); /* into the second-level cache */
}

/* ---- the beginnings and the ends ----------------------------------------------------------------------------------
 */

/* Turns a group that may be narrower than a line, or lower than a band. */
static INLINE void transpose_edge_of(const struct strip *s, const struct group *g, const unsigned char *from,
                                     const int bytes)
{
    const size_t side = BLOCK_SIDE(bytes), height = g->bytes / bytes;
    for (size_t row = 0; row < height; row += side, from += side * s->in_step) {
        unsigned char *to = g->stage + LINE + row * bytes;
        if (g->cols == side && height - row >= side) {
            transpose_block(from, s->in_step, to, STAGE_STEP(bytes), bytes);
            continue;
        }
        unsigned char tile[LINE * LINE] = {0};
        for (size_t r = 0; r < side && r < height - row; r++)
            memcpy(tile + r * LINE, from + r * s->in_step, g->cols * bytes);
        transpose_block(tile, LINE, to, STAGE_STEP(bytes), bytes);
    }
}

/* Once for each size, not once for each of the uses. */
static TARGET __attribute__((noinline)) void transpose_edge(const struct strip *s, const struct group *g,
                                                            const unsigned char *from)
{
    CALL_FOR_SIZE(s->t->bytes, transpose_edge_of, s, g, from);
}

/* Writes a group of any band: all whole lines, and what begins or ends a line. */
static TARGET __attribute__((noinline)) void write_edge(const struct strip *s, const struct group *g)
{
    const size_t bytes = s->t->bytes;
    for (size_t c = 0; c < g->cols; c++) {
        unsigned char *to = g->out + c * s->out_step, *from = g->stage + c * STAGE_STEP(bytes) + LINE;
        unsigned char *carried = g->carried + c * LINE, *begun = g->begun + c * LINE;
        size_t before = (uintptr_t)to % LINE, end = before + g->bytes, at = 0;
        if (!g->first)
            copy_line(from - LINE, carried);
        copy_line(carried, from + (size_t)(BAND_LINES(bytes) - 1) * LINE);
        to -= before, from -= before;
        if (g->first && before > 0) {
            bool shared = s->joins && !(g->leftmost && c == 0);
            memcpy((shared ? begun : to) + before, from + before, LINE - before);
            at = LINE;
        }
        for (; at + LINE <= end; at += LINE)
            stream_line(to + at, from + at);
        if (!g->last || at == end)
            continue;
        bool shared = s->joins && !(g->rightmost && c + 1 == g->cols);
        memcpy(shared ? begun + LINE : to + at, from + at, end - at);
        if (shared)
            stream_line(to + at, begun + LINE);
    }
}

/* ---- all between --------------------------------------------------------------------------------------------------
 */

/* Turns a whole group while another one, `before`, is written, and while of the rows from `below` on runs of WINDOW
 * lines are called: as many lines as the group has, `called` of the window before it. All that the loop needs stands in
 * variables of its own: after each store the compiler would read a structure again. */
static INLINE void transpose_and_write(const struct strip *s, const struct group *g, const struct group *before,
                                       const unsigned char *from, const unsigned char *below, size_t called,
                                       const int bytes, const bool aligned, const bool shifted)
{
    const int n = 16 / bytes, rows = n * joined(n), side = BLOCK_SIDE(bytes), lines = BAND_LINES(bytes);
    const size_t in_step = s->in_step, out_step = s->out_step;
    const unsigned char *const staged = before->stage;
    unsigned char *const stage = g->stage + LINE, *const out = before->out, *const carried = before->carried;
    for (int row = 0; row < lines * side; row += rows) {
        const unsigned char *block = from + (size_t)(row / side * side) * in_step;
        const size_t done = called + (size_t)row;
        const unsigned char *const call = below + done / WINDOW * in_step + done % WINDOW * LINE;
        for (int at = 0; at < LINE; at += (int)sizeof(VECTOR)) {
            VECTOR x[16];
            UNROLL
            for (int i = 0; i < rows; i++) {
                const int r = row % side + i;
                x[i] = shifted ? load_shifted(bytes, block + s->lines[r], s->index[r])
                               : load(block + (size_t)r * in_step + at);
                if (at > 0)
                    continue;
                const int col = row / lines + i / lines, line = rows % lines ? row % lines + i : i % lines;
                if (aligned) {
                    /* begin runs */
                    stream_line(out + col * out_step + (size_t)(line * LINE),
                                staged + (size_t)col * STAGE_STEP(bytes) + (size_t)((1 + line) * LINE));
                    /* end runs */
                } else if (line > 0) {
                    stream_line(out + s->to[col] + (size_t)(line * LINE),
                                staged + s->from[col] + (size_t)(line * LINE));
                } else {
                    stream_joined(out + s->to[col], carried + (size_t)(col * LINE), staged + s->from[col],
                                  s->before[col]);
                    copy_line(carried + (size_t)(col * LINE), staged + (size_t)(col + 1) * STAGE_STEP(bytes) - LINE);
                }
                prefetch_line(call + (size_t)(i * LINE));
            }
            if (shifted) /* rows that begin within a line end in one more */
                prefetch_line(call + (size_t)(rows * LINE));
            store_turned(x, stage + (size_t)(at / bytes) * STAGE_STEP(bytes) + (size_t)(row * bytes), STAGE_STEP(bytes),
                         bytes);
        }
    }
}

/* ---- a strip, a part ----------------------------------------------------------------------------------------------
 */

static INLINE void stream_strip(struct strip *s, const int bytes, const bool aligned, const bool shifted)
{
    const size_t side = BLOCK_SIDE(bytes), band = BAND_ROWS(bytes);
    const struct part part = s->part;
    const size_t cols = part.cols_end - part.col;
    struct group before = {.cols = 0};
    bool whole_before = false;
    unsigned stage = 0;
    for (size_t row = part.row; row < part.rows_end; row += band) {
        const bool last = part.rows_end - row <= band;
        /* The next block: the next band, or the next strip's first one. */
        const unsigned char *below =
            s->t->in + (last ? part.row : row + band) * s->in_step + (last ? part.cols_end : part.col) * bytes;
        for (size_t col = 0; col < cols; col += side) {
            const unsigned char *from = s->t->in + row * s->in_step + (part.col + col) * bytes;
            const size_t window = col - col % (WINDOW * side), called = (col - window) / side * band;
            const struct group g = {
                .stage = s->stages[stage ^= 1],
                .out = s->t->out + (part.col + col) * s->out_step + row * bytes,
                .carried = s->carried + col * LINE,
                .begun = s->begun + col * LINE,
                .cols = cols - col < side ? cols - col : side,
                .bytes = (last ? part.rows_end - row : band) * bytes,
                .first = row == part.row,
                .last = last,
                .leftmost = col == 0,
                .rightmost = cols - col <= side,
            };
            const bool whole = g.cols == side && g.bytes == band * bytes;
            const bool reads = whole && (!shifted || (!g.first && !g.last)); /* no line beyond the matrix */
            const bool writes = whole_before && (aligned || (!before.first && !before.last));
            const bool runs = reads && writes && cols - window >= WINDOW * side;
            for (size_t i = 0; !runs && i < band; i++)
                prefetch_line(below + i * s->in_step + col * bytes);
            if (reads && writes) {
                transpose_and_write(s, &g, &before, from, runs ? below + window * bytes : from, runs ? called : 0,
                                    bytes, aligned, shifted);
            } else {
                write_edge(s, &before);
                transpose_edge(s, &g, from);
            }
            before = g;
            whole_before = whole;
        }
    }
    write_edge(s, &before);
}

/* Where everything lies among lines. Rows of the input are shifted in whole words of 4 bytes or elements of 2. */
static INLINE void lay_out(struct strip *s, const struct transposition *t, struct part part, const int bytes,
                           bool *aligned, bool *shifted)
{
    const size_t side = BLOCK_SIDE(bytes);
    const uintptr_t in = (uintptr_t)t->in + part.row * t->in_pitch + part.col * bytes;
    const uintptr_t out = (uintptr_t)t->out + part.col * t->out_pitch + part.row * bytes;
    s->t = t;
    s->in_step = t->in_pitch, s->out_step = t->out_pitch;
    s->joins = part.row == 0 && part.rows_end == t->rows && t->out_pitch == t->rows * bytes;
    *aligned = true, *shifted = false;
    bool whole_words = true;
    for (size_t i = 0; i < side; i++) {
        size_t before = (out + i * s->out_step) % LINE, skew = (in + i * s->in_step) % LINE;
        s->before[i] = before;
        s->to[i] = (ptrdiff_t)(i * s->out_step - before);
        s->from[i] = (ptrdiff_t)(i * STAGE_STEP(bytes) + LINE - before);
        const size_t into = skew > 0 ? skew : LINE; /* never a line beyond the row's */
        s->lines[i] = (ptrdiff_t)(i * s->in_step - into);
        s->index[i] = shift_index(bytes, into);
        *aligned = *aligned && before == 0;
        *shifted = *shifted || skew != 0;
        whole_words = whole_words && skew % (bytes < 4 ? bytes : 4) == 0;
    }
    *shifted = *shifted && SHIFTS(bytes) && whole_words;
}

static INLINE void stream_part(const struct transposition *t, struct part part, const int bytes)
{
    struct strip s;
    bool aligned, shifted;
    if (part.rows_end - part.row <= BAND_ROWS(bytes)) {
        keep_part(t, part, bytes);
        return;
    }
    lay_out(&s, t, part, bytes, &aligned, &shifted);
    const size_t width = aligned ? STRIP_COLS : CARRYING_COLS;
    for (s.part = part; s.part.col < part.cols_end; s.part.col += width) {
        s.part.cols_end = part.cols_end - s.part.col < width ? part.cols_end : s.part.col + width;
        if (aligned && shifted)
            stream_strip(&s, bytes, true, true);
        else if (aligned)
            stream_strip(&s, bytes, true, false);
        else if (shifted)
            stream_strip(&s, bytes, false, true);
        else
            stream_strip(&s, bytes, false, false);
    }
    fence();
}

static TARGET void stream_all(const struct transposition *t, struct part part)
{
    CALL_FOR_SIZE(t->bytes, stream_part, t, part);
}
