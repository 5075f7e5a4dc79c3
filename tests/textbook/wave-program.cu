/* A stencil with its coefficients in constant memory; the fields are swapped on the host. */
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <math.h>
#include <stdio.h>
#include <sys/time.h>

#define BX 32
#define BY 4
#define AT(i, j, k) ((((size_t)(k) + nz) % nz * ny + ((j) + ny) % ny) * nx + ((i) + nx) % nx)

typedef struct {
    int nx, ny, nz, steps;
    float courant;
} Settings;

static Settings settings = {256, 256, 64, 100, 0.5f};

__constant__ float weights[3] = {-2.5f, 4.0f / 3.0f, -1.0f / 12.0f};

static double seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + 1e-6 * now.tv_usec;
}

static inline int divUp(int a, int b)
{
    return (a + b - 1) / b;
}

__device__ static inline float second_difference(float a, float b, float c, float d, float e)
{
    return weights[0] * c + weights[1] * (b + d) + weights[2] * (a + e);
}

__global__ void wave_kernel(const float *prev, const float *cur, float *next, int nx, int ny, int nz, float c)
{
    const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y, k = blockIdx.z;
    if (i >= nx || j >= ny)
        return;
    const float here = cur[AT(i, j, k)];
    float sum =
        second_difference(cur[AT(i - 2, j, k)], cur[AT(i - 1, j, k)], here, cur[AT(i + 1, j, k)], cur[AT(i + 2, j, k)]);
    sum +=
        second_difference(cur[AT(i, j - 2, k)], cur[AT(i, j - 1, k)], here, cur[AT(i, j + 1, k)], cur[AT(i, j + 2, k)]);
    sum +=
        second_difference(cur[AT(i, j, k - 2)], cur[AT(i, j, k - 1)], here, cur[AT(i, j, k + 1)], cur[AT(i, j, k + 2)]);
    next[AT(i, j, k)] = 2 * here - prev[AT(i, j, k)] + c * c * sum;
}

int main(void)
{
    const Settings *s = &settings;
    int nx = s->nx, ny = s->ny, nz = s->nz;
    float *field[3];
    size_t bytes = sizeof(float) * nx * ny * nz;
    for (int f = 0; f < 3; f++)
        if (cudaMalloc((void **)&field[f], bytes) != cudaSuccess)
            return fprintf(stderr, "no memory\n"), 1;
    dim3 threads(BX, BY), blocks(divUp(nx, BX), divUp(ny, BY), nz);
    double begin = seconds();
    for (int t = 0; t < s->steps; t++) {
        wave_kernel<<<blocks, threads>>>(field[t % 3], field[(t + 1) % 3], field[(t + 2) % 3], nx, ny, nz, s->courant);
    }
    cudaDeviceSynchronize();
    printf("%.3f s\n", seconds() - begin);
    return 0;
}
