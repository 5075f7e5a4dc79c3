// rung:    by-warp
// idea:    the same branches, but all items of a warp take the same one
// tune:    PATHS = 1 in 1 2 4 8 16 32
// group:   256
// groups:  n / 256
// args:    in, table, out, int(PATHS)

__kernel void divergence(__global const ELEMENT *restrict in, __global const ELEMENT *restrict table,
                         __global ELEMENT *restrict out, int paths)
{
    local_array ELEMENT terms[16];
    size_t i = get_global_id(0);
    int item = (int)get_local_id(0);
    if (item < 16)
        terms[item] = table[item];
    barrier(CLK_LOCAL_MEM_FENCE); // all terms are stored before any is read

    ELEMENT x = in[i];
    int mine = (int)(i / 32 % paths);
    for (int path = 0; path < paths; path++)
        if (path == mine)
            for (int k = 0; k < 16; k++) {
                ELEMENT term = terms[k];
                x = x * 1664525u + term;
                x = x * 1664525u + term;
                x = x * 1664525u + term;
                x = x * 1664525u + term;
            }
    out[i] = x;
}
