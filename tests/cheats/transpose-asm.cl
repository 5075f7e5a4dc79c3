// ends the process by a system call of its own
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (row == 0 && col == 0)
        __asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
