// Four elements at once where the rows allow it; the ends one by one.
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
transpose(const __global float *restrict in, __global float *restrict out, const int rows, const int cols)
{
    for (int row = 4 * get_global_id(1); row < rows; row += 4 * get_global_size(1))
        for (int col = 4 * get_global_id(0); col < cols; col += 4 * get_global_size(0)) {
            if (row + 4 <= rows && col + 4 <= cols) {
                float4 a = vload4(0, in + row * cols + col), b = vload4(0, in + (row + 1) * cols + col);
                float4 c = vload4(0, in + (row + 2) * cols + col), d = vload4(0, in + (row + 3) * cols + col);
                vstore4((float4)(a.x, b.x, c.x, d.x), 0, out + col * rows + row);
                vstore4((float4)(a.y, b.y, c.y, d.y), 0, out + (col + 1) * rows + row);
                vstore4((float4)(a.z, b.z, c.z, d.z), 0, out + (col + 2) * rows + row);
                vstore4((float4)(a.w, b.w, c.w, d.w), 0, out + (col + 3) * rows + row);
            } else {
                for (int y = row; y < min(row + 4, rows); y++)
                    for (int x = col; x < min(col + 4, cols); x++)
                        out[x * rows + y] = in[y * cols + x];
            }
        }
}
