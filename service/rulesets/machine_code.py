"""Runs objects that `compiler` made, with llvmlite alone.

Compiled code takes each argument as 64-bit words (`words`): a number is one word, an array seven (nine with two axes),
and a tuple has those of its members. A rule is a C function of the address of its record and such words. An entry is
`int64(intp)`: it takes the address of an argument record, which contains the words of all arguments in turn.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from service.files import read_with_digest, write_with_digest

LOG = logging.getLogger(__name__)
SUBSTITUTES = {
    **dict.fromkeys(("NRT_Free", "NRT_MemInfo_call_dtor"), "free"),
    **dict.fromkeys(("numba_gil_ensure", "numba_gil_release", "numba_unpickle", "numba_do_raise"), "abort"),
    "numba_runtime_build_excinfo_struct": "abort",
}
"""C functions in place of Numba's runtime. Compiled code reports no errors to Python: it aborts."""
ARRAY = (*[ctypes.c_int64] * 4, ctypes.c_void_p, *[ctypes.c_int64] * 2)  # with one axis
C_TYPES: dict[str, tuple[Any, ...]] = {"int64": (ctypes.c_int64,), "float64": (ctypes.c_double,), "void": (None,)}
_address: Any = ctypes.addressof
_memory: Any = ctypes.c_char.from_buffer  # four times as fast as `array.ctypes.data`


def save(path: Path, code: bytes) -> None:
    """Write an object to a file."""
    write_with_digest(path, code)


def read(path: Path) -> bytes | None:
    """Return the object in a file, or None if it does not exist or is damaged. Log and delete a damaged file."""
    try:
        code = read_with_digest(path)
    except FileNotFoundError:
        return None
    if code is None:
        LOG.warning("damaged machine code is deleted: %s", path)
        with contextlib.suppress(OSError):
            path.unlink()
    return code


def load(path: Path) -> MachineCode | None:
    """Return the code in a file, ready to run, or None if it does not exist or is damaged."""
    code = read(path)
    return None if code is None else MachineCode(code)


def cpu() -> tuple[str, str]:
    """Return name and features of this processor, or of the one in NUMBA_CPU_NAME and NUMBA_CPU_FEATURES."""
    name, features = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    return name or llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten() if features is None else features


def machine() -> Any:
    """Return a target machine for that processor. Each engine needs its own, because it frees it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    options = {"reloc": "static"} if llvm.get_process_triple().startswith(("x86", "i686")) else {}
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=cpu()[0], features=cpu()[1], opt=3, codemodel="jitdefault", jit=True, **options
    )


class MachineCode:
    """An object in memory, whose functions are found by name."""

    def __init__(self, code: bytes) -> None:
        for symbol, substitute in SUBSTITUTES.items():
            llvm.add_symbol(symbol, ctypes.cast(getattr(ctypes.CDLL(None), substitute), ctypes.c_void_p).value)
        empty = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
        self._engine = llvm.create_mcjit_compiler(empty, machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function. Raises KeyError."""
        if address := self._engine.get_function_address(name):
            return int(address)
        raise KeyError(name)

    def rule(self, name: str, signature: str) -> Callable[..., Any]:
        """Return a rule. It takes microseconds, so it holds the interpreter's lock."""
        result, _, arguments = signature.rstrip(")").partition("(")
        types = [kind for argument in arguments.split(", ")[1:] for kind in C_TYPES.get(argument, ARRAY)]
        function: Any = ctypes.PYFUNCTYPE(*C_TYPES[result], ctypes.c_void_p, *types)(self.address(name))
        function.code = self  # keeps the memory
        return lambda game, *arguments: function(np.frombuffer(game, np.uint8).ctypes.data, *words(arguments))

    def entry(self, name: str) -> Callable[[bytes], int]:
        """Return an entry, called with an argument record. It does not hold the interpreter's lock."""
        function: Any = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)(self.address(name))
        function.code = self  # keeps the memory
        return function  # type: ignore[no-any-return]


def words(arguments: tuple[Any, ...]) -> list[float]:
    """Return the words of arguments."""
    flat: list[float] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            start = _address(_memory(argument)) if argument.flags.writeable and argument.size else argument.ctypes.data
            flat += (0, 0, argument.size, argument.itemsize, start, *argument.shape, *argument.strides)
        elif isinstance(argument, tuple):
            flat += words(argument)
        else:
            flat.append(argument if isinstance(argument, float) else int(argument))
    return flat


def argument_record(*arguments: Any) -> bytes:
    """Return the record of an entry's arguments. Their arrays must live until the entry returns."""
    flat = words(arguments)
    return struct.pack("".join("d" if isinstance(word, float) else "q" for word in flat), *flat)
