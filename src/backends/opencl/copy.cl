// Copies `count` words of 16 bytes between two places of two buffers, or of one.

__kernel void copy(__global uint4 *target, __global const uint4 *source, long target_first, long source_first,
                   long count)
{
    const long at = get_global_id(0);
    if (at < count)
        store_evict_first(target + target_first + at, load_evict_first(source + source_first + at));
}
