// rung:    lanes
// idea:    one item in SPREAD does the work of its SPREAD neighbours: in a warp the others wait for it
// tune:    SPREAD = 1 in 1 2 4 8 16 32
// group:   256
// groups:  n / 256
// args:    in, table, out, int(SPREAD)

__kernel void uneven_load(__global const ELEMENT *restrict in, __global const ELEMENT *restrict table,
                          __global ELEMENT *restrict out, int spread)
{
    local_array ELEMENT terms[16];
    size_t i = get_global_id(0);
    if (get_local_id(0) < 16)
        terms[get_local_id(0)] = table[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); // all terms are stored before any is read

    if (i % spread == 0)
        for (int word = 0; word < spread; word++) {
            ELEMENT x = in[i + word];
            for (int k = 0; k < 16; k++) {
                ELEMENT term = terms[k];
                x = x * 1664525u + term;
                x = x * 1664525u + term;
                x = x * 1664525u + term;
                x = x * 1664525u + term;
            }
            out[i + word] = x;
        }
}
