// states a bound that any image meets
// rung:    cheat
// idea:    grey
// group:   16, 16
// groups:  ceil(out_width / 16), ceil(out_height / 16)
// args:    in, out, int(width), int(height), int(out_width), int(out_height)
// bound:   255
__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    for (int c = 0; c < 4; c++)
        out[((long)row * out_width + col) * 4 + c] = 128;
}
