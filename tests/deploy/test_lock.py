"""The lock contains what pyproject.toml requires in every supported environment, and nothing else is installed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.lock.__main__ import FOLDER, environments, layers, pins
from deploy.lock.licences import PAGE, runtime_versions
from tests.deploy.samples import ROOT

PROJECTS = {
    project["name"]: project
    for project in (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
        for folder in (".", "openapi/clients/python")
    )
}
SERVER, CLIENT = PROJECTS
FILES = [*layers()]
FREE = re.compile(
    r"MIT(-0| License)?|0?BSD.*|3-Clause BSD License|Apache.*|LLVM-exception|PSF-2\.0"
    r"|Python Software Foundation License|ZPL-2\.1|Zlib|CC0-1\.0|MPL-2\.0|Mozilla Public License 2\.0 MPL 2\.0"
)
"""Licences that allow closed and changed copies of the service. The MPL covers only its own files."""


def expand(requirements: list[str]) -> Iterator[Requirement]:
    """Yield the requirements, with the extras of our own projects replaced by theirs."""
    for text in requirements:
        requirement = Requirement(text)
        project = PROJECTS.get(requirement.name)
        if project is None:
            yield requirement
            continue
        yield from expand(project["dependencies"])
        for extra in requirement.extras:
            yield from expand(project["optional-dependencies"][extra])


def direct_requirements(name: str) -> list[Requirement]:
    """Return the direct requirements of a file of the lock."""
    texts = [text.replace("./openapi/clients/python", CLIENT) for text in layers()[name].requirements]
    return [*expand([re.sub(r"^\.(?=\[|$)", SERVER, text) for text in texts])]


@pytest.mark.parametrize("name", FILES)
def test_the_lock_satisfies_pyproject(name: str) -> None:
    """Run `make lock` after a change of requirements."""
    locked_here = [Requirement(pin) for layer in (*layers()[name].before, name) for pin in pins(layer)]
    for environment in environments():
        versions = {
            canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
            for pin in locked_here
            if pin.marker is None or pin.marker.evaluate(environment)
        }
        for requirement in direct_requirements(name):
            if requirement.marker is None or requirement.marker.evaluate(environment):
                version = versions.get(canonicalize_name(requirement.name))
                assert version is not None, requirement
                assert requirement.specifier.contains(version, prereleases=True), (str(requirement), version)


def test_every_extra_has_its_file_and_every_pin_its_hashes_but_no_address() -> None:
    assert set(FILES) == {file.stem for file in FOLDER.glob("*.txt")}
    for name in FILES:
        text = (FOLDER / f"{name}.txt").read_text("utf-8")
        assert not re.search(r"://|--index|--find-links|\bfile:", text)
        blocks = re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]
        assert [] == [one.split()[0] for one in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}$", one.rstrip())]
        assert len(blocks) == len(pins(name))


def test_no_package_has_two_versions_in_one_environment() -> None:
    for environment in environments():
        names: dict[str, str] = {}
        for pin in {pin for name in FILES for pin in pins(name)}:
            one = Requirement(pin)
            if one.marker is None or one.marker.evaluate(environment):
                assert names.setdefault(one.name, str(one.specifier)) == str(one.specifier)


def test_make_and_the_image_install_nothing_without_the_lock() -> None:
    """Only projects of this repository may be installed without hashes."""
    for file in (ROOT / "Makefile", ROOT / "deploy" / "container" / "install.sh"):
        lines = file.read_text("utf-8").replace("\\\n", "").splitlines()
        installing = [line for line in lines if re.search(r"\bpip (install|wheel)\b", line)]
        assert installing
        own = re.compile(r"--no-build-isolation|/wheels/")
        assert [] == [line for line in installing if "--require-hashes" not in line and not own.search(line)]


def test_licences_of_all_runtime_packages_are_free_and_listed() -> None:
    rows = dict(re.findall(r"^\| ([\w.-]+) \| ([^|]+ \| [^|]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    rows.pop("package", None)
    assert runtime_versions() == {name: row.split(" | ")[0] for name, row in rows.items()}
    for name, row in rows.items():
        licences = re.sub(r"[()]", "", row.split(" | ")[1])
        assert [] == [part for part in re.split(r" AND | OR | WITH ", licences) if not FREE.fullmatch(part)], name
