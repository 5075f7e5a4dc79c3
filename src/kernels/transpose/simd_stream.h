/* Transposing past the caches, at the rate of memory: what each instruction set's file includes after it has said
 * what simd_turn.h asks for and
 *
 *   stream_line(to, from)       one line, from any address to the beginning of a line, past the caches
 *   fence()                     what was streamed is visible to other threads
 *   SHIFTS(bytes)               (or nothing of the rest) 1 where it pays to load two whole lines and shift, rather than
 * one vector across both: shift_index, load_shifted   the index for a vector that begins at byte `skew` of the first
 * line; the load
 *
 * Memory answers best to long runs in either direction, so the input is walked in bands of rows, along strips of its
 * columns. Of a band, a group of columns, one line wide, is turned into a stage in the first-level cache. From there
 * its columns leave as runs of whole lines, while the next group is turned into the other stage and the next band's
 * lines are called into the second-level cache: reading, turning and writing do not wait for each other.
 *
 * Where the output's rows do not begin with a line, the unfinished line at the end of each column is carried into the
 * next band; after the last band it is joined with the beginning of the row that follows. So each line is written once
 * and whole, but for the first and the last one of a strip. */

#ifndef VECTOR
#error "define what the comment above lists first"
#endif

#include <stdint.h>

#include "kernels/transpose/simd_turn.h"

#ifndef SHIFTS
#define SHIFTS(bytes) 0
#define shift_index(bytes, skew) ((void)(skew), (VECTOR){0})
#define load_shifted(bytes, low, high, index) ((void)(high), (void)(index), load(low))
#endif

#define BAND_LINES(bytes) ((bytes) == 1 ? 2 : 4) /* of a column, in one band */
#define BAND_ROWS(bytes) ((size_t)(BAND_LINES(bytes) * BLOCK_SIDE(bytes)))
#define STAGE_STEP(bytes) ((size_t)LINE * (1 + BAND_LINES(bytes))) /* a column, and the line carried to it */
#define STAGE_BYTES ((size_t)12288)                                /* the largest: 64 columns of bytes */
#define STRIP_COLS ((size_t)1024)
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
    bool joins;                     /* the part has all rows: one column ends where the next begins */
    ptrdiff_t to[LINE], from[LINE]; /* a column's first line: from a group's `out`, and from its stage */
    struct shift shift;
    _Alignas(LINE) unsigned char stages[2][STAGE_BYTES];
    _Alignas(LINE) unsigned char carried[STRIP_COLS * LINE];
    _Alignas(LINE) unsigned char begun[(STRIP_COLS + 1) * LINE];
};

static INLINE void copy_line(unsigned char *to, const unsigned char *from)
{
    UNROLL
    for (size_t at = 0; at < LINE; at += sizeof(VECTOR)) {
        VECTOR x = load(from + at);
        memcpy(to + at, &x, sizeof x);
    }
}

static INLINE void call_line(const void *address)
{
    __builtin_prefetch(address, 0, 2); /* into the second-level cache */
}

/* ---- the beginnings and the ends ----------------------------------------------------------------------------------
 */

/* Before and after a group is turned: each column is preceded by the end of the band before, and its own is kept. */
static INLINE void take_carried(const struct group *g, const int bytes)
{
    for (int c = 0; c < BLOCK_SIDE(bytes); c++)
        copy_line(g->stage + c * STAGE_STEP(bytes), g->carried + c * LINE);
}

static INLINE void leave_carried(const struct group *g, const int bytes)
{
    for (int c = 0; c < BLOCK_SIDE(bytes); c++)
        copy_line(g->carried + c * LINE, g->stage + (c + 1) * STAGE_STEP(bytes) - LINE);
}

/* Turns a group that may be narrower than a line, or lower than a band. */
static INLINE void turn_edge_of(const struct strip *s, const struct group *g, const unsigned char *from,
                                const int bytes)
{
    const size_t side = BLOCK_SIDE(bytes), height = g->bytes / bytes;
    if (!g->first)
        take_carried(g, bytes);
    for (size_t row = 0; row < height; row += side, from += side * s->in_step) {
        unsigned char *to = g->stage + LINE + row * bytes;
        if (g->cols == side && height - row >= side) {
            turn_block(from, s->in_step, to, STAGE_STEP(bytes), bytes);
            continue;
        }
        unsigned char tile[LINE * LINE] = {0};
        for (size_t r = 0; r < side && r < height - row; r++)
            memcpy(tile + r * LINE, from + r * s->in_step, g->cols * bytes);
        turn_block(tile, LINE, to, STAGE_STEP(bytes), bytes);
    }
    leave_carried(g, bytes);
}

/* Once for each size, not once for each of the uses. */
static TARGET __attribute__((noinline)) void turn_edge(const struct strip *s, const struct group *g,
                                                       const unsigned char *from)
{
    CALL_FOR_SIZE(s->t->bytes, turn_edge_of, s, g, from);
}

/* Writes a group of any band: all whole lines, and what begins or ends a line. */
static TARGET __attribute__((noinline)) void write_edge(const struct strip *s, const struct group *g)
{
    const size_t bytes = s->t->bytes;
    for (size_t c = 0; c < g->cols; c++) {
        unsigned char *to = g->out + c * s->out_step;
        const unsigned char *from = g->stage + c * STAGE_STEP(bytes) + LINE;
        unsigned char *begun = g->begun + c * LINE;
        size_t before = (uintptr_t)to % LINE, end = before + g->bytes, at = 0;
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

/* Which lines of the next band are called while a group is turned: in a whole window of groups, runs of WINDOW lines,
 * row after row; elsewhere the lines below the group's own. */
struct call {
    const unsigned char *from;
    size_t done; /* lines of the window so far */
    bool runs;
};

/* Where the lines called beside row `row` of the group begin. */
static INLINE const unsigned char *called(const struct call call, size_t row, size_t in_step)
{
    const size_t done = call.done + row;
    return call.runs ? call.from + done / WINDOW * in_step + done % WINDOW * LINE : call.from + row * in_step;
}

/* Turns a whole group while another one, `before`, is written. All that the loop needs stands in variables of its own:
 * after each store the compiler would read a structure again. */
static INLINE void turn_and_write(const struct strip *s, const struct group *g, const struct group *before,
                                  const unsigned char *from, const struct call call, const int bytes,
                                  const bool aligned, const bool shifted)
{
    const int n = 16 / bytes, rows = n * joined(n), side = BLOCK_SIDE(bytes), lines = BAND_LINES(bytes);
    const size_t in_step = s->in_step, out_step = s->out_step, call_step = call.runs ? LINE : in_step;
    const unsigned char *const staged = before->stage + (aligned ? LINE : 0);
    unsigned char *const stage = g->stage + LINE, *const out = before->out;
    if (!aligned)
        take_carried(g, bytes);
    for (int row = 0; row < lines * side; row += rows) {
        const unsigned char *block = from + (size_t)(row / side * side) * in_step;
        const unsigned char *below = called(call, (size_t)row, in_step);
        for (int at = 0; at < LINE; at += (int)sizeof(VECTOR)) {
            VECTOR x[16];
            UNROLL
            for (int i = 0; i < rows; i++) {
                const int r = row % side + i;
                x[i] = shifted
                           ? load_shifted(bytes, block + s->shift.low[r], block + s->shift.high[r], s->shift.index[r])
                           : load(block + (size_t)r * in_step + at);
                if (at > 0)
                    continue;
                const int col = row / lines + i / lines, line = rows % lines ? row % lines + i : i % lines;
                const ptrdiff_t to = aligned ? (ptrdiff_t)(col * out_step) : s->to[col];
                const ptrdiff_t its = aligned ? (ptrdiff_t)(col * STAGE_STEP(bytes)) : s->from[col];
                stream_line(out + to + line * LINE, staged + its + line * LINE);
                call_line(below + i * call_step);
            }
            if (shifted) /* rows that begin within a line end in one more */
                call_line(below + rows * LINE);
            store_turned(x, stage + (size_t)(at / bytes) * STAGE_STEP(bytes) + row * bytes, STAGE_STEP(bytes), bytes);
        }
    }
    if (!aligned)
        leave_carried(g, bytes);
}

/* ---- a strip, a part ----------------------------------------------------------------------------------------------
 */

static INLINE void stream_strip(struct strip *s, const int bytes, const bool aligned, const bool shifted)
{
    const size_t side = BLOCK_SIDE(bytes), band = BAND_ROWS(bytes);
    const struct part part = s->part;
    const size_t cols = part.cols_end - part.col;
    struct group before = {.cols = 0};
    unsigned stage = 0;
    for (size_t row = part.row; row < part.rows_end; row += band) {
        const bool last = part.rows_end - row <= band;
        const unsigned char *below = s->t->in + (last ? row : row + band) * s->in_step + part.col * bytes;
        for (size_t col = 0; col < cols; col += side) {
            const unsigned char *from = s->t->in + row * s->in_step + (part.col + col) * bytes;
            const size_t window = col / (WINDOW * side) * (WINDOW * side);
            const bool runs = cols - window >= WINDOW * side;
            const struct call call = {below + (runs ? window : col) * bytes, (col - window) / side * band, runs};
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
            const bool inner = before.cols == side && !before.first && !last && g.cols == side;
            if (inner) {
                turn_and_write(s, &g, &before, from, call, bytes, aligned, shifted);
            } else {
                write_edge(s, &before);
                for (size_t i = 0; i < band; i++)
                    call_line(called(call, i, s->in_step));
                turn_edge(s, &g, from);
            }
            before = g;
        }
    }
    write_edge(s, &before);
}

/* Where everything lies among lines. Rows of the input are shifted in whole words of 4 bytes or elements of 2. */
static INLINE void lay_out(struct strip *s, const struct transposition *t, struct part part, const int bytes,
                           bool *aligned, bool *shifted)
{
    const size_t side = BLOCK_SIDE(bytes);
    const uintptr_t in = (uintptr_t)t->in + (part.row * t->cols + part.col) * bytes;
    const uintptr_t out = (uintptr_t)t->out + (part.col * t->rows + part.row) * bytes;
    s->t = t;
    s->in_step = t->cols * bytes, s->out_step = t->rows * bytes;
    s->joins = part.row == 0 && part.rows_end == t->rows;
    *aligned = true, *shifted = false;
    bool whole_words = true;
    for (size_t i = 0; i < side; i++) {
        size_t before = (out + i * s->out_step) % LINE, skew = (in + i * s->in_step) % LINE;
        s->to[i] = (ptrdiff_t)(i * s->out_step - before);
        s->from[i] = (ptrdiff_t)(i * STAGE_STEP(bytes) + LINE - before);
        s->shift.low[i] = (ptrdiff_t)(i * s->in_step - skew);
        s->shift.high[i] = s->shift.low[i] + (skew > 0 ? LINE : 0);
        s->shift.index[i] = shift_index(bytes, skew);
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
    for (s.part = part; s.part.col < part.cols_end; s.part.col += STRIP_COLS) {
        s.part.cols_end = part.cols_end - s.part.col < STRIP_COLS ? part.cols_end : s.part.col + STRIP_COLS;
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

static TARGET void stream(const struct transposition *t, struct part part)
{
    CALL_FOR_SIZE(t->bytes, stream_part, t, part);
}
