// rung: product
// idea: tiles in shared memory, the next ones fetched while these are multiplied
// entry: product
// args: a, b, c, long(m), long(n), long(k)
// group: 16, 16
// groups: ceil(n / 16), ceil(m / 16)
__kernel void product(__global const float *a, __global const float *b, __global float *c, long m, long n, long k)
{
    local_array float as[2][16][16];
    local_array float bs[2][16][16];
    int tx = get_local_id(0), ty = get_local_id(1), now = 0;
    long row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
    float sum = 0;
    as[0][ty][tx] = a[row * k + tx];
    bs[0][ty][tx] = b[ty * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long t = 16; t <= k; t += 16) {
        if (t < k) {
            as[1 - now][ty][tx] = a[row * k + t + tx];
            bs[1 - now][ty][tx] = b[(t + ty) * n + col];
        }
        for (int i = 0; i < 16; i++)
            sum += as[now][ty][i] * bs[now][i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    c[row * n + col] = sum;
}
