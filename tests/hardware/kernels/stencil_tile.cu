// A stencil of nine points from a tile of 16 x 16 with its edges in shared memory: instructions, half-empty rows.
// args: in, out, int(rows), int(cols)
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
extern "C" __global__ void stencil_tile(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[18][18];
    int t = threadIdx.y * 16 + threadIdx.x, x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int i = t; i < 18 * 18; i += 256) {
        int u = min(max((int)blockIdx.x * 16 + i % 18 - 1, 0), cols - 1),
            v = min(max((int)blockIdx.y * 16 + i / 18 - 1, 0), rows - 1);
        tile[i / 18][i % 18] = in[v * cols + u];
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += tile[threadIdx.y + j][threadIdx.x + i];
    if (x < cols && y < rows)
        out[y * cols + x] = sum / 9;
}
