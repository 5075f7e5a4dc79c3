#!/bin/sh
# The library inside parallel regions of gcc's and of clang's OpenMP, between them, and in nested ones: each thread with a
# context of its own. A compiler without its OpenMP is left out; without any the test is skipped. $1: the repository, $2: the
# build folder.
set -u
if grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo 'SKIP: what uses a sanitized library is sanitized, too'
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cat >"$folder/regions.c" <<'C'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uskor.h>

enum { ROWS = 300, COLUMNS = 410, COUNT = ROWS * COLUMNS };

/* 0: right. */
static int use(void)
{
    struct uskor *uskor;
    unsigned *a = malloc(3 * COUNT * sizeof *a), *b = a + COUNT, *order = b + COUNT, word = 1;
    float *x = (float *)a, c[100];
    double dot = 0;
    int wrong = uskor_open(&uskor, NULL) != USKOR_OK;
    for (int i = 0; i < COUNT; i++)
        a[i] = word = word * 1664525 + 1013904223;
    for (int round = 0; !wrong && round < 3; round++) {
        wrong |= uskor_transpose(uskor, b, a, ROWS, COLUMNS, 4) != USKOR_OK;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                wrong |= b[j * ROWS + i] != a[i * COLUMNS + j];
        wrong |= uskor_argsort(uskor, order, a, COUNT, USKOR_UINT32, 4, 0) != USKOR_OK;
        wrong |= uskor_sort_lines(uskor, b, ROWS, COLUMNS, 1, USKOR_UINT32, 0) != USKOR_OK;
        for (int i = 1; i < COUNT; i++)
            wrong |= a[order[i - 1]] > a[order[i]] || (i % ROWS && b[i - 1] > b[i]);
    }
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i % 3);
    wrong |= uskor_dot(uskor, &dot, x, x, 3000, USKOR_FLOAT32, USKOR_SUM_EXACT) != USKOR_OK || dot != 5000;
    wrong |= uskor_gemm(uskor, USKOR_FLOAT32, 0, 1, 10, 10, 300, 1, x, 300, x, 300, 0, c, 10) != USKOR_OK || c[99] != 500;
    uskor_close(uskor);
    free(a);
    return wrong;
}

int main(void)
{
    int wrong = use(), threads = 0;
    omp_set_dynamic(0);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(4) reduction(+ : wrong, threads)
        {
            threads++;
            wrong += use();
#pragma omp single
            {
#pragma omp task
                use();
            }
        }
        wrong += use();
#pragma omp parallel for num_threads(3) reduction(+ : wrong)
        for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2) reduction(+ : wrong)
            wrong += use();
        }
    }
    printf("%d threads, %d wrong\n", threads, wrong);
    return wrong != 0 || threads != 12;
}
C
tried=0 failed=0
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "left out: no $compiler"; continue; }
    "$compiler" -O1 -fopenmp -I "$1/include" "$folder/regions.c" -o "$folder/$compiler" "$2/libuskor.so" \
        "-Wl,-rpath,$2" 2>"$folder/log" || { echo "left out: $compiler has no OpenMP (Debian: libomp-dev)"; continue; }
    tried=$((tried + 1))
    for settings in '' OMP_PROC_BIND=true OMP_WAIT_POLICY=active; do
        # shellcheck disable=SC2086 # a setting or none
        env USKOR_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=2 $settings timeout 120 "$folder/$compiler" >"$folder/said" 2>&1 ||
            { echo "FAIL: $compiler $settings: $(cat "$folder/said")"; failed=1; }
    done
done
[ "$tried" -gt 0 ] || { echo 'SKIP: no compiler with OpenMP'; exit 77; }
exit $failed
