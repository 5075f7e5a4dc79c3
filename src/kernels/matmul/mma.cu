// rung:    mma
// idea:    fragments by ldmatrix from swizzled shared memory, mma.sync, and 64 × 32 results in a warp's registers
// tune:    GROUPED = 8 in 1 2 4 8 16 32
// group:   256
// groups:  ceil(m / 128) * ceil(n / 128)
// local:   16384
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 8.0, needs mma.sync of 16 x 8 x 16, which GPUs have from compute capability 8.0 on
// require: ceil(m / 128) * ceil(n / 128) < 2147483648, counts tiles in 32 bits
// tensor:  1
// takes:   result f16 bf16

// wmma's fragments are a secret of the compiler. Those of mma.sync are documented, so that each warp loads them with
// ldmatrix, four matrices of 8 × 8 at once, and uses each of A for four columns and each of B for four rows.

#define STAGES 1
#if GROUPED == 0
#error "the header defines it"
#endif

#include "kernels/matmul/mma.cuh"
