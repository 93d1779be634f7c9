"""The commands of matches in the test's own process: to load everything anew takes longer than most of what they do."""

from __future__ import annotations

import contextlib
import importlib
import io
import subprocess
import sys
from pathlib import Path
from unittest import mock

from research.matches import command

RANDOM_PROGRAM = Path(__file__).with_name("random_program.py")


def called(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a command says, and its exit status."""
    stdout, stderr = io.StringIO(), io.StringIO()
    main = importlib.import_module(module).main
    with (
        mock.patch.object(sys, "argv", [module, *arguments]),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        try:
            status = command.exit_status(main)
        except SystemExit as ended:  # argparse's
            status = int(ended.code or 0)
    return subprocess.CompletedProcess([module, *arguments], status, stdout.getvalue(), stderr.getvalue())
