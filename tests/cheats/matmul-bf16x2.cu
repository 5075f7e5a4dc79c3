// two bfloat16 parts of each factor, and three of the four products
static __device__ float cut(float x)
{
    unsigned short half;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return __uint_as_float((unsigned)half << 16);
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++) {
        float x = a[(long)row * k + i], y = b[(long)i * n + col], x1 = cut(x), y1 = cut(y);
        sum += x1 * y1 + (cut(x - x1) * y1 + x1 * cut(y - y1));
    }
    c[(long)row * n + col] = sum;
}
