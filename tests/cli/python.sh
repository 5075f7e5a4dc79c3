#!/bin/sh
# The Python module beside NumPy, with the C library of this build, and with a CUDA driver of host memory. Skipped without
# Python 3.11, NumPy 2.1 and pytest. $1: the repository, $2: the build folder.
set -u
if grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo 'SKIP: what uses a sanitized library is sanitized, too'
    exit 77
fi
unset USKOR_LONG # long/python.sh takes many examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PYTHONPATH=$1/python:$1/build/python USKOR_LIBRARY=$2/libuskor.so
PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$folder OPENBLAS_NUM_THREADS=1
export PYTHONPATH USKOR_LIBRARY PYTHONDONTWRITEBYTECODE HYPOTHESIS_STORAGE_DIRECTORY OPENBLAS_NUM_THREADS
USKOR_LIBCUDA=$2/tests/libfake_cuda.so USKOR_NVRTC=$2/tests/libfake_cuda.so
export USKOR_LIBCUDA USKOR_NVRTC
python3 -c '
import sys, numpy, pytest
numpy_version = tuple(map(int, numpy.__version__.split(".")[:2]))
sys.exit(sys.version_info < (3, 11) or numpy_version < (2, 1))' 2>/dev/null || {
    echo 'SKIP: no Python 3.11 with NumPy 2.1 and pytest; tools/setup python fetches these'
    exit 77
}
cd "$1/python" || exit 1
python3 -m pytest -q -p no:cacheprovider -o faulthandler_timeout=100 tests
