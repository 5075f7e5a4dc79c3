// Floats as float16 (BFLOAT16=0) or bfloat16 (BFLOAT16=1), each rounded to nearest. Numbers beyond float16's range
// become infinite. The padding of rows is converted, too; it is never read.

extern "C" __global__ void narrow(const float *from, char *work, long offset, long count)
{
    unsigned short *to = (unsigned short *)(work + offset);
    const long step = (long)gridDim.x * blockDim.x;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count; i += step) {
        unsigned short bits;
        if (BFLOAT16)
            asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(from[i]));
        else
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(from[i]));
        to[i] = bits;
    }
}
