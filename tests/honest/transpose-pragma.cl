#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
__attribute__((vec_type_hint(float))) __kernel __attribute__((work_group_size_hint(16, 16, 1))) void
transpose(__global const float *in // матрица rows x cols
          ,
          __global float *out /* её транспонированная */
          ,
          const int rows, const int cols)
{
    const int gx = get_global_id(0), gy = get_global_id(1);

    if (!(gx < cols && gy < rows)) {
        return;
    }

#pragma unroll
    for (int i = 0; i < 1; i++)
        out[mad24(gx, rows, gy)] = in[mad24(gy, cols, gx)];
}
