// The ceiling of arithmetic, as in fma.cl: multiply-adds from registers and nothing else.

layout(local_size_x = GROUP_X) in;
layout(binding = 0) buffer Sink { SCALAR sink[]; };
layout(location = 1) uniform int iterations;
layout(location = 2) uniform SCALAR factor;
layout(location = 3) uniform SCALAR addend;

void main()
{
    SCALAR chains[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        chains[c] = factor * SCALAR(int(gl_LocalInvocationID.x) + c);
    for (int i = 0; i < iterations; i++)
        for (int u = 0; u < UNROLL; u++)
            for (int c = 0; c < CHAINS; c++)
                chains[c] = fma(chains[c], factor, addend);
    SCALAR sum = chains[0];
    for (int c = 1; c < CHAINS; c++)
        sum += chains[c];
    if (sum == SCALAR(-1))
        sink[0] = sum;
}
