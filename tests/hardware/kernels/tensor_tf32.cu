// Tensor cores by inline PTX, no header; each warp loads its operands from global memory, without a tile in shared
// memory.
// args: a, b, c, int(m), int(n), int(k)
// require: alpha == 1 && beta == 0 && transa == 0 && transb == 0 && lda_pad == 0 && ldb_pad == 0 && ldc_pad == 0, plain
// group: 128, 1
// groups: ceil(n / 8 / 4), ceil(m / 16)
extern "C" __global__ void tensor_tf32(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                       int m, int n, int k)
{
    int lane = threadIdx.x % 32, row = blockIdx.y * 16 + lane / 4, col = (blockIdx.x * 4 + threadIdx.x / 32) * 8;
    float sum[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < k; k0 += 8) {
        int at = k0 + lane % 4;
        unsigned x[4] = {__float_as_uint(a[row * k + at]), __float_as_uint(a[(row + 8) * k + at]),
                         __float_as_uint(a[row * k + at + 4]), __float_as_uint(a[(row + 8) * k + at + 4])};
        unsigned y[2] = {__float_as_uint(b[at * n + col + lane / 4]),
                         __float_as_uint(b[(at + 4) * n + col + lane / 4])};
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }
    int to = col + lane % 4 * 2;
    c[row * n + to] = sum[0], c[row * n + to + 1] = sum[1];
    c[(row + 8) * n + to] = sum[2], c[(row + 8) * n + to + 1] = sum[3];
}
