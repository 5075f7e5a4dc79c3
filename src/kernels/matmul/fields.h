/* The fields of a matrix product's problem, in the order of the kernel's table (matmul.c): by number, as looking for
 * their names would take longer than a small product. */
#pragma once

enum field {
    M,
    N,
    K,
    ALPHA,
    BETA,
    TRANSA,
    TRANSB,
    LDA_PAD,
    LDB_PAD,
    LDC_PAD,
    INPUT,
    BATCH,
    RESULT,
    STEP_A,
    STEP_B,
    STEP_C,
    PRECISION,
    FIELDS
};
