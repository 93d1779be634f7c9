"""Run the README's commands and the programs of the tutorial and the guides against a fresh service.

    python -m tests.e2e.walk

In ```console blocks of the README, `$ …` begins a command and `> …` continues it. The other lines are its expected
output, where `…` matches anything. All commands run in one shell. All code of a guide in one language is one
program, which must succeed and print something.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.e2e.stack import ROOT, Stack

AT_ONCE = 4
ADMIN_TOKEN = "the-token-of-the-operator-of-this-service"
RUNS = {"sh": ["bash", "-eu"], "python": [sys.executable], "typescript": ["node"]}
NOT_RUN = {"training", "datasets", "mcp"}  # need extras
END = "--- end of the output ---"


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands in order, each with its expected output."""
    results: list[tuple[list[str], list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                results.append(([line[2:]], []))
            elif line.startswith("> "):
                results[-1][0].append(line[2:])
            else:
                results[-1][1].append(line)
    return [("\n".join(command), "\n".join(output)) for command, output in results]


def is_expected(expected: str, printed: str) -> bool:
    """Return whether the output is as expected. `…` matches anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def programs(text: str) -> dict[str, str]:
    """Return the program of a page in each of its languages."""
    results: dict[str, str] = {}
    for language, code in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language in RUNS:
            results[language] = results.get(language, "") + code
    return results


def run(folder: Path, url: str, page: Path, language: str, program: str) -> bool:
    """Run a program. Return whether it succeeded and printed something; print its output if not."""
    file = folder / f"{page.stem}-{language}.{'ts' if language == 'typescript' else language}"
    file.write_text(program.replace("http://127.0.0.1:8000", url))
    own = folder / file.stem
    own.mkdir()
    began = time.monotonic()
    environment = {**os.environ, "ADMIN_TOKEN": ADMIN_TOKEN}
    command = [*RUNS[language], str(file)]
    done = subprocess.run(command, cwd=own, env=environment, capture_output=True, text=True, check=False)
    fine = not done.returncode and bool(done.stdout)
    output = "" if fine else f"\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"
    print(f"{page.stem} in {language}: {time.monotonic() - began:.1f} s{output}")
    return fine


def programs_fail(folder: Path, url: str) -> int:
    """Return how many programs fail. They wait for AIs most of the time, so some run at once."""
    guides = [page for page in sorted(ROOT.glob("docs/guides/*.md")) if page.stem not in NOT_RUN]
    pages = [ROOT / "docs" / "tutorials" / "first-game.md", *guides]
    results = [(page, *program) for page in pages for program in programs(page.read_text()).items()]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [*pool.map(lambda one: run(folder, url, *one), results)].count(False)


def main() -> int:
    """Return 1 if a command prints something unexpected or a program fails."""
    walk = commands((ROOT / "README.md").read_text())
    folder = Path(tempfile.mkdtemp(prefix="walk-"))
    with Stack(folder, WORKERS="1", WEB_WORKERS="1", BACKGROUND_WORKERS="1", ADMIN_TOKEN=ADMIN_TOKEN) as stack:
        failed = programs_fail(folder, stack.url)
        script = "".join(f"{command}\necho\necho '{END}'\n" for command, _ in walk)
        script = script.replace("http://127.0.0.1:8000", stack.url)
        done = subprocess.run(["bash"], input=script, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    printed = done.stdout.split(END)[: len(walk)]
    wrong = 0
    for (command, expected), output in zip(walk, printed, strict=True):
        if not is_expected(expected, output):
            wrong += 1
            print(f"$ {command}\nexpected: {expected}\nprinted:  {output.strip()}\n")
    print(f"{len(walk)} commands of the README, {wrong} print something else; {failed} programs fail")
    return 1 if wrong or failed or not walk else 0


if __name__ == "__main__":
    sys.exit(main())
