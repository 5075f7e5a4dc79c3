// 64 x 64 of C for a group of 16 x 16; 4 x 4 for each item
#define TSM 64
#define TSN 64
#define TSK 16
#define WPT 4
#define RTS (TSM / WPT)
__kernel void sgemm(int M, int N, int K, __global const float *A, __global const float *B, __global float *C)
{
    int tx = get_local_id(0), ty = get_local_id(1), x0 = TSN * get_group_id(0), y0 = TSM * get_group_id(1);
    __local float As[TSK][TSM + 1], Bs[TSK][TSN];
    float acc[WPT][WPT];
    for (int i = 0; i < WPT; i++)
        for (int j = 0; j < WPT; j++)
            acc[i][j] = 0;
    for (int k0 = 0; k0 < K; k0 += TSK) {
        for (int l = ty * RTS + tx; l < TSM * TSK; l += RTS * RTS) {
            int r = l / TSK, c = l % TSK;
            As[c][r] = y0 + r < M && k0 + c < K ? A[(y0 + r) * K + k0 + c] : 0;
        }
        for (int l = ty * RTS + tx; l < TSN * TSK; l += RTS * RTS) {
            int r = l / TSN, c = l % TSN;
            Bs[r][c] = k0 + r < K && x0 + c < N ? B[(k0 + r) * N + x0 + c] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TSK; k++)
            for (int i = 0; i < WPT; i++)
                for (int j = 0; j < WPT; j++)
                    acc[i][j] += As[k][ty + RTS * i] * Bs[k][tx + RTS * j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < WPT; i++)
        for (int j = 0; j < WPT; j++) {
            int r = y0 + ty + RTS * i, c = x0 + tx + RTS * j;
            if (r < M && c < N)
                C[r * N + c] = acc[i][j];
        }
}
