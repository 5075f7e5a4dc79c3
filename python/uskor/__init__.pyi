"""Types of the module: an array of a library gives an array of this library, anything else gives NumPy's."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, NamedTuple, ParamSpec, Protocol, SupportsIndex, TypeVar, overload

from numpy import intp
from numpy.typing import ArrayLike, NDArray

class _Array(Protocol):
    """NumPy's arrays, PyTorch's tensors, CuPy's arrays, and others that DLPack knows."""

    def __dlpack__(self, *arguments: Any, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> Any: ...

_A = TypeVar("_A", bound=_Array)
_O = TypeVar("_O", bound=_Array)
_P = ParamSpec("_P")
_Sum = Literal["fast", "compensated", "exact"]

class Error(RuntimeError): ...
class Unavailable(Error): ...

class TopK(NamedTuple, Generic[_A]):
    values: _A
    indices: Any

@overload
def sort(
    a: _A, axis: int | None = -1, *, descending: bool = False, stable: bool | None = None, out: None = None
) -> _A: ...
@overload
def sort(
    a: _Array | ArrayLike, axis: int | None = -1, *, descending: bool = False, stable: bool | None = None, out: _O
) -> _O: ...
@overload
def sort(
    a: ArrayLike, axis: int | None = -1, *, descending: bool = False, stable: bool | None = None, out: None = None
) -> NDArray[Any]: ...
@overload
def argsort(
    a: NDArray[Any], axis: int | None = -1, *, descending: bool = False, stable: bool | None = None
) -> NDArray[intp]: ...
@overload
def argsort(a: _A, axis: int | None = -1, *, descending: bool = False, stable: bool | None = None) -> _A: ...
@overload
def argsort(
    a: ArrayLike, axis: int | None = -1, *, descending: bool = False, stable: bool | None = None
) -> NDArray[intp]: ...
@overload
def unique(
    a: _A,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> _A: ...
@overload
def unique(
    a: _Array | ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any: ...
@overload
def partition(a: _A, kth: SupportsIndex | Sequence[int] | NDArray[Any], axis: int | None = -1) -> _A: ...
@overload
def partition(
    a: ArrayLike, kth: SupportsIndex | Sequence[int] | NDArray[Any], axis: int | None = -1
) -> NDArray[Any]: ...
@overload
def topk(a: _A, k: int, axis: int | None = -1, *, largest: bool = True) -> TopK[_A]: ...
@overload
def topk(a: ArrayLike, k: int, axis: int | None = -1, *, largest: bool = True) -> TopK[NDArray[Any]]: ...
@overload
def matmul(a: _Array | ArrayLike, b: _Array | ArrayLike, out: _O) -> _O: ...
@overload
def matmul(a: _A, b: _A, out: None = None) -> _A: ...
@overload
def matmul(a: _Array | ArrayLike, b: _Array | ArrayLike, out: None = None) -> Any: ...
@overload
def dot(a: _Array | ArrayLike, b: _Array | ArrayLike, out: _O, *, sum: _Sum = "fast") -> _O: ...
@overload
def dot(a: _Array | ArrayLike, b: _Array | ArrayLike, out: None = None, *, sum: _Sum = "fast") -> Any: ...
@overload
def transpose(a: _Array | ArrayLike, axes: Sequence[int] | None = None, *, out: _O) -> _O: ...
@overload
def transpose(a: _A, axes: Sequence[int] | None = None, *, out: None = None) -> _A: ...
@overload
def transpose(a: ArrayLike, axes: Sequence[int] | None = None, *, out: None = None) -> NDArray[Any]: ...
@overload
def resize(picture: _Array | ArrayLike, shape: tuple[int, int], *, out: _O) -> _O: ...
@overload
def resize(picture: _A, shape: tuple[int, int], *, out: None = None) -> _A: ...
@overload
def resize(picture: ArrayLike, shape: tuple[int, int], *, out: None = None) -> NDArray[Any]: ...
def tuned(function: Callable[_P, Any], *arguments: _P.args, **options: _P.kwargs) -> str: ...
def devices() -> list[str]: ...
def threads() -> int: ...
def set_threads(count: int) -> None: ...

__version__: str
