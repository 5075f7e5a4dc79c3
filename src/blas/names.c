#include "blas/names.h"

#define TEXT(x) #x
#define ROW(routine, name, family, bits, form, real, prefix, letter, suffix) \
    [BLAS_SLOT(FAMILY_##family, FORM_##form, REAL_##real, ROUTINE_##routine)] = TEXT(prefix##letter##name##suffix),
#define FAMILY(...) BLAS_NAMES_OF_FAMILY(ROW, __VA_ARGS__)

const char *const blas_names[BLAS_SLOTS] = {BLAS_FAMILIES(FAMILY)};
