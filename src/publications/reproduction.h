/* A publication's tables with today's figures of this machine beside them, and what became of its conclusions: built
 * from the publication and from measurements alone, so that the terminal and the report show the same. */
#pragma once

#include "publications/measured.h"
#include "publications/publication.h"
#include "store/store.h"

/* A property of this machine or of one of its devices. */
struct here_fact {
    char device[32]; /* "cuda:0"; empty: of the host */
    char key[48];    /* "memory_bytes" */
    char value[256];
};

/* Known facts of this machine. */
struct here {
    const struct measurement_list *list;
    const struct here_fact *facts;
    size_t fact_count;
    /* Why there is no device of a technology; NULL: it was not measured. */
    const char *no_opencl, *no_cuda;
};

enum here_state {
    HERE_EMPTY,      /* an empty cell */
    HERE_VALUE,      /* measured, and verified */
    HERE_FACT,       /* a property, as text */
    HERE_SKIP,       /* cannot be measured here: the reason */
    HERE_WRONG,      /* a FAIL or an ERROR: the reason */
    HERE_UNMEASURED, /* could be, and was not */
};

struct here_cell {
    enum here_state state;
    double value, deviation; /* in the panel's unit; of a ratio: its error */
    double better;           /* how many times better than published; 0 where that says nothing */
    const struct measurement *measurement;
    const char *text; /* of a fact, or a reason; owned by what was compared */
    bool is_version;  /* of a fact: "9.0" is not a number */
    int64_t size;     /* where the row names none: the one it was measured at; else 0 */
};

/* Today's column: a device of this machine, or a technology that it does not have. */
struct here_column {
    enum technology technology;
    const char *device, *device_name;    /* NULL: there is none */
    bool is_cpu;                         /* the device is a CPU: an OpenCL ranking there is not a GPU's */
    const struct prediction *prediction; /* of a published device, by `uskor explain`; NULL: today's figures */
    bool beyond;                         /* the publication did not measure this technology */
    size_t of;                           /* the first published column of its group */
    struct here_cell *cells;             /* one per row; of a grid one per cell, row by row */
};

struct panel_comparison {
    const struct publication_table *table;
    const struct panel *panel;
    const struct figure_printed *published; /* the panel's cells, or those worked out */
    struct figure_printed *worked_out;
    struct here_column *columns;
    size_t column_count;
};

enum judgement {
    JUDGED_HOLDS,
    JUDGED_FAILS,
    JUDGED_UNTOLD,
};

/* A claim on one device. */
struct claim_result {
    const struct claim *claim;
    enum judgement outcome;
    const char *device, *device_name; /* NULL: on none */
    bool is_cpu;
    char figure[128]; /* today's: "1.52×"; empty: none */
    const char *why;  /* of what cannot be told; NULL otherwise */
};

struct reproduction {
    const struct publication *publication;
    struct panel_comparison *panels;
    size_t panel_count;
    struct claim_result *claims;
    size_t claim_count;
};

/* Builds the reproduction. It borrows from the publication and from `here`, which must outlive it. The caller releases
 * it with reproduction_free; on failure (no memory) there is nothing to release. */
enum status reproduction_build(const struct publication *publication, const struct here *here,
                               struct reproduction *reproduction, struct error *error);
void reproduction_free(struct reproduction *reproduction);

/* The claims' part; appends at most `most` results and returns how many. */
size_t claims_judge(const struct publication *publication, const struct here *here, const struct claim *claim,
                    struct claim_result *results, size_t most);

/* "holds", "does not hold", "cannot tell" */
const char *judgement_name(enum judgement outcome);

/* The most devices that are looked at. */
#define HERE_DEVICES_MOST 32

/* A machine's facts from the store, in the form of published ones. */

/* The host's facts ("cpu", "os", "threads", "memory"), its devices' as the machine has them, and what follows from
 * those and from measured ceilings (NULL: none): "cache_kb", "local_kb_per_unit", "memory_gb_s", "balance" (operations
 * for each byte that memory gives). Of a GPU in the tables of architectures also what these have: "cores_per_unit" and
 * the like by compute capability, "fp64_gflops_per_watt" and the like by name. The host's cores are "cores". The caller
 * frees *facts with free(); on failure (no memory) there is nothing to free. */
enum status machine_facts_make(const struct machine *machine, const struct ceiling_list *ceilings,
                               struct here_fact **facts, size_t *count, struct error *error);
