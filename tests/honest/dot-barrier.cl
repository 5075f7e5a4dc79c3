// OpenCL 2.0's collective function in one work-group
__kernel void dot_product(__global const float *A, __global const float *B, __global float *out, uint N)
{
    float acc = 0.0f;
    for (uint i = get_local_id(0); i < N; i += get_local_size(0))
        acc = fma(A[i], B[i], acc);
    __local float t[256];
    t[get_local_id(0)] = acc;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float s = 0;
        for (uint i = 0; i < get_local_size(0); ++i)
            s += t[i];
        *out = s;
    }
}
