// Many barriers: prefix sums of 1024 elements in ten steps over shared memory (Hillis and Steele).
// args: a, b, int(n)
// group: 1024
// groups: ceil(n / 1024)
extern "C" __global__ void scan_steps(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float part[2][1024];
    int t = threadIdx.x, now = 0;
    part[0][t] = in[blockIdx.x * 1024 + t];
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        part[1 - now][t] = t >= d ? part[now][t] + part[now][t - d] : part[now][t];
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * 1024 + t] = part[now][t];
}
