#!/bin/sh
# uskor exercise and uskor grade: the folder, grades of right, wrong and hostile files, and hostile names.
. "$1/tests/cli/common"

expect 0 'transpose:tiled' "$USKOR" exercise --list
for kernel in transpose sort dot matmul resize wave; do
    says "$kernel:"
done
refuses 2 'which exercise' exercise
refuses 2 "did you mean 'transpose:tiled'" exercise transpose:tild
expect 0 'README.md, transpose.cl and exercise.txt' "$USKOR" exercise transpose:tiled -o hw1/
grep -q 'as fast as `tiled` | 100' hw1/README.md || wrong "the text does not say what counts: $(cat hw1/README.md)"
(printf '\357\273\277' && cat hw1/exercise.txt) >marked.txt && mv marked.txt hw1/exercise.txt
grep -q '^.*exercise: transpose:tiled$' hw1/exercise.txt || wrong 'exercise.txt does not name the exercise'
refuses 2 'exists' exercise transpose:tiled -o hw1/
expect 0 '' "$USKOR" exercise transpose:tiled -o hw1/ --force
expect 0 'сортировка' "$USKOR" --lang ru exercise --list
expect 0 '' "$USKOR" exercise sort:radix -o hw2

# What is not there, or is not what it should be.
mkdir empty
refuses 2 'exercise.txt' grade empty --students hw2
refuses 2 'cannot be read' grade hw2 --students absent
refuses 2 'there is no submission in it' grade hw2 --students empty
refuses 2 'submissions are needed' grade hw2
refuses 2 'wait takes a time' grade hw2 --students hw2 --wait soon
refuses 2 'is not judged on' grade hw1 --students hw1 --device cpu
echo 'exercise: nothing' >empty/exercise.txt
refuses 2 'there is no exercise' grade empty --students hw2
echo 'nonsense' >empty/exercise.txt
refuses 2 "does not begin with 'exercise: NAME'" grade empty --students hw2

# Each of these is a student's, and none may harm the others.
mkdir students students/none students/two students/folder
{ echo '// require: input != 5, special values are left out' && cat hw2/sort.c; } >students/right.c
cp students/right.c students/twin.c
cp students/right.c students/folder/mine.c
cp hw2/sort.c students/two/a.c
cp hw2/sort.c students/two/b.c
cp students/right.c 'students/=1+1.c'
echo 'void sort(float *data, long n) { for (long i = 1; i < n; i++) data[i] = data[0]; }' >'students/<i>&.c'
echo 'void sort(float *data, long n) { *(volatile int *)8 = 1; }' >students/crash.c
echo 'void sort(float *data, long n) { data[n - 1] = 0; }' >students/shouts.C
printf '#include <signal.h>\n#include <unistd.h>\nvoid sort(float *data, long n) { kill(getppid(), SIGKILL); }\n' >students/kill.c
echo 'void sort(float *data, long n) { nonsense }' >students/broken.c
mkfifo students/pipe.c
head -c 5000000 /dev/zero >students/huge.c
ln -s /nowhere students/gone.c
mkdir students/thief outside
cp hw2/sort.c outside/other.c
ln -s ../outside/other.c students/link.c
ln -s ../two/a.c students/thief/mine.c
ln -s ../../outside/other.c students/thief/.hidden.c
printf 'no' >"students/$(printf 'a\033b\nc').c"
echo 'notes' >students/readme.txt
cp hw2/sort.c students/device.cl
expect 0 'right' env ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0" "$USKOR" grade hw2 --students students \
    --problem sort:n=3000 --limit 150s --wait 0 -o grades.csv
row() { # row PATTERN: there is such a row
    grep -q "$1" grades.csv || wrong "no row '$1' in the grades: $(cat grades.csv)"
}
row '^student,file,sha256,verdict,points,out_of,step,'
row '^right,right.c,[0-9a-f]\{64\},right,[0-9]*,100,'
row '^right,.*not tried on [0-9]* edge cases that it does not serve'
row "^'=1+1,'=1+1.c,[0-9a-f]*,right,"
row "^twin,twin.c,[0-9a-f]*,right,.*'=1+1"
row '^folder,mine.c,[0-9a-f]*,right,'
row '^<i>&,<i>&.c,[0-9a-f]*,wrong,0,'
row '^crash,crash.c,[0-9a-f]*,wrong,0,.*SIGSEGV'
row '^kill,kill.c,[0-9a-f]*,wrong,0,'
row '^broken,broken.c,[0-9a-f]*,error,0,.*does not compile: line 1:34: error: '
row '^none,,,error,0,.*no file to judge'
row '^two,a.c,,error,0,.*2 files'
row '^pipe,pipe.c,,error,0,.*is not a file'
row '^huge,huge.c,,error,0,.*larger than 4 MiB'
row '^gone.*error,0,.*cannot be opened'
row '^link.*error,0,.*is a link out of the submissions'
row '^thief,mine.c,.*,error,0,.*is a link to what another handed in'
row '^shouts,shouts.C,[0-9a-f]*,wrong,0,'
row '^a\\x1bb\\x0ac,.*,error,0,'
row '^device,device.cl,[0-9a-f]\{64\},error,0,.*ends in .cl, and this exercise is answered in .c'
row ',sort:radix,"sort:n=3000",cpu,'
grep -q 'no submissions, as they do not end in .cl, .cu or .c: readme.txt' err || wrong "a file without a row is not named: $(cat err)"
grep -q readme grades.csv && wrong 'a file that is no submission has a row'
"$USKOR" devices --json >devices.json
python3 - grades.csv "$("$USKOR" --version)" <<'PYTHON' || wrong "rows name another machine or program: $(cat grades.csv)"
import csv
import json
import sys
rows = {row["student"]: row for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
cpu = json.load(open("devices.json"))[0]
for student in "right", "twin", "crash":
    assert rows[student]["device_name"] == cpu["name"] and rows[student]["driver"] == cpu["driver"], student
    assert rows[student]["program"] in sys.argv[2].split(), student
assert not rows["broken"]["device_name"] and not rows["none"]["driver"] and not rows["huge"]["program"]
PYTHON
[ "$(wc -l <grades.csv)" = 19 ] || wrong "18 submissions do not make 19 lines: $(cat grades.csv)"
grep -q '&lt;i&gt;&amp;' grades.html || wrong "the page does not escape a name: $(cat grades.html)"
grep -q '<i>' grades.html && wrong 'the page has a name as markup'
grep -qE '(src|href)=' grades.html && wrong 'the page loads something'
refuses 2 'exists' grade hw2 --students students -o grades.csv
if "$USKOR" devices | grep -q '^opencl:0'; then # a compiler's message names the student's file, not the copy, whose name changes
    mkdir devices
    echo '__kernel void transpose(__global float *in, __global float *out, int n) { nonsense }' >devices/ivanova.cl
    expect 0 'error: ivanova.cl:1:' "$USKOR" grade hw1 --students devices --device opencl:0 --limit 150s --wait 0 -o devices.csv
fi

# Names of any bytes and length: each has a row of its own, and its path is what is worked with.
mkdir names names/anna names/__MACOSX "names/$(printf '%064d' 0 | tr 0 '\237')"
for name in "$(printf '%064d' 0 | tr 0 '\236')" "$(printf '%043d' 0 | sed "s/0/$(printf '\342\200\213')/g")" \
    "$(printf '%0240d' 0 | tr 0 '\310')1" "$(printf '%0240d' 0 | tr 0 '\310')2" anna anna/x 'b\x9f' "$(printf 'b\237')" \
    "$(printf 'c\nd')" 'c\x0ad' =2 "'=2" "''=2" "$(printf '\343\205\244')" __MACOSX/anna; do
    echo 'void sort(float *data, long n) { nonsense }' >"names/$name.c"
done
expect 0 'does not compile' "$USKOR" grade hw2 --students names --problem sort:n=3000 --limit 150s --wait 0 -o names.csv
[ "$(cut -d, -f1 names.csv | sort -u | wc -l)" = 16 ] || wrong "15 submissions do not have 15 names: $(cat names.csv)"
grep -q '^\\u3164,\\u3164.c,' names.csv || wrong "a letter that nobody sees is shown: $(cat names.csv)"
grep -q '^anna (2),anna.c,' names.csv || wrong "a student's second row has no name of its own: $(cat names.csv)"
grep -q 'MACOSX\|(null)' names.csv && wrong "what is no student's has a row: $(cat names.csv)"
long=$(printf '%0100d\n\r\t\033[31m' 0).c
cp hw2/sort.c "$long"
expect 0 'on cpu: place' "$USKOR" try sort "$long" sort:n=300 --beside qsort --verified --kernel-only
says 'on cpu: neither verified on edge cases nor searched for races'
if "$USKOR" devices | grep -q '^opencl:0'; then # its path is in the text that a device compiles
    for odd in "$(printf 'a"b\\c \237.cl')" "$(printf 'a\nb\rc.cl')"; do
        echo '__kernel void transpose(__global float *in, __global float *out, int n) { nonsense }' >"$odd"
        expect 2 'error: a' "$USKOR" try transpose "$odd" --device opencl:0
        says '.cl:1:'
    done
fi

# What was judged stays judged, unless the file is another; an end at any time costs one file's work.
fast='--problem sort:n=3000 --limit 150s --wait 0'
mkdir some
for i in 1 2 3; do echo "void sort(float *data, long n) { data[0] = $i; }" >some/wrong$i.c; done
expect 2 'so far: -o grades.csv' "$USKOR" grade hw2 --students some --continue
echo 'no grades' >none.csv
refuses 2 'none.csv:1: is not a row of grades' grade hw2 --students some -o none.csv --continue
grep -q 'no grades' none.csv || wrong '--continue wrote over a file that has no grades'
"$USKOR" grade hw2 --students some $fast -o some.csv >out 2>err &
grading=$!
has_rows() { [ "$(wc -l <some.csv)" -ge 2 ]; } 2>/dev/null
wait_until has_rows || wrong "no grade is written before the last: $(cat err)"
kill -INT "$grading" 2>/dev/null
wait "$grading"
cp some.csv first.csv
expect 0 'wrong3' "$USKOR" grade hw2 --students some $fast -o some.csv --continue
grep -q 'of 3 were judged before: some.csv' err || wrong "what was judged is judged again: $(cat err)"
grep -vxF -f some.csv first.csv >lost.csv && wrong "a grade was lost: $(cat lost.csv)"
[ "$(wc -l <some.csv)" = 4 ] || wrong "3 submissions do not make 4 lines: $(cat some.csv)"
echo '// other' >>some/wrong2.c
expect 0 'wrong2' "$USKOR" grade hw2 --students some $fast -o some.csv --continue
grep -q '^2 of 3 were judged before' err || wrong "a file that changed keeps its grade: $(cat err)"

# Late files, files that are alike under other names and numbers, one student again, and what others import.
mkdir alike alike/Anna_4711_assignsubmission_file_ scope
cat >alike/Anna_4711_assignsubmission_file_/mine.c <<'C'
void sort(float *data, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++)
            if (data[j] < data[i] && data[i] != 5.0f)
                data[i] = data[j];
}
C
sed 's/data/keys/g; s/\<n\>/count/g; s/\<i\>/at/g; s/5.0f/7.5f/; s/^{/{ \/\/ all my own/' alike/Anna*/mine.c >alike/boris.c
echo 'void sort(float *data, long n) { while (n > 1) data[--n] = 1; }' >alike/clara.c
touch -d '2026-11-20 12:00' alike/clara.c alike/Anna*/mine.c
touch -d '2026-11-21 13:30' alike/boris.c
expect 0 'h late; 100 % like Anna' "$USKOR" grade hw2 --students alike $fast --due '2026-11-21 12:00' -o alike.csv --moodle moodle.csv \
    --gradescope scope
# In a terminal, remarks stay in their column.
COLUMNS=80 expect 0 'h late; 100 %' "$USKOR" grade hw2 --students alike $fast --due '2026-11-21 12:00'
[ "$(grep -vE ' · ' out | awk '{ print length($0) }' | sort -n | tail -1)" -le 80 ] || wrong "wider than 80 columns: $(cat out)"
grep -q '^ *0/100 *wrong  *boris' out || wrong "no row of boris: $(cat out)"
grep -q '^boris,.*,1.5,Anna_4711_assignsubmission_file_,1.00$' alike.csv || wrong "a late copy is not marked: $(cat alike.csv)"
grep -q '^clara,.*,,,$' alike.csv || wrong "a file of its own, in time, is marked: $(cat alike.csv)"
grep -q '^Participant 4711,Anna,,0,100,' moodle.csv || wrong "not a participant of Moodle: $(cat moodle.csv)"
grep -q '^,,boris,0,100,"\?wrong' moodle.csv || wrong "not a user of Moodle: $(cat moodle.csv)"
python3 - scope/boris.json <<'PYTHON' || wrong "not an autograder's results: $(cat scope/boris.json)"
import json
import sys
results = json.load(open(sys.argv[1]))
assert sum(test["score"] for test in results["tests"]) == 0 and results["tests"][0]["max_score"] == 60
assert "late" in results["output"]
PYTHON
refuses 2 'is not a date' grade hw2 --students alike --due noon
refuses 2 'is not a folder to write to' grade hw2 --students alike --gradescope absent
refuses 2 'needs the file of the other grades' grade hw2 --students alike --student boris
refuses 2 "did you mean 'boris'" grade hw2 --students alike --student bors -o alike.csv
sed 's/^\(clara,.*\),wrong,0,/\1,not_judged,,/' alike.csv >again.csv
expect 1 'boris' "$USKOR" grade hw2 --students alike $fast --due '2026-11-21 12:00' -o again.csv --student boris
grep -q '^1 of 3: \|^3 of 3: ' err && wrong "others are judged, too: $(cat err)"
grep -q '^clara,.*,not_judged,,' again.csv || wrong "another's row changed: $(cat again.csv)"
[ "$(wc -l <again.csv)" = 4 ] || wrong "a row was lost: $(cat again.csv)"

# A folder that goes away meanwhile costs no file its judgement, and no grade.
mkdir closed
"$USKOR" grade hw2 --students some $fast -o closed/some.csv >out 2>err &
grading=$!
has_begun() { grep -q '^1 of 3' err; }
wait_until has_begun || wrong "the grading does not begin: $(cat err)"
rm -r closed
wait "$grading"
[ $? = 2 ] || wrong "grades that are not written have no exit code of their own: $(cat err)"
says 'the grading goes on, and tries again after each file'
kept=$(sed -n 's/^the grades are kept in //p' err)
[ "$(wc -l <"$kept")" = 4 ] || wrong "3 grades that cannot be written are not kept: $(cat err)"
rm -f "$kept"

sed 's/,"sort:n=3000",/,"sort:n=4000",/' some.csv >other.csv
expect 0 'wrong2' "$USKOR" grade hw2 --students some $fast -o other.csv --continue
grep -q 'judged before' err && wrong "a grade of another problem is kept: $(cat err)"

# One that hangs, and one behind it; those above have minutes, as the machine may be busy.
mkdir hanging temporary
echo 'void sort(float *data, long n) { for (;;) __asm__ volatile(""); }' >hanging/hang.c
cp students/broken.c hanging/later.c
expect 0 'no answer for 1 s' env TMPDIR="$PWD/temporary" "$USKOR" grade hw2 --students hanging --problem sort:n=3000 --limit 1s --wait 0 -o grades.csv --force
row '^hang,hang.c,[0-9a-f]*,wrong,0,.*no answer for 1 s'
row '^later,later.c,[0-9a-f]*,error,0,.*does not compile'
[ -z "$(ls temporary)" ] || wrong "a trial left behind: $(ls temporary)"

# Beside other programs no time counts: a right file is not judged, has no points, and the exit code says so. They take
# what the grading leaves, and half of what it wants.
mkdir busy
expect 0 '' "$USKOR" exercise dot:parallel-simd -o hw3
cp hw3/dot.c busy/right.c
spinners=
for i in $(seq "$(nproc)"); do
    while :; do :; done &
    spinners="$spinners $!"
done
expect 1 'not judged' "$USKOR" grade hw3 --students busy --problem dot:n=3000 --limit 150s --wait 0.1s -o busy.csv
# shellcheck disable=SC2086 # numbers of processes
kill $spinners
grep -q '^right,right.c,[0-9a-f]*,not_judged,,100,' busy.csv || wrong "a file that was not judged has another row: $(cat busy.csv)"
finish
