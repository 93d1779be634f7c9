"""What the command lines of matches have in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from research.matches.match import Match, Result
from research.matches.remote import queue
from research.matches.results import UnusableResultsError, file_name
from research.matches.running import Players, here, run
from service.rulesets.registry import RULESETS
from service.settings import Settings, SettingsError, cores
from workers.search.players import UnreadableParametersError

INTERRUPTED = 130  # as a shell tells of SIGINT
GOES_ON = "the same command goes on where results are kept in a file"


def add_places(parser: argparse.ArgumentParser) -> None:
    """Where the games are played."""
    parser.add_argument("--jobs", type=int, default=cores(), help="processes; default: the cores")
    parser.add_argument(
        "--queue",
        action="store_true",
        help="have the background workers play that serve QUEUE_URL (or REDIS_URL), on whatever machines",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def add_matches(parser: argparse.ArgumentParser) -> None:
    """Several matches at two seats, whose games are kept in a folder, and where they are played."""
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: all of the ruleset's, by turns")
    parser.add_argument("--deals", type=int, default=30, help="of each match; each is played for both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("var/arena"), metavar="FOLDER", help="where they are kept")
    add_places(parser)


def played(options: argparse.Namespace, first: str, second: str) -> Result:
    """One of these matches, with what is missing of it (Unreadable, Unusable)."""
    if options.deals < 1:
        raise UnreadableParametersError("--deals: at least 1")
    variants = (options.variant,) if options.variant else RULESETS[options.ruleset].variants
    match = Match(options.ruleset, variants, 2, (first, second), options.seed)
    path = options.results / file_name(match)
    title = None if options.quiet else f"{first} against {second}"
    return run(match, options.deals, players(options), path=path, title=title)


def players(options: argparse.Namespace) -> Players:
    """Whoever plays, as asked for (Unreadable)."""
    if options.queue:
        return queue(_queue_url())
    if options.jobs < 1:
        raise UnreadableParametersError("--jobs: at least 1")
    return here(options.jobs)


def _queue_url() -> str:
    try:
        url = Settings.from_environment().queue_url
    except SettingsError as error:
        raise UnreadableParametersError(str(error)) from None
    if not url:
        raise UnreadableParametersError("--queue: neither QUEUE_URL nor REDIS_URL is set")
    return url


def exit_status(main: Callable[[], None], after_interrupt: str = GOES_ON) -> int:
    """The exit status of a command: 2, with a line on stderr, where the request is not possible."""
    try:
        main()
    except (UnreadableParametersError, UnusableResultsError, ChildProcessError, ConnectionError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"interrupted; {after_interrupt}", file=sys.stderr)
        return INTERRUPTED
    return 0


def written(path: Path, content: str) -> None:
    """Write a file whole (Unusable)."""
    try:
        path.write_text(content, "utf-8")
    except OSError as error:
        raise UnusableResultsError(f"{path}: {error.strerror}") from None
