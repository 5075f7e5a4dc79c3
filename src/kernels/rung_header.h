/* A device rung is one file; the comment block at its top states what the lab must know (docs/adding-a-rung.md):
 *
 *   // rung:    padded
 *   // idea:    the tile's rows are one word longer, so reading a column meets 32 different banks
 *   // tune:    TILE = 32 in 16 32; ROWS = 8 in 1 2 4 8 16 32
 *   // group:   TILE, ROWS
 *   // groups:  ceil(cols / TILE), ceil(rows / TILE)
 *   // entry:   transpose                         the kernel function; the kernel's name when absent
 *   // args:    in, out, rows, cols               arrays, "scratch", int(x), long(x), float(x), double(x), real
 *                                                 names, or sizes (as long); all arrays, then all fields (sizes and
 *                                                 choices as long, reals as the element type) when absent
 *   // require: rows % 4 == 0, the rows come in fours    a condition, and the reason when it does not hold; it may use
 *                                                 the device's compute (CUDA: 9.0, elsewhere 0) and local_bytes
 *   // needs:   double images                     features of the device
 *   // scratch: 4 * ceil(cols / TILE)             bytes
 *   // bound:   16 * epsilon                      the error it promises, where its kernel asks for one (dot)
 *   // tensor:  6                                 on tensor cores (.cu only): bfloat16 products for one of ours
 *   // takes:   batch                             fields that most rungs of the kernel do not know, and this one does
 *   // local:   4 * TILE * (TILE + 1)             dynamic local memory (.cu only)
 *
 * rung, idea, group and groups are required (the last two not where a host half launches). Only tune and require
 * may have several lines. The block is the `//` lines at the very top; one that is not "key: value"
 * is prose and ignored. Tunables are written in capitals; a list without the default moves it to the largest
 * listed value below it.
 *
 * Programs see the macros ELEMENT, ELEMENT_BYTES, GROUP_X, GROUP_Y, GROUP_Z, the tunables (of the group and the
 * tunables those that their code mentions), and each choice of the problem (unless it is host_only) as its number under
 * its name in capitals (TRANSA=1), and for each size in `takes` whether it differs from its default (BATCH=1).
 *
 * The same reader serves our embedded files and the user's own. */
#pragma once

#include "kernels/kernel.h"

#define SOURCE_EXPRESSION_MAX 256
#define SOURCE_NAME_MAX 64
#define SOURCE_PATH_MAX 1024
#define SOURCE_REQUIRES_MAX 12
#define SOURCE_ARGUMENTS_MAX 24

struct source_requirement {
    char condition[SOURCE_EXPRESSION_MAX];
    char reason[SOURCE_EXPRESSION_MAX];
};

/* The same rung in OpenGL's language: naive.glsl beside naive.cl. Its header says the same. */
struct source_twin {
    char path[256];
    const char *text; /* NULL: there is none */
};

struct device_source {
    char path[SOURCE_PATH_MAX];
    const char *text;
    enum language language;
    struct source_twin twin; /* of a .cl file */
    int rank;                /* of the index space: how many expressions `groups` has; 0 when the host half launches */
    char group[3][SOURCE_EXPRESSION_MAX];
    char groups[3][SOURCE_EXPRESSION_MAX];
    char entry[SOURCE_NAME_MAX];
    char arguments[SOURCE_ARGUMENTS_MAX][SOURCE_EXPRESSION_MAX];
    size_t argument_count; /* 0: the default list */
    struct source_requirement requirements[SOURCE_REQUIRES_MAX];
    size_t requirement_count;
    bool needs_double, needs_images;
    char scratch[SOURCE_EXPRESSION_MAX];
    char local[SOURCE_EXPRESSION_MAX];
};

/* Reads the header of `text` (which must outlive the rung) and makes a rung of it. `path` ends in ".cl", ".cu"
 * or ".glsl".
 * `host_half`, when not NULL, supplies supports, scratch, prepare, finish and enqueue where it has them.
 * Both results are malloc'ed; free with device_rung_free. STATUS_INVALID names the file, the line and what would be
 * right. */
enum status device_rung_read(const struct kernel *kernel, const char *path, const char *text,
                             const struct rung *host_half, struct rung **rung, struct error *error);
void device_rung_free(struct rung *rung);

/* Gives the rung of a .cl file its OpenGL source, whose text must outlive the rung; from then on it runs on OpenGL,
 * too. STATUS_INVALID names the first line of the twin's header (but `idea`) that the rung's own does not have. */
enum status device_rung_join(struct rung *rung, const char *path, const char *text, struct error *error);

/* The text that a device compiles, and its language: the twin's on OpenGL. */
struct source_text {
    const char *path, *text;
    enum language language;
};
struct source_text device_source_for(const struct device_source *source, const struct device *device);

/* NULL, or why this problem cannot run there: what the header asks of the device and the problem, and the device's
 * limits on groups. A part of rung_refuses. */
const char *device_rung_refuses(const struct rung *rung, const struct problem *problem, const struct device *device,
                                const struct parameters *parameters, char *reason, size_t size);

/* ---- what a plain device rung does; a host half may call these too ---- */

/* Builds the program and evaluates the launch that the header describes, so that enqueue only launches. */
enum status device_rung_prepare(struct run *run, struct error *error);
void device_rung_finish(struct run *run);
enum status device_rung_enqueue(struct run *run, struct error *error);

/* After device_rung_prepare: the program, and the launch made ready, its buffers those that `run` has now. A host half
 * copies the launch and changes what differs from one launch to the next. */
struct program *device_rung_program(const struct run *run);
const struct launch *device_rung_ready(struct run *run);

/* ---- the pieces, for host halves with a state of their own ---- */

/* Builds the file's program with the problem's and the parameters' macros; the caller discards it. */
enum status device_rung_build(const struct run *run, struct program **program, struct error *error);

/* Evaluates an expression over the problem's sizes, the run's parameters and element_bytes. */
enum status device_rung_integer(const struct run *run, const char *expression, int64_t *value, struct error *error);

/* Writes the header's entry, rank, group, groups and local memory; no arguments. */
enum status device_rung_shape(const struct run *run, struct launch *launch, struct error *error);

/* Launches once with these arguments. What `launch` leaves 0 (entry, rank with group and groups) is the header's, and
 * evaluated now: in a loop on the clock, take it from device_rung_shape before. */
enum status device_rung_launch(const struct run *run, struct program *program, const struct launch *launch,
                               struct error *error);

/* A program's macros ("TILE=32"), for whoever compiles without a device: fills `defines` with malloc'ed strings. */
enum status device_rung_defines(const struct rung *rung, const struct problem *problem,
                                const struct parameters *parameters, char ***defines, size_t *count,
                                struct error *error);
void device_rung_defines_free(char **defines, size_t count);
