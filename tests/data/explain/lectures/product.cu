// rung: product
// idea: tiles in shared memory, the next ones fetched while these are multiplied
// entry: product
// args: a, b, c, long(m), long(n), long(k)
// group: 16, 16
// groups: ceil(n / 16), ceil(m / 16)
extern "C" __global__ void product(const float *a, const float *b, float *c, long m, long n, long k)
{
    __shared__ float as[2][16][16];
    __shared__ float bs[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, now = 0;
    long row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    as[0][ty][tx] = a[row * k + tx];
    bs[0][ty][tx] = b[ty * n + col];
    __syncthreads();
    for (long t = 16; t <= k; t += 16) {
        if (t < k) {
            as[1 - now][ty][tx] = a[row * k + t + tx];
            bs[1 - now][ty][tx] = b[(t + ty) * n + col];
        }
        for (int i = 0; i < 16; i++)
            sum += as[now][ty][i] * bs[now][i][tx];
        __syncthreads();
        now = 1 - now;
    }
    c[row * n + col] = sum;
}
