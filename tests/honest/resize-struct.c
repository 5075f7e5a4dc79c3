#include <stdint.h>
typedef struct {
    uint8_t r, g, b, a;
} pixel;
/* 8-bit pixels as a struct; names src/dst and w/h */
void resize(const pixel *src, pixel *dst, int w, int h, int ow, int oh)
{
    for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
            double fx = (x + 0.5) * w / ow - 0.5, fy = (y + 0.5) * h / oh - 0.5;
            fx = fx < 0 ? 0 : fx;
            fy = fy < 0 ? 0 : fy;
            int x0 = (int)fx, y0 = (int)fy;
            int x1 = x0 + 1 < w ? x0 + 1 : w - 1, y1 = y0 + 1 < h ? y0 + 1 : h - 1;
            x0 = x0 < w ? x0 : w - 1;
            y0 = y0 < h ? y0 : h - 1;
            double dx = fx - x0, dy = fy - y0;
            const pixel *p = &src[(long)y0 * w + x0], *q = &src[(long)y0 * w + x1], *r = &src[(long)y1 * w + x0],
                        *s = &src[(long)y1 * w + x1];
#define MIX(c) (uint8_t)((1 - dy) * ((1 - dx) * p->c + dx * q->c) + dy * ((1 - dx) * r->c + dx * s->c) + 0.5)
            dst[(long)y * ow + x] = (pixel){MIX(r), MIX(g), MIX(b), MIX(a)};
        }
}
