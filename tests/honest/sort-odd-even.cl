/* one work-group, odd-even transposition over global memory */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void odd_even(__global float *keys, unsigned int count)
{
    for (uint phase = 0; phase < count; phase++) {
        for (uint i = 2 * get_local_id(0) + (phase & 1); i + 1 < count; i += 2 * get_local_size(0)) {
            float a = keys[i], b = keys[i + 1];
            if (a > b) {
                keys[i] = b;
                keys[i + 1] = a;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
