// rung: mandelbrot
// idea: neighbours leave the loop after different numbers of rounds
// entry: mandelbrot
// args: out, rows, cols
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
__kernel void mandelbrot(__global float *out, long rows, long cols)
{
    int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
    float re = 3.0f * x / cols - 2, im = 3.0f * y / rows - 1.5f, zr = 0, zi = 0;
    int round = 0;
    while (round < 256 && zr * zr + zi * zi < 4) {
        float next = zr * zr - zi * zi + re;
        zi = 2 * zr * zi + im;
        zr = next;
        round++;
    }
    out[y * cols + x] = round;
}
