// Author: a student
// rung:    mine
// idea:    a function with a header
// entry:   product
// args:    int(m), int(n), int(k), a, b, c
// require: m % 2 == 0, it takes rows in pairs
// require: alpha == 1 && beta == 0 && lda_pad == 0 && ldb_pad == 0 && ldc_pad == 0, it has no such parameters
void helper(float *x)
{
    *x += 1;
}
void product(int m, int n, int k, const float *a, const float *b, float *c)
{
    for (int i = 0; i < m; i += 2)
        for (int j = 0; j < n; j++) {
            float s = 0, t = 0;
            for (int l = 0; l < k; l++) {
                s += a[i * k + l] * b[l * n + j];
                t += a[(i + 1) * k + l] * b[l * n + j];
            }
            c[i * n + j] = s;
            c[(i + 1) * n + j] = t;
        }
}
