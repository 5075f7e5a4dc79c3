#!/bin/sh
# Usual mistakes of a first kernel: uskor try says what they probably are, and a short header is completed.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
fast='--time 0.005 --kernel-only --store none --limit 150s'

# In C, on a CPU: the input as it was, the other order, the last rows missing, one row too far.
c='void transpose(const float *in, float *out, long rows, long cols) { for (long i = 0; i < rows; i++) for (long j = 0; j < cols; j++)'
mistake() { # WORDS BODY
    echo "$c $2 }" >wrong.c
    expect 1 "$1" "$USKOR" try transpose wrong.c transpose:64x48 $fast
}
mistake 'it looks like the input, not transposed' 'out[i * cols + j] = in[i * cols + j];'
mistake 'rows of the input are missing' 'if (rows < 20 || i < rows / 16 * 16) out[j * rows + i] = in[i * cols + j];'
mistake 'off by one row' 'out[j * rows + i] = in[(rows < 9 ? i : i < rows - 1 ? i + 1 : i) * cols + j];'
echo 'void sort(float *data, long n) { if (n > 0) data[0] = data[0]; }' >idle.c
expect 1 'it looks like the input, not sorted' "$USKOR" try sort idle.c sort:100 $fast

"$USKOR" devices 2>/dev/null | grep -q '^opencl:0' || { echo 'no OpenCL on a CPU: the rest is left out'; finish; }
cat >first.cl <<'CL'
// What is specific to it: nothing /* if (anything) */
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * rows + y] = in[y * cols + x];
}
CL
expect 1 '256 items were started for one element: begin with a test such as' "$USKOR" try transpose first.cl --device opencl:0 $fast
expect 1 'запущено 256 нитей на один элемент' "$USKOR" try transpose first.cl --device opencl:0 $fast --lang ru
{ echo '// require: rows > 30, it takes many rows'; cat first.cl; } >many.cl
expect 1 '1536 items were started for 1054 elements: begin with a test such as' "$USKOR" try transpose many.cl --device opencl:0 $fast

# A header of args alone, or of a requirement alone; what a short one cannot have is named with its line.
{ echo '// args: out, in, int(cols), int(rows)'; cat first.cl; } >swapped.cl
expect 1 'FAIL' "$USKOR" try transpose swapped.cl --device opencl:0 $fast
grep -q 'short header. Completed: entry: transpose; args: out, in, int(cols), int(rows); group: 16, 16' err ||
    wrong "a header of args alone is not completed: $(cat err)"
{ echo '// require: rows % 16 + cols % 16 == 0, it takes whole groups'; cat first.cl; } >whole.cl
expect 0 'place' "$USKOR" try transpose whole.cl transpose:64 --beside naive --device opencl:0 $fast
{ echo '// require: rows % 16'; cat first.cl; } >halved.cl
refuses 2 'halved.cl:1: ' try transpose halved.cl --device opencl:0
{ echo '// args: in, out, int(rows), int(cols)'; echo '// scratch: 8'; cat first.cl; } >scratch.cl
refuses 2 "scratch.cl:2: 'scratch:' needs a whole header" try transpose scratch.cl --device opencl:0

finish
