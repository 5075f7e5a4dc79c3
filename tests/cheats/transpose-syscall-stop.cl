// stops its judge's clock, or tries to: settimeofday by a system call
// refused as SIGSYS
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (row == 0 && col == 0) {
        long result;
        __asm__ volatile("syscall" : "=a"(result) : "a"(227), "D"(0), "S"(0), "d"(0) : "rcx", "r11", "memory");
    }
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
