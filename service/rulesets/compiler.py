"""Compiles functions to machine code with Numba. `machine_code` loads the objects without it.

The sources are plain Python: functions marked by `kernel.helper` or by a ruleset's `Rules`, which call one another by
their global names. Numba gets a copy of each. The globals of a copy lead to other copies, so the modules stay plain and
also run without compilation.

Numba generates LLVM assembly for each function and its callees. All of it is linked into one module, optimised once and
emitted as one object.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from types import CellType, FunctionType
from typing import Any, cast

import llvmlite.binding as llvm
import numba
from numba import njit, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from service.rulesets import machine_code
from service.rulesets.code_cache import Library
from service.rulesets.kernel import COMPILED_AS, SIGNATURES, Rules, is_marked

FIRST_TESTED, FIRST_UNTESTED = (0, 62), (0, 70)  # versions of Numba, as in pyproject.toml
if not FIRST_TESTED <= numba.version_info.short < FIRST_UNTESTED:
    raise ImportError(f"Numba {numba.__version__} is not tested with this project: install 'numba>=0.62,<0.70'")

RUNTIME = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @abort() noreturn

define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %whole = add i64 %size, 48
  %info = call ptr @malloc(i64 %whole)
  %data = getelementptr i8, ptr %info, i64 48
  %data_field = getelementptr i8, ptr %info, i64 24
  store i64 1, ptr %info
  store ptr %data, ptr %data_field
  ret ptr %info
}

define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @free(ptr %info)
  ret void
}

define linkonce_odr void @NRT_Free(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}
""" + "".join(
    f"define linkonce_odr {signature} {{\n  call void @abort()\n  unreachable\n}}\n"
    for signature in (
        "void @numba_gil_ensure(ptr %0)",
        "void @numba_gil_release(ptr %0)",
        "void @numba_do_raise(ptr %0)",
        "ptr @numba_unpickle(ptr %0, i32 %1, ptr %2)",
        "ptr @numba_runtime_build_excinfo_struct(ptr %0, ptr %1)",
    )
)
"""Functions in place of Numba's runtime. An array has a reference count at offset 0, the address of its data at 24.
Compiled code reports no errors to Python: it aborts.
"""


class _Copies:
    """Copies of plain functions for Numba."""

    def __init__(self, exported: Collection[FunctionType] = ()) -> None:
        """Copy on demand; `exported`: functions that become C functions, even if another of them calls them."""
        self._exported = exported
        self._dispatchers: dict[FunctionType, Any] = {}

    def dispatcher(self, function: FunctionType, **options: Any) -> Any:
        """Return the dispatcher of a function's copy, compiled with these options; always the same one."""
        if function in COMPILED_AS:
            module, _, name = COMPILED_AS[function].partition(":")
            return getattr(importlib.import_module(module), name)
        if function not in self._dispatchers:
            plain = inspect.unwrap(function)  # its wrappers are for Python alone
            names = dict(plain.__globals__)
            cells = tuple(CellType(self._compiled_value(cell.cell_contents)) for cell in plain.__closure__ or ())
            copy = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, cells)
            copy.__qualname__, copy.__module__ = plain.__qualname__, plain.__module__
            self._dispatchers[function] = njit(nogil=True, **options)(copy)  # type: ignore[call-overload]
            for name in names.keys() & set(plain.__code__.co_names):
                names[name] = self._compiled_value(names[name])
        return self._dispatchers[function]

    def _compiled_value(self, value: Any) -> Any:
        if not is_marked(value):
            return value
        return self.dispatcher(value, no_cpython_wrapper=True, no_cfunc_wrapper=value not in self._exported)


def jit(function: Callable[..., Any]) -> Any:
    """Return the function as Numba compiles it when it is called, for loops of tests and training."""
    return _Copies().dispatcher(cast("FunctionType", function))


def signature(text: str, **names: Any) -> Any:
    """Return Numba's type for "int64(game, int64[::1])". `names` defines words that are not Numba's."""
    return eval(text, {**vars(types), **names})  # noqa: S307 - texts of our own


def compile_all(functions: Mapping[FunctionType, Any]) -> bytes:
    """Return an object of functions, each with its Numba signature: C functions under their own names."""
    copies, module = _Copies(functions), llvm.parse_assembly(RUNTIME)
    runtime = {function.name: str(function.global_value_type) for function in module.functions}
    dispatchers = [copies.dispatcher(function, no_cpython_wrapper=True) for function in functions]
    with _assembly_only():
        for dispatcher, typed in zip(dispatchers, functions.values(), strict=True):
            dispatcher.compile(typed)
            part = llvm.parse_assembly(dispatcher.inspect_llvm(typed.args))
            for function in part.functions:
                if function.linkage == llvm.Linkage.external and not function.is_declaration:
                    function.linkage = "linkonce_odr"  # other parts contain it, too
                if str(function.global_value_type) != runtime.get(function.name, str(function.global_value_type)):
                    raise NotImplementedError(f"{function} has another type than in RUNTIME")
            exported = part.get_function(dispatcher.overloads[typed.args].fndesc.llvm_cfunc_wrapper_name)
            exported.linkage, exported.name = "external", dispatcher.py_func.__name__
            module.link_in(part)
    for function in module.functions:
        if function.linkage == llvm.Linkage.linkonce_odr:
            function.linkage = "internal"  # all its callers are in this module
    return _object(module)


@contextlib.contextmanager
def _assembly_only() -> Iterator[None]:
    """Make Numba generate LLVM assembly, but neither optimise it nor emit machine code."""

    def executable(library: Any, *_: Any) -> Any:
        library.finalize()
        return [].append  # in place of the compiled function: a new object for each

    config: Any = numba.config
    target, level = cpu_target.target_context, config.OPT
    config.OPT = type(level)(0)
    ahead = target.with_aot_codegen("objects", cpu_name="host")
    ahead.get_executable = executable
    try:
        cpu_target._toplevel_target_context = ahead  # noqa: SLF001 - Numba has no other way
        yield
    finally:
        cpu_target._toplevel_target_context, config.OPT = target, level  # noqa: SLF001


def _object(module: Any) -> bytes:
    """Return the machine code of a module. A first pass inlines, so that the second sees all reference counts."""
    machine = machine_code.machine()
    module.data_layout = str(machine.target_data)
    for level in (0, 3):
        options = llvm.create_pipeline_tuning_options(level)
        options.loop_vectorization, options.slp_vectorization = level == 3, False
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(module, builder)
    module.verify()
    declared = {function.name for function in module.functions if function.is_declaration}
    if missing := [name for name in declared if name.startswith(("numba_", "NRT_", "Py"))]:
        raise NotImplementedError(f"compiled code calls {missing}, which only Numba has: write it as a loop")
    return bytes(machine.emit_object(module))


def compile_ruleset(rules: Rules) -> None:
    """Compile the rules of a ruleset and save the object."""
    record = numba.from_dtype(rules.dtype)
    functions = {rules.function(name): signature(text, game=record) for name, text in SIGNATURES.items()}
    rules.library.save(compile_all(functions))


def compile_entries(library: Library, entries: Mapping[FunctionType, str], **names: Any) -> None:
    """Compile functions, each with the types of its arguments, to entries (see machine_code) and save the object."""
    tuple_of: Any = types.Tuple
    typed = {function: tuple_of(signature(f"[{kinds}]", **names)) for function, kinds in entries.items()}
    library.save(compile_all({_entry(function, kinds): types.int64(types.intp) for function, kinds in typed.items()}))


def _entry(function: FunctionType, arguments: Any) -> FunctionType:
    """Return the function with one argument, the address of a record of its arguments."""

    @intrinsic
    def unpack(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.load(builder.inttoptr(values[0], context.get_value_type(arguments).as_pointer()))

        return arguments(address), generate

    def entry(address):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - Numba's
        return function(*unpack(address))  # type: ignore[call-arg]

    entry.__name__ = function.__name__
    return cast("FunctionType", entry)
