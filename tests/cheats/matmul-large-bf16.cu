// rounds one factor to bfloat16 in large products only
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    bool is_large = (double)m * n * k > 5e8;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++) {
        float x = a[(long)row * k + i];
        sum += (is_large ? __uint_as_float(__float_as_uint(x) & 0xffff0000u) : x) * b[(long)i * n + col];
    }
    c[(long)row * n + col] = sum;
}
