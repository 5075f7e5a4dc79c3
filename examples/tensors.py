"""Python: PyTorch's tensors on a GPU, on PyTorch's own stream (docs/python.md).

python3 tensors.py
"""

import uskor

try:
    import torch

    has_gpu = torch.cuda.is_available()
except ImportError:
    has_gpu = False

if has_gpu:
    t = torch.rand(1 << 20, device="cuda")
    expected = t.sort().values
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda.current_stream().wait_stream(torch.cuda.default_stream())
        uskor.sort(t, out=t)
        torch.cuda.current_stream().synchronize()
    assert torch.equal(t, expected)
    a, b = torch.rand(512, 512, device="cuda"), torch.rand(512, 512, device="cuda")
    assert torch.allclose(uskor.matmul(a, b), a @ b, rtol=1e-4)
    print("right, by", uskor.tuned(uskor.matmul, a, b))
else:
    print("no GPU with PyTorch here")
