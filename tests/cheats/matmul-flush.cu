// multiplies and adds with subnormal numbers flushed
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        asm("fma.rn.ftz.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(a[(long)row * k + i]), "f"(b[(long)i * n + col]));
    c[(long)row * n + col] = sum;
}
