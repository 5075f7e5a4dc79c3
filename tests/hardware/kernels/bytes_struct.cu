// Narrow loads: pixels of four bytes, each byte loaded on its own, at places computed in float.
// args: in, out, int(width), int(height), int(out_width), int(out_height)
// group: 32, 8
// groups: ceil(out_width / 32), ceil(out_height / 8)
struct pixel {
    unsigned char r, g, b, a;
};
extern "C" __global__ void bytes_struct(const pixel *in, pixel *out, int width, int height, int out_width,
                                        int out_height)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= out_width || y >= out_height)
        return;
    float u = (x + 0.5f) * width / out_width - 0.5f, v = (y + 0.5f) * height / out_height - 0.5f;
    int left = max(0, (int)floorf(u)), top = max(0, (int)floorf(v)), right = min(left + 1, width - 1),
        bottom = min(top + 1, height - 1);
    const pixel *p = &in[top * width + left], *q = &in[top * width + right], *s = &in[bottom * width + left],
                *t = &in[bottom * width + right];
    pixel *to = &out[y * out_width + x];
    to->r = (p->r + q->r + s->r + t->r + 2) / 4;
    to->g = (p->g + q->g + s->g + t->g + 2) / 4;
    to->b = (p->b + q->b + s->b + t->b + 2) / 4;
    to->a = (p->a + q->a + s->a + t->a + 2) / 4;
}
