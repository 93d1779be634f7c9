"""Find changes of openapi.json and admin.json that could break a client.

python -m openapi.compatible                 compare the working tree with the document that clients have
python -m openapi.compatible BASE            compare with a git revision or a file
python -m openapi.compatible --accept WHY    add the changes found to openapi/accepted.json

`openapi.breaking_changes` defines breaking changes. The exit status is 0 without unaccepted breaking changes, 1 with
some or with entries that match none, and 2 if a document cannot be read.

The base is the document of the newest release: the newest tag `v…`. Before the first release it is the previous
version of the document. A developer then sees what the working tree breaks, and CI sees what the last change of the
document broke:

    the document differs from HEAD    newest tag of HEAD, else HEAD
    the document equals HEAD          newest tag of HEAD^, else the document before its last change

A file as BASE is compared with openapi.json only.

Two forms of each document are compared: the published one, and one with enums and unions (`service.web.docs.growth`).

`accepted.json` is a list of `{"pointer": …, "why": …}`: intended breaking changes of the next release. `*` in a pointer
matches any one name. Entries without a matching change are errors, so the list becomes empty after a release.

The packages for Python (api-schema-diff 0.1, kryptorious-apiguard 1.0) are small and unmaintained.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import orjson

from openapi.breaking_changes import BreakingChange, find_breaking_changes
from openapi.shapes import Json, UnreadableError
from service.web.docs.growth import exact, open_document

ROOT = Path(__file__).parents[1]
DOCUMENT, ADMIN = "openapi/openapi.json", "openapi/admin.json"
ACCEPTED = "openapi/accepted.json"


@dataclass(frozen=True)
class Base:
    """The document to compare with, and its display name."""

    name: str
    document: Json


class Repository:
    """The git repository in a folder, and a document in it."""

    def __init__(self, root: Path, path: str) -> None:
        self.root, self.path = root, path

    def run(self, *arguments: str) -> str:
        """Return the output of a git command. Raise UnreadableError with its error message if it fails."""
        try:
            done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)
        except OSError as error:
            raise UnreadableError(f"git cannot be run: {error}") from error
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no error message"]
            raise UnreadableError(f"git {arguments[0]}: {lines[-1]}")
        return done.stdout.decode()

    def has_revision(self, revision: str) -> bool:
        """Return whether the revision names a commit."""
        try:
            return bool(self.run("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"))
        except UnreadableError:
            return False

    def document(self, revision: str) -> Json | None:
        """Return the document of a revision, or None."""
        if not self.run("ls-tree", "--name-only", revision, "--", self.path):
            return None
        return _read(self.run("show", f"{revision}:./{self.path}"), f"{self.path} of {revision}")

    def newest_release(self, revision: str) -> str | None:
        """Return the tag of the highest version in the history of a revision, or None."""
        tags = self.run("-c", "versionsort.suffix=-", "tag", "--merged", revision, "--sort=-version:refname", "v[0-9]*")
        return next(iter(tags.splitlines()), None)

    def before_last_change(self) -> str:
        """Return the commit before the last change of the document. A merge counts as one change."""
        return self.run("log", "--first-parent", "-1", "--format=%H", "--", self.path).strip() + "^"

    def is_shallow(self) -> bool:
        """Return whether the clone lacks a part of the history."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == "true"


def base_of(repository: Repository, present: Json) -> Base | None:
    """Return the base (see the module) of the present document, or None if there is none. Raises UnreadableError."""
    committed = repository.document("HEAD")
    start = "HEAD^" if committed == present else "HEAD"
    has_start = repository.has_revision(start)
    release = repository.newest_release(start) if has_start else None
    if release is None and repository.is_shallow():
        raise UnreadableError("the clone is shallow and contains no release: run `git fetch --unshallow --tags`")
    revision = release or (start if start == "HEAD" else repository.before_last_change())
    document = repository.document(revision) if has_start and repository.has_revision(revision) else None
    if document is None:
        return None
    name = release or repository.run("log", "-1", "--format=%h (%s)", revision).strip()
    return Base(name, document)


def named_base(repository: Repository, name: str) -> Base | None:
    """Return the document in a file or of a revision. Old revisions have no document for the staff."""
    if Path(name).is_file():
        return Base(name, _read(Path(name).read_bytes(), name))
    if not repository.has_revision(name):
        repository.run("rev-parse", "HEAD")  # raises git's own error outside a repository
        raise UnreadableError(f"{name} is neither a file nor a revision of git")
    document = repository.document(name)
    if document is None and repository.path == DOCUMENT:
        raise UnreadableError(f"{name} has no {DOCUMENT}")
    return None if document is None else Base(name, document)


def _read(content: str | bytes, name: str) -> Json:
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise UnreadableError(f"{name} is not JSON: {error}") from error
    if not isinstance(document, dict) or "openapi" not in document:
        raise UnreadableError(f"{name} is not an OpenAPI document")
    return document


def accepted_in(file: Path) -> list[dict[str, str]]:
    """Return the accepted changes; none if the file does not exist."""
    try:
        entries = orjson.loads(file.read_bytes()) if file.exists() else []
    except orjson.JSONDecodeError as error:
        raise UnreadableError(f"{file.name} is not JSON: {error}") from error
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or set(entry) != {"pointer", "why"} or not all(entry.values()):
            raise UnreadableError(f'{file.name} must be a list of {{"pointer": …, "why": …}} without empty values')
    return list(entries)


def is_match(pattern: str, pointer: str) -> bool:
    """Return whether the pointer of an entry matches a pointer."""
    return all(expected in ("*", name) for expected, name in zip_longest(pattern.split("/"), pointer.split("/")))


def compare_accepted(
    changes: list[BreakingChange], accepted: list[dict[str, str]]
) -> tuple[list[BreakingChange], list[dict[str, str]]]:
    """Return the changes that are not accepted, and the entries without a matching change."""
    unaccepted = [one for one in changes if not any(is_match(entry["pointer"], one.pointer) for entry in accepted)]
    stale = [entry for entry in accepted if not any(is_match(entry["pointer"], one.pointer) for one in changes)]
    return unaccepted, stale


def compare(root: Path, path: str, name: str | None) -> tuple[str, list[BreakingChange]]:
    """Return the name of the base of a document, or an empty text without a base, and the breaking changes."""
    present, repository = _read((root / path).read_bytes(), path), Repository(root, path)
    base = named_base(repository, name) if name else base_of(repository, present)
    if base is None:
        return "", []
    before, after = exact(base.document), exact(present)
    found = find_breaking_changes(before, after)
    return base.name, sorted({*found, *find_breaking_changes(open_document(before), open_document(after))})


def check(root: Path, name: str | None, why: str | None) -> int:
    """Compare the documents and print the result. Return the exit status."""
    paths = [path for path in (DOCUMENT, ADMIN) if (root / path).exists()]
    is_file = name is not None and Path(name).is_file()
    compared = {path: compare(root, path, name) for path in (paths[:1] if is_file else paths)}
    file = root / ACCEPTED
    accepted = accepted_in(file)
    unaccepted, stale = compare_accepted([one for _, changes in compared.values() for one in changes], accepted)
    if why:
        entries = [entry for entry in accepted if entry not in stale]
        entries += [{"pointer": pointer, "why": why} for pointer in sorted({one.pointer for one in unaccepted})]
        file.write_bytes(orjson.dumps(entries, option=orjson.OPT_INDENT_2) + b"\n")
        print(f"{ACCEPTED}: {len(entries)} entries")
        return 0
    for path, (base, changes) in compared.items():
        if not base:
            print(f"{path}: no earlier document to compare with")
            continue
        count, open_ones = len(changes), [one for one in changes if one in unaccepted]
        print(f"{path} against {base}: breaking changes: {count}, accepted: {count - len(open_ones)}")
        for one in open_ones:
            print(f"  {one.pointer}\n    {one.sentence}")
    for entry in stale:
        print(f"  {ACCEPTED}: {entry['pointer']} matches no change; remove the entry")
    if unaccepted:
        print(f"Fix them, or accept them with a reason: python -m openapi.compatible --accept '…' ({ACCEPTED})")
    return 1 if unaccepted or stale else 0


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Parse the arguments and run the check. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m openapi.compatible", description="Find breaking changes.")
    parser.add_argument("base", nargs="?", help="git revision or file; default: the document that clients have")
    parser.add_argument("--accept", metavar="WHY", help=f"add the changes found to {ACCEPTED}, with this reason")
    options = parser.parse_args(arguments)
    try:
        return check(root, options.base, options.accept)
    except UnreadableError as error:
        print(f"openapi.compatible: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
