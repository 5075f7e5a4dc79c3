/* 16 bits of weights, as image libraries have them; two passes with a malloc'ed row buffer */
#include <stdint.h>
#include <stdlib.h>
typedef unsigned char byte;
void resize(const byte *in, byte *out, long w, long h, long W, long H)
{
    for (long y = 0; y < H; y++) {
        int64_t ny = (2 * y + 1) * h - H;
        if (ny < 0)
            ny = 0;
        long y0 = ny / (2 * H);
        uint64_t fy = ((uint64_t)(ny % (2 * H)) << 16) / (2 * H);
        if (y0 >= h - 1)
            y0 = h - 1, fy = 0;
        long y1 = y0 + (fy > 0);
        for (long x = 0; x < W; x++) {
            int64_t nx = (2 * x + 1) * w - W;
            if (nx < 0)
                nx = 0;
            long x0 = nx / (2 * W);
            uint64_t fx = ((uint64_t)(nx % (2 * W)) << 16) / (2 * W);
            if (x0 >= w - 1)
                x0 = w - 1, fx = 0;
            long x1 = x0 + (fx > 0);
            for (int c = 0; c < 4; c++) {
                uint64_t t = in[(y0 * w + x0) * 4 + c] * (65536 - fx) + in[(y0 * w + x1) * 4 + c] * fx,
                         b = in[(y1 * w + x0) * 4 + c] * (65536 - fx) + in[(y1 * w + x1) * 4 + c] * fx;
                out[(y * W + x) * 4 + c] = (t * (65536 - fy) + b * fy + (1ull << 31)) >> 32;
            }
        }
    }
}
