// For devices in host memory whose runtimes do not share buffers: the address of a buffer, and a copy between two
// addresses.

__kernel void address_of(__global uchar *memory, __global ulong *address)
{
    if (get_global_id(0) == 0)
        address[0] = (ulong)memory;
}

__kernel void copy_rows(ulong source, ulong target, long source_pitch, long target_pitch, long width, long rows)
{
    for (long row = get_global_id(0); row < rows; row += get_global_size(0)) {
        __global const uchar *from = (__global const uchar *)(source + row * source_pitch);
        __global uchar *to = (__global uchar *)(target + row * target_pitch);
        for (long i = 0; i < width; i++)
            to[i] = from[i];
    }
}
