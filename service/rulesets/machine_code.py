"""Runs compiled functions: loads an object that `compiler` made, with llvmlite alone, and calls what stands in it.

A file is a line of JSON (the symbols by name, and those that are wanted from outside) and the object after it. A
function takes what Numba's own convention hands over: where its result goes, where an error goes, then each argument,
an array as seven numbers (nine, with two axes) and a tuple as its members; it returns 0 unless it failed.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

ERRORS = {
    "numba_gil_ensure",
    "numba_gil_release",
    "numba_unpickle",
    "numba_runtime_build_excinfo_struct",
    "numba_do_raise",
}
"""What Numba has for telling Python of errors. Rules raise none, so it aborts."""
_address, _bytes_of = ctypes.addressof, ctypes.c_char.from_buffer
_ARRAY = (*[ctypes.c_int64] * 4, ctypes.c_void_p, *[ctypes.c_int64] * 2)  # with one axis, as arguments
_NUMBERS: dict[str, tuple[Any, ...]] = {"int64": (ctypes.c_int64,), "float64": (ctypes.c_double,)}
_RESULTS: dict[str, Any] = {"int64": ctypes.c_int64, "float64": ctypes.c_double}


def save(path: Path, description: dict[str, Any], content: bytes) -> None:
    """Write the file, at once or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(json.dumps(description).encode() + b"\n" + content)
    Path(file.name).replace(path)


def load(path: Path) -> MachineCode | None:
    """The object in a file; None where there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    description, _, binary = content.partition(b"\n")
    return MachineCode(json.loads(description), binary)


@functools.cache
def machine() -> Any:
    """What code is compiled for: this processor, or the one that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    options = {"reloc": "static"} if llvm.get_process_triple().startswith(("x86", "i686")) else {}
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=cpu()[0], features=cpu()[1], opt=3, codemodel="jitdefault", jit=True, **options
    )


def cpu() -> tuple[str, str]:
    """Name and features of that processor."""
    name, features = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    return name or llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten() if features is None else features


def _address_in_process(symbol: str) -> int:
    """Of a function of C's or Python's."""
    found = getattr(ctypes.CDLL(None), "abort" if symbol in ERRORS else symbol)
    return ctypes.cast(found, ctypes.c_void_p).value or 0


class MachineCode:
    """An object in memory."""

    def __init__(self, description: dict[str, Any], content: bytes) -> None:
        self._native, self._c = description["native"], description["c"]
        for symbol in description["undefined"]:
            if llvm.address_of_symbol(symbol) is None:
                llvm.add_symbol(symbol, _address_in_process(symbol))
        empty = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
        self._engine = llvm.create_mcjit_compiler(empty, machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()

    def c_address(self, name: str) -> int:
        """Of the function by the C convention."""
        return int(self._engine.get_function_address(self._c[name]))

    def callable(self, name: str, signature: str) -> Callable[..., Any]:
        """The function, called with a record first; it holds the interpreter's lock, as it takes microseconds."""
        result, _, arguments = signature.rstrip(")").partition("(")
        kinds = arguments.split(", ")[1:]
        arrays = [kind not in _NUMBERS for kind in kinds]
        types = [ctypes.c_void_p, *(part for kind in kinds for part in _NUMBERS.get(kind, _ARRAY))]
        function = self._function(name, ctypes.PYFUNCTYPE, types)
        result_type = _RESULTS.get(result)

        def call(game: Any, *arguments: Any) -> Any:
            flat = [np.frombuffer(game, np.uint8).ctypes.data]
            for array, argument in zip(arrays, arguments, strict=True):
                if array:
                    size = argument.itemsize
                    flat += (0, 0, len(argument), size, _address(_bytes_of(argument)) if len(argument) else 0)
                    flat += (len(argument), size)
                else:
                    flat.append(argument)
            return _called(function, result_type, flat)

        return call

    def entry(self, name: str, result: str, *first: Any) -> Callable[..., Any]:
        """The function, called with whatever `flattened` takes; other threads go on meanwhile.

        `first`: arguments that are always the same, before those of a call. Their arrays must live as long.
        """
        function, result_type = self._function(name, ctypes.CFUNCTYPE), _RESULTS.get(result)
        before = flattened(first)

        def call(*arguments: Any) -> Any:
            return _called(function, result_type, before + flattened(arguments))

        return call

    def _function(self, name: str, convention: Any, types: Sequence[Any] = ()) -> Any:
        pointers = (ctypes.c_void_p, ctypes.c_void_p) if types else ()
        made = convention(ctypes.c_int, *pointers, *types)(self._engine.get_function_address(self._native[name]))
        made.engine = self._engine  # lives as long
        return made


def flattened(arguments: Sequence[Any]) -> list[Any]:
    """What the convention hands over: ctypes' numbers. A function is its address by the C convention, an int_."""
    flat: list[Any] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            flat += flattened(argument)
        elif isinstance(argument, np.ndarray):
            flat += map(ctypes.c_int64, (0, 0, argument.size, argument.itemsize, argument.ctypes.data))
            flat += map(ctypes.c_int64, (*argument.shape, *argument.strides))
        elif isinstance(argument, float):
            flat.append(ctypes.c_double(argument))
        else:
            flat.append(ctypes.c_int64(argument))
    return flat


def _called(function: Any, result_type: Any, flat: Sequence[Any]) -> Any:
    result, error = (result_type or ctypes.c_int64)(), ctypes.c_void_p()
    status = function(ctypes.byref(result), ctypes.byref(error), *flat)
    if status not in (0, -2):
        raise RuntimeError(f"compiled code failed with status {status}")
    return None if result_type is None else result.value
