# ruff: noqa: SLF001 - Numba has no door to what its own cache does
"""Compiles functions to machine code, with Numba, into objects that `machine_code` loads without it.

What is compiled is written as plain Python: functions marked by `kernel.helper` or by a ruleset's `Rules`, which call
one another by their global names. Of each, Numba gets a copy whose globals lead to the copies of what it calls; so the
modules themselves stay plain, and run as they are where nothing has been compiled yet.

Numba would optimise every function with all that it calls, and again in whatever calls it, and make a library, a
wrapper for Python and machine code of each. Here all functions are put into one module first, which is optimised once
and then becomes one object.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CellType, FunctionType
from typing import Any, cast

import llvmlite.binding as llvm
import numba
from llvmlite.binding.newpassmanagers import create_new_module_pass_manager
from numba import njit, types
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target

from service.rulesets import code_cache, machine_code
from service.rulesets.kernel import COMPILED_AS, SIGNATURES, Rules, is_marked

ALLOCATION = """
declare ptr @malloc(i64)
declare void @free(ptr)

define linkonce_odr ptr @NRT_Allocate(i64 %size) {
  %memory = call ptr @malloc(i64 %size)
  ret ptr %memory
}

define linkonce_odr void @NRT_Free(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %wide = zext i32 %alignment to i64
  %head = add i64 %wide, 48
  %all = add i64 %size, %head
  %info = call ptr @malloc(i64 %all)
  %start = ptrtoint ptr %info to i64
  %last = add i64 %start, %head
  %mask = sub i64 0, %wide
  %aligned = and i64 %last, %mask
  %data = inttoptr i64 %aligned to ptr
  store i64 1, ptr %info
  %data_field = getelementptr i8, ptr %info, i64 24
  store ptr %data, ptr %data_field
  %size_field = getelementptr i8, ptr %info, i64 32
  store i64 %size, ptr %size_field
  ret ptr %info
}

define linkonce_odr ptr @NRT_MemInfo_alloc(i64 %size) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}

define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @free(ptr %info)
  ret void
}
"""
"""What Numba's runtime does for arrays that a function makes for itself: a block of memory whose head counts the
references to it, and says where the data begins and how long it is."""


@dataclass(frozen=True)
class Compiled:
    """An object and what stands in it: by name, the symbols to call with Numba's convention, and with C's."""

    content: bytes
    native: Mapping[str, str]
    c: Mapping[str, str]
    undefined: tuple[str, ...]  # symbols that it wants

    def kept(self) -> tuple[dict[str, Any], bytes]:
        """What `machine_code` keeps of it."""
        return {"native": self.native, "c": self.c, "undefined": self.undefined}, self.content


class _Copies:
    """Of plain functions, what Numba compiles."""

    def __init__(self) -> None:
        self._made: dict[FunctionType, Any] = {}

    def of(self, function: FunctionType, **options: Any) -> Any:
        """The dispatcher of a copy, compiled with these options; the same for the same function."""
        if function in COMPILED_AS:
            module, _, name = COMPILED_AS[function].partition(":")
            return getattr(importlib.import_module(module), name)
        if function not in self._made:
            plain = inspect.unwrap(function)  # what is around it is for Python alone
            known = dict(plain.__globals__)
            cells = tuple(CellType(self._replaced(cell.cell_contents)) for cell in plain.__closure__ or ())
            copy = FunctionType(plain.__code__, known, plain.__name__, plain.__defaults__, cells)
            copy.__qualname__, copy.__module__ = plain.__qualname__, plain.__module__
            self._made[function] = njit(nogil=True, **options)(copy)  # type: ignore[call-overload]
            for name in plain.__code__.co_names:
                if name in known:
                    known[name] = self._replaced(known[name])
        return self._made[function]

    def _replaced(self, value: Any) -> Any:
        return self.of(value, **PART) if is_marked(value) else value


PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # of what only compiled code calls


def jitted(function: Callable[..., Any]) -> Any:
    """The function as Numba compiles it when it is called, with all that it calls: for loops of tests and training."""
    return _Copies().of(cast("FunctionType", function))


@contextlib.contextmanager
def _one_module() -> Iterator[None]:
    """While this lasts, a compiled function is neither optimised nor made machine code of by itself."""
    with contextlib.ExitStack() as changes:
        for owner, name, instead in (
            (CPUContext, "get_executable", lambda *_: [].append),  # any built-in function, another each time
            (CPUCodeLibrary, "_optimize_final_module", _nothing),
            (JITCPUCodegen, "_add_module", _nothing),
            (JITCPUCodegen, "_scan_and_fix_unresolved_refs", _nothing),
        ):
            changes.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, instead)
        yield


def _nothing(*_: Any) -> None:
    pass


def compile_all(name: str, functions: Mapping[str, tuple[FunctionType, Any]]) -> Compiled:
    """Compile functions, each with its Numba signature, into one object."""
    copies, results = _Copies(), dict[str, Any]()
    codegen = cpu_target.target_context.codegen()
    with global_compiler_lock, _one_module():
        for key, (function, signature) in functions.items():
            dispatcher = copies.of(function, no_cpython_wrapper=True)
            dispatcher.compile(signature)
            results[key] = dispatcher.overloads[tuple(signature.args)]
        library = codegen.create_library(name)
        module = library._final_module
        for part in dict.fromkeys(result.library for result in results.values()):
            part._ensure_finalized()
            module.link_in(part._final_module, preserve=True)
    native = {key: result.fndesc.llvm_func_name for key, result in results.items()}
    c = {key: result.fndesc.llvm_cfunc_wrapper_name for key, result in results.items()}
    module.link_in(llvm.parse_assembly(ALLOCATION), preserve=True)
    for symbol in (*native.values(), *c.values()):
        module.get_function(symbol).linkage = "external"
    library._optimize_final_module()
    passes = create_new_module_pass_manager()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, codegen._pass_builder())
    module.verify()
    declared = (function.name for function in module.functions if function.is_declaration)
    undefined = tuple(symbol for symbol in declared if not symbol.startswith("llvm."))
    if lacking := [
        symbol for symbol in undefined if symbol.startswith(("numba_", "NRT_")) and symbol not in machine_code.ERRORS
    ]:
        raise NotImplementedError(f"{name} calls {lacking}, which is there with Numba only: write it as a loop")
    return Compiled(codegen._tm.emit_object(module), native, c, undefined)


def signature(text: str, **names: Any) -> Any:
    """Numba's for "int64(game, int64[::1])", where `names` says what is no type of Numba's."""
    return eval(text, {**vars(types), **names})  # noqa: S307 - texts of our own


def compile_ruleset(rules: Rules) -> None:
    """Compile the rules of a ruleset, and keep the object."""
    record = numba.from_dtype(rules.dtype)
    functions = {name: (rules.function(name), signature(text, game=record)) for name, text in SIGNATURES.items()}
    keep(rules.object_path, compile_all(rules.ruleset, functions))


def keep(path: Path, made: Compiled) -> None:
    """Write what was compiled where it is looked for."""
    machine_code.save(path, *made.kept())
    code_cache.prune(path)
