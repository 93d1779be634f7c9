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
import struct
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


def machine() -> Any:
    """What code is compiled for: this processor, or the one that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name.

    A new one for each engine, which frees it when it ends.
    """
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
        prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *types)
        function: Any = prototype(self._native_address(name))
        function.engine = self._engine  # lives as long
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
        address, result_type = self._native_address(name), _RESULTS.get(result)
        before = flattened(first)
        kinds_before = _kinds(before)
        packed_before = struct.pack(kinds_before, *before)

        def call(*arguments: Any) -> Any:
            last = flattened(arguments)
            kinds = _kinds(last)
            packed = packed_before + struct.pack(kinds, *last)
            return _called(unpacker(kinds_before + kinds), result_type, (address, packed))

        call.engine = self._engine  # type: ignore[attr-defined]  # lives as long
        return call

    def _native_address(self, name: str) -> int:
        """Of the function by Numba's convention."""
        return int(self._engine.get_function_address(self._native[name]))


def flattened(arguments: Sequence[Any]) -> list[float]:
    """What the convention hands over, as numbers. A function is its address by the C convention, an int_."""
    flat: list[float] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            flat += flattened(argument)
        elif isinstance(argument, np.ndarray):
            flat += (0, 0, argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides)
        elif isinstance(argument, float):
            flat.append(argument)
        else:
            flat.append(int(argument))
    return flat


def _kinds(flat: Sequence[float]) -> str:
    """Of numbers, as `struct` names them."""
    return "".join("d" if isinstance(number, float) else "q" for number in flat)


@functools.cache
def unpacker(kinds: str) -> Any:
    """A compiled function that calls another with arguments that it unpacks from bytes; `kinds` as `struct` has them.

    (address of the result, of the error, of the function that is called; bytes) -> status. To hand over as many numbers
    as the search and the environments take, ctypes takes tens of microseconds; to hand over these, a few.
    """
    types = ["double" if kind == "d" else "i64" for kind in kinds]
    loads = "".join(
        f"%p{k} = getelementptr i64, ptr %packed, i64 {k}\n%a{k} = load {kind}, ptr %p{k}\n"
        for k, kind in enumerate(types)
    )
    every = ", ".join(["ptr %result", "ptr %error", *(f"{kind} %a{k}" for k, kind in enumerate(types))])
    text = (
        f'target triple = "{llvm.get_process_triple()}"\n'
        f"define i32 @unpack(ptr %result, ptr %error, ptr %called, ptr %packed) {{\n"
        f"{loads}%status = call i32 %called({every})\nret i32 %status\n}}"
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine())
    pointers = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
    made: Any = ctypes.CFUNCTYPE(ctypes.c_int, *pointers)(engine.get_function_address("unpack"))
    made.engine = engine  # lives as long
    return made


def _called(function: Any, result_type: Any, flat: Sequence[Any]) -> Any:
    result, error = (result_type or ctypes.c_int64)(), ctypes.c_void_p()
    status = function(ctypes.byref(result), ctypes.byref(error), *flat)
    if status not in (0, -2):
        raise RuntimeError(f"compiled code failed with status {status}")
    return None if result_type is None else result.value
