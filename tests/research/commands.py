"""Run commands of benchmark matches in the test process, because starting a new one takes longer than most of them."""

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


def run_command(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return the output and the exit status of a command."""
    stdout, stderr = io.StringIO(), io.StringIO()
    main = importlib.import_module(module).main
    with (
        mock.patch.object(sys, "argv", [module, *arguments]),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        try:
            status = command.exit_status(main)
        except SystemExit as ended:  # raised by argparse
            status = int(ended.code or 0)
    return subprocess.CompletedProcess([module, *arguments], status, stdout.getvalue(), stderr.getvalue())
