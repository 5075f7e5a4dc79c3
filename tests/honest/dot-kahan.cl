#pragma OPENCL FP_CONTRACT OFF
kernel void dot_kahan(global const float *a, global const float *b, global float *res, const int N)
{
    if (get_global_id(0))
        return;
    float sum = 0.0f, c = 0.0f;
    for (int i = 0; i < N; ++i) {
        float p = a[i] * b[i];
        float y = p - c;
        float t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    *res = sum;
}
