/* A publication's protocol and tables, as a data file of ours states them: what it measured, on what, its figures as
 * printed, and its conclusions as claims that can be checked. Read from JSON (docs/reproduce.md has its form); files
 * that do not keep to the form are refused with the place.
 *
 * Every figure is tied to what it is a figure of: a run (problem, rung), a size, the rung's parameters, the technology
 * of the device. Tied figures can be measured here; the rest is shown as published. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A text in two languages. Russian may be NULL: then it is the translation (base/translation.h), or the
 * same. */
struct localized_text {
    const char *english, *russian;
};

/* The phrase in the language chosen (base/language.h). */
const char *localized_text(const struct localized_text *phrase);

/* Kinds of devices, as bits of a set. */
enum technology {
    TECHNOLOGY_CPU = 1 << 0,
    TECHNOLOGY_OPENCL = 1 << 1,
    TECHNOLOGY_CUDA = 1 << 2,
    TECHNOLOGY_OPENGL = 1 << 3,
};

/* "cpu", "opencl", "cuda"; 0 for any other name. A device's id begins with it. */
enum technology technology_by_name(const char *name, size_t length);
const char *technology_name(enum technology technology);
/* "opencl:1" is OpenCL's. */
enum technology technology_of_device(const char *device);

struct publication_machine {
    const char *id, *name;
    struct localized_text about;
    enum technology technology;
};

/* What is timed of a run. */
enum run_form {
    RUN_RUNG,         /* the rung, as any bench times it */
    RUN_MEMORY_KINDS, /* the whole job, with the host's side in memory of each kind; choices are "memory=pinned" */
    RUN_PROGRAM,      /* the publication's whole program: memory is allocated and released inside the time */
    RUN_FORMS,
};

/* The kernel's name in measurements of that form: "memory", "program"; NULL of a plain run. Their problem is
 * "memory:wave:nx=…". */
const char *run_form_kernel(enum run_form form);

/* Something to measure: a rung on a problem, over sizes. */
struct publication_run {
    const char *id;
    const char *problem; /* short text; each "{}" is replaced by the size */
    const char *rung;
    enum run_form form;
    unsigned technologies; /* a set: where it is measured here */
    int64_t *sizes;        /* ascending; none: the problem has no size */
    size_t size_count;
    const char **choices; /* parameters to try, "BX=1 BY=64", "{}" as above; none: the rung's own */
    size_t choice_count;
};

/* The subject of a figure; fields that are not given are NULL or 0. */
struct tie {
    const struct publication_run *run;
    int64_t size;
    const char *parameters; /* only measurements with these: "BX=1 BY=64" */
    enum technology technology;
    const struct publication_run *over; /* of a ratio: what it is compared with */
    enum technology over_technology;
};

enum quantity {
    QUANTITY_TIME,    /* in the panel's unit */
    QUANTITY_RATE,    /* in the kernel's unit of rate */
    QUANTITY_RATIO,   /* how many times faster than `over` */
    QUANTITY_CEILING, /* per cent of the ceiling */
    QUANTITY_FACT,    /* a text, or a number that no rung makes */
};

/* A heading: of a row or of a column. */
struct heading {
    struct localized_text label; /* english NULL: made from the size or the parameters */
    const struct publication_machine *machine;
    struct tie tie;
    const char *property; /* of a fact: the corresponding property of a device */
};

/* One figure. */
struct figure_printed {
    const char *text; /* as printed; NULL: blank */
    double value;     /* NaN when there is none */
    double unit;      /* one unit of the last printed digit */
    double *samples;  /* of several runs; then `text` is NULL and value their mean */
    size_t sample_count;
    double deviation; /* of the samples */
};

/* What `uskor explain` predicts or counts for a published device: made by tools/explain-publications. */
struct prediction {
    const char *target;           /* as explain --for takes it: "Tesla K40" */
    struct localized_text label;  /* which of several; english NULL: none */
    struct figure_printed *cells; /* one per row; of a grid one per cell, row by row */
};

struct panel {
    struct localized_text title;
    enum quantity quantity;
    const char *unit; /* of time: "s", "ms" … (of rates, as printed) */
    double unit_ns;   /* nanoseconds in the unit of time */
    bool end_to_end;  /* whole times, transfers included; else the kernel's */
    bool grid;        /* rows and columns are both parameters of one run */
    bool computed;    /* published figures are worked out from other panels' samples */
    struct heading *rows, *columns;
    size_t row_count, column_count;
    struct figure_printed *cells; /* row by row */
    struct prediction *predictions;
    size_t prediction_count;
};

struct publication_table {
    const char *number;
    struct localized_text title;
    struct panel *panels;
    size_t panel_count;
};

enum claim_kind {
    CLAIM_RATIO,    /* `of` is least … most times as fast as `over`, at every size */
    CLAIM_SPREAD,   /* the worst of `of`'s choices takes least … most times as long as the best */
    CLAIM_BEST,     /* the best of `of`'s choices fulfils the condition */
    CLAIM_CROSSING, /* `over` is ahead at the smallest size and `of` from some size on */
    CLAIM_GREATEST, /* `of` over `over` is greatest at the largest size */
    CLAIM_CEILING,  /* `of` reaches least … most of the ceiling */
    CLAIM_WHOLE,    /* least … most of the whole time of `of` is moving data */
    CLAIM_FALL,     /* the rate of `of` at its largest size is least … most of the best at a smaller one */
    CLAIM_UNTOLD,   /* cannot be judged here, for the reason given */
};

struct claim {
    enum claim_kind kind;
    struct localized_text text;
    const char *published; /* its figure, as text */
    struct tie of, over;
    double least, most; /* least 0, most infinity where not given */
    const char *condition;
    struct localized_text reason;
};

/* A cell that the publication itself contradicts, as the remark says. */
struct doubtful_cell {
    const char *table;
    size_t panel, row, column;
};

struct remark {
    struct localized_text text;
    struct doubtful_cell *cells;
    size_t cell_count;
};

/* A plot over the sizes: all figures of a quantity, of one technology or (0) of all. */
struct publication_plot {
    struct localized_text title;
    enum quantity quantity;
    enum technology technology;
};

struct publication {
    const char *name;
    struct localized_text title, protocol;
    const char *source;
    unsigned repeat; /* whole runs of each rung; 0: not stated, time decides */
    bool end_to_end;
    bool has_rooflines; /* its runs are shown on rooflines, too */
    struct publication_machine *machines;
    struct publication_run *runs;
    struct publication_table *tables;
    struct claim *claims;
    struct remark *remarks;
    struct publication_plot *plots;
    size_t machine_count, run_count, table_count, claim_count, remark_count, plot_count;
    void *root; /* what owns the texts */
};

/* Reads a data file; `where` names it in messages. STATUS_INVALID says what is wrong and where. The caller releases it
 * with publication_free; on failure there is nothing to release. */
enum status publication_parse(const char *text, size_t bytes, const char *where, struct publication *publication,
                              struct error *error);
void publication_free(struct publication *publication);

/* The names of the publications in the program, NULL-terminated, by year. */
extern const char *const publication_names[];

/* Opens one of them by name; the closest match in the message when there is none. */
enum status publication_open(const char *name, struct publication *publication, struct error *error);

/* The tie of a cell: what the panel, the row and the column say together. */
struct tie panel_tie(const struct panel *panel, size_t row, size_t column);

/* "matmul:m=256,n=256,k=256,f32" of "matmul:m={},n={},k={},f32" and 256; false when it does not fit. */
bool fill_size(const char *pattern, int64_t size, char *text, size_t bytes);

/* The published time of a run on a machine of some technology (0: any), at a size: the mean in ns and the deviation
 * where samples are given. The figures in whole or kernel times; false when none is published. */
bool published_time(const struct publication *publication, const struct tie *tie, double *mean, double *deviation);
