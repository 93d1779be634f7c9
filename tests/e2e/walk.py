"""`python -m tests.e2e.walk`: the README's commands, run against a fresh service, and what they print compared.

In ```console blocks a line `$ …` begins a command, `> …` continues it, and what follows is its output; `…` in it
matches anything. All commands run in one shell, one after the other.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.stack import ROOT, Stack

END = "--- end of the output ---"


def commands(text: str) -> list[tuple[str, str]]:
    """(command, expected output) in order."""
    found: list[tuple[list[str], list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(([line[2:]], []))
            elif line.startswith("> "):
                found[-1][0].append(line[2:])
            else:
                found[-1][1].append(line)
    return [("\n".join(command), "\n".join(output)) for command, output in found]


def matches(expected: str, printed: str) -> bool:
    """Whether the output is the expected one, `…` matching anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def main() -> int:
    """1 if a command prints something else than the README says."""
    walk = commands((ROOT / "README.md").read_text())
    folder = Path(tempfile.mkdtemp(prefix="walk-"))
    with Stack(folder, BACKGROUND_WORKERS="1") as stack:
        script = "".join(f"{command}\necho\necho '{END}'\n" for command, _ in walk)
        script = script.replace("http://127.0.0.1:8000", stack.url)
        done = subprocess.run(["bash"], input=script, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    printed = done.stdout.split(END)[: len(walk)]
    wrong = 0
    for (command, expected), output in zip(walk, printed, strict=True):
        if not matches(expected, output):
            wrong += 1
            print(f"$ {command}\nexpected: {expected}\nprinted:  {output.strip()}\n")
    print(f"{len(walk)} commands of the README, {wrong} print something else")
    return 1 if wrong or not walk else 0


if __name__ == "__main__":
    sys.exit(main())
