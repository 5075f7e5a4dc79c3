#!/bin/sh
# uskor matmul on files: results, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program; CC: a compiler.
set -u
npy=$1/tests/data/npy
. "$1/tests/cli/common"

# gives EXPECTED ARGUMENT…: out.npy is the file EXPECTED.
gives() {
    expected=$1
    shift
    silent matmul "$@" -o out.npy --force
    cmp -s "$expected" out.npy || wrong "matmul $* is not $expected"
}

# Writes numbers as their bytes: numbers e|E|f|F|d|D NUMBER…, a capital in the other byte order.
"${CC:-cc}" -xc - -o numbers <<'C' || wrong 'no compiler'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int swapped = argv[1][0] < 'a', bytes = strchr("eE", argv[1][0]) ? 2 : strchr("fF", argv[1][0]) ? 4 : 8;
    for (int i = 2; i < argc; i++) {
        double wide = atof(argv[i]);
        float narrow = (float)wide;
        _Float16 half = (_Float16)wide;
        char *data = bytes == 2 ? (char *)&half : bytes == 4 ? (char *)&narrow : (char *)&wide;
        for (int at = 0; at < bytes; at++)
            putchar(data[swapped ? bytes - 1 - at : at]);
    }
    return argc < 3;
}
C

# stack FILE DESCR FORTRAN SHAPE NUMBER…
stack() {
    file=$1 descr=$2 fortran=$3 shape=$4
    case $2 in '<f2') kind=e ;; '>f2') kind=E ;; '<f4') kind=f ;; '>f4') kind=F ;; '<f8') kind=d ;; *) kind=D ;; esac
    shift 4
    { header "$descr" "$shape" "$fortran" && ./numbers "$kind" "$@"; } >"$file"
}

# matrix FILE DESCR FORTRAN ROWS COLS NUMBER…
matrix() {
    file=$1 descr=$2 fortran=$3 shape="($4, $5)"
    shift 5
    stack "$file" "$descr" "$fortran" "$shape" "$@"
}

# ---- results: (1 2 3; 4 5 6) · (1 0; 0 1; 2 -1) = (7 -1; 16 -1) ----

for number in f2 f4 f8; do
    matrix product.npy "<$number" False 2 2 7 -1 16 -1
    matrix half.npy "<$number" False 2 2 3.5 -0.5 8 -0.5
    matrix sum.npy "<$number" False 2 2 17 19 46 39 # product + (10 20; 30 40)
    for order in '<' '>'; do
        type=$order$number
        matrix a.npy "$type" False 2 3 1 2 3 4 5 6
        matrix b.npy "$type" False 3 2 1 0 0 1 2 -1
        matrix c.npy "$type" False 2 2 10 20 30 40
        matrix less.npy "<$number" False 2 2 4 -22 2 -42 # 2 product - c
        gives product.npy a.npy b.npy
        gives half.npy a.npy b.npy --alpha 0.5
        gives sum.npy a.npy b.npy --add c.npy
        gives less.npy a.npy b.npy --alpha 2 --add c.npy --beta -1
        gives product.npy a.npy b.npy --add c.npy --beta 0
        # The same matrices in Fortran order, and their transposes.
        matrix a-fortran.npy "$type" True 2 3 1 4 2 5 3 6
        matrix a-turned.npy "$type" False 3 2 1 4 2 5 3 6
        matrix b-fortran.npy "$type" True 3 2 1 0 2 0 1 -1
        matrix b-turned.npy "$type" True 2 3 1 0 0 1 2 -1
        matrix c-fortran.npy "$type" True 2 2 10 30 20 40
        gives product.npy a-fortran.npy b-fortran.npy
        gives product.npy a-turned.npy b-turned.npy --transa --transb
        gives sum.npy a-turned.npy b-fortran.npy --transa --add c-fortran.npy
    done
done

# Stacks: the product above, and (0 1 0; 2 0 0) · (5 6; 7 8; 9 9) = (7 8; 10 12).
for number in f2 f4 f8; do
    stack products.npy "<$number" False '(2, 2, 2)' 7 -1 16 -1 7 8 10 12
    stack sums.npy "<$number" False '(2, 2, 2)' 17 19 46 39 6 6 7 8
    for order in '<' '>'; do
        type=$order$number
        stack a.npy "$type" False '(2, 2, 3)' 1 2 3 4 5 6 0 1 0 2 0 0
        stack b.npy "$type" False '(2, 3, 2)' 1 0 0 1 2 -1 5 6 7 8 9 9
        stack a-turned.npy "$type" False '(2, 3, 2)' 1 4 2 5 3 6 0 2 1 0 0 0
        stack c.npy "$type" False '(2, 2, 2)' 10 20 30 40 -1 -2 -3 -4
        gives products.npy a.npy b.npy
        gives products.npy a-turned.npy b.npy --transa
        gives sums.npy a.npy b.npy --add c.npy
    done
done
"$USKOR" matmul a.npy b.npy -o out.npy --force 2>err || wrong "stacks: $(cat err)"

# Nothing to sum, and nothing at all.
matrix thin.npy '<f4' False 2 0
matrix flat.npy '<f4' False 0 3
matrix zeros.npy '<f4' False 2 3 0 0 0 0 0 0
matrix none.npy '<f4' False 0 0
gives zeros.npy thin.npy flat.npy
gives none.npy thin.npy thin.npy --transa
# In place: what is added is the file that is replaced.
matrix a.npy '<f4' False 2 3 1 2 3 4 5 6
matrix b.npy '<f4' False 3 2 1 0 0 1 2 -1
matrix out.npy '<f4' False 2 2 10 20 30 40
matrix sum.npy '<f4' False 2 2 17 19 46 39
gives sum.npy a.npy b.npy --add out.npy
rm out.npy

# Sums of float16 are float32: 4096 ones and one more. NumPy has no type for bfloat16, which is saved as raw bytes.
ones=$(yes 1 | head -n 4097 | tr '\n' ' ')
matrix row.npy '<f2' False 1 4097 $ones
matrix column.npy '<f2' False 4097 1 $ones
matrix sum.npy '<f2' False 1 1 4096
gives sum.npy row.npy column.npy
matrix bf16.npy '<f2' False 1 1 1
sed -i 's/<f2/<V2/' bf16.npy
refuses 2 'bfloat16' matmul bf16.npy bf16.npy -o out.npy
rm -f out.npy

# What is beyond the type's range is infinite.
matrix large.npy '<f4' False 1 2 1e30 1e30
matrix infinite.npy '<f4' False 1 1 inf
gives infinite.npy large.npy large.npy --transb

# ---- refusals ----

matrix wide.npy '<f8' False 3 2 1 0 0 1 2 -1
refuses 2 'the columns of the first must be the rows of the second' matmul a.npy a.npy -o c.npy --force
refuses 2 'must be of the same type' matmul a.npy wide.npy -o new.npy
refuses 2 'a.npy holds 2×3; the product is 2×2' matmul a.npy b.npy --add a.npy -o new.npy
refuses 2 'beyond the range of f32' matmul a.npy b.npy --alpha 1e300 -o new.npy
refuses 2 'exists already; --force' matmul a.npy b.npy -o sum.npy
stack one.npy '<f4' False '(1, 3, 2)' 1 0 0 1 2 -1
stack two.npy '<f4' False '(2, 2, 3)' 1 2 3 4 5 6 0 1 0 2 0 0
stack none.npy '<f4' False '(0, 2, 2)'
stack fortran.npy '<f4' True '(2, 3, 2)' 1 0 0 1 2 -1 5 6 7 8 9 9
refuses 2 'two.npy holds 2 matrices and one.npy 1' matmul two.npy one.npy -o new.npy
refuses 2 'two.npy has 3 axes and b.npy 2: a stack goes with a stack' matmul two.npy b.npy -o new.npy
refuses 2 'fortran.npy: a stack of matrices in Fortran order' matmul two.npy fortran.npy -o new.npy
refuses 2 'batch=0 is outside 1' matmul none.npy none.npy -o new.npy
refuses 2 'no.npy: cannot be opened' matmul a.npy no.npy -o new.npy
refuses 2 'vector.npy: is of rank 1' matmul "$npy/vector.npy" b.npy -o new.npy
refuses 2 'le-i4.npy: is of type int32' matmul a.npy "$npy/le-i4.npy" -o new.npy
refuses 2 'did you mean cpu' matmul a.npy b.npy -o new.npy --device cpy
refuses 2 'computes nothing' matmul a.npy b.npy -o new.npy --device null
for arguments in '' 'a.npy b.npy' 'a.npy -o new.npy' 'a.npy b.npy c.npy -o new.npy' 'a.npy b.npy -o new.npy --beta 2' \
    'a.npy b.npy -o new.npy --alpha x' 'a.npy b.npy -o new.npy --alpha nan'; do
    # shellcheck disable=SC2086 # a list of words
    "$USKOR" matmul $arguments >/dev/null 2>err
    [ $? = 2 ] || wrong "matmul $arguments: wrong use does not leave with 2"
    grep -q -e '--help' err || wrong "matmul $arguments: no way to the help: $(cat err)"
    [ ! -e new.npy ] || wrong "matmul $arguments: made a file"
done

phases 'computing checking writing' matmul a.npy b.npy -o timed.npy
finish
