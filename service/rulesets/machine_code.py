"""Runs code that `compiler` made: objects with llvmlite alone, shared libraries without it.

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

import numpy as np

from service.files import read_with_digest, write_with_digest

LOG = logging.getLogger(__name__)
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
    return None if code is None else load_object(code)


def load_object(code: bytes) -> MachineCode:
    """Return the code of an object, ready to run."""
    import llvmlite.binding as llvm

    empty = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
    engine = llvm.create_mcjit_compiler(empty, machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return MachineCode(engine.get_function_address)


def load_shared(path: Path) -> MachineCode:
    """Return the code of a shared library, ready to run. Raises OSError."""
    library = ctypes.CDLL(str(path))

    def find(name: str) -> int | None:
        function: Any = getattr(library, name, None)
        return ctypes.cast(function, ctypes.c_void_p).value

    return MachineCode(find)


def target() -> tuple[str, str, str]:
    """Return name and features of the processor that code is for, and how the code is relocated.

    They are this processor, or that of NUMBA_CPU_NAME and NUMBA_CPU_FEATURES. AZUL_RELOCATION is `pic` for code that
    becomes a shared library.
    """
    import llvmlite.binding as llvm

    name, features = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    is_x86 = llvm.get_process_triple().startswith(("x86", "i686"))
    return (
        name or llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten() if features is None else features,
        os.environ.get("AZUL_RELOCATION") or ("static" if is_x86 else "default"),
    )


def machine() -> Any:
    """Return a target machine for that processor. Each engine needs its own, because it frees it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features, relocation = target()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=cpu, features=features, opt=3, reloc=relocation, codemodel="jitdefault", jit=True
    )


class MachineCode:
    """Compiled functions, found by name."""

    def __init__(self, find: Callable[[str], int | None]) -> None:
        """`find` returns the address of a function. It holds the memory of the code."""
        self._find = find

    def address(self, name: str) -> int:
        """Return the address of a function. Raises KeyError."""
        if address := self._find(name):
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
