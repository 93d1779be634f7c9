"""The base document of a comparison, and accepted breaks."""

from __future__ import annotations

import os
import subprocess
from operator import itemgetter
from pathlib import Path

import orjson
import pytest

from openapi.compatible import ACCEPTED, ADMIN, DOCUMENT, is_match, main
from tests.openapi.samples import document


class Project:
    """A folder with a document under git."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "openapi").mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> None:
        settings = ["-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *settings, *arguments], cwd=self.root, check=True, capture_output=True)

    def write(self, *properties: str, path: str = DOCUMENT) -> None:
        """Write a document whose answer has these properties."""
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in properties}}
        (self.root / path).write_bytes(orjson.dumps(document(response=schema)))

    def commit(self, *properties: str) -> None:
        if properties:
            self.write(*properties)
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "+".join(properties) or "nothing")

    def accept(self, *names: str) -> None:
        entries = [{"pointer": pointer_of(name), "why": "a test"} for name in names]
        (self.root / ACCEPTED).write_bytes(orjson.dumps(entries))

    def check(self, *arguments: str) -> int:
        return main(list(arguments), self.root)


def pointer_of(name: str) -> str:
    return f"/paths/~1things~1{{id}}/post/responses/200/content/application~1json/schema/properties/{name}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)  # set by hooks
    return Project(tmp_path)


def test_uncommitted_changes_are_compared_with_a_commit(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a", "b", "c")
    project.commit("a", "b")
    project.write("a")
    assert 1 == project.check()
    actual = capsys.readouterr().out
    assert (True, False) == (pointer_of("b") in actual, pointer_of("c") in actual)


def test_a_committed_document_is_compared_with_its_previous_version(project: Project) -> None:
    project.commit("a", "b")
    project.commit("a")
    project.commit()
    assert 1 == project.check()


def test_a_merge_is_compared_as_one_change(project: Project) -> None:
    project.commit("a", "b", "c")
    project.git("checkout", "-q", "-b", "side")
    project.commit("a", "b")
    project.commit("a", "b", "d")
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "-m", "side", "side")
    assert 1 == project.check()


def test_a_release_is_the_base_of_later_changes(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a", "b")
    project.git("tag", "v1.9.0")
    project.commit("a", "b", "c")
    project.git("tag", "v1.10.0")
    project.commit("a", "b", "c", "d")
    project.commit("a", "b", "c")
    assert 0 == project.check()  # no release contains `d`
    assert f"{DOCUMENT} against v1.10.0:" in capsys.readouterr().out


def test_a_release_is_compared_with_the_release_before_it(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a")
    project.git("tag", "v1.0.0")
    project.commit("a", "b")
    project.git("tag", "v1.1.0")
    assert 0 == project.check()
    assert "against v1.0.0:" in capsys.readouterr().out


def test_a_release_on_another_branch_is_not_the_base(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a")
    project.git("checkout", "-q", "-b", "side")
    project.commit("a", "b")
    project.git("tag", "v2.0.0")
    project.git("checkout", "-q", "main")
    project.commit("a", "c")
    assert 0 == project.check()
    assert "v2.0.0" not in capsys.readouterr().out


def test_the_base_can_be_a_commit_or_a_file(project: Project, tmp_path: Path) -> None:
    project.commit("a", "b")
    project.commit("a")
    project.commit("a", "c")
    (tmp_path / "old.json").write_bytes((tmp_path / DOCUMENT).read_bytes())
    assert (0, 1, 0) == tuple(project.check(base) for base in ("HEAD^", "HEAD~2", str(tmp_path / "old.json")))


def test_the_first_document_has_no_breaks(project: Project) -> None:
    project.commit("a")
    assert 0 == project.check()


def test_an_unreadable_base_is_reported_in_one_line(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a")
    (project.root / "words").write_text("words")
    for base in ("nowhere", str(project.root / "words")):
        assert 2 == project.check(base)
        assert 1 == len(capsys.readouterr().err.splitlines())


def test_outside_of_a_repository_the_base_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "openapi").mkdir()
    (tmp_path / DOCUMENT).write_bytes(orjson.dumps(document()))
    assert 2 == main([], tmp_path)
    assert "not a git repository" in capsys.readouterr().err


def test_a_missing_git_is_reported(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.commit("a")
    monkeypatch.setenv("PATH", str(project.root))
    assert 2 == project.check()
    assert "git cannot be run" in capsys.readouterr().err


def test_a_shallow_clone_is_reported_with_the_command_that_deepens_it(
    project: Project, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    project.commit("a", "b")
    project.commit("a")
    clone = tmp_path_factory.mktemp("clone") / "clone"
    project.git("clone", "-q", "--depth", "1", f"file://{project.root}", str(clone))
    assert 2 == main([], clone)
    assert "git fetch --unshallow" in capsys.readouterr().err


def test_the_document_for_the_staff_is_compared_too(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a")
    project.write("a", "b", path=ADMIN)
    project.commit()
    assert 0 == project.check()
    assert f"{ADMIN}: no earlier document" in capsys.readouterr().out
    project.write("a", path=ADMIN)
    assert 1 == project.check()
    assert f"breaking changes: 1, accepted: 0\n  {pointer_of('b')}" in capsys.readouterr().out
    assert 0 == project.check("HEAD^")  # had no such document
    project.accept("b")
    assert 0 == project.check()


def test_an_accepted_break_passes(project: Project) -> None:
    project.commit("a", "b")
    project.commit("a")
    project.accept("b")
    assert 0 == project.check()


def test_an_outdated_entry_fails(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a", "b")
    project.commit("a")
    project.accept("b", "z")
    assert 1 == project.check()
    assert f"{pointer_of('z')} matches no change" in capsys.readouterr().out


def test_an_invalid_list_is_reported(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("a")
    for content in ("{", '{"pointer": "/a"}', '[{"pointer": "/a", "why": ""}]'):
        (project.root / ACCEPTED).write_text(content)
        assert 2 == project.check()
    assert 3 == len(capsys.readouterr().err.splitlines())


def test_all_breaks_can_be_accepted_with_one_reason(project: Project) -> None:
    project.commit("a", "b", "c")
    project.commit("a")
    project.accept("b", "z")
    assert 0 == project.check("--accept", "nobody reads it")
    entries = orjson.loads((project.root / ACCEPTED).read_bytes())
    accepted = [*map(itemgetter("pointer", "why"), entries)]
    assert [(pointer_of("b"), "a test"), (pointer_of("c"), "nobody reads it")] == accepted
    assert 0 == project.check()


def test_an_asterisk_matches_one_segment_of_a_pointer() -> None:
    assert is_match("/a/*/c", "/a/b/c")
    assert not is_match("/a/*", "/a/b/c")
    assert not is_match("/a/*/c", "/a/c")
