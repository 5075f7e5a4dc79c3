/* Problem, kernel, rung: a question, its kind, and one answer to it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "base/comparator.h"
#include "base/element.h"
#include "base/status.h"

struct kernel;
struct rung;

/* ---- problem ---------------------------------------------------------------------------------------------- */

enum field_kind {
    FIELD_SIZE,   /* an integer, minimum … maximum */
    FIELD_REAL,   /* a finite number */
    FIELD_CHOICE, /* one of `choices` */
};

/* One named field of a kernel's problems. */
struct problem_field {
    const char *name;
    const char *help;
    enum field_kind kind;
    int64_t initial; /* default of a size or the index of the default choice */
    double initial_real;
    int64_t minimum, maximum;
    double minimum_real, maximum_real; /* of a real; both 0: any finite number */
    const char *const *choices;        /* NULL-terminated */
    bool host_only;                    /* the data of fill; device rungs do not receive it */
    bool omitted_by_default;           /* the canonical text names it only where it differs from its default */
    const char *derived; /* a size's default that follows from fields before it: "2 * width"; NULL: initial */
    /* Of a field that most rungs do not know: why such a rung refuses any value but the default. Rungs that know the
     * field name it in rung.takes, files in `takes:`. It is not among a device rung's default arguments. NULL: every
     * rung knows the field. */
    const char *unless_taken;
};

#define PROBLEM_FIELDS_MAX 18
#define SHAPE_FIELDS_MAX 3
#define PROBLEM_TEXT_MAX 256

union field_value {
    int64_t size; /* also the index of a choice */
    double real;
};

/* A problem. Its canonical text names every field ("transpose:rows=4096,cols=4096,f32") but those that are omitted
 * at their default; a seed that is not 1 is named too ("seed=7"). */
struct problem {
    const struct kernel *kernel;
    union field_value values[PROBLEM_FIELDS_MAX]; /* in the order of kernel->fields */
    enum element_type type;
    uint32_t seed;
};

/* Reads "kernel" or "kernel:SHAPE,field=value,…,type"; what is not named has its default. SHAPE is the kernel's sizes
 * without names: "matmul:1024x512x256", or one number for all of them, "transpose:4k". Checks names (closest match in
 * the message), ranges, and that every array's size fits. */
enum status problem_parse(const char *text, struct problem *problem, struct error *error);

/* As problem_parse, with ranges in sizes: "n=1024..4194304x4" is 1024, 4096, …; "x2" when no factor is named; "a..b+s"
 * adds. The caller frees *problems with free(). */
enum status problem_parse_range(const char *text, struct problem **problems, size_t *count, struct error *error);

/* Every field at its default, the kernel's first type, seed 1. */
struct problem problem_default(const struct kernel *kernel);

/* Writes the canonical text; returns `text`. */
const char *problem_text(const struct problem *problem, char text[PROBLEM_TEXT_MAX]);

/* Whether both have the same kernel, values, type and seed, hence the same canonical text. */
bool problem_equals(const struct problem *a, const struct problem *b);

/* The short text for headings: the shape, the fields that are not at their defaults, the type:
 * "matmul 1024 × 512 × 256, transb=t, f32"; powers of two from 2^16 on are written as such. Returns `text`. */
const char *problem_heading(const struct problem *problem, char text[PROBLEM_TEXT_MAX]);

/* The value of the field called `name`; it is a programming error (abort) when there is none. */
void problem_set_size(struct problem *problem, const char *name, int64_t value);
void problem_set_real(struct problem *problem, const char *name, double value);
int64_t problem_size(const struct problem *problem, const char *name);
double problem_real(const struct problem *problem, const char *name);

/* ---- kernel ----------------------------------------------------------------------------------------------- */

enum direction {
    ARRAY_IN,
    ARRAY_OUT,
    ARRAY_INOUT, /* the lab restores it before every run, off the clock */
};

#define KERNEL_ARRAYS_MAX 6

/* One array of a problem, as kernel->describe fills it in. */
struct array {
    const char *name;
    enum direction direction;
    enum element_type type;
    size_t rows, cols; /* a vector has rows = 1; count = rows * cols */
    size_t bytes;      /* set by kernel_describe */
    bool interim;      /* an ARRAY_INOUT that is verified but not copied back, so not part of the end-to-end time */
};

/* The result of a check: the worst error as the kernel measures it, where, and a sentence (with the place) when it
 * failed.
 */
struct check_result {
    double bound;  /* given: what the rung states of its error (rung.bound, evaluated); 0 when it states nothing */
    bool own_data; /* given: the inputs are somebody's own, not fill's: their rounding errors need not be random */
    bool is_users; /* given: a user's own; a compensated sum makes NaN of an infinity (inf - inf) */
    bool exact;    /* equality was demanded: no order of operations rounds anything */
    bool passed;
    bool unfinished; /* not passed, as memory was out: nothing is known of the answer */
    double worst;
    char where[64];   /* "[17][3]"; empty when nothing differs */
    char reason[256]; /* empty when passed */
};

/* How bytes and operations are counted: the least any answer must move and do. */
struct cost {
    double bytes_read, bytes_written;
    double operations;
    int read_streams,
        write_streams; /* equal arrays that the ceiling's probe walks: kernels/streams.h where they differ */
    int passes;        /* how many times they are walked; 0 is 1 */
};

/* Host memory of one problem: arrays[i] belongs to kernel array i. */
struct host_arrays {
    void *data[KERNEL_ARRAYS_MAX];
};

/* ---- jobs in parts ---------------------------------------------------------------------------------------- */

/* A rectangle of bytes that an array of the whole problem and the same array of a part have in common: `rows` rows of
 * `width` bytes. Pitches are of no matter when there is one row. */
struct job_piece {
    size_t whole_offset, whole_pitch;
    size_t part_offset, part_pitch;
    size_t width, rows;
};

#define PART_PIECES_MAX 2

/* One part of a problem: a smaller problem of the same kernel, what its inputs take of the whole problem's, and what
 * its outputs give to them. A part's results beyond that (in a halo) are discarded. */
struct job_part {
    struct problem problem;
    struct {
        struct job_piece pieces[PART_PIECES_MAX];
        int count;
        /* Of an input that is one row of bytes, what need not travel again: so many bytes at its beginning are what the
         * array of the part before ends with, */
        size_t shared;
        /* and so many at its end are what the array of the first part begins with. */
        size_t wrapped;
    } arrays[KERNEL_ARRAYS_MAX];
};

/* One row of a ladder, from ladder.def. */
struct ladder_row {
    const struct rung *rung; /* a CPU or vendor rung; or the host half of a device rung of several launches */
    const char *file;        /* a device rung's source, "kernels/transpose/naive.cl"; NULL for the others */
    const char *row;         /* of the catalogue, which kernels and publications share (docs/rungs.md): "T1"; or "" */
};

/* A row of the catalogue that is not a rung, but a way to look at rungs. */
struct ladder_view {
    const char *row, *command; /* "T7", "uskor sweep …" */
};

struct kernel {
    const char *name;
    const char *heading; /* a word or two, for people: "Matrix product" */
    const char *title;   /* one line: what it computes */
    const struct problem_field *fields;
    size_t field_count;
    /* Sizes that a text may give without their names, "1024x512"; one number sets all of them. NULL-terminated,
     * at most SHAPE_FIELDS_MAX; NULL: none. */
    const char *const *shape;
    const enum element_type *types; /* first is the default */
    size_t type_count;
    /* Every rung knows the first so many types; the others, those that name them in rung.takes. 0: all. */
    size_t common_types;
    bool moves_bits;       /* elements are only moved: device rungs see an unsigned type of the element's size */
    bool branches_by_data; /* good rungs branch by the elements' values: prediction learns them where they stay */
    bool learns_branches;  /* an effect's: how well prediction learns the inputs is what it shows, so what a call on new
                              ones takes says nothing of what was kept */
    const char *rate_unit; /* the axis a reader expects: "GB/s", "GFLOP/s", "Mkeys/s" */

    /* Names and shapes of the arrays for this problem; returns their number. Sizes may overflow: kernel_describe
     * checks. */
    int (*describe)(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX]);
    /* Gives fields the values that others imply; `given` says which the user has named (NULL: none). STATUS_INVALID
     * when a given value contradicts. NULL: nothing follows. */
    enum status (*imply)(struct problem *problem, const bool *given, struct error *error);
    /* Writes the inputs (ARRAY_IN, ARRAY_INOUT) from the problem's seed: random and asymmetric. */
    void (*fill)(const struct problem *problem, const struct array *arrays, struct host_arrays host);
    /* Writes numbers over what `fill` has made NaN because no rung reads it: for a user's file that multiplies it by 0
     * (plain_signature.output_factor). NULL: there is nothing of the kind. */
    void (*fill_unread)(const struct problem *problem, const struct array *arrays, struct host_arrays host);
    /* So many successive seeds have all structures of structured inputs (structure.h). NULL: STRUCTURE_SEEDS. */
    uint32_t (*structures)(const struct problem *problem);
    /* Whether inputs may be put together from those of two seeds, any 64 bytes from the one or the other: the result
     * is an input like any other: `check` judges it whatever the seed, and rungs take as long. NULL: no. */
    bool (*mixes)(const struct problem *problem);
    /* Judges every element of the outputs. `input` holds the arrays as filled, `output` as the rung left them. */
    void (*check)(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result);
    /* Whether the inputs hold subnormal floats that decide what is right: such a problem has no answer on a device that
     * is documented to take them for zeros. NULL: never. */
    bool (*needs_subnormals)(const struct problem *problem);
    struct cost (*cost)(const struct problem *problem);
    /* Cuts the problem into `count` parts (at least 2) that need nothing of each other but inputs, and fills in part
     * `index`, which is zeroed but for its problem, a copy of the whole one. NULL, or why that cannot be: `reason`,
     * written to. A NULL function: nobody has cut this kernel's problems. */
    const char *(*split)(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size);
    /* For kernels whose outputs are not pieces of the whole problem's: makes these of all that the parts put out, on
     * the host. NULL: they are. */
    void (*join)(const struct problem *problem, const struct host_arrays *parts, size_t count,
                 struct host_arrays whole);
    /* The name of the rung on the ladder that serves the problem best on such a device, from what the kernel knows of
     * its rungs' costs; NULL: no opinion. NULL function: never one. Callers use choose_rung. */
    const char *(*choose)(const struct problem *problem, const struct device *device);
    /* Units of rate_unit done by one run, times 1e9: rate = work / nanoseconds. */
    double (*work)(const struct problem *problem);

    const struct accuracy_view *accuracy; /* of rungs' errors (kernels/accuracy.h); NULL: none */
    const struct plain_signature *plain;  /* of a user's own function (kernels/plain.h); NULL: none */
    const char *const *parts;             /* kernels whose rungs its rungs run; NULL-terminated, NULL: none */
    const struct ladder_row *ladder;      /* teaching order */
    size_t ladder_count;
    const struct ladder_view *views; /* ends with a row of NULL; may be NULL */
    /* Problems every rung must pass, as texts without types: the lab adds every type; NULL-terminated. The first ones
     * are small enough for sanitizers: `edge_cases_small` of them; and the first `edge_cases_tiny` for simulators (0:
     * as many).
     */
    const char *const *edge_cases;
    size_t edge_cases_small, edge_cases_tiny;
    bool repeatable;   /* the same rung must give the same bits on every run */
    const char *bench; /* what `uskor bench KERNEL` and the lab measure by default */
    const char *large; /* a problem of more than 2^31 elements, for --large; NULL: none */
    /* The lab's problem for OpenCL on a CPU (PoCL): small, as its times say nothing about a GPU. */
    const char *cpu_opencl_bench;
};

/* All kernels in teaching order, NULL-terminated. */
extern const struct kernel *const kernels[];

/* For a check that finds no memory: not passed, and nothing is known of the answer. */
void check_unfinished(struct check_result *result);

/* What a check found: STATUS_OK; STATUS_FAILED with its reason; STATUS_SYSTEM where it was unfinished. */
enum status check_outcome(const struct check_result *result, struct error *error);

/* By name; NULL and a message with the closest match when there is none. */
const struct kernel *kernel_by_name(const char *name, struct error *error);

/* kernel->describe, with every size checked: STATUS_INVALID when one does not fit in memory's address space. */
enum status kernel_describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX], int *count,
                            struct error *error);

/* ---- rung ------------------------------------------------------------------------------------------------- */

enum rung_kind {
    RUNG_HOST,   /* C, on the cpu device */
    RUNG_DEVICE, /* a .cl or .cu file */
    RUNG_VENDOR, /* somebody else's library */
};

#define TUNABLES_MAX 8
#define TUNABLE_VALUES_MAX 18
#define RUNG_NAME_MAX 32
#define TAKES_MAX 96
#define TAKES_ALL "*"         /* of code that sees a problem's cost alone */
#define TENSOR_PRODUCTS_MAX 9 /* three parts of each factor */

struct tunable {
    char name[RUNG_NAME_MAX];
    char initial[192]; /* an expression over the problem's sizes and element_bytes */
    int64_t values[TUNABLE_VALUES_MAX];
    size_t value_count; /* 0: any value from 0 */
};

/* Values of a rung's tunables, in the rung's order. */
struct parameters {
    int64_t values[TUNABLES_MAX];
};

/* A rung's view of its run. */
struct run {
    const struct rung *rung;
    const struct problem *problem;
    struct device *device;
    struct parameters parameters;
    const struct array *arrays;
    int array_count;
    const struct buffer *buffers; /* one per array, in the same order */
    const struct buffer *scratch; /* of at least rung->scratch bytes; NULL without a request */
    const struct buffer *origin;  /* of a rung that takes_origin: the first array's input; NULL: in the array itself */
    bool keeps_bits;              /* results have the same bits on any number of threads */
    void *state;                  /* what prepare made */
    char detail[96];              /* what prepare found worth telling: which of its kernels a library chose */
};

/* Rungs never allocate (beyond prepare's handles and programs), time, print or check. */
struct rung {
    char name[RUNG_NAME_MAX];
    char idea[200];
    enum rung_kind kind;
    unsigned backends; /* a set of backend_kind bits: where it can run at all */
    struct tunable tunables[TUNABLES_MAX];
    size_t tunable_count;
    const struct device_source *source; /* device rungs: what the header of the file says; NULL for others */
    /* For kernels whose rungs differ in accuracy: the error the rung promises, in the measure of the kernel's check, as
     * an expression over the problem's sizes, the tunables and `epsilon` (half a unit in the last place of the element
     * type); empty for other kernels. A file's header says it in `bound:`. */
    char bound[128];
    /* For rungs that multiply on tensor cores: how many products of bfloat16 they do for one of the problem's, 1 …
     * TENSOR_PRODUCTS_MAX; 0 for all others. A file's header says it in `tensor:`. Its ceiling is the
     * tensor cores' own multiply-adds (lab/ceilings/probes.h). */
    unsigned tensor_products;
    /* Names of the fields with `unless_taken` and of the types beyond common_types that it knows, blanks between;
     * TAKES_ALL. */
    char takes[TAKES_MAX];
    bool varies;        /* a user's own: threads and atomic operations may add in another order each time */
    bool scales_output; /* a user's own: multiplies what an output held by 0, so that has to be a number */
    bool takes_origin;  /* its first array is ARRAY_INOUT, and its input may be in another buffer: run.origin */
    bool rests_soon; /* its threads are the pool's (base/pool.h): unlike OpenMP's they do not spin for long after a run
                      */
    bool fuses;      /* does several of cost.passes in one, so it may rightly be faster than the ceiling */

    /* NULL, or why this problem cannot run there with these parameters: a whole sentence fragment, written into
     * `reason` and returned. NULL function: always can. */
    const char *(*supports)(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size);
    /* Bytes of scratch memory on the device. NULL function: 0. Callers use rung_scratch. */
    size_t (*scratch)(const struct problem *problem, const struct device *device, const struct parameters *parameters);
    /* What a run's time grows with, in a unit of the rung's own. On the CPU it is the work of the busiest of `threads`,
     * on a device often the padded problem's size. NULL function: not known. */
    double (*load)(const struct problem *problem, const struct parameters *parameters, int threads);
    /* Off the clock, once per (problem, parameters): opens the library, compiles the program. May be NULL. */
    enum status (*prepare)(struct run *run, struct error *error);
    void (*finish)(struct run *run);
    /* On the clock. On a device it enqueues and may return before the work is done; on the cpu it does the work. */
    enum status (*enqueue)(struct run *run, struct error *error);
    /* For rungs that find out on the device that their inputs ask for slower means: whether the last run took these.
     * Off the clock, after the device has been waited for. NULL function: never. */
    enum status (*fell_back)(const struct run *run, bool *did, struct error *error);
};

/* The ladder's rungs, made from its rows on first use (device rungs' headers are read then). The array lives as long as
 * the program. A header of ours that does not parse is STATUS_FAILED. */
enum status kernel_rungs(const struct kernel *kernel, const struct rung *const **rungs, size_t *count,
                         struct error *error);

/* The ladder's own rungs in C for the cpu, in its order; returns how many. No header is read for it. */
#define KERNEL_RUNGS_MAX 64
size_t kernel_host_rungs(const struct kernel *kernel, const struct rung *rungs[KERNEL_RUNGS_MAX]);

/* The host half of a kernel's device rung; NULL where there is no such rung, or one launch does it all. */
const struct rung *kernel_host_half(const struct kernel *kernel, const char *name);

/* Whether the rung is a row of ladder.def, not one that was added. */
bool kernel_ladder_has(const struct kernel *kernel, const struct rung *rung);

/* Adds a rung that is not in ladder.def (a user's own) to the kernel's ladder, behind the others. It must outlive all
 * use of the ladder; rungs that kernel_rungs returned before stay valid. STATUS_INVALID when its name is taken. */
enum status kernel_add_rung(const struct kernel *kernel, const struct rung *rung, struct error *error);

/* By name on one kernel's ladder; the closest match in the message. */
const struct rung *rung_by_name(const struct kernel *kernel, const char *name, struct error *error);

/* Default parameters for this problem: each tunable's initial value, or where the tunable does not list that, the
 * largest value below it that it lists (the smallest of all when there is none below). */
enum status rung_defaults(const struct rung *rung, const struct problem *problem, struct parameters *parameters,
                          struct error *error);

/* The value of the tunable called `name`; it is a programming error (abort) when there is none. */
int64_t run_parameter(const struct run *run, const char *name);

/* The rung's stated error bound (rung->bound), evaluated; 0 when it states nothing. */
enum status rung_bound(const struct rung *rung, const struct problem *problem, const struct parameters *parameters,
                       double *bound, struct error *error);

/* Bytes of scratch memory that the rung needs there: its scratch function, or its file's expression (then at least 1,
 * so that there is a buffer to pass). */
enum status rung_scratch(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct parameters *parameters, size_t *bytes, struct error *error);

/* Whether the field or type is among the names of rung.takes. */
bool takes_field(const char *takes, const char *name);

/* Whether a rung may leave out the type called `name`, or a field called so. */
bool kernel_has_optional(const struct kernel *kernel, const char *name);

/* NULL, or the reason of a type or of a field with `unless_taken` that has another value than its default and is not
 * among the names in `takes`. For code that is not a rung, too: its `takes` is "". */
const char *problem_field_refused(const struct problem *problem, const char *takes);

/* NULL, or why the rung cannot run: wrong backend first, then fields that it does not know, then values that a tunable
 * does not take, then what a file's header asks for, then the rung's own supports. */
const char *rung_refuses(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct parameters *parameters, char *reason, size_t size);
