// Copies of rows that begin anywhere to rows that begin at multiples of 16 bytes, for the copy engine. half.cuh comes
// before.

#include "kernels/matmul/shifted.cuh"

// One matrix: `cols` of each of `rows` rows of `ld` elements go to rows of `aligned` elements at byte `offset` of
// `work`. What follows them there is of no matter. A group has 2048 columns of every gridDim.y-th row.
static __device__ __forceinline__ void align_matrix(const element *from, char *work, int group, long offset, long rows,
                                                    long cols, long ld, long aligned)
{
    const element *end = from + (rows - 1) * ld + cols;
    const long chunk = group * 256l + threadIdx.x;
    uint4 *to = (uint4 *)(work + offset);
    if (chunk * 8 >= cols)
        return;
#pragma unroll 4
    for (long row = blockIdx.y; row < rows; row += gridDim.y)
        to[row * (aligned / 8) + chunk] = load_shifted(from + row * ld + chunk * 8, end);
}

// Both matrices at once: the first `groups_a` groups of each row of the grid are A's.
extern "C" __global__ void __launch_bounds__(256)
    align_rows(const element *a, const element *b, char *work, long groups_a, long offset_a, long rows_a, long cols_a,
               long lda, long aligned_a, long offset_b, long rows_b, long cols_b, long ldb, long aligned_b)
{
    if (blockIdx.x < groups_a)
        align_matrix(a, work, blockIdx.x, offset_a, rows_a, cols_a, lda, aligned_a);
    else
        align_matrix(b, work, blockIdx.x - groups_a, offset_b, rows_b, cols_b, ldb, aligned_b);
}
