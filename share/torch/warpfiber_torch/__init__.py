# SPDX-License-Identifier: Apache-2.0
"""A device "cuda" for a PyTorch that is built without CUDA.

python3 -m warpfiber_torch PROGRAM.py [argument]...     runs a program, or a setup.py, with it

or `import warpfiber_torch; warpfiber_torch.enable()` before anything of torch.utils.cpp_extension is used. Extensions in
CUDA are then built with Warpfiber's toolkit, and their kernels run on the simulated device.
What PyTorch itself computes on the device is computed by its functions for the CPU.
"""
import ctypes
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent


def _toolkit():
    """Warpfiber's: the folder that CUDA_HOME names, or the one of the same installation."""
    named = pathlib.Path(os.environ.get("CUDA_HOME", "/")).resolve()
    candidates = [named, *(found for prefix in _HERE.parents for found in prefix.glob("lib*/warpfiber/cuda"))]
    for candidate in candidates:
        if (candidate.parent / "toolchain.json").exists():
            return candidate
    raise RuntimeError(f"warpfiber_torch: there is no lib/warpfiber/cuda above {_HERE}; set CUDA_HOME to it")


def _call(runtime, name, *arguments):
    status = getattr(runtime, name)(*arguments)
    if status != 0:
        runtime.cudaGetErrorString.restype = ctypes.c_char_p
        raise RuntimeError(f"CUDA error: {runtime.cudaGetErrorString(status).decode()}")


def _number(runtime, name, *arguments):
    value = ctypes.c_int()
    _call(runtime, name, ctypes.byref(value), *arguments)
    return value.value


def _prepare_extensions(toolkit):
    """What CUDAExtension and load() compile and link with."""
    from torch.utils import cpp_extension

    headers, libraries, words = cpp_extension.include_paths, cpp_extension.library_paths, cpp_extension._prepare_ldflags
    cpp_extension.CUDA_HOME = str(toolkit)
    # Headers of the library that this PyTorch lacks, in front of its own, and empty archives of its name.
    cpp_extension.include_paths = lambda *given, **named: [str(_HERE / "include"), *headers(*given, **named)]
    cpp_extension.library_paths = lambda *given, **named: [*libraries(*given, **named), str(_HERE / "lib")]
    cpp_extension._prepare_ldflags = lambda *given, **named: [*words(*given, **named), f"-L{_HERE / 'lib'}"]
    cpp_extension._get_cuda_arch_flags = lambda cflags=None: []
    return cpp_extension


def _prepare_cuda(torch, runtime):
    """The functions of torch.cuda that programs call before they use a device."""
    cuda = torch.cuda
    capability = {"major": 75, "minor": 76}  # cudaDevAttrComputeCapabilityMajor, …Minor

    def index_of(device):
        device = torch.device(device) if isinstance(device, str) else device
        index = getattr(device, "index", device)
        return cuda.current_device() if index is None else index

    def name_of(device=None):
        name = ctypes.create_string_buffer(256)
        _call(runtime, "cuDeviceGetName", name, len(name), index_of(device))
        return name.value.decode()

    cuda._initialized = True
    cuda._is_in_bad_fork = lambda: False
    cuda.is_available = lambda: True
    cuda.device_count = lambda: _number(runtime, "cudaGetDeviceCount")
    cuda.current_device = lambda: _number(runtime, "cudaGetDevice")
    cuda.set_device = lambda device: _call(runtime, "cudaSetDevice", index_of(device))
    cuda.synchronize = lambda device=None: _call(runtime, "cudaDeviceSynchronize")
    cuda.get_device_name = name_of
    cuda.get_device_capability = lambda device=None: tuple(
        _number(runtime, "cudaDeviceGetAttribute", capability[part], index_of(device)) for part in ("major", "minor"))
    cuda.empty_cache = lambda: None
    cuda.manual_seed = cuda.manual_seed_all = lambda seed: None


def enable():
    """Builds the device once, loads it, and tells PyTorch that it is there."""
    import torch

    if getattr(enable, "done", False):
        return
    if torch.version.cuda is not None:
        raise RuntimeError("warpfiber_torch: this PyTorch has CUDA of its own; install one for the CPU")
    toolkit = _toolkit()
    torch.version.cuda = "13.0"
    extension = _prepare_extensions(toolkit)
    libraries = toolkit / "lib64"
    runtime = ctypes.CDLL(str(libraries / "libcudart.so"), mode=ctypes.RTLD_GLOBAL)
    extension.load(name="warpfiber_torch_device", sources=[str(_HERE / "device.cpp")], is_python_module=False,
                   extra_include_paths=[str(toolkit / "include")],
                   extra_ldflags=[f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lcudart"])
    _prepare_cuda(torch, runtime)
    enable.done = True
