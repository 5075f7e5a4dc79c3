"""The types of the module, where mypy or pyright is installed."""

import pathlib
import shutil
import subprocess
import sys

import pytest
import uskor

TYPED = pathlib.Path(__file__).with_name("typed.py")
MODULE = pathlib.Path(uskor.__file__).parent


def is_clean(*command):
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_mypy_finds_no_fault_in_the_module_and_in_a_program(tmp_path):
    pytest.importorskip("mypy")
    mypy = (sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path))
    if "site-packages" not in MODULE.parts:  # mypy looks into no installed module
        is_clean(*mypy, "--check-untyped-defs", str(MODULE))
    is_clean(*mypy, "--strict", str(TYPED))


def test_pyright_finds_no_fault_in_the_module_and_in_a_program():
    pyright = shutil.which("pyright") or pytest.skip("no pyright")
    is_clean(pyright, "--pythonpath", sys.executable, str(MODULE), str(TYPED))
