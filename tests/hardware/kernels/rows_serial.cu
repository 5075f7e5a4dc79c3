// Uncoalesced loads: one item sums a whole row, so neighbouring items read a row apart.
// args: in, out, int(rows), int(cols)
// group: 128
// groups: ceil(rows / 128)
extern "C" __global__ void rows_serial(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    int row = blockIdx.x * 128 + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = 0; i < cols; i++)
        sum += in[(long)row * cols + i];
    out[row] = sum;
}
