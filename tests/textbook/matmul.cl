// A product of square matrices, as textbooks on OpenCL have it.
__kernel void mmul(const int N, __global const float *A, __global const float *B, __global float *C)
{
    int i = get_global_id(1), j = get_global_id(0);
    if (i < N && j < N) {
        float tmp = 0.0f;
        for (int k = 0; k < N; k++)
            tmp += A[i * N + k] * B[k * N + j];
        C[i * N + j] = tmp;
    }
}
