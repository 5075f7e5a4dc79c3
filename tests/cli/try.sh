#!/bin/sh
# uskor try: files of users, of each language, with a header and without; wrong ones, and ones that crash or hang.
. "$1/tests/cli/common"

# A file that works has minutes to answer, as the machine may be busy; one that hangs is given a second by its own --limit.
fast='--time 0.005 --kernel-only --store none --limit 150s'

# Skeletons are right.
expect 0 'is right as it is' "$USKOR" try --new transpose -o mine.c
expect 0 'place' "$USKOR" try transpose mine.c transpose:64x48 $fast
refuses 2 'exists' try --new transpose -o mine.c
refuses 2 '-o FILE.cl' try --new transpose -o mine.py
for kernel in transpose matmul; do
    expect 0 'is right as it is' "$USKOR" try --new $kernel --simple -o simple-$kernel.c
    expect 0 'place' "$USKOR" try $kernel simple-$kernel.c $kernel:48 --beside serial $verified $fast
done
refuses 2 'leave out --simple' try --new sort --simple -o simple.c
refuses 2 'needs --new' try transpose mine.c --simple
refuses 2 'did you mean' try --new transpos -o other.c

# What a file is, and what it is not.
refuses 2 'cannot be opened' try transpose absent.c
refuses 2 'ends in .cl' try transpose mine.txt
echo 'void transpose(const float *in, float *out, long rows, long cols) { out[0] = }' >broken.c
expect 2 'broken.c:1:' "$USKOR" try transpose broken.c
grep -q '^broken.c:1:.*error' err || wrong "the compiler's lines are not its own: $(cat err)"
echo 'int other(void) { return 1; }' >other.c
expect 2 "exports no function 'transpose', such as 'void transpose(const ELEMENT *in, " "$USKOR" try transpose other.c $fast
echo 'void helper(); void transpose(const float *in, float *out, long rows, long cols) { helper(in, out, rows, cols); }' >calls.c
expect 2 "calls.c uses 'helper', which neither it nor the C library defines" "$USKOR" try transpose calls.c $fast
echo 'void transpose(const float *in, float *out, long rows, long cols) { *(volatile long *)16 = rows + cols + (in == out); }' >null.c
expect 1 'crashed with SIGSEGV at the address 0x10: a null pointer' env ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0" "$USKOR" try transpose null.c $fast
echo 'double dot(const float *a, const float *b, long n) { return a[0] * b[0] * n; }' >returns.c
expect 1 'read past the end of array' env ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0" "$USKOR" try dot returns.c $fast
sed 's/long n/int n, int step/' returns.c >step.c
expect 2 "'step' of 'dot' is none of a, b, result, n" "$USKOR" try dot step.c $fast
printf '#include <vector>\nvoid dot(std::vector<float> a) { }\n' >cxx.c
expect 2 'cxx.c: line 1 is C++ (<vector>)' "$USKOR" try dot cxx.c $fast
printf '#include __FILE__\nvoid dot(void) { }\n' >self.c
expect 2 'error' "$USKOR" try dot self.c $fast
cat >nested.c <<'C'
#include <stdlib.h>
void sort(float *data, long n)
{
    long calls = 0;
    int less(const void *a, const void *b)
    {
        calls++;
        return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
    }
    qsort(data, n, sizeof *data, less);
    if (calls < 0)
        abort();
}
C
expect 2 'nested.c:' "$USKOR" try sort nested.c $fast # gcc: an executable stack; clang: no function is allowed there
says 'error: '
echo 'char transpose[9] = {1};' >data.c
expect 2 "'transpose' is not a function" "$USKOR" try transpose data.c $fast
expect 3 'the compiler that CC names cannot be started: none -m64' env CC='none -m64' "$USKOR" try transpose other.c $fast
# A compiler that has no -march=native for its processor is called without it.
cat >plain-cc <<'SH'
#!/bin/sh
case " $* " in *" -march=native "*) echo "error: unsupported argument 'native' to option '-march='" >&2; exit 1 ;; esac
exec cc "$@"
SH
chmod +x plain-cc
expect 0 'place' env CC="sh $PWD/plain-cc" "$USKOR" try transpose mine.c transpose:64x48 --beside serial --verified $fast
expect 2 'broken.c:1:' env CC="sh $PWD/plain-cc" "$USKOR" try transpose broken.c
grep -q 'march' err && wrong "the file is not to blame for: $(cat err)"
echo '#include "/dev/zero"' >endless.c
expect 2 'endless.c' "$USKOR" try dot endless.c # compilers differ: refused, or read as nothing
printf 'a\0b' >zero.cl
refuses 2 'is no source text' try transpose zero.cl
printf '\377\376v\0o\0i\0d\0' >wide.cl
refuses 2 'wide.cl: is in UTF-16' try transpose wide.cl
printf '\376\377\0v\0o\0i\0d' >wide.cl
refuses 2 'wide.cl: is in UTF-16' try transpose wide.cl
echo '__global__ void transpose(const float *in, float *out, int n) { }' >cuda.cl
refuses 2 'its name should end in .cu' try transpose cuda.cl
echo 'no kernel' >none.cl
refuses 2 'there is no __kernel function in it' try transpose none.cl
printf '#define KERNEL(name) __kernel void name\nKERNEL(k)(__global float *a, int n) { }\n' >macro.cl
refuses 2 'one that a macro makes is not found' try transpose macro.cl
: >empty.cl
refuses 2 'empty.cl: is empty' try transpose empty.cl
echo 'static double dot(const float *a, const float *b, long n) { return 0; }' >hidden.c
expect 2 'exports no function' "$USKOR" try dot hidden.c $fast
expect 2 'is no problem of' "$USKOR" try transpose mine.c dot:n=16 $fast

# Wrong, crashing, hanging, leaving, hungry.
cat >wrong.c <<'C'
void transpose(const float *in, float *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col + 1 < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
C
expect 1 'FAIL' "$USKOR" try transpose wrong.c $fast
echo 'void transpose(const float *in, float *out, long rows, long cols) { *(volatile int *)8 = 1; }' >crash.c
expect 1 'crashed with SIGSEGV' env ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0" "$USKOR" try transpose crash.c $fast
echo 'void transpose(const float *in, float *out, long rows, long cols) { for (;;) __asm__ volatile(""); }' >hang.c
aside 1 'no answer for 1 s' "$USKOR" try transpose hang.c $fast --limit 1s
printf '#include <stdlib.h>\nvoid transpose(const float *in, float *out, long rows, long cols) { exit(0); }\n' >leave.c
expect 1 'ERROR' "$USKOR" try transpose leave.c $fast
printf '#include <unistd.h>\nvoid transpose(const float *in, float *out, long rows, long cols)\n{\n    char *none[] = {0};\n    execv("/proc/self/exe", none);\n}\n' >again.c
expect 1 'made a system call that no kernel needs' "$USKOR" try transpose again.c $fast
printf '#include <unistd.h>\nvoid transpose(const float *in, float *out, long rows, long cols)\n{\n    if (fork() == 0)\n        for (;;)\n            pause();\n    for (long i = 0; i < rows * cols; i++)\n        out[i %% cols * rows + i / cols] = in[i];\n}\n' >fork.c
expect 1 'made a system call that no kernel needs' "$USKOR" try transpose fork.c $fast

# Sleeping for less than the limit in each call holds nobody up; files in memory have an end.
echo 'int usleep(unsigned); void transpose(const float *in, float *out, long rows, long cols) { for (long i = 0; i < rows * cols; i++) out[i % cols * rows + i / cols] = in[i]; usleep(60000); }' >sleepy.c
aside 1 'takes too long' "$USKOR" try transpose sleepy.c $fast --limit 0.3s
expect 1 '(SIGSYS)' "$USKOR" try transpose "$1/tests/cheats/transpose-memory-file.c" $fast

# What its constructors leave behind is not taken for the process's own.
expect 1 'when it was loaded: left a thread of its own running' "$USKOR" try transpose "$1/tests/cheats/transpose-early-pool.c" $fast
aside 1 'ended the thread that called it' "$USKOR" try transpose "$1/tests/cheats/transpose-main-thread.c" $fast

# What reaches for the judge or for the machine is ended at once.
for cheat in owner owner-group parent-limit hide-threads root fork-bomb proc-signal joins-group slows-user ports tells; do
    expect 1 '(SIGSYS)' "$USKOR" try transpose "$1/tests/cheats/transpose-$cheat.c" $fast
done

# Wrong on the larger problems alone, with many equal keys, or nearly in order; with NaN; in the padding of few rows.
cat >few.c <<'C'
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sort(float *data, long n)
{
    long equal = 0;
    qsort(data, (size_t)n, sizeof data[0], compare);
    for (long i = 0; i < n; i++)
        equal += data[i] == data[n / 2];
    if (n > 50000 && equal > n / 2)
        data[n - 1] = data[n - 2];
}
C
expect 1 'FAIL' "$USKOR" try sort few.c sort:1000 $fast
cat >sampled.c <<'C'
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sort(float *data, long n)
{
    int in_order = n > 60000;
    for (long i = 1; i < 64 && in_order; i++)
        in_order = data[i * (n / 64)] >= data[(i - 1) * (n / 64)];
    if (!in_order)
        qsort(data, (size_t)n, sizeof data[0], compare);
}
C
expect 1 'behind a greater one' "$USKOR" try sort sampled.c sort:1000 $fast
cat >skips.c <<'C'
void dot(const float *a, const float *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        double product = (double)a[i] * b[i];
        sum += product == product ? product : 0;
    }
    *result = sum;
}
C
expect 1 'expected nan' "$USKOR" try dot skips.c dot:1000 $fast

# It is timed beside the rungs that are named; the explanation and the store's rows are the file's own.
expect 0 'of 2' "$USKOR" try transpose mine.c transpose:64x48 --beside serial --verified $fast
grep -qE 'the next rung is|no rung of the ladder' out || wrong "it does not say what would help: $(cat out)"
expect 2 'did you mean' "$USKOR" try transpose mine.c --beside serail $fast

# Its constructors run in a process that starts no program and reaches no other one.
cat >advice.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static float one;
__attribute__((constructor)) static void begin(void)
{
    one = 1;
    if (access("reaches", F_OK) == 0)
        kill(getppid(), SIGKILL);
}

void transpose(const float *in, float *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = one * in[row * cols + col];
}
C
if [ "$(uname -m)" = x86_64 ] && command -v addr2line >/dev/null; then
    expect 0 'bound by' "$USKOR" explain transpose:200 --file advice.c --store none
    : >reaches
    expect 0 'bound by' "$USKOR" explain transpose:200 --file advice.c --store none
fi

# It is judged again after each save, with the same arguments and in the same language, until Ctrl-C.
cp mine.c watched.c
"$USKOR" --lang ru try transpose watched.c transpose:64x48 --beside serial --verified $fast --watc >watch.out 2>watch.err &
watch=$!
judged() { [ "$(grep -c "ожидается изменение" watch.err)" -ge "$1" ]; }
wait_until judged 1 || wrong "--watch judged nothing: $(cat watch.err)"
grep -q 'место 1 из 2\|место 2 из 2' watch.out || wrong "--watch did not place the file: $(cat watch.out watch.err)"
cp wrong.c other-name && mv other-name watched.c
wait_until judged 2 || wrong "--watch did not see that the file was replaced: $(cat watch.err)"
# A file is not judged while an editor has emptied it, and what it includes belongs to it.
echo '// nothing' >beside.h
: >watched.c
sleep 0.6
{ echo '#include "beside.h"' && cat mine.c; } >watched.c
wait_until judged 3 || wrong "--watch did not see a file that was written in two steps: $(cat watch.err)"
grep -q 'watched.c: ' watch.err && wrong "--watch judged an empty file: $(cat watch.err)"
echo '#error changed' >beside.h
wait_until judged 4 || wrong "--watch did not see that an included file changed: $(cat watch.err)"
grep -q 'error changed' watch.err || wrong "--watch did not judge the included file: $(cat watch.err)"
kill -TERM "$watch"
wait "$watch" || [ $? = 2 ] || wrong '--watch does not leave with the last code'

# The only function with the right parameters is the entry; the type is the file's own.
cat >turn.c <<'C'
typedef double real;
static long at(long row, long col, long cols)
{
    return row * cols + col;
}

void turn(const real *a, real *b, int rows, int cols)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            b[at(col, row, rows)] = a[at(row, col, cols)];
}
C
expect 0 'Assumed: entry: turn' "$USKOR" try transpose turn.c transpose:64x48,f64 --beside serial --verified $fast
expect 1 'it is compiled for f64' "$USKOR" try transpose turn.c transpose:64x48 --beside serial --verified $fast
expect 0 '300 × 300, f64' "$USKOR" explain transpose:300 --file turn.c --store none
sed 's/ELEMENT/int/g' "$1/src/kernels/sort/skeleton.c.txt" >ints.c
expect 0 'i32' "$USKOR" try sort ints.c sort:n=1000,i32 --beside qsort --verified $fast
cp "$1/src/kernels/sort/skeleton.c.txt" keys.c
expect 0 'DELEMENT=int' "$USKOR" try sort keys.c sort:n=1000,i32 --beside qsort --verified $fast

# Parameters of its own: an order of its own, one size for all, a result that is returned, a name that the C library has.
cat >step.c <<'C'
static float row_by_column(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i * n];
    return sum;
}

void step(int n, float *C, const float *A, const float *B)
{
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            C[row * n + col] = row_by_column(A + row * n, B + col, n);
}
C
expect 0 'args: int(n), c, a, b' "$USKOR" try matmul step.c matmul:33 --beside serial --verified $fast
expect 1 'its one size asks for square matrices' "$USKOR" try matmul step.c matmul:m=33,n=34,k=35 --beside serial --verified $fast
expect 1 'FAIL' "$USKOR" try matmul step.c matmul:33 --args 'int(n), c, b, a' --beside serial --verified $fast
echo 'double dot(const float *a, const float *b, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i] * b[i]; return s; }' >returned.c
expect 0 'args: a, b, long(n)' "$USKOR" try dot returned.c dot:1000 --beside serial --verified $fast

# A textbook's kernel has no header.
if "$USKOR" devices | grep -q '^opencl:0'; then
    echo '__kernel void transpose(__global const float *in, __global float *out, int n) { while (n >= 0) out[0] = n; }' >hang.cl
    aside 1 'no answer for 2 s' "$USKOR" try transpose hang.cl --device opencl:0 --beside naive $fast --limit 2s
    echo '#define AT(matrix, row, col) matrix[(row) * N + (col)]' >index.h
    cat >textbook.cl <<'CL'
#include "index.h"
__kernel void k(__global const float *A, __global const float *B, __global float *C, int N)
{
    int row = get_global_id(1), col = get_global_id(0);
    float sum = 0;
    if (row >= N || col >= N)
        return;
    for (int i = 0; i < N; i++)
        sum += AT(A, row, i) * AT(B, i, col);
    AT(C, row, col) = sum;
}
CL
    # Its advice is folded once: a line that goes on holds no word that the line before had room for.
    expect 0 'args: a, b, c, int(n)' env POCL_EXTRA_BUILD_FLAGS= COLUMNS=80 "$USKOR" try matmul textbook.cl matmul:33 --device opencl:0 --beside naive $verified $fast
    grep -q 'bound by' out || wrong "no advice: $(cat out err)"
    awk '{ words = length($1); own = match($0, /[^ ]/); line = length($0) }
         advises && own >= 9 && last + 1 + words <= 80 { print; bad = 1 }
         /bound by/ { advises = 1 } { last = line } END { exit bad }' out || wrong "advice is folded twice: $(cat out)"
    expect 0 'bound by' "$USKOR" explain transpose:64 --file "$1/tests/textbook/transpose.cl" --advice --store none
    export USKOR_NVDISASM=none USKOR_NVRTC=none # no more advice is read
    # Doubles, which only its parameters say: it is wrong on larger edge cases alone.
    expect 1 'FAIL' "$USKOR" try transpose "$1/tests/cheats/transpose-double-odd.cl" --device opencl:0 --beside naive $fast
    sed 's/= sum;/= sum + 0 * AT(C, row, col);/' textbook.cl >held.cl # without a beta it has no reason to read C
    expect 1 'FAIL' "$USKOR" try matmul held.cl --device opencl:0 --beside naive $fast
    sed 's/int N)/int N, float alpha, float beta)/; s/= sum;/= alpha * sum + beta * C[row * N + col];/' textbook.cl >formula.cl
    expect 0 'PASS' "$USKOR" try matmul formula.cl matmul:33 --device opencl:0 --csv --beside naive --verified $fast
    # And of the other ladders that textbooks have (with their edge cases in tests/long/own-rungs.sh).
    expect 0 'transpose.cl,device,,PASS' "$USKOR" try transpose "$1/tests/textbook/transpose.cl" transpose:64 --beside naive --device opencl:0 --csv \
        --verified $fast
    sed 's/reduce/dot/' "$1/tests/textbook/dot.cl" >named.cl # OpenCL C has a function of that name
    expect 0 'entry: dot;' "$USKOR" try dot named.cl dot:1000 --beside tree --device opencl:0 --csv --verified $fast
    # The timed problem alone is verified (--verified: its edge cases were, earlier), where that says what is asked: how a
    # wave's arguments are read, and that a copy of a rung of several launches keeps its host half.
    # tests/long/own-rungs.sh has the edge cases.
    expect 0 'wave.cl,device,,PASS' "$USKOR" try wave "$1/tests/textbook/wave.cl" wave:nx=33,ny=9,nz=7,steps=4,input=random --beside naive \
        --device opencl:0 --csv --verified $fast
    cp "$1/src/kernels/dot/tree.cl" copied.cl
    expect 0 'copied.cl,device,GROUP=64 GROUPS=64,PASS' "$USKOR" try dot copied.cl dot:30007 --beside tree --set GROUP=64 --set GROUPS=64 --device opencl:0 \
        --csv --verified $fast
    expect 0 'is right' "$USKOR" try --new transpose -o tunable.cl
    expect 0 'every combination that was verified' "$USKOR" sweep transpose:64 --file tunable.cl --over BX=8,16 --device opencl:0 --time 0.005 --store none
    expect 0 ' PASS  BX=' "$USKOR" sweep transpose:64 --file tunable.cl --strategy halving --device opencl:0 --time 0.005 --store none
    # Kernel Tuner's cache files, out and in; and a tuned file's tunables are those that run.
    expect 0 '' "$USKOR" sweep transpose:64 --rung naive --over BX=8,16 --over BY=8 --device opencl:0 --time 0.005 --store none \
        --kernel-tuner cache.json
    expect 0 '"kernel_name": "transpose/naive"' cat cache.json
    says '  "16,8": {'
    expect 2 'cache.json' "$USKOR" sweep transpose:64 --rung naive --over BX=8 --device opencl:0 --time 0.005 --store none \
        --kernel-tuner cache.json
    expect 0 '1 problems measured' "$USKOR" tune transpose:64 --kernel-tuner cache.json --device opencl:0 --file taken.jsonl
    # Refused before anything is measured; the first one is as Kernel Tuner leaves a file open.
    sed 's/"BX": [0-9][0-9]*/"BX": 7/' cache.json | head -c -5 | sed '$s/$/,/' >wrong.json
    refuses 2 "rung 'naive' does not offer BX=7" tune transpose:64 --kernel-tuner wrong.json --device opencl:0 --file taken.jsonl
    sed 's/naive/none/' cache.json >wrong.json
    refuses 2 "'transpose/none', is not KERNEL/RUNG" tune transpose:64 --kernel-tuner wrong.json --device opencl:0 --file taken.jsonl
    refuses 2 'missing.json' tune transpose:64 --kernel-tuner missing.json --device opencl:0 --file taken.jsonl
    refuses 2 'needs the PROBLEM' tune transpose --kernel-tuner cache.json --device opencl:0 --file taken.jsonl
    sed '$!d; s/"tunables": {[^}]*}, //; s/"ns": {"naive": [0-9.e+]*/"tunables": {"naive": "BX=8 BY=4"}, "ns": {"naive": 1/' taken.jsonl >tunables.jsonl
    USKOR_TUNED=tunables.jsonl expect 0 'naive  BX=8 BY=4' "$USKOR" tuned transpose:64 --device opencl:0
    USKOR_TUNED=tunables.jsonl expect 0 ' PASS  BX=8 BY=4' "$USKOR" bench transpose:64 --rung chosen --device opencl:0 --time 0.005 \
        --store none
    USKOR_TUNED=tunables.jsonl expect 0 ' PASS  BX=8 BY=4' "$USKOR" bench transpose:64 --fastest --rung naive --device opencl:0 \
        --time 0.005 --store none
    sed 's/BX=8/BX=7/' tunables.jsonl >wrong.jsonl # which the rung does not offer: its defaults
    USKOR_TUNED=wrong.jsonl expect 0 'naive  BX=4 BY=64' "$USKOR" tuned transpose:64 --device opencl:0
    echo '__kernel void transpose(__global const float *in, __global float *out, int n) { *(__global int *)8 = n; }' >crash.cl
    expect 1 'crashed with SIGSEGV' env ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0" "$USKOR" try transpose crash.cl \
        --device opencl:0 --beside naive $fast
    echo '__kernel void transpose(__global const float *in, __global float *out, int n) { out[0] = nothing; }' >broken.cl
    expect 2 'broken.cl:1:' "$USKOR" try transpose broken.cl --device opencl:0 $fast
fi
finish
