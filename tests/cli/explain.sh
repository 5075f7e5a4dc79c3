#!/bin/sh
# uskor explain: what is wrong is told in one line; the JSON has what docs/explain.md says; the text fits 80 columns.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
small=transpose:rows=64,cols=64

refuses 2 "which problem" explain
refuses 2 "did you mean 'transpose'" explain transpos
refuses 2 "did you mean 'naive'" explain $small --rung nave
refuses 2 "has no rung 'x'" explain $small --against x
refuses 2 "one problem at a time" explain $small $small
for several in "--brief --advice" "--json --brief" "--balance --advice"; do
    refuses 2 "one of them" explain $small $several
done
refuses 2 "there is no compute capability 9.9" explain $small --for 9.9
refuses 2 "not a known architecture" explain $small --for sm_1
refuses 2 "did you mean 'Tesla K40'" explain $small --for "Tesla K41"
refuses 2 "the null device computes nothing" explain $small --for null
refuses 2 "cannot be 7" explain $small --rung tiled --set TILE=7
refuses 2 "no rung chosen here has a parameter" explain $small --rung tiled --set NONE=7
refuses 2 "rows=x" explain transpose:rows=x
refuses 3 "" explain $small --store nowhere.sqlite

# fits: the text of the last expect is at most 80 letters wide.
fits() {
    long=$(python3 -c 'print(*(line for line in open("out", encoding="utf-8") if len(line) > 81), sep="", end="")')
    [ -z "$long" ] || wrong "wider than 80 letters: $long"
}

expect 0 "bound by" "$USKOR" explain $small --rung naive --rung serial --for sm_90
fits
grep -q "it runs on the CPU" out || wrong "explain --rung serial --for sm_90"
expect 0 "a vendor's library" "$USKOR" explain $small --rung openblas --for sm_90
expect 0 "register-banks: does not know elements" "$USKOR" explain matmul:64,bf16 --rung register-banks --for sm_90
expect 0 "sm_11 takes" "$USKOR" explain matmul:64 --rung tiled --for 1.1
if grep -q predicted out; then wrong "a time of a group that does not fit"; fi
expect 0 "nothing is launched" "$USKOR" explain sort:n=1 --rung bitonic-step --for sm_90
expect 0 "transactions a request → " "$USKOR" explain $small --rung tiled --against naive --for sm_90 --brief
fits
expect 0 "opencl:0" "$USKOR" explain $small --rung naive --for this-cpu

# An OpenCL runtime on the processor: its own code, or the reason.
pocl=$("$USKOR" devices | awk '/^opencl:/ {device = $1} /Portable Computing Language/ {print device; exit}')
if [ -n "$pocl" ] && [ "$(uname -m)" = x86_64 ]; then
    expect 0 "the object that the runtime" "$USKOR" explain $small --rung naive --for "$pocl"
    fits
    grep -q "code  " out || wrong "explain --for opencl: no instructions"
    "$USKOR" explain sort:n=4096 --rung radix-local --for "$pocl" --json >opencl.json || wrong "explain --for opencl --json"
    python3 - <<'EOF' || wrong "the JSON of explain --for opencl"
import json
rung, = json.load(open("opencl.json"))["rungs"]
kernels = rung["compiled"]["kernels"]
assert {kernel["kernel"] for kernel in kernels} == {"count_digits", "sum_up", "move"}, kernels
assert all(kernel["instructions"] and kernel["group"] and "vector_bits" in kernel for kernel in kernels), kernels
assert all("arithmetic_bits" in kernel and "registers" not in kernel for kernel in kernels), kernels
assert rung["compiled"]["read_from"] and rung["compiled"]["fp64_instructions"] == 0, rung["compiled"]
assert rung["architecture"] == "x86-64" and rung["occupancy"] is None and rung["no_accesses"], rung
EOF
fi
expect 0 "Tesla C1060" "$USKOR" explain --balance
fits
grep -q "B200" out || wrong "the balance table ends before Blackwell"

# The numbers of the table are of the file: FP32 over bandwidth.
cat >check.py <<'EOF'
import json, sys

def need(condition, what):
    if not condition:
        print("FAIL:", what)
        sys.exit(1)

balance = {gpu["name"]: gpu for gpu in json.load(open("balance.json"))["gpus"]}
need(abs(balance["Tesla K40"]["balance"] - 5040 / 288) < 1e-9, "the balance of a K40")
need(json.load(open("measured.json"))["rungs"][0]["measured_ns"] > 0, "measured_ns")
need(json.load(open("other.json"))["rungs"][0]["measured_ns"] is None, "measured_ns of another problem")
def units(rung):
    return {resource["name"]: resource["ns"] for resource in rung["resources"]}

# docs/explain.md: without double precision the resize has the same transactions and as many warps, and more floats.
plain, fp32 = k40 = json.load(open("TeslaK40.json"))["rungs"]
same = [[(x["operation"], x["requests"], x["transactions"]) for x in rung["accesses"]] for rung in k40]
need(same[0] == same[1] and len(same[0]) == 3, "transactions of plain and fp32")
if plain["compiled"] and plain["compiled"]["fp64_instructions"] is not None:
    need(plain["compiled"]["fp64_instructions"] > 0 == fp32["compiled"]["fp64_instructions"], "FP64 on a K40")
    need(plain["occupancy"]["warps"] == fp32["occupancy"]["warps"] == 64, "occupancy on a K40")
    need(units(plain)["fp64"] > 0 and units(plain)["fma"] < units(fp32)["fma"], "doubles become floats")
    need(units(plain)["issue"] > units(fp32)["issue"], "fewer instructions")
for place in ("sm_90", "Tesla K40"):
    text = json.load(open(place.replace(" ", "") + ".json"))
    need(text["problem"] == ("transpose:rows=64,cols=64,f32" if place == "sm_90" else
                             "resize:width=64,height=64,out_width=128,out_height=128,u8"), "problem")
    need([rung["rung"] for rung in text["rungs"]] == (["naive", "tiled"] if place == "sm_90" else ["plain", "fp32"]), "rungs")
    for rung in text["rungs"]:
        need(rung["partitions"] is None, "partitions from 2.x on")
        for key in ("architecture", "compiled", "accesses", "occupancy", "resources", "bound_by", "predicted_ns", "measured_ns"):
            need(key in rung, key)
        need(rung["measured_ns"] is None, "nothing was measured")
        need({"dram"} <= {resource["name"] for resource in rung["resources"]} and
             all(resource["ns"] >= 0 for resource in rung["resources"]), "resources")
        need(rung["bound_by"] in {resource["name"] for resource in rung["resources"]}, "bound_by")
        if rung["compiled"] is None:
            need(rung["not_compiled"], "a reason")
            continue
        need(rung["compiled"]["registers"] > 0 and rung["compiled"]["spill_bytes"] == 0, "compiled")
        need(rung["compiled"]["fp64_instructions"] in (None, 0) or rung["rung"] == "plain", "no double in a transpose")
        need(rung["compiled"]["shared_bytes"] == (16384 if rung["rung"] == "tiled" else 0), "shared memory")
        occupancy = rung["occupancy"]
        need(0 < occupancy["warps"] <= occupancy["warps_max"], "occupancy")
        need(occupancy["limited_by"] in ("warps", "groups", "registers", "shared", "size"), "limited_by")
        for access in rung["accesses"]:
            need(access["space"] in ("global", "shared") and access["operation"] in ("load", "store", "atomic"), "access")
            need(abs(access["per_request"] * access["requests"] - access["transactions"]) < 1e-6 * access["transactions"] + 1e-9,
                 "per_request")
EOF
"$USKOR" explain --balance --json >balance.json || wrong "explain --balance --json"
"$USKOR" explain $small --rung naive --rung tiled --for sm_90 --json >sm_90.json || wrong "explain --for sm_90 --json"
"$USKOR" explain resize:64x64 --rung plain --rung fp32 --for "Tesla K40" --json >TeslaK40.json || wrong "explain --for K40 --json"

# What was measured here stands beside it; the same rung with other data was not.
# (A figure that noise voids is not: on a busy machine it is measured again.)
for try in 1 2 3 4 5 6 7 8 9 10; do
    "$USKOR" bench $small --rung serial --device cpu --time 0.01 >/dev/null 2>&1 || wrong "bench"
    "$USKOR" explain $small --rung serial --for this-cpu --json >measured.json || wrong "explain --for this-cpu"
    ! grep -q '"measured_ns": null' measured.json || continue
    break
done
"$USKOR" explain transpose:rows=65,cols=64 --rung serial --for this-cpu --json >other.json || wrong "explain --for this-cpu"
python3 check.py || failures=$((failures + 1))

# A CPU rung's accesses: through this machine's caches, or another's; a user's C file, too. Only x86-64 is recorded.
if [ "$(uname -m)" = x86_64 ] && command -v addr2line >/dev/null; then
    cat >mine.c <<'EOF'
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
EOF
    cat >divides.c <<'EOF'
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long i = 0; i < rows * cols; i++)
        out[i % cols * rows + i / cols] = in[i];
}
EOF
    cat >caches.py <<'EOF'
import json, sys

def need(condition, what):
    if not condition:
        print("FAIL:", what)
        sys.exit(1)

for name in ("zen4", "own"):
    rung = json.load(open(name + ".json"))["rungs"][0]
    need(rung["no_caches"] is None, rung["no_caches"])
    sites = {(site["array"], site["operation"]): site for site in rung["caches"]["sites"] if site["array"] != "other"}
    out, source = sites["out", "store"], sites["in", "load"]
    need(source["accesses"] == out["accesses"] == 1024 * 64, "each element once")
    need(source["lines"] == out["lines"] == 1024 * 64 // 16, "lines")
    need(source["misses"][0] == 1024 * 64 // 16 and out["misses"][0] == 1024 * 64, "rows in order, columns 4 KiB apart")
    need(source["bytes_used_percent"] == 100 and out["bytes_used_percent"] == 6.25, "4 bytes of 64")
    need(out["line"] == 5 or name != "own", "the line of the user's file")
    need(rung["caches"]["geometry"]["levels"][1]["bytes"] == 1 << 20 or name != "zen4", "the second cache of Zen 4")
EOF
    "$USKOR" explain transpose:1024x64 --rung serial --for "zen 4" --json >zen4.json || wrong "explain --for Zen 4"
    "$USKOR" explain transpose:1024x64 --file mine.c --for "Zen 3" --json >own.json || wrong "explain --file mine.c"
    python3 caches.py || failures=$((failures + 1))
    expect 0 ": 16384 integer divisions" "$USKOR" explain transpose:128 --file divides.c --for "Zen 3"
    # Its code has a loop of doubles, too: what was executed is shown.
    for type in 'f32 other float' 'f64 double precision'; do
        expect 0 '' "$USKOR" explain dot:n=4096,${type%% *} --rung serial --for "Zen 3"
        grep -qE "^  inner loop [0-9]+: ${type#* } — (2|4|8)" out || wrong "the loop of ${type%% *}: $(cat out)"
    done
    expect 0 "L1 misses" "$USKOR" explain transpose:1024x64 --rung serial --for this-cpu
    fits
fi
# A whole CUDA program is traced from its source, with the host's headers and its lines.
if command -v c++ >/dev/null && command -v addr2line >/dev/null; then
    "$USKOR" explain transpose:64x32 --file "$1/tests/textbook/transpose-program.cu" --for 1.1 --json >program.json 2>/dev/null
    python3 - <<'EOF' || wrong "explain --file transpose-program.cu"
import json
rung = json.load(open("program.json"))["rungs"][0]
assert rung["accesses_of"] == "source", rung["no_accesses"]
# 64 x 32 floats in words of half-warps, from aligned rows: 128 requests, each one transaction
found = {(x["array"], x["operation"]): (x["line"], x["requests"], x["transactions"]) for x in rung["accesses"]}
assert found["idata", "load"] == (53, 128, 128) and found["odata", "store"] == (59, 128, 128), found
EOF
fi
# The skeletons in CUDA C are those in OpenCL C in other words: they compile, and the same accesses are counted.
for problem in transpose:33x20 sort:n=40 dot:n=300 matmul:20 resize:9x7 wave:nx=9,ny=7,nz=6,steps=1 matmul:20+simple; do
    simple=
    [ "$problem" = "${problem%+simple}" ] || simple=--simple
    problem=${problem%+simple}
    for ending in cl cu; do
        "$USKOR" try --new "${problem%%:*}" $simple --force -o new.$ending >/dev/null || wrong "try --new ${problem%%:*} -o new.$ending"
        USKOR_NVDISASM=none "$USKOR" explain "$problem" --file new.$ending --for sm_90 --json 2>err >new-$ending.json || wrong "new.$ending, $problem: $(cat err)"
    done
    python3 - <<'EOF' || wrong "new.cu and new.cl differ: $problem"
import json
def counted(ending):
    rung = json.load(open(f"new-{ending}.json"))["rungs"][0]
    return sorted((x["operation"], x["requests"], x["transactions"]) for x in rung["accesses"] if x["space"] == "global")
assert counted("cu") == counted("cl") != [], (counted("cu"), counted("cl"))
EOF
done
# What goes wrong in the trace is told, and has no time.
echo '// nothing' >empty.cu
cat >wild.cl <<'EOF'
__kernel void transpose(__global const float *in, __global float *out, long rows, long cols)
{
    out[1000000 * get_global_id(0)] = 1;
}
EOF
sed '/^\/\//d' "$1/tests/data/explain/lectures/gather.cu" >gather.cu
"$USKOR" explain dot:n=8192 --file gather.cu --entry gather --args 'a, b, n' --group 256 --groups 'n / 256' --for sm_90 --json >gather.json ||
    wrong "explain --file --args"
grep -q '"per_request": 31.0' gather.json || wrong "words all over: $(cat gather.json)"
refuses 2 "tell of the kernel in --file" explain $small --rung naive --group 16
cat >spill.cl <<'EOF'
// args: in, out, rows
// group: 64
// groups: rows
__kernel void transpose(__global const float *in, __global float *out, long rows)
{
    float v[64];
    long i = get_global_id(0);
    for (int k = 0; k < 64; k++)
        v[k] = in[(i + 64 * k) % (64 * rows)];
    float s = 0;
    for (int k = 0; k < 64; k++)
        s = s * v[(k * (int)i) & 63] + v[k];
    out[i] = s * 0.1;
}
EOF
"$USKOR" explain transpose:64x64 --file spill.cl --for sm_90 --json >spill.json || wrong "explain --file spill.cl"
python3 - <<'EOF' || wrong "an array whose index is computed"
import json
rung = json.load(open("spill.json"))["rungs"][0]
kernel, own = (rung["compiled"] or {}).get("kernels", [{}])[0], rung["own_memory"]
if own is not None:  # NVRTC and nvdisasm are there
    assert kernel["stack_bytes"] == 256, kernel
    assert kernel["fp64_lines"] == [{"line": 13, "count": 1}], kernel["fp64_lines"]
    # 4096 items store 64 words. They load 63 by an index of each item's own: sectors of other items' words, too.
    assert own["stored_bytes"] == 4096 * 256 and 4096 * 252 * 7 < own["loaded_bytes"] < 4096 * 252 * 8, own
    assert own["l2_bytes"] >= own["stored_bytes"] and own["dram_bytes"] <= own["l2_bytes"], own
EOF
USKOR_NVDISASM=/nonexistent "$USKOR" explain transpose:64x64 --file spill.cl --for sm_90 --json >uncounted.json ||
    wrong "explain without nvdisasm"
python3 - <<'EOF' || wrong "the fields of code that was not counted"
import json
rung, other = (json.load(open(name))["rungs"][0] for name in ("uncounted.json", "spill.json"))
if rung["compiled"]:
    kernel = rung["compiled"]["kernels"][0]
    assert rung["no_code"] and kernel["instructions"] is None and kernel["fp64_lines"] is None, rung
    assert kernel.keys() == other["compiled"]["kernels"][0].keys(), kernel
EOF
cat >null.cu <<'EOF'
extern "C" __global__ void transpose(const float *in, float *out, long rows, long cols)
{
    int *none = 0;
    *none = 3;
    out[threadIdx.x] = rows;
}
EOF
cat >nothing.cl <<'EOF'
__kernel void transpose(__global const float *in, __global float *out, long rows, long cols)
{
    float x = in[get_global_id(0)];
}
EOF
expect 0 "touches memory beyond its arrays (address 0x0)" "$USKOR" explain $small --file null.cu --for sm_90
expect 0 "no access to an array is left" "$USKOR" explain $small --file nothing.cl --for sm_90
for option in --brief --advice; do
    expect 0 "wild.cl: transpose touches memory beyond its array" "$USKOR" explain $small --file wild.cl --for sm_90 $option
done
expect 0 '"predicted_ns": null' "$USKOR" explain $small --file wild.cl --for sm_90 --json
for form in cu:'__global__ void' cl:'__kernel void'; do
    echo "${form#*:} transpose(const float *in, float *out, int rows, int cols) { out[0] = in[0] }" >broken.${form%%:*}
    for option in '' --json; do
        expect 2 "broken.${form%%:*}(1): error: expected a \";\"" "$USKOR" explain $small --file broken.${form%%:*} --for sm_90 $option
        grep -q ";\"$" err || wrong "line ends are escapes: $(cat err)"
        [ -s out ] && wrong "explain of a file that does not compile: $(cat out)"
    done
done
# A problem that would not fit memory is not traced: its machine code is executed.
if [ "$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 60 ]; then
    expect 0 "too large to be traced: its buffers need" "$USKOR" explain transpose:90000x90000 --rung naive --for sm_90
fi
refuses 2 "'A100' is part of several names: 'A100-SXM4-40GB', 'A100-SXM4-80GB'" explain $small --for A100
refuses 2 "there is no __global__ function" explain $small --file empty.cu --for sm_90
refuses 2 "did you mean 'Zen 4'" explain $small --for "Zen 44"
finish
