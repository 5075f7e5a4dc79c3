// Missing reuse: tiles of 8 x 8 in shared memory, two warps a group.
// args: a, b, c, int(m), int(n), int(k)
// require: alpha == 1 && beta == 0 && transa == 0 && transb == 0 && lda_pad == 0 && ldb_pad == 0 && ldc_pad == 0, plain
// group: 8, 8
// groups: ceil(n / 8), ceil(m / 8)
extern "C" __global__ void product_tile8(const float *__restrict__ a, const float *__restrict__ b,
                                         float *__restrict__ c, int m, int n, int k)
{
    __shared__ float as[8][8], bs[8][8];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 8) {
        as[ty][tx] = a[row * k + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 8; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
