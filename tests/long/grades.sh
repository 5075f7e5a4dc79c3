#!/bin/sh
# The same submissions, graded again and again, have the same grades. One line for each run: its points.
#   GRADES_RUNS=20       how often
#   GRADES_SIZE=262144   keys
#   GRADES_WAIT=30m      how long each run waits for other programs (uskor grade --wait)
#   GRADES_FILES='radix wrong'   these submissions only (default: library, radix, skeleton, wrong)
set -- "$(cd "$1" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
expect 0 '' "$USKOR" exercise sort:radix -o hw
mkdir students
cp hw/sort.c students/skeleton.c
cat >students/library.c <<'C'
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    if (x == 0 && y == 0)
        return __builtin_signbit(y) - __builtin_signbit(x) < 0 ? -1 : __builtin_signbit(y) != __builtin_signbit(x);
    return (x > y) - (x < y);
}
void sort(float *data, long n)
{
    qsort(data, n, sizeof *data, compare);
}
C
cat >students/radix.c <<'C'
#include <stdlib.h>
#include <string.h>
static unsigned key(unsigned bits)
{
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
void sort(float *data, long n)
{
    unsigned *from = (unsigned *)data, *other = malloc(4 * n + 4), *to = other;
    for (int shift = 0; shift < 33; shift += 11) {
        long places[2049] = {0};
        for (long i = 0; i < n; i++)
            places[(key(from[i]) >> shift & 2047) + 1]++;
        for (int digit = 0; digit < 2048; digit++)
            places[digit + 1] += places[digit];
        for (long i = 0; i < n; i++)
            to[places[key(from[i]) >> shift & 2047]++] = from[i];
        unsigned *swap = from;
        from = to;
        to = swap;
    }
    memcpy(data, from, 4 * n);
    free(other);
}
C
echo 'void sort(float *data, long n) { for (long i = 1; i < n; i++) data[i] = data[0]; }' >students/wrong.c
for file in students/*; do
    name=$(basename "$file" .c)
    case " ${GRADES_FILES:-$name} " in *" $name "*) ;; *) rm "$file" ;; esac
done
printf '%-4s' run
cut -d . -f 1 <<LIST | tr '\n' ' '
$(ls students)
LIST
echo
for run in $(seq "${GRADES_RUNS:-20}"); do
    "$USKOR" grade hw --students students --problem "sort:n=${GRADES_SIZE:-262144}" --wait "${GRADES_WAIT:-30m}" -o grades.csv --force >out 2>err ||
        wrong "run $run: $(cat err)"
    ! grep -q 'disturbed the timing' grades.csv || wrong "run $run: other programs disturbed it, a quiet machine is needed"
    cut -d , -f 5 grades.csv | tail -n +2 >points
    printf '%-4s%s\n' "$run" "$(tr '\n' ' ' <points)"
    [ -e first ] || cp points first
    cmp -s points first || wrong "run $run has other grades than the first: $(cat grades.csv)"
done
[ ! -e students/wrong.c ] || grep -q 'wrong,0' grades.csv || wrong 'the wrong file has points'
finish
