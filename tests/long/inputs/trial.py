"""One trial of a command: begun in a folder of its own. The command ends by itself with one of the codes that the trial
allows; with 2 or 3 it says so in one line that begins with "uskor", and leaves nothing."""
import os
import subprocess
import sys
import time

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
ONLY = sys.argv[3] if len(sys.argv) > 3 else ""
counted = {"trials": 0, "failures": 0}
ENDS = (0, 1, 2, 3)
REFUSED = (2, )
RIGHT = (0, )
IS_ROOT = os.geteuid() == 0


def report(name, text):
    counted["failures"] += 1
    print(f"FAIL: {name}: {text}", flush=True)


def strays():
    """Processes of the program that were started in this trial and outlive it."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{number}/cwd") == os.getcwd() and int(number) != os.getpid():
                found.append(number)
        except OSError:
            pass
    return found


def judge(name, code, error, codes, before, may_leave, lines):
    left = sorted(set(os.listdir(".")) - set(before) - set(may_leave))
    if code not in codes:
        report(name, f"exit code {code}, not one of {codes}: {error[-300:]!r}")
    elif code in (2, 3):
        said = [line for line in error.decode("utf-8", "replace").split("\n") if line]
        said = [line for line in said if not line.startswith(("For details: ", "Подробнее: "))]
        if lines and (len(said) != 1 or not said[0].startswith("uskor")):
            report(name, f"code {code}, and not one line: {error[-300:]!r}")
    if code not in (0, 1) and left:
        report(name, f"code {code}, and left is {left}")
    if any(byte < 32 and byte not in (9, 10) for byte in error) or b"\x7f" in error:
        report(name, f"control characters: {error[-300:]!r}")
    try:
        error.decode()
    except UnicodeDecodeError:
        report(name, f"not UTF-8: {error[-300:]!r}")
    if any(name.endswith(".part") for name in left):
        report(name, f"left is {left}")


def try_it(name,
           arguments,
           codes=REFUSED,
           files=None,
           prepare=None,
           env=None,
           start=None,
           lines=True,
           may_leave=(),
           seconds=120,
           after=None,
           **streams):
    """One trial. files: name to bytes; prepare: called in the folder; start: words in front of the program."""
    if ONLY not in name:
        return
    counted["trials"] += 1
    os.chdir(FOLDER)
    subprocess.run(["rm", "-rf", "work"], check=True)
    os.mkdir("work")
    os.chdir("work")
    for path, content in (files or {}).items():
        with open(path, "wb") as file:
            file.write(content)
    if prepare:
        prepare()
    before = os.listdir(".")
    environment = dict(os.environ, OMP_NUM_THREADS="2")
    for key, value in (env or {}).items():
        environment.pop(key, None)
        if value is not None:
            environment[key] = value
    streams.setdefault("stdin", subprocess.DEVNULL)
    streams.setdefault("stdout", subprocess.PIPE)
    streams.setdefault("stderr", subprocess.PIPE)
    process = subprocess.Popen([*(start or []), PROGRAM, *arguments], env=environment, **streams)
    try:
        error = process.communicate(timeout=seconds)[1] or b""
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        report(name, f"not over after {seconds} s")
        return
    judge(name, process.returncode, error, codes, before, may_leave, lines and "stderr" in streams)
    if after:
        after(name, process.returncode)
    deadline = time.monotonic() + 20  # a compiler that was at work comes to its end
    while strays() and time.monotonic() < deadline:
        time.sleep(0.05)
    if strays():
        report(name, f"processes are left: {strays()}")
