/* A program as a course hands it out: a naive kernel and one with tiles, main(), a check, times. Tiles are moved by
 * fewer threads than they have elements. */
#include "helper_cuda.h"
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                          \
    do {                                                                                     \
        cudaError_t status_ = call;                                                          \
        if (status_ != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            exit(EXIT_FAILURE);                                                              \
        }                                                                                    \
    } while (0)

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;
const int NUM_REPS = 100;
static const char *const names[] = {"naive", "tiles {with padding}"};

struct GpuTimer {
    cudaEvent_t begin, end;
    GpuTimer()
    {
        cudaEventCreate(&begin), cudaEventCreate(&end);
    }
    float stop()
    {
        float ms = 0;
        cudaEventRecord(end), cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        return ms;
    }
};

__global__ void transpose_tiles(float *odata, const float *idata, int width, int height);

void fill(float *data, int n)
{
    for (int i = 0; i < n; i++)
        data[i] = rand() / (float)RAND_MAX;
}

__global__ void transpose_tiles(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width)
            odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

static bool is_transposed(const float *in, const float *out, int nx, int ny)
{
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            if (out[x * ny + y] != in[y * nx + x]) {
                printf("wrong at '%c' %d, %d\n", '{', x, y);
                return false;
            }
    return true;
}

int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 1024, ny = nx;
    size_t bytes = nx * ny * sizeof(float);
    float *h_in = (float *)malloc(bytes), *h_out = (float *)malloc(bytes), *d_in, *d_out;
    dim3 dimGrid((nx + TILE_DIM - 1) / TILE_DIM, (ny + TILE_DIM - 1) / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    fill(h_in, nx * ny);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    GpuTimer timer;
    for (int i = 0; i < NUM_REPS; i++)
        transpose_tiles<<<dimGrid, dimBlock>>>(d_out, d_in, nx, ny);
    CHECK(cudaGetLastError());
    printf("%s: %g ms\n", names[1], timer.stop() / NUM_REPS);
    CHECK(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
    assert(is_transposed(h_in, h_out, nx, ny));
    return 0;
}
