#include "blas/verbose.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blas/names.h"

bool blas_is_verbose(void)
{
    static atomic_int known; /* 1: no, 2: yes */
    int is = atomic_load_explicit(&known, memory_order_relaxed);
    if (is == 0) {
        const char *value = getenv("USKOR_BLAS_VERBOSE");
        is = value && value[0] && strcmp(value, "0") != 0 ? 2 : 1;
        atomic_store(&known, is);
    }
    return is == 2;
}

static const char *milliseconds(double nanoseconds, char text[32])
{
    snprintf(text, 32, nanoseconds < 0 ? "-" : "%.6f", nanoseconds / 1e6);
    return text;
}

/* One write for a line: threads' lines do not mix. */
void blas_report(size_t slot, const char *how, int64_t m, int64_t n, int64_t k, const char *where, double time,
                 double other)
{
    char line[512], first[32], second[32];
    const int length =
        snprintf(line, sizeof line, "uskor_blas_verbose,exec,%s,%s,%" PRId64 "x%" PRId64 "x%" PRId64 ",%s,%s,%s\n",
                 blas_names[slot], how, m, n, k, where, milliseconds(time, first), milliseconds(other, second));
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1) < 0)
        return; /* nobody reads it */
}
