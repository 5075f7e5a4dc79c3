// Uncoalesced accesses: threadIdx.x counts the rows of the product, so a warp's loads and stores go down columns.
// args: a, b, c, int(m), int(n), int(k)
// require: alpha == 1 && beta == 0 && transa == 0 && transb == 0 && lda_pad == 0 && ldb_pad == 0 && ldc_pad == 0, plain
// group: 16, 16
// groups: ceil(m / 16), ceil(n / 16)
extern "C" __global__ void product_swapped(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.x * 16 + threadIdx.x, col = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
