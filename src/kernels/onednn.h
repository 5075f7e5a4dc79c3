/* oneDNN's primitives on matrices. Its C interface is spelled out here for versions 2 and 3, which differ in how a
 * memory is described. */
#pragma once

#include "kernels/vendor_library.h"

/* Where oneDNN is found: Debian 13 and what follows it put a minor version into the library's name. */
extern const struct dynamic_library onednn_library;

enum { ONEDNN_MEMORIES_MAX = 3 };
enum onednn_role { ONEDNN_FROM = 1, ONEDNN_TO = 17, ONEDNN_WEIGHTS = 33 };

/* A matrix in memory: steps in elements from row to row, and from column to column. */
struct onednn_matrix {
    enum onednn_role role;
    enum element_type type;
    size_t rows, cols, down, across;
};

/* Whether oneDNN has a type that moves such an element as it is. */
bool onednn_has_type(enum element_type type);

enum onednn_operation {
    ONEDNN_REORDER, /* FROM, TO */
    ONEDNN_MATMUL,  /* FROM · WEIGHTS = TO */
};

/* For rung->prepare: makes run->state, to be released by onednn_finish. Without elements there is nothing to do.
 * STATUS_UNAVAILABLE where oneDNN, or such a primitive for this processor, is not there. */
enum status onednn_prepare(struct run *run, enum onednn_operation operation, const struct onednn_matrix *matrices,
                           int count, struct error *error);
void onednn_finish(struct run *run);

/* Runs it once; data: of each matrix, in the same order. */
enum status onednn_execute(struct run *run, void *const *data, struct error *error);
