"""Numbers, problems and words that are none, in any bytes."""
from trial import ENDS, REFUSED, try_it


def argument_trials():
    numbers = ("-1", "0", "1e400", "nan", "inf", "-inf", "0x10", "1k1", "1kk", "5 s", "99999999999999999999", "2^64",
               "2^63", "2^-1", "", " ", "1_000", "1,5", "١", "\xa0", "1\n", "-0", "1e-400", "%s%n", "0.1.2", "+-1")
    options = ("--time", "--threads", "--limit", "--seed", "--precision", "--repeat")
    for option in options:
        for number in numbers:
            try_it(f"{option} {number!r}", [
                "bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--store", "none", "--kernel-only",
                *(["--time=0.001"] if option != "--time" else []), f"{option}={number}"
            ], (0, 2),
                   seconds=60)
    for size in numbers:
        try_it(f"n={size!r}", ["check", f"dot:n={size}", "-d", "cpu", "-r", "serial"], (0, 2), seconds=60)
        try_it(f"steps {size!r}", ["wave", "-o", "out.npy", "--size", "8x8x8", f"--steps={size}"], (0, 2),
               may_leave=["out.npy"])
        try_it(f"courant {size!r}", ["wave", "-o", "out.npy", "--size", "8x8x8", "--steps=1", f"--courant={size}"],
               (0, 2))
        try_it(
            f"sweep {size!r}",
            ["sweep", "dot:n=10", "-r", "parallel", "-d", "cpu", "--store", "none", "--time=0.001", f"--over=n={size}"],
            ENDS,
            seconds=60)
        try_it(f"since {size!r}", ["history", "--store", "none.sqlite", f"--since={size}"], (2, 3))
        try_it(f"sizes {size!r}", ["bandwidth", "-d", "cpu", "--store", "none", "--time=0.001", f"--sizes={size}"],
               ENDS,
               seconds=60)
    words = ("", " ", ":", "dot:", "dot:n", "dot:n=", "dot:=1", "dot::", "dot:n=1,n=2", "dot:x=1", "dot:n=1..",
             "dot:n=1..2x0", "dot:n=1..2x1", "dot:n=1..10x-2", "dot:n=5..1", "dot:n=1..2^60x2", "dot:n=1..1000000000+1",
             "dot,n=1", "dot:n=10,f64,f32", "dot:f128", "x" * 100000, "dot:n=" + "9" * 5000, "dot:" + "n=1," * 2000,
             "нет", "dot:n=10,input=", "dot:n=10,input=x", "%n%n%n", "\x1b[31m", "dot:n=1;rm", "--", "-", "---",
             "dot:n=10\n", "../dot", "DOT:n=10")
    for word in words:
        for command in ("check", "bench", "explain"):
            extra = ["--store", "none", "--time=0.001"] if command == "bench" else []
            try_it(
                f"{command} {word[:30]!r}",
                [command, word, "-d", "cpu", *extra] if command != "explain" else [command, word, "--for", "this-cpu"],
                (0, 1, 2, 3) if word in ("--", "-", "dot:", "dot:n=10,f64,f32", "dot:n=10\n") else REFUSED)
    raw = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x80dot")
    for text in raw:
        for arguments in ([text], ["check", text], ["help",
                                                    text], ["bench",
                                                            b"dot:n=10," + text], ["check", "dot:n=10", "-d", text],
                          ["check", "dot:n=10", "-r",
                           text], ["sort", text, "-o",
                                   "out.npy"], ["history", "--store", text], ["--lang", text, "list"], ["list", text], [
                                       "bench", "dot:n=10", "--label", text, "--store", "none", "-d", "cpu", "-r",
                                       "serial", "--time=0.001"
                                   ], ["exercise", text, "-o", "new"], ["explain", "dot:n=10", "--for", text],
                          ["try", text, "k.c"], ["reproduce",
                                                 text], ["check", "dot:n=10", "-s",
                                                         text], ["check", "dot:n=10", "-s",
                                                                 b"TILE=" + text], ["compare", text, text]):
            label = arguments[-1] if isinstance(arguments[0], bytes) else arguments[0]
            try_it(f"raw {text!r} {label}", arguments, ENDS if arguments[0] in ("bench", "reproduce", "history") else
                   (2, 3))
    for command in "devices list bench try exercise grade check ceilings roofline explain effect architectures sweep bandwidth overlap lab report history "\
            "compare export import reproduce transpose dot matmul sort resize wave help".split():
        for arguments in (["--nonsense"], ["--lang=xx"], ["--lang"], ["-"], ["a", "b", "c", "d", "e"], ["--help=1"],
                          ["--device="], ["--device=cuda:-1"], ["--device=opencl:99999999999"], ["-o"], ["--output="]):
            try_it(f"{command} {' '.join(arguments)}", [command, *arguments], (2, 3))
