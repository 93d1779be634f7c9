"""Tells every change of openapi.json that could break a client.

python -m openapi.compatible                 the working tree's document against the last one that clients have
python -m openapi.compatible BASE            against a revision of git, or a file
python -m openapi.compatible --accept WHY    write what it finds into openapi/accepted.json

What breaks is told in `openapi.breaks`. The exit status is 0 where nothing breaks, 1 where something does that was not
accepted, 2 where the base cannot be read.

Which document do clients have? The newest release's: that of the newest tag `v…` that came before. Before the first
release it is the last other document, so that a developer is told what the working tree breaks, and CI what the last
change of the document broke, however many commits came after it that left the document alone:

    openapi.json is not HEAD's    look from HEAD:    its newest tag, else HEAD
    openapi.json is HEAD's        look from HEAD^:   its newest tag, else the document before the last change of it

`accepted.json` is a list of `{"pointer": …, "why": …}`: breaks that are meant, for a version that is not released yet.
A name `*` in a pointer stands for any one name. An entry that fits nothing any more is a fault, so the list is empty
again when the base has moved on.

(No package is used: in Python there are api-schema-diff 0.1 and kryptorious-apiguard 1.0, small and not kept up.)
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import orjson

from openapi.breaks import Break, breaks
from openapi.shapes import Json, UnreadableError

ROOT = Path(__file__).parents[1]
DOCUMENT = "openapi/openapi.json"
ACCEPTED = "openapi/accepted.json"


@dataclass(frozen=True)
class Base:
    """What is compared with: its name for a person, and the document."""

    name: str
    document: Json


class Repository:
    """Questions to git about the project in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ask(self, *arguments: str) -> str:
        """What git prints; UnreadableError with its own words where it fails."""
        try:
            done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)
        except OSError as error:
            raise UnreadableError(f"git cannot be run: {error}") from error
        if done.returncode != 0:
            words = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise UnreadableError(f"git {arguments[0]}: {words[-1]}")
        return done.stdout.decode()

    def has(self, revision: str) -> bool:
        """Whether there is such a commit."""
        try:
            return bool(self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"))
        except UnreadableError:
            return False

    def document(self, revision: str) -> Json | None:
        """The document of a revision; None where it has none."""
        if not self.ask("ls-tree", "--name-only", revision, "--", DOCUMENT):
            return None
        return _read(self.ask("show", f"{revision}:./{DOCUMENT}"), f"{DOCUMENT} of {revision}")

    def newest_release(self, revision: str) -> str | None:
        """The tag of the highest version that the revision contains."""
        tags = self.ask("-c", "versionsort.suffix=-", "tag", "--merged", revision, "--sort=-version:refname", "v[0-9]*")
        return next(iter(tags.splitlines()), None)

    def before_last_change(self) -> str:
        """The commit before the one that changed the document last; what a merge brought is one change."""
        return self.ask("log", "--first-parent", "-1", "--format=%H", "--", DOCUMENT).strip() + "^"

    def is_shallow(self) -> bool:
        """Whether a part of the history is missing here."""
        return self.ask("rev-parse", "--is-shallow-repository").strip() == "true"


def base_of(repository: Repository, present: Json) -> Base | None:
    """The document that clients have; None where this is the first one."""
    committed = repository.document("HEAD")
    start = "HEAD^" if committed == present else "HEAD"
    known = repository.has(start)
    release = repository.newest_release(start) if known else None
    if release is None and repository.is_shallow():
        raise UnreadableError(
            "this clone is shallow and shows no release: `git fetch --unshallow --tags` brings the rest"
        )
    revision = release or (start if start == "HEAD" else repository.before_last_change())
    document = repository.document(revision) if known and repository.has(revision) else None
    if document is None:
        return None
    name = release or repository.ask("log", "-1", "--format=%h (%s)", revision).strip()
    return Base(name, document)


def named_base(repository: Repository, name: str) -> Base:
    """The document in a file or of a revision."""
    if Path(name).is_file():
        return Base(name, _read(Path(name).read_bytes(), name))
    if not repository.has(name):
        repository.ask("rev-parse", "HEAD")  # its own words where there is no repository
        raise UnreadableError(f"{name} is neither a file nor a revision of git")
    document = repository.document(name)
    if document is None:
        raise UnreadableError(f"{name} has no {DOCUMENT}")
    return Base(name, document)


def _read(content: str | bytes, name: str) -> Json:
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise UnreadableError(f"{name} is not JSON: {error}") from error
    if not isinstance(document, dict) or "openapi" not in document:
        raise UnreadableError(f"{name} is not an OpenAPI document")
    return document


def accepted_in(file: Path) -> list[dict[str, str]]:
    """The list of what is accepted; empty where there is no file."""
    try:
        entries = orjson.loads(file.read_bytes()) if file.exists() else []
    except orjson.JSONDecodeError as error:
        raise UnreadableError(f"{file.name} is not JSON: {error}") from error
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or set(entry) != {"pointer", "why"} or not all(entry.values()):
            raise UnreadableError(f'{file.name} is a list of {{"pointer": …, "why": …}}, both filled')
    return list(entries)


def fits(pattern: str, pointer: str) -> bool:
    """Whether an entry's pointer is this one, name for name."""
    return all(given in ("*", broken) for given, broken in zip_longest(pattern.split("/"), pointer.split("/")))


def judged(broken: list[Break], accepted: list[dict[str, str]]) -> tuple[list[Break], list[dict[str, str]]]:
    """What was not accepted, and the entries that fit nothing."""
    open_ = [one for one in broken if not any(fits(entry["pointer"], one.pointer) for entry in accepted)]
    stale = [entry for entry in accepted if not any(fits(entry["pointer"], one.pointer) for one in broken)]
    return open_, stale


def check(root: Path, name: str | None, why: str | None) -> int:
    """Compare and tell; the exit status."""
    present = _read((root / DOCUMENT).read_bytes(), DOCUMENT)
    repository, file = Repository(root), root / ACCEPTED
    accepted = accepted_in(file)
    base = named_base(repository, name) if name else base_of(repository, present)
    if base is None:
        print(f"{DOCUMENT}: there is no earlier one to break")
        return 0
    broken = breaks(base.document, present)
    open_, stale = judged(broken, accepted)
    if why:
        kept = [entry for entry in accepted if entry not in stale]
        kept += [{"pointer": pointer, "why": why} for pointer in sorted({one.pointer for one in open_})]
        file.write_bytes(orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n")
        print(f"{ACCEPTED}: {len(kept)} entries")
        return 0
    print(f"{DOCUMENT} against {base.name}: breaking changes: {len(broken)}, accepted: {len(broken) - len(open_)}")
    for one in open_:
        print(f"  {one.pointer}\n    {one.sentence}")
    for entry in stale:
        print(f"  {ACCEPTED}: {entry['pointer']} fits nothing any more; take it out")
    if open_:
        print(f"Mend them; or, if they are meant, say why: python -m openapi.compatible --accept '…' ({ACCEPTED})")
    return 1 if open_ or stale else 0


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Read the arguments; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m openapi.compatible", description="What could break a client.")
    parser.add_argument("base", nargs="?", help="a revision of git or a file; see the module for what is taken else")
    parser.add_argument("--accept", metavar="WHY", help=f"write what is found into {ACCEPTED}, with the reason")
    given = parser.parse_args(arguments)
    try:
        return check(root, given.base, given.accept)
    except UnreadableError as error:
        print(f"openapi.compatible: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
