// rung:    mma-pipelined
// idea:    asynchronous copies fetch the stages to come while tensor cores multiply this one
// tune:    STAGES = 4 in 2 3 4 5 6; GROUPED = 8 in 1 2 4 8 16 32
// group:   256
// groups:  ceil(m / 128) * ceil(n / 128)
// local:   16384 * STAGES
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 8.0, needs mma.sync of 16 x 8 x 16, which GPUs have from compute capability 8.0 on
// require: ceil(m / 128) * ceil(n / 128) < 2147483648, counts tiles in 32 bits
// tensor:  1
// takes:   result f16 bf16

// A stage in registers on its way to shared memory would take them from the results: cp.async writes it there itself.
// Rows that do not begin at multiples of 16 bytes go through registers.

#if GROUPED == 0 || STAGES == 0
#error "the header defines them"
#endif

#include "kernels/matmul/mma.cuh"
