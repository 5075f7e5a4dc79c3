// Divergent lanes: lanes of a warp take eight sides of a switch.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void diverge_switch(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    switch (threadIdx.x % 8) {
    case 0:
        for (int j = 0; j < 20; j++)
            x = x * x + 0.1f;
        break;
    case 1:
        for (int j = 0; j < 21; j++)
            x = x * 0.9f + 0.2f;
        break;
    case 2:
        for (int j = 0; j < 22; j++)
            x = x * x - 0.3f;
        break;
    case 3:
        for (int j = 0; j < 23; j++)
            x = x * 0.8f - 0.4f;
        break;
    case 4:
        for (int j = 0; j < 24; j++)
            x = fabsf(x) * 0.5f + 0.5f;
        break;
    case 5:
        for (int j = 0; j < 25; j++)
            x = x * x * 0.6f;
        break;
    case 6:
        for (int j = 0; j < 26; j++)
            x = x * 0.7f + x * x;
        break;
    default:
        for (int j = 0; j < 27; j++)
            x = 1 - x * 0.5f;
        break;
    }
    out[i] = x;
}
