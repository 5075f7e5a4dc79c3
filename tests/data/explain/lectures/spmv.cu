// rung: spmv
// idea: a sparse matrix by rows (CSR), an item for each; rows have 0 to 8 values, in columns all over
// entry: spmv
// args: a, b, scratch, n
// scratch: n / 2
// group: 128
// groups: ceil(n / 8 / 128)
extern "C" __global__ void spmv(const float *values, const float *x, float *y, long n)
{
    long row = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;
    for (long k = 8 * row; k < 8 * row + row % 9; k++)
        sum += values[k] * x[k * 7919 % n];
    y[row] = sum;
}
