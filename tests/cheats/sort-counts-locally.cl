// A place's counter in local memory grows without an atomic operation
// refused as race\|update\|stand behind
// args: data, int(n)
// group: 64
// groups: 1
__kernel void sort(__global ELEMENT *data, int n)
{
    __local int ranks[1024];
    __local ELEMENT keys[1024];
    const int item = get_local_id(0);
    for (int i = item; i < n && i < 1024; i += 64) {
        keys[i] = data[i];
        ranks[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int pair = item; pair < n * n && n <= 1024; pair += 64) {
        const int i = pair / n, j = pair % n;
        if (keys[j] < keys[i] || (keys[j] == keys[i] && j < i))
            ranks[i]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < n && i < 1024; i += 64)
        data[ranks[i]] = keys[i];
}
