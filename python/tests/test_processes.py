"""Threads, forks, pools of processes; what the module says of itself."""

import concurrent.futures
import gc
import multiprocessing
import os
import pathlib
import threading

import numpy as np
import pytest
import uskor
from cases import numbers


def is_right(seed):
    a = numbers((200 + seed, 300), "f4", seed)
    uskor_says, numpy_says = uskor.sort(a, 0), np.sort(a, 0)
    return np.array_equal(uskor_says, numpy_says, equal_nan=True) and np.array_equal(
        uskor.transpose(a).T, a, equal_nan=True
    )


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(method):
    assert is_right(0)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert all(pool.map(is_right, range(6)))
    assert is_right(1)


def test_many_threads_at_once():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(is_right, range(20)))


def test_a_call_lets_other_threads_run():
    a = np.random.default_rng(1).random(1 << 22)
    ran = threading.Event()
    uskor.sort(a[:10])
    thread = threading.Thread(target=ran.set)
    before = os.times().user
    thread.start()
    uskor.sort(a)
    assert ran.wait(10)
    thread.join()
    assert os.times().user >= before


def test_threads_end_with_their_contexts():
    def work():
        uskor.sort(numbers((1000,), "i4"))

    for _ in range(50):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    gc.collect()
    assert threading.active_count() < 20


def test_numbers_of_threads():
    before = uskor.threads()
    try:
        uskor.set_threads(1)
        assert uskor.threads() == 1
        assert is_right(3)
    finally:
        uskor.set_threads(0)
    assert uskor.threads() == before
    with pytest.raises(ValueError):
        uskor.set_threads(-1)


def test_threadpoolctl_knows_the_library():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    found = [each for each in threadpoolctl.threadpool_info() if each["user_api"] == "uskor"]
    assert len(found) == 1 and found[0]["num_threads"] == uskor.threads() and found[0]["version"] == uskor.__version__
    before = uskor.threads()
    with threadpoolctl.threadpool_limits(1, user_api="uskor"):
        assert uskor.threads() == 1
    assert uskor.threads() == before


def test_what_the_module_says():
    assert uskor.devices()[0] == "cpu"
    assert uskor.tuned(uskor.argsort, np.arange(100_000, dtype="f4")) not in ("", "numpy")
    assert uskor.tuned(uskor.sort, np.array(["a"])) == "numpy"
    assert all(getattr(uskor, name).__doc__ for name in uskor.__all__)
    assert (pathlib.Path(uskor.__file__).parent / "py.typed").exists()


def test_the_processors_vectors_are_used():
    """A library linked against another runtime may find no instruction set at all."""
    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text() or "USKOR_ISA" in os.environ:
        pytest.skip("no AVX2 here, or not wished for")
    assert uskor.tuned(uskor.unique, np.random.default_rng(1).integers(0, 1 << 30, 1 << 16, "i4")) == "simd"
