"""Variables of the program, its libraries and the system with nonsense."""
import os
import struct

from files import npy
from trial import ENDS, report, try_it


def variable_trials():
    good = {"in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0))}
    commands = (["devices"], ["sort", "in.npy", "-o", "out.npy"], ["check", "dot:n=10", "-d", "cpu", "-r", "serial"],
                ["bench", "dot:n=10", "-d", "cpu", "-r", "serial",
                 "--time=0.001"], ["history"], ["explain", "dot:n=10", "-r", "serial", "--for", "this-cpu"])
    long = "x" * 100000
    settings = [{"HOME": None, "XDG_DATA_HOME": None,
                 "XDG_CACHE_HOME": None}, {"HOME": ""}, {"HOME": "relative",
                                                         "XDG_DATA_HOME": None}, {"HOME": long, "XDG_DATA_HOME": None},
                {"XDG_DATA_HOME": long}, {"XDG_DATA_HOME": "relative"}, {"XDG_DATA_HOME": "/dev/full"},
                {"XDG_CACHE_HOME": long}, {"XDG_CACHE_HOME": "/dev/full"}, {"TMPDIR": ""}, {"TMPDIR": "/nowhere"},
                {"TMPDIR": long}, {"TMPDIR": "/dev/full"}, {"PATH": None}, {"PATH": ""}, {"PATH": long},
                {"LANG": "ru_RU.UTF-8", "LC_ALL": None}, {"LANG": "ru",
                                                          "LC_ALL": None}, {"LC_ALL": "ru_RU.KOI8-R"}, {"LC_ALL": long},
                {"LC_ALL": "\x1b[31m"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LANGUAGE": "../../../etc"}, {"COLUMNS": "0"},
                {"COLUMNS": "1"}, {"COLUMNS": "99999999999"}, {"COLUMNS": "nan"}, {"COLUMNS": ""}, {"TERM": None},
                {"TERM": long}, {"NO_COLOR": ""}, {"OMP_NUM_THREADS": "-1"}, {"OMP_NUM_THREADS": "1,2,3"}, {
                    "OMP_NUM_THREADS": "99999999999999999999"
                }, {"OMP_PLACES": "garbage"}, {"OMP_PROC_BIND": "garbage"}, {"OMP_SCHEDULE": "garbage"}, {
                    "OMP_WAIT_POLICY": "garbage"
                }, {"OMP_STACKSIZE": "-5"}, {"OMP_STACKSIZE": "99999999999G"}, {"OMP_PLACES": "{9999}"},
                {"OMP_CANCELLATION": "true"}, {"OMP_DISPLAY_ENV": "verbose"}, {"OMP_MAX_ACTIVE_LEVELS": "0"
                                                                               }, {"OMP_TARGET_OFFLOAD": "mandatory"},
                {"USKOR_LIBCUDA": ""}, {"USKOR_LIBCUDA": long}, {"USKOR_LIBCUDA": "/dev/null"}, {"USKOR_LIBCUDA": "/"},
                {"USKOR_CLBLAST": "/etc/passwd"}, {"USKOR_CUBLAS": "/nowhere"}, {"USKOR_NVDISASM": "/dev/null"}, {
                    "USKOR_CXX": "/nowhere"
                }, {"USKOR_NCCL": "/etc/passwd"}, {"USKOR_CACHE": "\xff"}, {"USKOR_ISA": "avx512 "}, {
                    "USKOR_DRIVER_SECONDS": "1e999"
                }, {"USKOR_DRIVER_SECONDS": "0"}, {"USKOR_DRIVER_SECONDS": "1e-9"}, {"CUDA_PATH": long}, {
                    "CUDA_HOME": "/dev/zero"
                }, {"CUDA_VISIBLE_DEVICES": "garbage"}, {"OCL_ICD_FILENAMES": "/dev/zero"
                                                         }, {"OCL_ICD_VENDORS": long}, {"OCL_ICD_VENDORS": "/nowhere"},
                {"POCL_DEVICES": "garbage"}, {"POCL_DEBUG": "all"}, {"POCL_CACHE_DIR": ""}, {"LD_LIBRARY_PATH": long}, {
                    "LD_LIBRARY_PATH": "::::"
                }, {"MALLOC_PERTURB_": "255"}, {"MALLOC_ARENA_MAX": "garbage"}, {"GLIBC_TUNABLES": "garbage"}, {
                    "MALLOC_CHECK_": "3"
                }, {"TZ": long}, {"SQLITE_TMPDIR": "/nowhere"}, {"OCL_ICD_DEBUG": "7"}, {"LIBGL_DEBUG": "verbose"}, {
                    "EGL_LOG_LEVEL": "debug"
                }, {"__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/zero"}, {"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere"}, {
                    "LIBGL_ALWAYS_SOFTWARE": "garbage"
                }, {"GALLIUM_DRIVER": "softpipe"}, {"CC": ""}, {"CC": "/nowhere"}, {"XDG_RUNTIME_DIR": "/dev/null"}]
    for setting in settings:
        for command in commands:
            name = ", ".join(f"{key}={(value or 'unset')[:20]!r}" for key, value in setting.items())
            try_it(f"{name}: {command[0]}",
                   command,
                   ENDS,
                   good,
                   env=setting,
                   lines=False,
                   may_leave=["out.npy", "relative", "uskor"],
                   after=lambda name, code: code in
                   (2, 3) and os.path.exists("out.npy") and report(name, "out.npy is there"))
