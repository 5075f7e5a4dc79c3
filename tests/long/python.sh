#!/bin/sh
# The wheel: made, installed into a folder of its own without an index, tested there with many random arrays; the types of
# the module hold. $1: the repository.
set -u
cd "$1" || exit 1
tools/setup build python >/dev/null 2>&1 || { echo 'SKIP: the tools of the wheel cannot be fetched'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tools/wheel || exit 1
python3 -m pip install --quiet --no-index --no-deps --target "$folder" build/wheel/*.whl || exit 1
PYTHONPATH=$folder:$PWD/build/python USKOR_LONG=1
PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$folder/examples
export PYTHONPATH PYTHONDONTWRITEBYTECODE HYPOTHESIS_STORAGE_DIRECTORY USKOR_LONG
unset USKOR_LIBRARY
python3 -c 'import sys, uskor; sys.exit(not uskor.__file__.startswith(sys.argv[1]))' "$folder" || exit 1
[ -s "$folder/uskor/zig-licence.txt" ] || { echo "FAIL: the wheel lacks Zig's licence"; exit 1; }
for example in examples/*.py; do
    [ "$example" = examples/forks.py ] || python3 "$example" || { echo "FAIL: $example"; exit 1; }
done
python3 -m pytest -q -p no:cacheprovider python/tests
