"""Mutation testing: change a condition and see whether a test notices.

    make mutation ARGS='--sample 150 --seed 20261128'

Copies the project to var/mutation, where mutmut mutates the packages of `MUTATED`. Samples mutants that change a
condition: a test of `if`, `while` or a conditional expression, a filter of a comprehension, a comparison, `and`, `or`
or `not`. Prints every mutant that survives, and the counts; exits 1 if more than a tenth survive.
Mutants named on the command line use the copy of an earlier run, and so run within a minute.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPY = ROOT / "var" / "mutation"
MUTATED = ("service/usecases", "service/competitions", "service/outgoing")

# The tests left out read the source, which mutmut has rewritten, or need threads that gevent has not patched. Without
# `debug`, mutmut does not print why a test of the unchanged code fails.
CONFIGURATION = """
[tool.mutmut]
source_paths = ["service"]
only_mutate = [{mutated}]
also_copy = [{others}]
pytest_add_cli_args_test_selection = ["tests/usecases", "tests/competitions", "tests/outgoing", "tests/web"]
pytest_add_cli_args = [
    "-n0",
    "--deselect", "tests/web/test_middleware.py::test_no_module_outside_of_a_ruleset_contains_its_name",
    "--deselect", "tests/outgoing/test_oidc_documents.py::test_greenlets_share_documents_fetched_over_tls",
    "--deselect", "tests/outgoing/test_oidc_documents.py::test_silent_provider_does_not_delay_other_greenlets",
]
process_isolation = "forkserver"
track_dependencies = false
timeout_constant = 30.0
debug = true
"""


def copy_project() -> None:
    """Copy the files of the working tree that git does not ignore, and add mutmut's configuration."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).splitlines():
        source, target = ROOT / name, COPY / name
        if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    others = [path.name for path in ROOT.iterdir() if (COPY / path.name).exists()]
    configuration = CONFIGURATION.format(
        mutated=", ".join(f'"{folder}/*.py"' for folder in MUTATED),
        others=", ".join(f'"{name}"' for name in sorted(others) if name not in {"service", "var"}),
    )
    (COPY / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + configuration)


def mutmut(*arguments: str, expected: str = "") -> str:
    """Run mutmut in the copy and return its output. Exit if it fails without the expected message."""
    command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
    done = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode and not (expected and expected in done.stdout):
        sys.exit(done.stdout)
    return done.stdout


def conditions(function: ast.AST) -> list[str]:
    """Return the conditions in a function, in the order of the source."""
    found: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            found.append(node.test)
        elif isinstance(node, ast.comprehension):
            found.extend(node.ifs)
        elif isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            found.append(node)
    return [ast.dump(node) for node in found]


def condition_mutants() -> Iterator[str]:
    """Yield the names of the mutants that differ from the original in a condition."""
    mutants = COPY / "mutants"
    for folder in MUTATED:
        for path in sorted((mutants / folder).rglob("*.py")):
            module = ".".join(path.relative_to(mutants).with_suffix("").parts).removesuffix(".__init__")
            originals: dict[str, list[str]] = {}
            for function in ast.walk(ast.parse(path.read_text())):
                if isinstance(function, ast.FunctionDef) and "__mutmut_" in function.name:
                    stem, _, number = function.name.rpartition("_")
                    if number == "orig":
                        originals[stem] = conditions(function)
                    elif conditions(function) != originals[stem]:
                        yield f"{module}.{function.name}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="mutants to run instead of a sample")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=None, help="drawn if not given")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    seed = random.randrange(10**6) if arguments.seed is None else arguments.seed

    if not arguments.names:
        shutil.rmtree(COPY, ignore_errors=True)
    copy_project()
    # Without a match, mutmut generates the mutants, finds out which tests reach them, and stops.
    mutmut("run", "no-such-mutant", expected="nothing matches")
    names = arguments.names
    if not names:
        names = list(condition_mutants())
        print(f"{len(names)} mutants of conditions", flush=True)
        random.Random(seed).shuffle(names)
        names = names[: arguments.sample]
    mutmut("run", "--max-children", str(arguments.processes), *names)
    results = dict(line.strip().split(": ") for line in mutmut("results", "--all", "true").splitlines() if ": " in line)
    for name in sorted(names):
        if results[name] != "killed":
            print(mutmut("show", name), flush=True)
    counts = Counter(results[name] for name in names)
    print(f"seed {seed}: " + ", ".join(f"{count} {result}" for result, count in counts.most_common()))
    sys.exit(10 * (counts["survived"] + counts["no tests"]) > len(names))


if __name__ == "__main__":
    main()
