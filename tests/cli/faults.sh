#!/bin/sh
# Names, limits, files and choices that would do harm: each is refused in a line, and before anything is measured.
set -u
. "$1/tests/cli/common"

small=transpose:rows=100,cols=60
fast="--device cpu --rung serial --time 0.01"

# What SQLite takes for no file.
for name in :memory: file::memory: 'file:x.sqlite?mode=memory'; do
    refuses 2 'a store is a file' bench $small $fast --store "$name"
    refuses 2 'a store is a file' history --store "$name"
done
ln -s circle circle
refuses 2 'Too many levels' history --store circle
refuses 2 'Too many levels' bench $small $fast --store circle
refuses 2 'not a regular file' bench $small $fast --store /dev/full
refuses 2 'keeps nothing' check dot:n=10 -d cpu -r serial --store s.sqlite
test ! -e s.sqlite || wrong 'check makes a store'
expect 0 '' "$USKOR" check dot:n=10 -d cpu -r serial --store none

# A store says what it likes: numbers beyond all bounds, letters that a terminal would obey. On a machine of 2 GiB, as the
# roofline measures ceilings. (A sanitizer shall leave it that.)
of_2_gib() {
    preload libfaulty_memory.so "$USKOR" "$@"
}
expect 0 '' of_2_gib bench $small $fast --threads 1 --store s.sqlite
roofline='roofline transpose --device cpu --threads 1 --json'
python3 - <<'PYTHON'
import sqlite3
store = sqlite3.connect("s.sqlite")
store.execute("UPDATE measurements SET worst_error = 9e999, bytes = 9e999, operations = 1e308, work = 1e308, core_latency = 1e308,"
              " reason = char(27) || '[31m', device_name = 'x' || char(8238) || char(155) || char(10)")
store.execute("UPDATE runs SET command = char(27) || ']0;x' || char(7)")
store.commit()
PYTHON
for command in history 'history transpose' 'history transpose --json' 'history transpose --csv' export 'compare 1 1' \
    'compare 1 1 --json' "$roofline" 'report -o r.html --force'; do
    of_2_gib $command --store s.sqlite >out 2>err
    got=$?
    [ "$got" = 0 ] || [ "$command" = "$roofline" ] || wrong "$command left with $got: $(cat err)"
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out err && wrong "$command shows control characters"
    grep -q "$(printf '\342\200\256')" out && wrong "$command turns letters round"
done
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" r.html && wrong 'the report has control characters'
grep -qE '>(-?inf|-?nan)|[0-9]{60}' r.html && wrong 'the report overflows'

# A changed row of samples is named.
sqlite3 s.sqlite "UPDATE samples SET times = zeroblob(length(times))" 2>/dev/null ||
    python3 -c "import sqlite3; c = sqlite3.connect('s.sqlite'); c.execute('UPDATE samples SET times = zeroblob(length(times))'); c.commit()"
expect 2 'do not agree with their checksum' "$USKOR" history transpose --store s.sqlite
expect 2 'do not agree with their checksum' "$USKOR" export --store s.sqlite

# Files that may not grow, and no more files to open: a message and 2, nothing half written.
expect 0 '' "$USKOR" bench $small $fast --store t.sqlite
expect 0 '' "$USKOR" export --store t.sqlite -o t.jsonl
for command in 'import --store new.sqlite t.jsonl' 'report --store t.sqlite -o new.html' \
    "bench $small $fast --store new.sqlite -o new.json --json"; do
    for limit in 'f 8' 'n 4'; do
        ( # with no file open but the standard streams, whoever started this
            ulimit -${limit%% *} "${limit##* }"
            exec "$USKOR" $command 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
        ) >out 2>err
        got=$?
        [ "$got" = 2 ] && [ -s err ] || wrong "ulimit -$limit: $command left with $got: $(cat err)"
        [ -z "$(ls -A | grep -E '^new|part$')" ] ||
            wrong "ulimit -$limit: $command left $(ls -A | grep -E '^new|part$')"
        rm -f new.*
    done
done
echo nonsense >wrong.jsonl
refuses 2 'line 1' import --store new.sqlite wrong.jsonl

# Memory: refused in a line before it is taken.
huge=transpose:rows=4000000,cols=4000000,u8
refuses 2 'needs about' bench $huge --device cpu --store none
refuses 2 'needs about' check $huge --device cpu
refuses 2 'needs about' overlap $huge --device cpu --store none
refuses 2 'needs about' wave -o w.npy --size 9000x9000x9000

# A stack on which no rung fits, threads beyond all measure; a terminal that is gone, and the end of the processor's time.
(
    ulimit -s 64
    exec "$USKOR" bench $small $fast --store none
) >out 2>err
[ $? = 2 ] || wrong "ulimit -s: $(cat err)"
says 'the stack is limited to 64 KiB'
expect 2 'OMP_NUM_THREADS asks for 100000 threads' env OMP_NUM_THREADS=100000 "$USKOR" bench $small $fast --store none
for signal in 1 24; do # SIGHUP and SIGXCPU
    # One that whoever started this ignores (nohup) ends nothing.
    [ $signal = 24 ] || [ $((0x$(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) & 1)) = 0 ] || continue
    "$USKOR" bench transpose:rows=1000,cols=600 --device cpu --rung serial --time 100 --precision 0.01 --store none >out 2>err &
    wait_until computes $! # before it measures, the signal ends it as any program
    kill -$signal $!
    wait $!
    [ $? = 130 ] || wrong "signal $signal: $(cat err)"
    says 'interrupted'
done

# Standard streams that are closed: what is opened later does not take their place.
expect 0 '1 right' sh -c "\"\$USKOR\" check dot:n=10 -d cpu -r serial --threads 1 <&- 2>&-"
expect 2 'cannot write' sh -c "\"\$USKOR\" bench $small $fast --store none >&-"

# A pipe whose reader is gone does not end the work: all of it is stored, and the store closed.
expect 2 'standard output: cannot write: Broken pipe' sh -c "{ sleep 0.2; \"\$USKOR\" bench $small dot:n=100 $fast --store piped.sqlite; \
    echo \$? >code; } | true; exit \$(cat code)"
[ "$("$USKOR" history dot --store piped.sqlite --csv | wc -l)" = 2 ] || wrong 'a reader that is gone ends the measuring'
[ ! -e piped.sqlite-wal ] || wrong "a reader that is gone leaves the store's log"

# A picture of one bit a pixel becomes four bytes a pixel.
python3 - <<'PYTHON'
import struct, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
def picture(path, width, height):
    pack = zlib.compressobj(1)
    rows = b"".join(pack.compress(bytes(1 + (width + 7) // 8)) for _ in range(height)) + pack.flush()
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                   chunk(b"IDAT", rows) + chunk(b"IEND", b""))
picture("bomb.png", 16400, 16400)
picture("small.png", 300, 200)
PYTHON
refuses 2 '--max-pixels takes more' resize bomb.png -o b.png --size 10x
refuses 2 'more than the 59999' resize small.png -o b.png --size 10x --max-pixels 59999
expect 0 '' "$USKOR" resize small.png -o b.png --size 10x --max-pixels 60000

# A rung that a later kernel lacks is told before the first is measured.
refuses 2 "simd" bench $small dot:n=100 pipeline --device cpu --rung simd --store none
refuses 2 "parallel-simd" check transpose dot --device cpu --rung parallel-simd
expect 0 'take turns' "$USKOR" bench $small $fast --threads $(($(nproc) + 1)) --store none --kernel-only

# What could not be written is said with its reason, wherever in the text it was; nothing half-written is left.
if [ -w /dev/full ]; then
    for said in --version 'list --help' list 'list --json' 'list transpose' 'devices --json' 'architectures' 'architectures --json' 'exercise --list' 'reproduce --list' \
        'help counting' 'tuned sort:n=1000 --json'; do
        expect 2 'standard output: cannot write: No space left on device' sh -c "\"\$USKOR\" $said >/dev/full"
    done
fi
expect 2 'much.json: cannot write: File too large' sh -c \
    'ulimit -f 4 && exec "$USKOR" bench dot:n=1000 -d cpu -r serial --samples 2000 --kernel-only --store none --json -o much.json'
[ ! -e much.json ] || wrong 'half of a result is left'

finish
