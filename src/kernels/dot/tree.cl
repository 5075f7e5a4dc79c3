// rung:    tree
// idea:    each item sums a stride of the grid, a group halves its sums in local memory, the host adds the groups' sums
// tune:    GROUP = 256 in 64 128 256 512 1024; GROUPS = 1024 in 64 128 256 512 1024 2048 4096
// group:   GROUP
// groups:  GROUPS
// entry:   dot_product
// takes:   f16 bf16
// args:    a, b, scratch, n
// scratch: 8 * GROUPS
// bound:   (ceil(n / (GROUP * GROUPS)) + log2(GROUP) + 2) * epsilon * 1.01 + 1 / 9007199254740992 * GROUPS

__kernel void dot_product(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, __global SUM *partial,
                          long n)
{
    local_array SUM sums[GROUP];
    const int item = get_local_id(0);
    SUM sum = 0;
    for (long i = get_global_id(0); i < n; i += GROUP * GROUPS)
        sum += load_element(a, i) * load_element(b, i);
    // begin tree
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach)
            sums[item] += sums[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE); // these sums are stored before half as many items read them
    }
    // end tree
    if (item == 0)
        partial[get_group_id(0)] = sums[0];
}
