"""Objects of the archive in a folder, in memory, and in S3 (moto over HTTP)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
import requests
from moto.server import ThreadedMotoServer

from service.archive_files import OPTIONS
from service.operate.doctor import doctor
from service.setting_parsers import RefusedError, archive_url
from service.settings import Settings
from service.storage.games.archive import Archive, ArchiveUnavailableError
from tests.patience import HANG_S

URL_OF_S3 = "s3://games/finished"


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadedMotoServer]:
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def s3(server: ThreadedMotoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Configure S3 with an empty bucket in the standard variables."""
    _, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://localhost:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    requests.post(f"http://localhost:{port}/moto-api/reset", timeout=HANG_S)
    boto3.client("s3").create_bucket(Bucket="games")


@pytest.fixture(params=["file", "memory", "s3"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    if request.param == "s3":
        request.getfixturevalue("s3")
        return Archive(URL_OF_S3)
    return Archive((tmp_path / "a folder").as_uri() if request.param == "file" else f"memory://{tmp_path.name}")


def test_an_object_has_its_last_content(archive: Archive) -> None:
    assert archive.read("AAAAAAAAAAAAAAAA") is None
    for content in (b"first", b"\x00second\n", b""):
        archive.write("AAAAAAAAAAAAAAAA", content)
        assert content == archive.read("AAAAAAAAAAAAAAAA")
    assert archive.read("AAAAAAAAAAAAAAAB") is None


def test_many_objects_are_read_at_once_without_missing_ones(archive: Archive) -> None:
    contents = {f"{number:02}-------------_": bytes([number]) for number in range(20)}
    for game_id, content in contents.items():
        archive.write(game_id, content)
    assert contents == archive.read_many([*contents, "nothing-nothing-"])
    assert {} == archive.read_many([]) == archive.read_many(["nothing-nothing-"])
    assert {"07-------------_": b"\x07"} == archive.read_many(["07-------------_"])


@pytest.mark.usefixtures("s3")
def test_doctor_checks_the_bucket(capsys: pytest.CaptureFixture[str]) -> None:
    for url, expected in (("s3://games/new", "can be reached"), ("s3://missing/new", "FileNotFoundError")):
        doctor(Settings.from_environment({"ARCHIVE_URL": url}))
        (line,) = (line for line in capsys.readouterr().out.splitlines() if f"the archive {url}" in line)
        assert expected in line


UNDER_GEVENT = """
from gevent import monkey; monkey.patch_all()
import gevent, sys
from service.storage.games.archive import Archive
archive = Archive(sys.argv[1])
archive.write("AAAAAAAAAAAAAAAA", b"content")
readers = [gevent.spawn(archive.read, "AAAAAAAAAAAAAAAA") for _ in range(8)]
gevent.joinall(readers)
print([reader.value for reader in readers] == [b"content"] * 8, len(archive.read_many(["AAAAAAAAAAAAAAAA", "BB"])))
"""


@pytest.mark.usefixtures("s3")
def test_greenlets_read_and_write_concurrently() -> None:
    command = [sys.executable, "-c", UNDER_GEVENT, URL_OF_S3]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert ("True 1", 0) == (done.stdout.strip(), done.returncode), done.stderr


def test_only_the_owner_may_read_an_archive(tmp_path: Path) -> None:
    root = tmp_path / "archive"
    root.mkdir(mode=0o755)  # by an older version
    Archive(root.as_uri()).write("AAAAAAAAAAAAAAAA", b"content")
    modes = {path.name: path.stat().st_mode & 0o777 for path in [root, *root.rglob("*")]}
    assert {"archive": 0o700, "AA": 0o700, "AAAAAAAAAAAAAAAA.zst": 0o600} == modes


HUNG_FOLDER = """
from gevent import monkey; monkey.patch_all()
import gevent, os, pathlib, sys
from service.settings import Settings
from service.storage.games.archive import Archive, ArchiveUnavailableError
archive = Archive(sys.argv[1], deadline_s=0.05)
folder = pathlib.Path(sys.argv[2], "AA")
archive.write("AAAAAAAAAAAAAAAA", b"content")
os.mkfifo(folder / "AAAAAAAAAAAAAAAB.zst")  # opening it hangs until somebody writes

def read(game_id):
    try:
        return archive.read(game_id)
    except ArchiveUnavailableError as error:
        return "unavailable" if "no answer" in str(error) else str(error)

readers = [gevent.spawn(read, "AAAAAAAAAAAAAAAB") for _ in range(10)]
gevent.joinall(readers)
print({reader.value for reader in readers}, flush=True)
os._exit(0)
"""


def test_a_hung_folder_delays_only_its_readers(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HUNG_FOLDER, tmp_path.as_uri(), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert ("{'unavailable'}", 0) == (done.stdout.strip(), done.returncode), done.stderr


@pytest.mark.usefixtures("s3")
def test_an_unavailable_object_store_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("s3fs.core.S3FileSystem.retries", 1)  # avoid pauses between retries
    monkeypatch.setitem(OPTIONS["s3"]["config_kwargs"], "retries", {"max_attempts": 0})
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:1")
    archive = Archive(URL_OF_S3)
    for ask in (archive.read, lambda game_id: archive.read_many([game_id]), lambda one: archive.write(one, b"")):
        with pytest.raises(ArchiveUnavailableError):
            ask("AAAAAAAAAAAAAAAA")


@pytest.mark.usefixtures("s3")
def test_a_missing_bucket_is_unavailable() -> None:
    with pytest.raises(ArchiveUnavailableError):
        Archive("s3://nothing/finished").write("AAAAAAAAAAAAAAAA", b"content")


@pytest.mark.parametrize("url", ["folder", "/srv/games", "nosuch://games", "s3://", "://x", "file:"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(RefusedError):
        archive_url(url)


@pytest.mark.parametrize("url", ["", "local", "file:///srv/games", "memory://games", URL_OF_S3])
def test_a_url_of_an_installed_file_system_is_accepted(url: str) -> None:
    assert url == archive_url(url)
