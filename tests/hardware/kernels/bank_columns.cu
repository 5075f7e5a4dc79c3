// Bank conflicts: each item sums a column of a tile whose rows are 32 words.
// args: in, out, int(rows), int(cols)
// group: 32, 8
// groups: ceil(cols / 32), ceil(rows / 32)
extern "C" __global__ void bank_columns(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
    for (int j = ty; j < 32; j += 8)
        tile[j][tx] = in[(y + j) * cols + x];
    __syncthreads();
    for (int j = ty; j < 32; j += 8) {
        float sum = 0;
        for (int i = 0; i <= j; i++)
            sum += tile[tx][i];
        out[(y + j) * cols + x] = sum;
    }
}
