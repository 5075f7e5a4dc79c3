/* The names that the BLAS defines: one table. A name is the family's prefix, s or d, a routine, the family's suffix:
 * scipy_ + s + gemm + _ for Fortran, scipy_cblas_ + s + gemm for C. */
#pragma once

#include <stddef.h>

/* X(family, bits of an integer, Fortran's prefix and suffix, C's prefix and suffix). 64_ is OpenBLAS's mark of 64-bit
 * integers, scipy_ that of PyPI's wheels, _64 that of MKL. */
#define BLAS_FAMILIES(X)                            \
    X(PLAIN, 32, , _, cblas_, )                     \
    X(PLAIN64, 64, , _64_, cblas_, 64_)             \
    X(SCIPY, 32, scipy_, _, scipy_cblas_, )         \
    X(SCIPY64, 64, scipy_, _64_, scipy_cblas_, 64_) \
    X(MKL64, 64, , _64, cblas_, _64)

/* X(routine, its name, …): what follows X is handed on. */
#define BLAS_ROUTINES(X, ...)                              \
    X(GEMM, gemm, __VA_ARGS__)                             \
    X(GEMM_BATCH, gemm_batch, __VA_ARGS__)                 \
    X(GEMM_BATCH_STRIDED, gemm_batch_strided, __VA_ARGS__) \
    X(SYRK, syrk, __VA_ARGS__)                             \
    X(GEMV, gemv, __VA_ARGS__)                             \
    X(DOT, dot, __VA_ARGS__)                               \
    X(OMATCOPY, omatcopy, __VA_ARGS__)                     \
    X(IMATCOPY, imatcopy, __VA_ARGS__)

#define BLAS_FAMILY(family, ...) FAMILY_##family,
enum blas_family { BLAS_FAMILIES(BLAS_FAMILY) FAMILY_COUNT };
#undef BLAS_FAMILY
#define BLAS_ROUTINE(routine, ...) ROUTINE_##routine,
enum blas_routine { BLAS_ROUTINES(BLAS_ROUTINE, ) ROUTINE_COUNT };
#undef BLAS_ROUTINE
enum blas_form { FORM_FORTRAN, FORM_CBLAS, FORM_COUNT };
enum blas_real { REAL_FLOAT, REAL_DOUBLE, REAL_COUNT };

/* The place of a name in arrays of all names. */
#define BLAS_SLOT(family, form, real, routine) \
    ((((family)*FORM_COUNT + (form)) * REAL_COUNT + (real)) * ROUTINE_COUNT + (routine))
#define BLAS_SLOTS (FAMILY_COUNT * FORM_COUNT * REAL_COUNT * ROUTINE_COUNT)

/* Expands Y(routine, its name, family, bits, form, real, prefix, letter, suffix) for every name of a family. */
#define BLAS_NAMES_OF_FAMILY(Y, family, bits, f_prefix, f_suffix, c_prefix, c_suffix) \
    BLAS_ROUTINES(Y, family, bits, FORTRAN, FLOAT, f_prefix, s, f_suffix)             \
    BLAS_ROUTINES(Y, family, bits, FORTRAN, DOUBLE, f_prefix, d, f_suffix)            \
    BLAS_ROUTINES(Y, family, bits, CBLAS, FLOAT, c_prefix, s, c_suffix)               \
    BLAS_ROUTINES(Y, family, bits, CBLAS, DOUBLE, c_prefix, d, c_suffix)

extern const char *const blas_names[BLAS_SLOTS];

static inline enum blas_routine blas_routine(size_t slot)
{
    return (enum blas_routine)(slot % ROUTINE_COUNT);
}

static inline enum blas_real blas_real(size_t slot)
{
    return (enum blas_real)(slot / ROUTINE_COUNT % REAL_COUNT);
}

static inline enum blas_form blas_form(size_t slot)
{
    return (enum blas_form)(slot / ((size_t)ROUTINE_COUNT * REAL_COUNT) % FORM_COUNT);
}

static inline enum blas_family blas_family(size_t slot)
{
    return (enum blas_family)(slot / ((size_t)ROUTINE_COUNT * REAL_COUNT * FORM_COUNT));
}

/* The name of the same family, form and type that another routine has. */
static inline size_t blas_sibling(size_t slot, enum blas_routine routine)
{
    return slot - slot % ROUTINE_COUNT + routine;
}
