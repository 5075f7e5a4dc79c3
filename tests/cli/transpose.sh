#!/bin/sh
# uskor transpose on files: results, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program; CC: a compiler.
set -u
npy=$1/tests/data/npy
. "$1/tests/cli/common"

# makes IN OUT ARGUMENT…
makes() {
    input=$1 output=$2
    shift 2
    silent transpose "$input" -o "$output" "$@"
}

# Whether an unfinished file is here.
unfinished() {
    [ -n "$(find . -name '*.part')" ]
}

# ---- results ----

for version in le-f4 fortran version-2 version-3; do
    makes "$npy/$version.npy" "$version.npy"
    same "$version.npy" "$npy/transposed.npy"
done
rm -f ./*.npy
# Every type and byte order: there and back is the same file, header and all.
for kind in b1 i1 u1 le-i2 be-i2 le-i4 be-i4 le-i8 be-i8 le-u2 be-u2 le-u4 be-u4 le-u8 be-u8 le-f2 be-f2 le-f4 be-f4 \
    le-f8 be-f8 le-f16 be-f16 le-c8 be-c8 le-c16 be-c16 empty; do
    makes "$npy/$kind.npy" there.npy
    makes there.npy back.npy
    same back.npy "$npy/$kind.npy"
    [ "$kind" = empty ] || ! cmp -s there.npy back.npy || wrong "$kind: nothing was transposed"
    rm -f there.npy back.npy
done

# In blocks and at once give the same file, for a matrix (of one thread's, and of several threads' work), for a wide
# and for a tall one; and back again.
random() {
    { header "$3" "($1, $2)" && head -c "$4" /dev/urandom; } >a.npy
    makes a.npy whole.npy
    makes a.npy blocks.npy -m 1m
    same whole.npy blocks.npy
    makes blocks.npy back.npy -m 3m
    same back.npy a.npy
    rm -f ./*.npy
}
random 1031 1409 '<u2' $((1031 * 1409 * 2))
random 5 700001 '|u1' $((5 * 700001))
random 200003 3 '<c16' $((200003 * 3 * 16))
random 1700 2003 '|i1' $((1700 * 2003))
random 600 701 '>f8' $((600 * 701 * 8))

# In place, quietly, and over an older file.
cp "$npy/le-f4.npy" a.npy
makes a.npy a.npy --force --quiet
same a.npy "$npy/transposed.npy"
chmod 640 a.npy
makes "$npy/le-f4.npy" a.npy -f
[ "$(stat -c %a a.npy)" = 640 ] || wrong 'an overwritten file lost its mode'

# ---- refusals ----

refuses 2 'a.npy: exists already; --force' transpose "$npy/le-f4.npy" -o a.npy
same a.npy "$npy/transposed.npy"
refuses 2 'no.npy: cannot be opened' transpose no.npy -o b.npy
refuses 2 'none/b.npy: its folder does not exist' transpose a.npy -o none/b.npy
"$USKOR" transpose a.npy -o piped.npy && "$USKOR" transpose - -o - <a.npy | cmp -s - piped.npy || wrong 'transpose of a pipe'
refuses 2 'this command writes files only' wave -o -
phases 'reading computing checking writing' transpose a.npy -o timed.npy
refuses 2 'not a regular file' transpose a.npy -o /dev/null --force
refuses 2 'is a folder' transpose a.npy -o . --force
refuses 2 'one is empty' transpose '' -o b.npy
"$USKOR" transpose a.npy -o /dev/stdout 2>err | cat >out
grep -q 'not a regular file' err || wrong "a pipe behind /dev/stdout: $(cat err)"
[ ! -s out ] || wrong 'something was written into the pipe'
refuses 2 'is a folder' transpose . -o b.npy
refuses 2 'not a regular file' transpose /dev/zero -o b.npy
refuses 2 'vector.npy: has one axis' transpose "$npy/vector.npy" -o b.npy
refuses 2 'reshape' transpose "$npy/vector.npy" -o b.npy
refuses 2 'cube.npy: is of rank 3' transpose "$npy/cube.npy" -o b.npy
refuses 2 'scalar.npy: is a single number' transpose "$npy/scalar.npy" -o b.npy
for kind in archive bytes complex-long-double date difference object record unicode void; do
    refuses 2 "refused-$kind.npy: " transpose "$npy/refused-$kind.npy" -o b.npy
done
refuses 2 'did you mean cpu' transpose a.npy -o b.npy --device cpy
refuses 2 'computes nothing' transpose a.npy -o b.npy --device null
[ -e /dev/nvidia0 ] || refuses 3 'cuda' transpose a.npy -o b.npy --device cuda:0

refuses 2 'no\x0asuch: cannot be opened' transpose 'no
such' -o b.npy

# Damage: cut short, lengthened, a header of zeros, sizes beyond all memory, a file that is something else.
head -c 140 a.npy >damaged.npy
refuses 2 'damaged.npy: is cut short' transpose damaged.npy -o b.npy
{ cat a.npy && echo; } >damaged.npy
refuses 2 'damaged.npy: has 1 bytes after its data' transpose damaged.npy -o b.npy
{ printf '\223NUMPY\001\000v\000' && head -c 118 /dev/zero; } >damaged.npy
refuses 2 'damaged.npy: the header is damaged' transpose damaged.npy -o b.npy
header '<f8' '(4294967296, 4294967296)' >damaged.npy
refuses 2 'damaged.npy: the header' transpose damaged.npy -o b.npy
header '<f8' '(1000000000, 1000000000)' >damaged.npy
refuses 2 'damaged.npy: is cut short' transpose damaged.npy -o b.npy
printf 'rows,cols\n1,2\n' >damaged.npy
refuses 2 'damaged.npy: is not a .npy file' transpose damaged.npy -o b.npy
: >damaged.npy
refuses 2 'damaged.npy: is empty' transpose damaged.npy -o b.npy

# Wrong use: code 2, and a way to the help.
for arguments in '' 'a.npy' '-o b.npy' 'a.npy c.npy -o b.npy' 'a.npy -o b.npy -m 1' 'a.npy -o b.npy --no-such'; do
    # shellcheck disable=SC2086 # a list of words
    "$USKOR" transpose $arguments >/dev/null 2>err
    [ $? = 2 ] || wrong "transpose $arguments: wrong use does not leave with 2"
    grep -q -e '--help' err || wrong "transpose $arguments: no way to the help: $(cat err)"
    [ ! -e b.npy ] || wrong "transpose $arguments: made a file"
done
"$USKOR" transpose --help | grep -q 'uskor transpose a.npy -o b.npy' || wrong '--help has no example'

# ---- limits and interruptions ----

# No room: a limit on files, and a disk that is too small (mounting one takes root).
header '<f8' '(1000, 1000)' >big.npy
head -c 8000000 /dev/zero >>big.npy
message=$(ulimit -f 1000 && "$USKOR" transpose big.npy -o b.npy 2>&1)
[ $? = 2 ] || wrong "a limit on the file's size does not leave with 2: $message"
case $message in *"ulimit -f"*) ;; *) wrong "a limit on the file's size: $message" ;; esac
mkdir disk
if mount -t tmpfs -o size=1m none disk 2>/dev/null; then
    message=$("$USKOR" transpose big.npy -o disk/b.npy 2>&1)
    [ $? = 2 ] || wrong "a full disk does not leave with 2: $message"
    case $message in *"no room on its disk"*) ;; *) wrong "a full disk: $message" ;; esac
    [ -z "$(ls -A disk)" ] || wrong 'a full disk: a file is left'
    umount disk
fi
rmdir disk
[ ! -e b.npy ] || wrong 'a file was made where there is no room'

# Two helpers: how much memory a program had from the moment on when it began its result (KiB), and a program that gets a signal in its middle. That is where one of its
# open files has no name yet or is unfinished; it is stopped there first, so that it cannot have gone on meanwhile. The
# helper prints how the program ended: "signal INT", "code 0"; or "missed" when it had ended before it was seen.
"${CC:-cc}" -D_GNU_SOURCE -xc - -o helper <<'C' || wrong 'no compiler'
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_in_the_middle(pid_t child)
{
    char folder[64], path[400], target[4096];
    int found = 0;
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)child);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        found |= strncmp(target, "/memfd:", 7) != 0 && (strstr(target, "(deleted)") || strstr(target, ".part"));
    }
    if (entries)
        closedir(entries);
    return found;
}

/* Before it begins its result the program may have measured the caches, in more memory. */
static void forget_the_peak(pid_t child)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)child);
    FILE *file = fopen(path, "w");
    if (!file || fputs("5", file) < 0 || fclose(file) != 0)
        perror(path);
}

static int memory(pid_t child)
{
    char path[64], line[256];
    long most = 0, now = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    for (int is_begun = 0; waitpid(child, NULL, WNOHANG) == 0; usleep(200)) {
        if (!is_begun && (is_begun = is_in_the_middle(child)))
            forget_the_peak(child);
        FILE *file = fopen(path, "r");
        while (is_begun && file && fgets(line, sizeof line, file))
            if (sscanf(line, "VmHWM: %ld", &now) == 1 && now > most)
                most = now;
        if (file)
            fclose(file);
    }
    printf("%ld\n", most);
    return 0;
}

static const struct {
    const char *name;
    int number;
} signals[] = {{"INT", SIGINT},   {"TERM", SIGTERM}, {"HUP", SIGHUP},   {"QUIT", SIGQUIT},     {"PIPE", SIGPIPE},
               {"ALRM", SIGALRM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"VTALRM", SIGVTALRM}, {"XCPU", SIGXCPU}};

static const char *name_of(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "of another kind";
}

static int interrupt(pid_t child, int number)
{
    int state = 0;
    while (waitpid(child, &state, WNOHANG) == 0) {
        if (!is_in_the_middle(child)) {
            usleep(200);
            continue;
        }
        kill(child, SIGSTOP);
        if (waitpid(child, &state, WUNTRACED) != child || !WIFSTOPPED(state))
            break;
        int is_there = is_in_the_middle(child);
        if (is_there)
            kill(child, number);
        kill(child, SIGCONT);
        waitpid(child, &state, 0);
        if (!is_there)
            break;
        if (WIFSIGNALED(state))
            printf("signal %s\n", name_of(WTERMSIG(state)));
        else
            printf("code %d\n", WEXITSTATUS(state));
        return 0;
    }
    puts("missed");
    return 0;
}

/* memory PROGRAM ARGUMENT…; SIGNAL PROGRAM ARGUMENT… */
int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    int number = 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(signals[i].name, arguments[1]) == 0)
            number = signals[i].number;
    signal(SIGINT, SIG_DFL); /* background jobs ignore them, a terminal's do not */
    signal(SIGQUIT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stdout);
        return execvp(arguments[2], arguments + 2);
    }
    return number ? interrupt(child, number) : memory(child);
}
C

! unfinished || wrong 'an unfinished file is left'
room=$(df -Pk . | awk 'NR == 2 { print $4 }')
if [ "${room:-0}" -lt 300000 ]; then
    echo "left out, as TMPDIR has room for $room KiB alone: results of 96 and 128 MiB"
    finish
fi

# In blocks, only a part of either file is in memory. The inputs are sparse: they take no room.
header '|u1' '(12288, 8192)' >big.npy
truncate -s $((128 + 12288 * 8192)) big.npy
at_once=$(./helper memory "$USKOR" transpose big.npy -o b.npy -f -m 1g)
in_blocks=$(./helper memory "$USKOR" transpose big.npy -o b.npy -f -m 8m)
[ "$in_blocks" -lt $((at_once - 96 * 1024)) ] || wrong "blocks took $in_blocks KiB, the whole took $at_once KiB"
rm b.npy

# A signal in the middle: no file is left, and the shell sees the signal. A quick machine is tried again.
header '<f4' '(4096, 8192)' >big.npy
truncate -s $((128 + 4096 * 8192 * 4)) big.npy
for signal in INT TERM HUP QUIT PIPE ALRM USR1 USR2 VTALRM XCPU; do
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        ended=$(ulimit -c 0 && OMP_NUM_THREADS=1 ./helper "$signal" "$USKOR" transpose big.npy -o b.npy -m 2m 2>err)
        [ "$ended" = missed ] || break
        rm -f b.npy
    done
    [ "$ended" = "signal $signal" ] || wrong "SIG$signal: $ended after $try: $(cat err)"
    ! unfinished || wrong "SIG$signal left an unfinished file"
    [ ! -e b.npy ] || wrong "SIG$signal left a result"
done
rm -f big.npy b.npy

! unfinished || wrong 'an unfinished file is left'
finish
