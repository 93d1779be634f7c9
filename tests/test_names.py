"""Names: constants within a package, functions, exceptions, commit subjects, and the form of ids."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.web.docs.components import objects
from tests.mutation import CONFIGURATION

ROOT = Path(__file__).parents[1]
PACKAGES = {
    **dict.fromkeys(("service/games", "service/usecases", "service/storage", "service/web"), "**/*.py"),
    **dict.fromkeys(("service/operate", "service/outgoing", "workers", "research"), "**/*.py"),
    **{f"service/rulesets/{rules.parent.name}": "**/*.py" for rules in ROOT.glob("service/rulesets/*/rules")},
    "service/rulesets": "*.py",
    "service": "*.py",
    "openapi": "*.py",
}
FOLDERS = ("azul_rules", "packages", "service", "workers", "research", "openapi", "tests")
IN_EVERY_MODULE = {"LOG"}  # the module's logger
BARE_WORDS = (
    "about|above|across|after|again|all|along|also|among|and|another|any|apart|around|as|at|away|back|before|behind|below|"
    "beside|best|better|between|beyond|both|by|during|each|either|else|every|exactly|few|first|for|from|further|gone|good|"
    "here|how|in|inside|into|it|just|last|later|left|less|like|likely|many|me|more|most|much|must|near|newest|next|no|none|"
    "nothing|now|of|off|on|once|one|only|other|others|out|outside|over|own|quite|rather|same|since|so|some|soon|still|such|"
    "than|that|the|their|them|then|there|they|this|through|to|together|too|towards|under|until|up|upon|very|was|what|when|"
    "where|whether|which|who|whole|whom|whose|why|with|within|without|yet|you|begun|bought|bound|brought|built|caught|chosen|"
    "come|dealt|done|drawn|fallen|fed|felt|found|forgotten|given|grown|heard|held|hidden|kept|known|led|lent|lost|made|meant|"
    "met|paid|put|said|seen|sent|shown|shut|sold|spent|spoken|stood|taken|taught|thought|told|understood|won|written"
)
VERBS_IN_ED = r"(?:seed|feed|need|speed|embed|exceed|proceed)$"
WORD = r"[a-z0-9]+(_[a-z0-9]+)*"
KEBAB = r"[a-z]+(-[a-z]+)*"


def constants(module: Path) -> Iterator[str]:
    """Yield the names in capitals that the module assigns, without a leading underscore."""
    for statement in ast.parse(module.read_text("utf-8")).body:
        targets = {ast.Assign: "targets", ast.AnnAssign: "target"}.get(type(statement))
        if targets is None:
            continue
        assigned = getattr(statement, targets)
        for target in assigned if isinstance(assigned, list) else [assigned]:
            names = (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
            yield from (name.lstrip("_") for name in names if name.isupper() and len(name.lstrip("_")) > 1)


def test_no_constant_has_two_meanings_in_one_package() -> None:
    modules: dict[tuple[str, str], list[str]] = defaultdict(list)
    for package, pattern in PACKAGES.items():
        for module in sorted((ROOT / package).glob(pattern)):
            for name in set(constants(module)) - IN_EVERY_MODULE:
                modules[package, name].append(str(module.relative_to(ROOT)))
    assert {} == {name: where for name, where in modules.items() if len(where) > 1}


def test_constants_are_found_where_they_are_assigned(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "A, BOTH = 1, 2\n_HIDDEN: int = 3\nlower = 4\nif True:\n    INSIDE = 5\ndef f():\n    LOCAL = 6\n"
    )
    assert ["BOTH", "HIDDEN"] == list(constants(module))


@functools.cache
def sources() -> dict[str, str]:
    """Return the texts of all modules, except generated ones."""
    modules = chain.from_iterable((ROOT / folder).rglob("*.py") for folder in FOLDERS)
    return {
        str(module.relative_to(ROOT)): module.read_text("utf-8")
        for module in sorted(modules)
        if not {"azul_games_client", "generated"} & {*module.parts}
    }


def functions() -> Iterator[tuple[str, str]]:
    """Yield module and name of each function. Searching is much faster than parsing."""
    for module, text in sources().items():
        yield from ((module, name) for name in re.findall(r"^ *(?:async )?def (\w+)", text, re.MULTILINE))


def test_no_function_is_named_by_a_participle_or_a_preposition() -> None:
    bare = re.compile(rf"_*({BARE_WORDS}|(?!{VERBS_IN_ED})[a-z]+ed)")
    found = {f"{module}: {name}" for module, name in functions() if bare.fullmatch(name)}
    assert {"tests/web/client.py: put"} == found  # an HTTP method


def test_functions_that_return_whether_are_named_like_conditions() -> None:
    condition = re.compile(
        r"_*(is|has|have|can|may|must|should|needs|does|are|allows|accepts|contains|exists|fits|prefers)(_|$)"
    )
    arguments = r"\([^()]*(?:\([^()]*\)[^()]*)*\)"
    predicate = re.compile(rf'^ *(?:async )?def (\w+){arguments} -> bool:\n +"""Return whether', re.MULTILINE)
    found = {f"{module}: {name}" for module, text in sources().items() for name in predicate.findall(text)}
    assert len(found) > 100
    assert [] == [name for name in found if not condition.match(name.partition(": ")[2])]


def test_exceptions_end_in_error() -> None:
    declaration = re.compile(r"^ *class (\w+)\(([^)]*)\):", re.MULTILINE)
    classes = {name: bases.split(", ") for text in sources().values() for name, bases in declaration.findall(text)}

    def is_exception(name: str) -> bool:
        return name.endswith(("Error", "Exception")) or any(map(is_exception, classes.get(name, [])))

    assert any(name.endswith("Error") for name in classes)
    assert [] == [name for name in classes if is_exception(name) and not name.endswith("Error")]


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Pair seeks of three seats greedily", True),
        ("Process events in order\n\nA body.", True),
        ("Seed games", True),
        ("Bring jokers back", True),
        ("Focus the first field", True),
        ('Revert "Name bounds MAX_"', True),
        ("Named bounds", False),
        ("Adding a test", False),
        ("Adds a test", False),
        ("pair seeks", False),
        (f"Pair {72 * 'x'}", False),
        ("Pair seeks\nA body without a blank line.", False),
    ],
)
def test_hook_accepts_short_imperative_commit_subjects(subject: str, *, expected: bool) -> None:
    configuration = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    (hook,) = (hook for hook in configuration["repos"][0]["hooks"] if hook["id"] == "subject")
    assert expected == bool(re.search(hook["entry"], f"{subject}\n", re.MULTILINE))


def test_tests_that_mutation_leaves_out_exist() -> None:
    names = re.findall(r'"(tests/[\w/]+\.py)::(\w+)"', CONFIGURATION)
    assert 3 == len(names)
    assert [] == [name for module, name in names if f"def {name}(" not in (ROOT / module).read_text("utf-8")]


@pytest.mark.parametrize("file", ["Makefile", "tests/e2e/test_template.py"])
def test_expressions_that_select_tests_select_some(file: str) -> None:
    words = re.findall(r'-k"?,? "?(\w+_\w+)', (ROOT / file).read_text("utf-8"))
    tests = {name for _, name in functions() if name.startswith("test_")}
    assert words
    assert [] == [word for word in words if not any(word in name for name in tests)]


def test_translated_messages_have_kebab_case_ids() -> None:
    files = [*(ROOT / "service").rglob("*.ftl")]
    names = {name for file in files for name in re.findall(r"^([\w-]+) *=", file.read_text("utf-8"), re.MULTILINE)}
    assert len(names) > 100
    assert [] == sorted(name for name in names if not re.fullmatch(KEBAB, name))


def words_of(schema: Any) -> Iterator[str]:
    """Yield the words of all enumerations."""
    if isinstance(schema, dict):
        yield from (
            word for word in (*schema.get("enum", ()), *schema.get("x-extensible-enum", ())) if isinstance(word, str)
        )
        for part in schema.values():
            yield from words_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from words_of(part)


def test_enum_values_of_the_api_document_follow_the_glossary_spelling() -> None:
    """Rulesets and levels have hyphens, other words have underscores, and types begin with their ruleset."""
    documents = [json.loads((ROOT / "openapi" / name).read_text("utf-8")) for name in ("openapi.json", "admin.json")]
    words = {word for one in documents for word in words_of(one["components"]["schemas"])} - {"azul-games/1"}
    assert len(words) > 200
    assert [] == sorted(word for word in words if not re.fullmatch(rf"{KEBAB}|({KEBAB}\.)?{WORD}", word))


def test_enum_values_of_requests_compile_in_kotlin() -> None:
    """Enums in Kotlin have members of their own. `make test-clients-all` compiles the client."""
    schemas = json.loads((ROOT / "openapi" / "openapi.json").read_text("utf-8"))["components"]["schemas"]
    enums = {word for schema in objects(schemas) for word in schema.get("enum", ())}
    assert len(enums) > 50
    assert set() == enums & {"name", "ordinal", "entries", "values"}
